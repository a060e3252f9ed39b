// Moves that are typed.

import type { Chess } from "chessops/chess";
import type { NormalMove } from "chessops/types";
import { cleaned, tokensOf } from "./lexer";
import { readMoves } from "./readings";
import type { NodeId, TreeNode } from "./node";
import type { Game } from "./tree";
import { Unreadable, quoted } from "./unreadable";

/** The moves, with their glyphs, that a person types for a position: one or several.
 *  @throws Unreadable with a sentence. */
function typedMoves(text: string, position: Chess): TreeNode[] {
    const typed = cleaned(text).trim();
    if (typed === "") throw new Unreadable("Type a move, such as e4 or Nf3.");
    const tokens = tokensOf(typed);
    const isMoves = tokens.every((token) => token.kind === "word" || token.kind === "number" || token.kind === "nag");
    if (!isMoves || !tokens.some((token) => token.kind === "word")) throw new Unreadable(`${quoted(typed)} is no move.`);
    const nodes: TreeNode[] = [];
    let node = readMoves(tokens, position, true, false).root.children[0];
    for (; node; node = node.children[0]) nodes.push(node);
    if (nodes.some((one) => one.move === null)) throw new Unreadable(`${quoted(typed)} is no move that can be played.`);
    return nodes;
}

/** The one move that a person types for a position: SAN as people write it, in UCI, or from square to square.
 *  @throws Unreadable with a sentence. */
export function typedMove(text: string, position: Chess): NormalMove {
    const [node, another] = typedMoves(text, position);
    if (!node?.move || another) throw new Unreadable(`${quoted(text.trim())} is more than one move.`);
    return node.move;
}

/** Plays a move, or several, as a person types them, after the position that is looked at.
 *  @throws Unreadable with a sentence; the game is as it was then. */
export function playText(game: Game, text: string): TreeNode {
    const nodes = typedMoves(text, game.position());
    let at: NodeId = game.at;
    game.once(() => {
        for (const { move, nags } of nodes) {
            at = game.add(at, move!)!.id;
            if (nags.length > 0) game.setNags(at, [...game.node(at).nags, ...nags]);
        }
    });
    game.goTo(at);
    return game.node(at);
}
