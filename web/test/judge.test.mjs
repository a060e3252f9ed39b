// One judge of positions: what the engine refuses the page refuses, in the engine's words (P10).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadModule } from "./modules.mjs";

const path = (name) => fileURLToPath(new URL(`../package/${name}`, import.meta.url));
const { judgeOf, readText } = await loadModule("game/index.ts");
const { load } = createRequire(import.meta.url)(path("tamarack.js"));
let judge;

before(async () => {
    judge = await judgeOf(readFileSync(path("rules.wasm")));
});

/** What the page says of a text; null if it reads it. */
function refusal(text) {
    try {
        readText(text, { judge });
        return null;
    } catch (error) {
        assert.equal(error.name, "Unreadable", error.stack);
        return error.message;
    }
}

/** What the engine says of a FEN in `info string`; null if nothing. */
async function engineSays(fens) {
    const said = [];
    let [onLine, onQuit] = [() => {}, () => {}];
    const quit = new Promise((resolve) => (onQuit = resolve));
    const engine = await load((line) => onLine(line), { wasm: path("tamarack.wasm"), onQuit: () => onQuit() });
    for (const fen of fens) {
        let text = null;
        await new Promise((resolve) => {
            onLine = (line) => {
                if (line.startsWith("info string")) text = line;
                if (line === "readyok") resolve();
            };
            engine.post(`position fen ${fen}`);
            engine.post("isready");
        });
        said.push(text);
    }
    engine.post("quit");
    await quit;
    return said;
}

const IMPOSSIBLE = [
    "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "4k3/8/8/8/8/NNNNNN2/NNNNN3/4K3 w - - 0 1",
    "4k3/8/8/8/8/RRRRRR2/RRRRRR2/4K3 w - - 0 1",
    "4k3/8/8/8/4r3/8/2n5/r3K3 w - - 0 1",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
    "8/8/8/8/8/8/8/9 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w xyz - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - zz 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - many 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1 5",
];

test("what the engine refuses the page refuses, in its words", async () => {
    const said = await engineSays(IMPOSSIBLE);
    for (const [index, fen] of IMPOSSIBLE.entries()) {
        const { refusal: reason } = judge(fen);
        assert.ok(reason, fen);
        assert.ok(said[index]?.includes(reason), `${fen}: the judge says "${reason}", the engine "${said[index]}"`);
        for (const text of [fen, `[SetUp "1"]\n[FEN "${fen}"]\n\n*`]) assert.equal(refusal(text), `FEN: ${reason}.`, text);
    }
});

test("what is repaired is said", () => {
    const { games, notes } = readText("4k3/8/8/8/8/8/8/4K2R w KQ e6 - -", { judge });
    assert.equal(games[0].game().fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert.match(notes.join(" "), /'Q' in "KQ": no rook to castle with, dropped/);
    const epd = readText('4k3/8/8/8/8/8/8/4K2R w K - hmvc 7; fmvn 30; id "x";', { judge });
    assert.equal(epd.games[0].game().fen(), "4k3/8/8/8/8/8/8/4K2R w K - 7 30");
});

test("counters, Chess960 rights and texts of any kind come through the judge whole", () => {
    for (const fen of [
        "4k3/8/8/8/8/8/8/4K2R w K - 12345 23456",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w KQkq - 0 1",
        "4r3/3k4/8/8/8/8/6PP/qR1KR1R1 w EQ - 0 1",
    ]) {
        const verdict = judge(fen);
        assert.equal(verdict.fen, fen, JSON.stringify(verdict));
        assert.equal(readText(fen, { judge }).games[0].game().fen(), fen);
    }
    for (const text of ["", "\0", "💣 w - - 0 1", "k".repeat(100_000), "4k3/8/8/8/8/8/8/4K3 w - - 0 1".replaceAll(" ", "\u00a0")]) {
        const verdict = judge(text);
        assert.ok("refusal" in verdict || "fen" in verdict);
    }
});
