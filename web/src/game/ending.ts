// How a game ends by the rules, and what may be claimed.

import type { Chess } from "chessops/chess";
import type { Result } from "./node";
import { keyOf } from "./position";

export interface Ending {
    result: Exclude<Result, "*">;
    why: string;
}

/** A draw that a player may claim. */
export type Claim = "threefold repetition" | "the fifty-move rule";

/** What ends the game in a position without a claim: mate, stalemate, a dead position, five repetitions, 75 moves. `history`: the
 *  position, and those before it, the latest first. */
export function endingOf(history: readonly Chess[]): Ending | null {
    const position = history[0]!;
    if (position.isCheckmate()) return { result: position.turn === "white" ? "0-1" : "1-0", why: "checkmate" };
    const draw = (why: string): Ending => ({ result: "1/2-1/2", why });
    if (position.isStalemate()) return draw("stalemate");
    if (position.isInsufficientMaterial()) return draw("insufficient material");
    if (position.halfmoves >= 150) return draw("the seventy-five-move rule");
    return repetitions(history) >= 5 ? draw("fivefold repetition") : null;
}

/** The draw that may be claimed in a position. */
export function claimOf(history: readonly Chess[]): Claim | null {
    if (repetitions(history) >= 3) return "threefold repetition";
    return history[0]!.halfmoves >= 100 ? "the fifty-move rule" : null;
}

/** How often the position has stood on the board, with this time. */
function repetitions(history: readonly Chess[]): number {
    // The side to move is the same every other time.
    const here = keyOf(history[0]!);
    return history.filter((position, ago) => ago % 2 === 0 && keyOf(position) === here).length;
}
