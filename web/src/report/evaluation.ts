// What the engine says of a position, and the chances of winning that it stands for.

import type { Color } from "chessops/types";
import type { Score } from "../engine";

/** The engine's word on a position. */
export interface Evaluation {
    /** From White's view. */
    score: Score;
    depth: number;
    nodes: number;
    /** The best line, in UCI; empty if the game is over. */
    moves: readonly string[];
}

/** Centipawns beyond which a position counts as won; a mate counts as much. */
const MOST = 1000;

/** Centipawns from White's view, from −1000 to 1000. */
export function centipawns({ kind, value }: Score): number {
    if (kind === "mate") return isForWhite({ kind, value }) ? MOST : -MOST;
    return Math.max(-MOST, Math.min(MOST, value));
}

/** True if it is White who mates. A mate on the board has the value 0 or −0, by who has mated. */
export function isForWhite({ value }: Score): boolean {
    return value > 0 || Object.is(value, 0);
}

/** Who mates, if the score is a mate. */
export function mates(score: Score): Color | null {
    return score.kind === "mate" ? (isForWhite(score) ? "white" : "black") : null;
}

/** White's chances of winning in percent, by lichess's formula (lichess.org/page/accuracy). */
export function winPercent(score: Score): number {
    return 50 + 50 * (2 / (1 + Math.exp(-0.00368208 * centipawns(score))) - 1);
}

/** A number of White's view from a side's view. */
export function from(side: Color, percent: number): number {
    return side === "white" ? percent : 100 - percent;
}
