// A line of moves played out on the board.

import type { Chess } from "chessops/chess";
import { makeSan } from "chessops/san";
import type { Color, NormalMove, Role } from "chessops/types";
import { opposite, parseUci } from "chessops/util";

/** A move of a line. */
export interface Step {
    mover: Color;
    move: NormalMove;
    uci: string;
    san: string;
    before: Chess;
    after: Chess;
    /** The piece that moved, as what it was. */
    role: Role;
    /** Where it stands now; after castling the king. */
    to: number;
    castles: boolean;
    /** The piece that was taken, and where it stood. */
    taken: { role: Role; square: number } | null;
    promotion: Role | null;
}

/** The moves of a line as far as they are legal. */
export function playOut(position: Chess, moves: readonly string[]): Step[] {
    const steps: Step[] = [];
    let before = position;
    for (const uci of moves) {
        const step = play(before, uci);
        if (!step) break;
        steps.push(step);
        before = step.after;
    }
    return steps;
}

/** One move; null if it is not legal. */
export function play(before: Chess, uci: string): Step | null {
    const move = parseUci(uci);
    if (!move || !("from" in move) || !before.isLegal(move)) return null;
    const mover = before.turn;
    const { board } = before;
    const role = board.getRole(move.from)!;
    const castles = role === "king" && (board[mover].has(move.to) || Math.abs(move.from - move.to) === 2);
    const after = before.clone();
    const san = makeSan(before, move);
    after.play(move);
    const enPassant = role === "pawn" && move.from % 8 !== move.to % 8 && !board.occupied.has(move.to);
    const square = enPassant ? (move.from & ~7) | (move.to & 7) : move.to;
    const victim = castles ? undefined : board.getRole(square);
    return {
        mover,
        move,
        uci,
        san: `${san.replace(/[+#]$/, "")}${after.isCheckmate() ? "#" : after.isCheck() ? "+" : ""}`,
        before,
        after,
        role,
        to: castles ? after.board.kingOf(mover)! : move.to,
        castles,
        taken: victim && board.getColor(square) === opposite(mover) ? { role: victim, square } : null,
        promotion: move.promotion ?? null,
    };
}

/** The moves with their numbers: "12…Qa5+ 13.Kf1 Qxe5". */
export function lineText(steps: readonly Step[]): string {
    return steps
        .map(({ before, san }, at) => {
            const number = before.turn === "white" ? `${before.fullmoves}.` : at === 0 ? `${before.fullmoves}…` : "";
            return number + san;
        })
        .join(" ");
}
