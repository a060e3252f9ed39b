// The sentence that says why a move was marked, from the engine's lines and what they do on the board. Everything in it is played out:
// what is lost is taken in the line and not won back, a mate stands at its end or is the engine's own count.

import type { Chess } from "chessops/chess";
import type { Color, Role } from "chessops/types";
import { makeSquare, opposite } from "chessops/util";
import { scoreText } from "../text";
import { type Evaluation, centipawns, mates } from "./evaluation";
import { type Step, lineText, playOut } from "./line";
import { type Balance, VALUE, attackersOf, balance, exchange, rest } from "./material";
import { list, mateWords, motifOf } from "./motifs";

/** A move that was marked, and what the engine says before and after it. */
export interface Marked {
    step: Step;
    /** The move before it in the game. */
    previous: Step | null;
    before: Evaluation;
    after: Evaluation;
}

/** Moves of a line that are shown at most. */
const SHOWN = 11;
/** The last move of a line, from 0, at which a capture is believed in. */
const SURE = 6;
/** Centipawns that the evaluation must have fallen by for each pawn of material, or the line has something for it; and those up to which
 *  material is the reason: so many, and so many for each pawn. */
const WORTH = 50;
const WORTH_MOST = [150, 250] as const;

interface Lines extends Marked {
    mover: Color;
    /** What the engine would have played, and how it punishes what was played. */
    best: Step[];
    reply: Step[];
}

export function explain(marked: Marked): string {
    const { step, before, after } = marked;
    const lines: Lines = {
        ...marked,
        mover: step.mover,
        best: playOut(step.before, before.moves),
        reply: playOut(step.after, after.moves),
    };
    const text = byMate(lines) ?? byDraw(lines) ?? byMaterial(lines) ?? byScore(lines);
    return text.replace(/ …\.$/, " …");
}

// ---- Mates.

function byMate({ mover, step, before, after, best, reply }: Lines): string | null {
    const [had, has] = [mates(before.score), mates(after.score)];
    const allowed = has === opposite(mover) && had !== has;
    const missed = had === mover && has !== mover;
    const missing = missed ? `Misses ${mateText(before, best)}` : "";
    if (step.after.isStalemate()) return missing ? `${missing}. It is stalemate now, a draw.` : null;
    const allowing = allowed ? `allows ${mateText(after, reply)}` : "";
    if (missed && allowed) return `${missing}, and ${allowing}.`;
    if (missed) return `${missing}.`;
    return allowed ? `${capital(allowing)}.` : null;
}

/** "mate in 3: 12.Qh5+ g6 13.Qxg6#", with as much of it as the line has. */
function mateText({ score }: Evaluation, steps: readonly Step[]): string {
    const count = Math.abs(score.value);
    const words = count === 1 ? "mate at once" : `mate in ${count}`;
    const last = steps[2 * count - 2];
    const isMate = last?.after.isCheckmate() ?? false;
    return `${words}${isMate ? mateWords(last!.after) : ""}: ${shown(steps.slice(0, 2 * count - 1), isMate)}`;
}

// ---- Draws.

function byDraw({ mover, before, step, reply }: Lines): string | null {
    if (view(mover, before) < 100) return null;
    if (step.after.isStalemate()) return "It is stalemate, a draw.";
    const end = reply.findIndex(({ after }) => after.isStalemate() || after.isInsufficientMaterial());
    if (end < 0 || end >= SHOWN) return null;
    const why = reply[end]!.after.isStalemate() ? "stalemate" : "too little material to mate";
    return `Lets ${name(opposite(mover))} reach a draw by ${why}: ${lineText(reply.slice(0, end + 1))}.`;
}

// ---- Material.

function byMaterial(lines: Lines): string | null {
    const { mover, step, reply, best } = lines;
    const fallen = raw(mover, lines.before) - raw(mover, lines.after);
    if (isTakenBack(lines) && fallen >= WORTH) {
        const [first] = best;
        return `Does not take back on ${makeSquare(first!.to)}, where ${shown(best.slice(0, 1), true)} takes the ${first!.taken!.role}.`;
    }
    const played = settled(mover, [step, ...reply]);
    const instead = settled(mover, best);
    if (!played) return null;
    const lost = played.balance;
    // A line without rest tells nothing; what it would have won is not counted.
    const kept = instead?.balance.pawns ?? 0;
    const difference = kept - lost.pawns;
    if (difference < 1 || fallen < WORTH * difference || fallen > WORTH_MOST[0] + WORTH_MOST[1] * difference) return null;
    const isMissed = instead && kept >= 1 && lost.pawns < 1 && kept > -lost.pawns;
    if (isMissed) return miss(lines, instead.balance, best.slice(0, instead.count));
    return lost.pawns <= -1 ? loss(lines, lost, reply.slice(0, played.count - 1)) : null;
}

/** What a line wins and loses, and the number of moves after which that is settled. */
function settled(side: Color, steps: readonly Step[]): { balance: Balance; count: number } | null {
    const end = rest(steps);
    if (end === null) return null;
    const all = balance(side, steps.slice(0, end));
    const isSame = (one: Balance) => one.pawns === all.pawns && one.won.join() === all.won.join() && one.lost.join() === all.lost.join();
    let count = end;
    while (count > 1 && isSame(balance(side, steps.slice(0, count - 1)))) count -= 1;
    return { balance: all, count };
}

/** True if the engine's move takes back what has just taken, and the move that was played takes nothing there. */
function isTakenBack({ previous, step, best }: Lines): boolean {
    const [first] = best;
    if (!previous?.taken || !first?.taken || first.to !== previous.to || (step.taken && step.to === previous.to)) return false;
    return exchange(first.before.board, first.to, first.mover) >= 1;
}

/** What the reply wins. */
function loss(lines: Lines, lost: Balance, reply: Step[]): string | null {
    const winner = opposite(lines.mover);
    const promoted = reply.findIndex(({ mover, promotion }, at) => mover === winner && promotion && reply[at + 1]?.taken?.square !== reply[at]!.to);
    if (promoted >= 0) return `Lets a pawn promote: ${shown(reply.slice(0, promoted + 1), true)}.`;
    if (hasPromotion(reply) || lost.lost.length === 0) return null;
    const prize = prizeOf(reply, winner, lost.lost[0]!);
    if (prize === null) return null;
    const single = lost.lost.length === 1 && lost.won.length === 0 ? reply[prize]! : null;
    const what = single && isUnmoved(single, lines.step.after) ? `the ${single.taken!.role} on ${makeSquare(single.taken!.square)}` : pieces(lost.lost);
    const how = prize === 0 && single ? exposure(lines, single) : "";
    return `Loses ${exchangeText(what, lost)}${how}: ${told(reply, prize)}.`;
}

/** What the engine's move would have won. */
function miss(lines: Lines, won: Balance, best: Step[]): string | null {
    const { mover } = lines;
    const promoted = best.findIndex(({ mover: by, promotion }, at) => by === mover && promotion && best[at + 1]?.taken?.square !== best[at]!.to);
    if (promoted >= 0) return `Misses that a pawn can promote: ${shown(best.slice(0, promoted + 1), true)}.`;
    if (hasPromotion(best) || won.won.length === 0) return null;
    const prize = prizeOf(best, mover, won.won[0]!);
    if (prize === null) return null;
    const single = won.won.length === 1 && won.lost.length === 0 ? best[prize]! : null;
    const what = single && isUnmoved(single, lines.step.before) ? `the ${single.taken!.role} on ${makeSquare(single.taken!.square)}` : pieces(won.won);
    const mirrored = { pawns: -won.pawns, won: won.lost, lost: won.won };
    return `Misses a way to win ${exchangeText(what, mirrored)}: ${told(best, prize)}.`;
}

/** The number of the move by which the winner takes a piece of this worth; that which is not taken back, if there is one. */
function prizeOf(steps: readonly Step[], winner: Color, role: Role): number | null {
    const takes = steps.flatMap(({ mover, taken }, at) => (mover === winner && taken && VALUE[taken.role] === VALUE[role] ? [at] : []));
    const kept = takes.filter((at) => steps[at + 1]?.taken?.square !== steps[at]!.to);
    const prize = kept[0] ?? takes[0] ?? null;
    return prize === null || prize > SURE || isGivenAway(steps, prize) ? null : prize;
}

/** True if the piece that is taken went to its place in this line, though nothing had attacked it. */
function isGivenAway(steps: readonly Step[], prize: number): boolean {
    const { taken, mover } = steps[prize]!;
    const arrival = steps.slice(0, prize).findLast((step) => step.mover !== mover && step.to === taken!.square);
    return arrival !== undefined && exchange(arrival.before.board, arrival.move.from, mover) === 0 && !arrival.before.isCheck();
}

/** True if what is taken stood there in this position already. */
function isUnmoved({ taken, mover }: Step, position: Chess): boolean {
    const piece = position.board.get(taken!.square);
    return piece?.role === taken!.role && piece.color === opposite(mover);
}

/** Why a piece can be taken at once. */
function exposure({ step, mover }: Lines, { taken }: Step): string {
    const { square } = taken!;
    if (square === step.to) return step.castles ? "" : ", which can be taken there";
    const [was, is] = [step.before.board, step.after.board];
    const guarded = attackersOf(was, square, mover).has(step.move.from) && !attackersOf(is, square, mover).has(step.to);
    if (guarded && !step.castles && exchange(was, square, opposite(mover)) === 0) return `, which the ${step.role} has stopped protecting`;
    return exchange(was, square, opposite(mover)) > 0 ? ", which was attacked" : "";
}

/** "the exchange (a rook for a knight)", "a knight for a pawn". */
function exchangeText(what: string, { won, lost }: Balance): string {
    if (won.length === 0) return what;
    const isExchange = lost.length === 1 && lost[0] === "rook" && won.length === 1 && VALUE[won[0]!] === 3;
    return isExchange ? `the exchange, a rook for a ${won[0]}` : `${what} for ${pieces(won)}`;
}

const COUNTS = ["", "a", "two", "three", "four", "five", "six", "seven", "eight"];

/** "a queen and two pawns". */
function pieces(roles: readonly Role[]): string {
    const kinds = [...new Set(roles)];
    return list(
        kinds.map((role) => {
            const count = roles.filter((one) => one === role).length;
            if (role === "queen" && count === 1) return "the queen";
            return `${COUNTS[count] ?? count} ${role}${count > 1 ? "s" : ""}`;
        }),
    );
}

/** The line with its motif in words. */
function told(steps: readonly Step[], prize: number): string {
    const motif = motifOf(steps, prize);
    if (!motif) return lineText(steps);
    const [head, tail] = [steps.slice(0, motif.at + 1), steps.slice(motif.at + 1)];
    return `${lineText(head)} ${motif.words}, ${lineText(tail)}`;
}

function hasPromotion(steps: readonly Step[]): boolean {
    return steps.some(({ promotion }) => promotion !== null);
}

// ---- What is left.

const CLASSES: readonly [number, string][] = [[300, "winning"], [120, "clearly better"], [50, "slightly better"], [-49, "equal"], [-119, "slightly worse"], [-299, "clearly worse"]];

/** How a position is for a side, in a word. */
function standing(side: Color, evaluation: Evaluation): string {
    return CLASSES.find(([least]) => view(side, evaluation) >= least)?.[1] ?? "losing";
}

function byScore({ mover, before, after, reply }: Lines): string {
    const [was, is] = [standing(mover, before), standing(mover, after)];
    const [from, to] = [scoreText(before.score), scoreText(after.score)];
    const then = reply.length > 0 ? ` after ${shown(reply.slice(0, 3), true)}` : "";
    if (was === is) return `${name(mover)}'s position worsens from ${from} to ${to}${then}.`;
    return `${name(mover)} was ${was} (${from}) and is ${is} (${to})${then}.`;
}

/** Centipawns from a side's view, a mate as a thousand. */
function view(side: Color, { score }: Evaluation): number {
    return (side === "white" ? 1 : -1) * centipawns(score);
}

/** The same without a limit. */
function raw(side: Color, { score }: Evaluation): number {
    return score.kind === "mate" ? 3 * view(side, { score } as Evaluation) : (side === "white" ? 1 : -1) * score.value;
}

/** A line as far as it is shown, with dots if it goes on. */
function shown(steps: readonly Step[], isWhole: boolean): string {
    return lineText(steps.slice(0, SHOWN)) + (isWhole && steps.length <= SHOWN ? "" : " …");
}

function name(side: Color): string {
    return side === "white" ? "White" : "Black";
}

function capital(text: string): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
