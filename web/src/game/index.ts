// Games: the tree, and what reads and writes it. The files of this folder point one way:
// saved → writer, reader, typed → positions-in → raw-games; readings → builder → lexer → notation → languages, position;
// tree → ending, comments, nags, position → node. `link` and `judge` stand alone.

export * from "./comments";
export * from "./judge";
export * from "./link";
export * from "./nags";
export type { Claim, Ending } from "./ending";
export { chess960, fenOf, isChess960, legalMoves, plainJudge, positionOf, type Judge, type Verdict } from "./position";
export { readGame, readText, type Options, type ReadText } from "./reader";
export * from "./saved";
export { ROOT, type EngineLine, type GameData, type NodeId, type Result, type Tag, type TreeNode } from "./node";
export { Game } from "./tree";
export { playText, typedMove } from "./typed";
export { Unreadable, type Entry } from "./unreadable";
export { writePgn, type WriteOptions } from "./writer";
