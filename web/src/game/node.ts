// What a game is made of. Nodes are never changed: an edit makes new ones.

import type { Chess } from "chessops/chess";
import type { NormalMove } from "chessops/types";

export type NodeId = number;

/** The id of the position before the first move. */
export const ROOT: NodeId = 0;

export interface TreeNode {
    readonly id: NodeId;
    /** The move, castling as the king's way to its rook; null at the root and for a null move. */
    readonly move: NormalMove | null;
    /** In UCI; "0000" for a null move, empty at the root. */
    readonly uci: string;
    /** In SAN with check and mate; "--" for a null move, empty at the root. */
    readonly san: string;
    readonly nags: readonly number[];
    /** Comments directly before the move: at the beginning of a side line, or after side lines of the move before. */
    readonly before: readonly string[];
    /** Comments after the move; at the root those before the first move. As they were written (see comments.ts). */
    readonly after: readonly string[];
    /** The main continuation first. */
    readonly children: readonly TreeNode[];
}

export interface Tag {
    readonly name: string;
    readonly value: string;
}

export type Result = "1-0" | "0-1" | "1/2-1/2" | "*";

/** A line of the engine; a score from White's view. */
export interface EngineLine {
    number: number;
    depth: number;
    score: { kind: "cp" | "mate"; value: number };
    wdl: [number, number, number];
    nodes: number;
    speed: number;
    moves: string[];
}

/** A game as it is read. */
export interface GameData {
    start: Chess;
    tags: readonly Tag[];
    root: TreeNode;
    /** How the moves end; null if the text did not say. */
    result: Result | null;
}

/** A node without anything: the root of a new game. */
export const EMPTY: TreeNode = { id: ROOT, move: null, uci: "", san: "", nags: [], before: [], after: [], children: [] };
