// A game as the browser keeps it: PGN, the place that is looked at, and the engine's lines.

import { type Options, readText } from "./reader";
import { type EngineLine, type NodeId, ROOT, type TreeNode } from "./node";
import { Game } from "./tree";
import { Unreadable } from "./unreadable";
import { writePgn } from "./writer";

export interface SavedGame {
    version: 1;
    pgn: string;
    /** The place that is looked at, as its number in the order of the text. */
    at: number;
    /** The engine's lines of positions, by the same numbers. */
    lines: [number, EngineLine[]][];
}

/** The ids of all nodes in the order of the text. */
function order(root: TreeNode): NodeId[] {
    const ids: NodeId[] = [];
    const todo: TreeNode[] = [root];
    for (let node = todo.pop(); node; node = todo.pop()) {
        ids.push(node.id);
        for (const child of [...node.children].reverse()) todo.push(child);
    }
    return ids;
}

export function saveGame(game: Game): SavedGame {
    const numbers = new Map(order(game.root).map((id, number) => [id, number]));
    const lines = [...game.lines].flatMap(([id, kept]): [number, EngineLine[]][] => {
        const number = numbers.get(id);
        return number === undefined ? [] : [[number, [...kept]]];
    });
    return { version: 1, pgn: writePgn(game), at: numbers.get(game.at) ?? 0, lines };
}

/** The game that was saved.
 *  @throws Unreadable if it is none, or of a later version of this page. */
export function loadGame(saved: unknown, options: Options = {}): Game {
    const { version, pgn, at, lines } = (saved ?? {}) as Partial<SavedGame>;
    if (version !== 1 || typeof pgn !== "string") throw new Unreadable("The saved game is not one of this version of the page.");
    const game = /\S/.test(pgn.replace(/\*\s*$/, "")) ? readText(pgn, options).games[0]!.game() : new Game();
    const ids = order(game.root);
    if (Array.isArray(lines)) for (const [number, kept] of lines) if (ids[number] !== undefined) game.lines.set(ids[number], kept);
    game.goTo(ids[at ?? 0] ?? ROOT);
    return game;
}
