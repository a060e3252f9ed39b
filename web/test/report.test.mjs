// The report of a game: formulas, marks, sentences, and the search of all positions.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Chess } from "chessops/chess";
import { parseFen } from "chessops/fen";
import { loadModule } from "./modules.mjs";

const { moveAccuracy, sideAccuracy } = await loadModule("report/accuracy.ts");
const { markOf } = await loadModule("report/marks.ts");
const { winPercent } = await loadModule("report/evaluation.ts");
const { reportOf } = await loadModule("report/report.ts");
const { LookThrough } = await loadModule("report/search.ts");

const at = (score, ...moves) => ({ score, depth: 20, nodes: 1, moves });
const cp = (value, ...moves) => at({ kind: "cp", value }, ...moves);
const mate = (value, ...moves) => at({ kind: "mate", value }, ...moves);
const position = (fen) => Chess.fromSetup(parseFen(fen).unwrap()).unwrap();

test("chances and accuracy are those of lichess's published formulas", () => {
    assert.equal(winPercent({ kind: "cp", value: 0 }), 50);
    assert.ok(Math.abs(winPercent({ kind: "cp", value: 100 }) - 59.1) < 0.1);
    assert.ok(Math.abs(winPercent({ kind: "cp", value: 100 }) + winPercent({ kind: "cp", value: -100 }) - 100) < 1e-9);
    assert.ok(winPercent({ kind: "mate", value: 3 }) > 97 && winPercent({ kind: "mate", value: -3 }) < 3);
    assert.ok(Math.abs(moveAccuracy(50, 50) - 100) < 0.01 && moveAccuracy(40, 60) === moveAccuracy(50, 50));
    assert.ok(Math.abs(moveAccuracy(60, 50) - 63.6) < 0.1);
    assert.ok(sideAccuracy([100, 100, 100, 20]) < 75 && sideAccuracy([100, 100]) === 100 && sideAccuracy([]) === null);
});

test("a move is marked by what it costs, and the engine's own move never", () => {
    assert.equal(markOf("white", "e2e4", cp(20, "d2d4"), cp(-10)), null);
    assert.equal(markOf("white", "e2e4", cp(20, "d2d4"), cp(-60)), "inaccuracy");
    assert.equal(markOf("white", "e2e4", cp(20, "d2d4"), cp(-110)), "mistake");
    assert.equal(markOf("white", "e2e4", cp(20, "d2d4"), cp(-200)), "blunder");
    assert.equal(markOf("black", "e7e5", cp(20, "c7c5"), cp(-200)), null);
    assert.equal(markOf("black", "e7e5", cp(-200, "c7c5"), cp(20)), "blunder");
    assert.equal(markOf("white", "d2d4", cp(20, "d2d4"), cp(-200)), null);
    // A pawn's worth is marked however clear the game is.
    assert.equal(markOf("white", "e2e4", cp(1500, "d2d4"), cp(1390)), "inaccuracy");
});

test("a mate that is allowed or let go is worse the less the game was decided", () => {
    assert.equal(markOf("white", "e2e4", cp(0, "d2d4"), mate(-3)), "blunder");
    assert.equal(markOf("white", "e2e4", cp(-800, "d2d4"), mate(-3)), "mistake");
    assert.equal(markOf("white", "e2e4", cp(-1500, "d2d4"), mate(-3)), "inaccuracy");
    assert.equal(markOf("white", "e2e4", mate(2, "d2d4"), cp(300)), "blunder");
    assert.equal(markOf("white", "e2e4", mate(2, "d2d4"), cp(1500)), "inaccuracy");
    assert.equal(markOf("white", "e2e4", mate(2, "d2d4"), mate(5)), null);
    assert.equal(markOf("black", "e7e5", mate(-2, "d7d5"), mate(4)), "blunder");
    // The mate on the board has no sign but that of its zero.
    assert.equal(markOf("black", "e7e5", mate(-1, "d7d5"), mate(-0)), null);
});

/** Ten public games with what the engine said of each position after 1,000,000 nodes: White's centipawns, or moves to mate; and its move. */
const PUBLIC = JSON.parse(readFileSync(new URL("public-games.json", import.meta.url), "utf8"));

test("of ten public games each move that loses a pawn's worth or more is marked", () => {
    const score = (one) => {
        const [, sign, moves] = /^(-?)#(\d+)$/.exec(one) ?? [];
        return moves === undefined ? { kind: "cp", value: one } : { kind: "mate", value: sign ? -Number(moves) : Number(moves) };
    };
    const worth = ({ kind, value }) => (kind === "cp" ? value : value > 0 || Object.is(value, 0) ? 3000 : -3000);
    let losing = 0;
    for (const { name, moves, scores, best } of PUBLIC) {
        const evaluations = scores.map((one, ply) => at(score(one), best.split(" ")[ply]));
        moves.split(" ").forEach((uci, ply) => {
            const [side, view] = ply % 2 === 0 ? ["white", 1] : ["black", -1];
            const [before, after] = [evaluations[ply], evaluations[ply + 1]];
            if (before.moves[0] === uci || view * (worth(before.score) - worth(after.score)) < 100) return;
            losing += 1;
            assert.notEqual(markOf(side, uci, before, after), null, `${name}, ply ${ply + 1}`);
        });
    }
    assert.ok(PUBLIC.length >= 10 && losing >= 40, `${losing} moves of ${PUBLIC.length} games`);
});

/** A position, the moves in it of which the last is marked, the engine's lines before and after it, and what is said. They are from
 *  games of masters and of weak players, and were read one by one. */
const SENTENCES = JSON.parse(readFileSync(new URL("report-sentences.json", import.meta.url), "utf8"));

for (const { fen, moves, before, after, mark, why } of SENTENCES) {
    test(`${moves.at(-1)} in ${fen}: ${why}`, () => {
        const evaluations = [before, after].map(({ score, moves }) => at(score, ...moves.split(" ")));
        const report = reportOf(position(fen), moves, moves.length === 2 ? [undefined, ...evaluations] : evaluations);
        assert.deepEqual([report.moves.at(-1).mark, report.moves.at(-1).why], [mark, why]);
    });
}

test("a stalemate, a smothered mate and a mate on the back rank are called so", () => {
    const said = (fen, move, before, after) => reportOf(position(fen), [move], [before, after]).moves[0].why;
    const stalemate = said("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "f2f7", mate(1, "f2f8"), cp(0));
    assert.equal(stalemate, "Misses mate at once: 1.Qf8#. It is stalemate now, a draw.");
    const smothered = said("6rk/6pp/7N/8/8/8/8/K6R w - - 0 1", "a1a2", mate(1, "h6f7"), cp(50, "g7h6"));
    assert.equal(smothered, "Misses mate at once, smothered by his own pieces: 1.Nf7#.");
    const rank = said("6k1/5ppp/8/8/8/8/5PPP/1r4K1 b - - 0 1".replace(" b ", " w ").replace("1r4K1", "R5K1"), "a1b1", mate(1, "a1a8"), cp(500, "g7g6"));
    assert.equal(rank, "Misses mate at once on the back rank: 1.Ra8#.");
});

test("turning points are the three moves that cost most, in the order of the game", () => {
    const moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "f8c5"];
    const values = [0, -150, 200, -300, 250, 0, 0, 0, 0];
    const { turningPoints } = reportOf(Chess.default(), moves, values.map((value) => cp(value, "a2a3")));
    assert.deepEqual(turningPoints.map(({ ply }) => ply), [2, 3, 4]);
});

/** Engines that answer when they are let go. */
function engines({ fails = false } = {}) {
    const asked = [];
    const open = () => {
        let isClosed = false;
        return {
            search: (task, nodes) =>
                new Promise((resolve, reject) => {
                    const answer = () => (fails ? reject(new Error("The engine cannot be used: no memory.")) : resolve({ ...cp(task.id), nodes }));
                    asked.push({ id: task.id, answer: () => isClosed || answer() });
                }),
            close: () => (isClosed = true),
        };
    };
    const letGo = async (count) => {
        for (let one = 0; one < count && asked.length > 0; one += 1) {
            asked.shift().answer();
            await new Promise((done) => setImmediate(done));
        }
    };
    return { asked, open, letGo };
}

const tasks = (ids) => ids.map((id) => ({ id, position: "startpos", whiteToMove: true }));

test("every position is searched once, by as many engines as there are, and it can be stopped and gone on with", async () => {
    const found = new Map();
    let ends = 0;
    const listeners = { onLine: (id, line) => found.set(id, line), onEnd: (why) => (assert.equal(why, null), (ends += 1)) };
    const all = [...Array(41).keys()];
    const first = engines();
    const search = new LookThrough(tasks(all), listeners, first.open, 3);
    assert.deepEqual(first.asked.map(({ id }) => id), [13, 27, 40]);
    await first.letGo(20);
    search.stop();
    await first.letGo(10);
    assert.deepEqual([found.size, ends], [20, 0]);
    const rest = all.filter((id) => !found.has(id));
    const second = engines();
    new LookThrough(tasks(rest), listeners, second.open, 2);
    const seen = [];
    for (let one = 0; one < 30; one += 1) {
        seen.push(...second.asked.map(({ id }) => id));
        await second.letGo(1);
    }
    assert.deepEqual([[...found.keys()].sort((a, b) => a - b), ends], [all, 1]);
    assert.equal(new Set(seen).size, rest.length);
    new LookThrough([], listeners, second.open, 2);
    await new Promise((done) => setImmediate(done));
    assert.equal(ends, 2);
});

test("where the engine cannot be used the search ends with a sentence", async () => {
    const { open, letGo } = engines({ fails: true });
    const why = await new Promise((onEnd) => {
        new LookThrough(tasks([1, 2, 3]), { onLine: () => {}, onEnd }, open, 2);
        void letGo(2);
    });
    assert.equal(why, "The engine cannot be used: no memory.");
});
