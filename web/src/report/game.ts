// The report of a game of the page: its main line, what the engine has said of each position, and the marks written into it.

import type { Color } from "chessops/types";
import { type EngineLine, type Game, MOVE_NAGS, type NodeId, ROOT, scoreCommand } from "../game";
import type { Evaluation } from "./evaluation";
import { NAGS } from "./marks";
import { type Report, reportOf } from "./report";
import { NODES, type Task } from "./search";

/** The main line as far as it has moves: null moves end it. */
export function nodesOf(game: Game): NodeId[] {
    const line = game.mainline();
    const end = line.findIndex(({ move }) => move === null);
    return [ROOT, ...(end < 0 ? line : line.slice(0, end)).map(({ id }) => id)];
}

/** What is known of a position: from the rules where the game is over, else from a line of enough nodes. */
export function evaluationOf(game: Game, id: NodeId): Evaluation | undefined {
    const end = game.ending(id);
    if (end) {
        const score = { kind: end.why === "checkmate" ? "mate" : "cp", value: end.result === "0-1" ? -0 : 0 } as const;
        return { score, depth: 0, nodes: 0, moves: [] };
    }
    const lines = game.lines.get(id);
    const best = lines?.[0];
    return best && isEnough(best, lines.length) ? best : undefined;
}

function isEnough({ nodes, score, depth }: EngineLine, lines: number): boolean {
    // A mate, or a deep line in a small position, needs fewer.
    return nodes / lines >= NODES * 0.9 || score.kind === "mate" || depth >= 60;
}

/** The positions of the main line that are still to be searched. */
export function tasksOf(game: Game): Task<NodeId>[] {
    return nodesOf(game)
        .filter((id) => !evaluationOf(game, id))
        .map((id) => ({ id, position: game.uciPosition(id), whiteToMove: game.turn(id) === "white" }));
}

export function reportOfGame(game: Game): Report {
    const nodes = nodesOf(game);
    const moves = nodes.slice(1).map((id) => game.node(id).uci);
    return reportOf(game.start, moves, nodes.map((id) => evaluationOf(game, id)));
}

/** Writes evaluations and marks into the game, for the copy: `[%eval 0.35]`, and `?!`, `?` and `??` where the game has no glyph of its own. */
export function annotate(game: Game, report: Report): void {
    const nodes = nodesOf(game);
    game.once(() => {
        for (const { ply, mark } of report.moves) {
            const id = nodes[ply]!;
            const known = evaluationOf(game, id);
            if (known && !game.ending(id)) game.setCommand(id, "eval", scoreCommand(known.score));
            const { nags } = game.node(id);
            if (mark && !nags.some((nag) => MOVE_NAGS.includes(nag))) game.setNags(id, [NAGS[mark], ...nags]);
        }
    });
}

export const SIDES: readonly Color[] = ["white", "black"];
