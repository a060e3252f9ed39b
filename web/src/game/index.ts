// Games: the tree, and what reads and writes it. The files of this folder point one way:
// saved → writer, reader, typed → positions-in → raw-games; readings → builder → lexer → notation → languages, position;
// tree → comments, nags, position. `link` and `judge` stand alone.

export * from "./comments";
export * from "./judge";
export * from "./link";
export * from "./nags";
export { chess960, fenOf, isChess960, legalMoves, plainJudge, positionOf, type Judge, type Verdict } from "./position";
export { readGame, readText, type Options, type ReadText } from "./reader";
export * from "./saved";
export * from "./tree";
export { playText, typedMove } from "./typed";
export { Unreadable, type Entry } from "./unreadable";
export { writePgn, type WriteOptions } from "./writer";
