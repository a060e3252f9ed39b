// The engine's judge of positions, as the page fetches it.

import rules from "../package/rules.wasm?url";
import { judgeOf } from "./game/judge";
import { type Judge, plainJudge } from "./game/position";

let loaded: Judge | null = null;

/** The judge; until it has been fetched, and where it cannot be, that of chessops. */
export const judge: Judge = (fen) => (loaded ?? plainJudge)(fen);

/** Done when the judge has been fetched, or could not be. */
export const judgeLoaded: Promise<void> = fetch(rules)
    .then((response) => response.arrayBuffer())
    .then(judgeOf)
    .then((found) => void (loaded = found))
    .catch(() => undefined);
