// Which moves are marked, and how badly they erred.

import type { Color } from "chessops/types";
import { type Evaluation, centipawns, from, mates, winPercent } from "./evaluation";

export type Mark = "inaccuracy" | "mistake" | "blunder";

/** Points of the chances of winning that a move costs, at least; lichess's limits. */
const LIMITS: readonly [Mark, number][] = [["blunder", 15], ["mistake", 10], ["inaccuracy", 5]];
/** Centipawns that make a move inaccurate however little the chances change: a pawn's worth, less what a longer search may find. */
const PAWN = 80;
/** Centipawns at which a side is lost, or almost, so that a mate adds little to it. */
const LOST = 999;
const NEARLY_LOST = 700;

/** The glyph of a mark, and its number in PGN (NAG). */
export const GLYPHS: Record<Mark, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };
export const NAGS: Record<Mark, number> = { inaccuracy: 6, mistake: 2, blunder: 4 };

/** The points of its chances that a move of `mover` has cost; never below zero. */
export function cost(mover: Color, before: Evaluation, after: Evaluation): number {
    return Math.max(0, from(mover, winPercent(before.score)) - from(mover, winPercent(after.score)));
}

/** The mark of a move, from the positions before and after it; none if it is as good as the engine's. */
export function markOf(mover: Color, uci: string, before: Evaluation, after: Evaluation): Mark | null {
    if (before.moves[0] === uci) return null;
    const [view, other]: [number, Color] = mover === "white" ? [1, "black"] : [-1, "white"];
    const [was, is] = [view * centipawns(before.score), view * centipawns(after.score)];
    const [had, has] = [mates(before.score), mates(after.score)];
    // Who lets himself be mated, and who lets a mate go; it is worse the less it was decided already.
    if (has === other && had !== other) return had === mover ? "blunder" : graded(-was);
    if (had === mover && has !== mover) return graded(is);
    const lost = cost(mover, before, after);
    const mark = LIMITS.find(([, limit]) => lost >= limit)?.[0] ?? null;
    const fallen = had === null && has === null ? view * (before.score.value - after.score.value) : 0;
    return mark ?? (fallen >= PAWN ? "inaccuracy" : null);
}

/** A mate that was let go, or allowed, with so many centipawns in the same direction without it. */
function graded(decided: number): Mark {
    return decided > LOST ? "inaccuracy" : decided > NEARLY_LOST ? "mistake" : "blunder";
}
