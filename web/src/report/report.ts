// A game looked through: the engine's word on each position becomes marks, accuracies and turning points.

import type { Chess } from "chessops/chess";
import type { Color } from "chessops/types";
import { moveAccuracy, sideAccuracy } from "./accuracy";
import { type Evaluation, from, winPercent } from "./evaluation";
import { explain } from "./explain";
import { type Step, lineText, play, playOut } from "./line";
import { type Mark, cost, markOf } from "./marks";

/** A move of the report. */
export interface Move {
    /** The number of moves up to it, from 1. */
    ply: number;
    step: Step;
    /** Points of the chances of winning that it cost its side; null while one of the two positions has not been searched. */
    cost: number | null;
    mark: Mark | null;
    /** Why it is marked. */
    why: string | null;
    /** What the engine would have played, in UCI, and as text. */
    better: { moves: string[]; text: string } | null;
}

export interface Report {
    moves: Move[];
    accuracy: Record<Color, number | null>;
    /** The number of marks of each kind. */
    counts: Record<Color, Record<Mark, number>>;
    /** Up to three moves at which the game turned, in the order of the game. */
    turningPoints: Move[];
}

/** Points of the chances from which on a move is a turning point. */
const TURN = 10;
const TURNING_POINTS = 3;
/** Moves of the better line that are shown. */
const BETTER = 7;

/** The report of a game from a position, with what is known of each position, the first one included. */
export function reportOf(start: Chess, moves: readonly string[], evaluations: readonly (Evaluation | undefined)[]): Report {
    const steps: Step[] = [];
    for (let position = start; steps.length < moves.length; ) {
        const step = play(position, moves[steps.length]!);
        if (!step) break;
        steps.push(step);
        position = step.after;
    }
    const all = steps.map((step, at) => moveOf(step, at, steps[at - 1] ?? null, evaluations[at], evaluations[at + 1]));
    const count = (side: Color, mark: Mark) => all.filter((move) => move.mark === mark && move.step.mover === side).length;
    const counts = (side: Color) => ({ inaccuracy: count(side, "inaccuracy"), mistake: count(side, "mistake"), blunder: count(side, "blunder") });
    return {
        moves: all,
        accuracy: { white: accuracyOf(all, "white", evaluations), black: accuracyOf(all, "black", evaluations) },
        counts: { white: counts("white"), black: counts("black") },
        turningPoints: turningPoints(all),
    };
}

function moveOf(step: Step, at: number, previous: Step | null, before?: Evaluation, after?: Evaluation): Move {
    const move: Move = { ply: at + 1, step, cost: null, mark: null, why: null, better: null };
    if (!before || !after) return move;
    move.cost = cost(step.mover, before, after);
    move.mark = markOf(step.mover, step.uci, before, after);
    if (!move.mark) return move;
    move.why = explain({ step, previous, before, after });
    const better = playOut(step.before, before.moves.slice(0, BETTER));
    if (better.length > 0) move.better = { moves: better.map(({ uci }) => uci), text: lineText(better) };
    return move;
}

function accuracyOf(moves: readonly Move[], side: Color, evaluations: readonly (Evaluation | undefined)[]): number | null {
    const chances = (at: number) => from(side, winPercent(evaluations[at]!.score));
    const known = moves.filter(({ cost, step }) => cost !== null && step.mover === side);
    return sideAccuracy(known.map(({ ply }) => moveAccuracy(chances(ply - 1), chances(ply))));
}

/** The dearest moves. */
function turningPoints(moves: readonly Move[]): Move[] {
    return moves
        .filter(({ cost, mark }) => mark !== null && (cost ?? 0) >= TURN)
        .sort((a, b) => b.cost! - a.cost!)
        .slice(0, TURNING_POINTS)
        .sort((a, b) => a.ply - b.ply);
}
