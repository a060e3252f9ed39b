// Games: the tree, and what reads and writes it. The files of this folder point one way: index -> saved -> writer, reader -> builder,
// lexer -> notation -> languages, position; tree -> comments, nags, position.

export * from "./comments";
export * from "./judge";
export * from "./link";
export * from "./nags";
export { chess960, fenOf, isChess960, legalMoves, plainJudge, positionOf, type Judge, type Verdict } from "./position";
export { playText, readGame, readText, typedMove, type Entry, type Options, type ReadText } from "./reader";
export * from "./saved";
export * from "./tree";
export { Unreadable } from "./unreadable";
export { writePgn, type WriteOptions } from "./writer";
