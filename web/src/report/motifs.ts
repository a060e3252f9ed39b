// Tactical motifs in a line, each with the move that has it. They are found from what stands on the board, and believed only if the line
// then takes what the motif is after.

import { attacks, between, ray } from "chessops/attacks";
import type { Chess } from "chessops/chess";
import type { Color, Role } from "chessops/types";
import { makeSquare, opposite } from "chessops/util";
import type { Step } from "./line";
import { VALUE, attackersOf, exchange } from "./material";

export interface Motif {
    /** The number of the move in the line that the words belong to. */
    at: number;
    /** What follows the move: "forks king and rook". */
    words: string;
}

/** The motif by which a capture of the line, the move number `prize`, came about; null if none is certain. */
export function motifOf(steps: readonly Step[], prize: number): Motif | null {
    const capture = steps[prize]!;
    // The move before the capture first, then those before it.
    for (let at = prize - 2; at >= 0; at -= 2) {
        for (const words of [doubleCheck, fork, skewer, discovery, lure, strip, trap, pin]) {
            const found = words(steps, at, capture, prize);
            if (found) return { at, words: found };
        }
    }
    return null;
}

type Finder = (steps: readonly Step[], at: number, capture: Step, prize: number) => string | null;

/** The piece that will be taken stands where it stood when this move was played. */
function stood(step: Step, capture: Step): boolean {
    const { role, square } = capture.taken!;
    const piece = step.after.board.get(square);
    return piece?.role === role && piece.color === opposite(capture.mover);
}

const doubleCheck: Finder = (steps, at, capture) => {
    const { after } = steps[at]!;
    return at === 0 && after.isCheck() && checkers(after).length > 1 && capture.mover === steps[at]!.mover ? "is a double check" : null;
};

/** One piece attacks two, and then takes one of them. */
const fork: Finder = (steps, at, capture) => {
    const step = steps[at]!;
    if (capture.move.from !== step.to || !stood(step, capture)) return null;
    const all = targetsOf(step);
    if (!all.some(({ square }) => square === capture.taken!.square)) return null;
    // Beside pieces a pawn is not worth a word.
    const pieces = all.filter(({ role, square }) => role !== "pawn" || square === capture.taken!.square);
    const targets = pieces.length < 2 ? all : pieces;
    if (targets.length < 2) return null;
    const areAlike = new Set(targets.map(({ role }) => role)).size < targets.length;
    return `forks ${list(targets.map(({ role, square }) => (areAlike ? `the ${role} on ${makeSquare(square)}` : role)))}`;
};

/** What the piece that has just moved attacks: the king, what is worth more than it, and what it can take for nothing. */
function targetsOf({ after, to, mover }: Step): { role: Role; square: number }[] {
    const { board } = after;
    const piece = board.get(to)!;
    const other = opposite(mover);
    return [...attacks(piece, to, board.occupied).intersect(board[other])]
        .map((square) => ({ role: board.getRole(square)!, square }))
        .filter(({ role, square }) => role === "king" || VALUE[role] > VALUE[piece.role] || attackersOf(board, square, other).isEmpty())
        .sort((a, b) => VALUE[b.role] - VALUE[a.role]);
}

/** A piece that must go uncovers another one, which is taken along the same line. */
const skewer: Finder = (steps, at, capture) => {
    const step = steps[at]!;
    const { square } = capture.taken!;
    if (!isSlider(step.after, step.to) || capture.move.from !== step.to || !stood(step, capture)) return null;
    const { board } = step.after;
    const inFront = [...between(step.to, square).intersect(board.occupied)];
    const [front] = inFront;
    if (inFront.length !== 1 || front === undefined || board.getColor(front) === step.mover) return null;
    const role = board.getRole(front)!;
    const attacked = attacks(board.get(step.to)!, step.to, board.occupied).has(front);
    if (!attacked || VALUE[role] < VALUE[capture.taken!.role]) return null;
    return `attacks the ${role} and, behind it, the ${capture.taken!.role}`;
};

/** The move opens the line of a piece behind, which then takes. */
const discovery: Finder = (steps, at, capture) => {
    const step = steps[at]!;
    const { from } = capture.move;
    const { square } = capture.taken!;
    if (step.to === from || !stood(step, capture) || !isSlider(step.after, from)) return null;
    const behind = step.before.board.get(from);
    if (!behind || behind.color !== step.mover || !between(from, square).has(step.move.from)) return null;
    const sees = (position: Chess) => attacks(behind, from, position.board.occupied).has(square);
    return !sees(step.before) && sees(step.after) ? `discovers an attack on the ${capture.taken!.role}` : null;
};

/** A piece that protected what is taken is made to take elsewhere. */
const lure: Finder = (steps, at, capture, prize) => {
    const [step, answer] = [steps[at]!, steps[at + 1]];
    if (at !== prize - 2 || !answer?.taken || answer.taken.square !== step.to || !stood(step, capture)) return null;
    const { square, role } = capture.taken!;
    const guards = attackersOf(step.after.board, square, answer.mover);
    const left = attackersOf(answer.after.board, square, answer.mover);
    return guards.has(answer.move.from) && !left.has(answer.to) && left.isEmpty() && answer.to !== square
        ? `draws the ${answer.role} away from the ${role} on ${makeSquare(square)}`
        : null;
};

/** The piece that protected what is taken is taken itself. */
const strip: Finder = (steps, at, capture) => {
    const step = steps[at]!;
    if (!step.taken || !stood(step, capture)) return null;
    const { square, role } = capture.taken!;
    const other = opposite(step.mover);
    if (square === step.to) return null;
    const guards = attackersOf(step.before.board, square, other);
    const takesGuard = guards.has(step.taken.square) && guards.size() === 1;
    return takesGuard && attackersOf(step.after.board, square, other).isEmpty()
        ? `takes the only protector of the ${role} on ${makeSquare(square)}`
        : null;
};

/** The piece is attacked and has no square to go to. */
const trap: Finder = (steps, at, capture) => {
    const step = steps[at]!;
    const { square, role } = capture.taken!;
    if (role === "pawn" || !stood(step, capture) || step.after.isCheck() || step.taken) return null;
    const { board } = step.after;
    if (!attackersOf(board, square, step.mover).has(step.to) || exchange(board, square, step.mover) === 0) return null;
    // Where it had been lost before, nothing was trapped by this move.
    if (exchange(step.before.board, square, step.mover) > 0) return null;
    const isSafe = (to: number) => {
        const next = step.after.clone();
        const gain = next.board.has(to) ? VALUE[next.board.getRole(to)!] : 0;
        next.play({ from: square, to });
        return gain >= exchange(next.board, to, step.mover);
    };
    return [...step.after.dests(square)].some(isSafe) ? null : `traps the ${role} on ${makeSquare(square)}`;
};

/** The piece that is taken could not leave its place before the king. */
const pin: Finder = (steps, at, capture) => {
    const step = steps[at]!;
    const { square, role } = capture.taken!;
    if (at + 2 !== steps.indexOf(capture) || role === "pawn" || !stood(step, capture)) return null;
    return isPinned(step.after, square) && !isPinned(step.before, square) ? `pins the ${role} on ${makeSquare(square)}` : null;
};

/** True if the piece stands between its king and a piece that would check it. */
export function isPinned({ board }: Chess, square: number): boolean {
    const color = board.getColor(square);
    const king = color && board.kingOf(color);
    if (!color || king === undefined || !ray(king, square).nonEmpty()) return false;
    for (const from of board[opposite(color)].intersect(ray(king, square))) {
        const inWay = between(from, king).intersect(board.occupied);
        if (inWay.size() === 1 && inWay.has(square) && attacks(board.get(from)!, from, board.occupied.without(square)).has(king)) return true;
    }
    return false;
}

function isSlider({ board }: Chess, square: number): boolean {
    return ["bishop", "rook", "queen"].includes(board.getRole(square) ?? "");
}

function checkers({ board, turn }: Chess): number[] {
    const king = board.kingOf(turn);
    return king === undefined ? [] : [...attackersOf(board, king, opposite(turn))];
}

/** What is special about a mate, after the word mate. */
export function mateWords({ board, turn }: Chess): string {
    const king = board.kingOf(turn)!;
    const [checker] = checkers({ board, turn } as Chess);
    if (checker === undefined) return "";
    const around = attacks({ role: "king", color: turn as Color }, king, board.occupied);
    const role = board.getRole(checker);
    if (role === "knight" && around.diff(board[turn]).isEmpty()) return ", smothered by his own pieces";
    const rank = turn === "white" ? 0 : 7;
    const isOnRank = king >> 3 === rank && checker >> 3 === rank && (role === "rook" || role === "queen");
    const inFront = [...around].filter((square) => square >> 3 !== rank);
    return isOnRank && inFront.every((square) => board[turn].has(square)) ? " on the back rank" : "";
}

/** "a", "a and b", "a, b and c". */
export function list(words: readonly string[]): string {
    return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
