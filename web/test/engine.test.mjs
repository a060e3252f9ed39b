// The engine under Node: as a program, as a worker, and as a function.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

const program = fileURLToPath(new URL("../package/tamarack.js", import.meta.url));
const { load } = createRequire(import.meta.url)(program);

/** An engine, its lines, and the next line that begins with some text. */
async function start() {
    const lines = [];
    let wanted = null;
    const engine = await load((line) => {
        lines.push(line);
        if (wanted && line.startsWith(wanted.text)) {
            const { resolve } = wanted;
            wanted = null;
            resolve(line);
        }
    });
    const ask = (command, text) =>
        new Promise((resolve) => {
            wanted = { text, resolve };
            engine.post(command);
        });
    return { engine, lines, ask };
}

async function run(input, ...commands) {
    const process_ = spawn(process.execPath, [program, ...commands]);
    let output = "";
    process_.stdout.on("data", (data) => (output += data));
    process_.stdin.on("error", () => {});
    process_.stdin.end(input);
    const code = await new Promise((done) => process_.on("close", done));
    return { code, lines: output.split("\n") };
}

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

test("bench counts the nodes of the native engine", async () => {
    const { lines } = await run("", "bench");
    const expected = readFileSync(new URL("../../bench.txt", import.meta.url), "utf8").trim();
    assert.equal(lines.at(-2).split(" ")[0], expected);
});

test("the program answers lines and finishes what it was asked", async () => {
    const { code, lines } = await run("uci\nisready\nposition startpos moves e2e4\ngo nodes 3000\n");
    assert.equal(code, 0);
    assert.ok(lines.includes("uciok") && lines.includes("readyok"));
    assert.match(lines.at(-2), /^bestmove [a-h][1-8][a-h][1-8]/);
});

test("an endless search ends with the input, and quit ends the program", async () => {
    assert.match((await run("go infinite\n")).lines.at(-2), /^bestmove /);
    assert.equal((await run("go infinite\nquit\n")).code, 0);
});

test("wrong lines are answered with a sentence", async () => {
    const { lines } = await run("nonsense\nposition fen 8/8 w\ngo depth 1\nsetoption name Threads value 4\nisready\n");
    assert.match(lines[0], /^info string .*nonsense/);
    assert.match(lines[1], /^info string position: FEN/);
    assert.ok(lines.includes("bestmove (none)"));
    assert.match(lines.find((line) => line.includes("threads")), /cannot start 4 threads, using 1/);
    assert.ok(lines.includes("readyok"));
});

test("what needs files is refused with a sentence", async () => {
    const { code, lines } = await run("go nodes 500\nsavehash x\nloadhash x\nexport_net x\nisready\n");
    assert.equal(code, 0);
    for (const command of ["savehash", "loadhash", "export_net"]) {
        assert.ok(lines.some((line) => line.startsWith(`info string ${command}: x: `)), `${command}: ${lines.join("\n")}`);
    }
    assert.ok(lines.includes("readyok"));
});

test("stop, isready and quit are heard while it thinks", async () => {
    const { engine, lines, ask } = await start();
    const delays = [];
    for (const fen of ["startpos", "fen 8/8/7k/p1P4p/1r1B4/4P2r/3KR3/8 w - - 0 48", "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]) {
        engine.post(`position ${fen}`);
        for (const time of [1, 30, 700]) {
            engine.post("go infinite");
            await sleep(time);
            await ask("isready", "readyok");
            assert.ok(!lines.at(-1).startsWith("bestmove"));
            const asked = performance.now();
            await ask("stop", "bestmove");
            delays.push(performance.now() - asked);
        }
    }
    console.log(`stop was answered after ${Math.max(...delays).toFixed(1)} ms at most`);
    // Far more than it takes, for a machine that does other things.
    assert.ok(Math.max(...delays) < 1000);
});

test("a search with pauses finds what one without does", async () => {
    const { engine, lines, ask } = await start();
    const last = () => lines.findLast((line) => line.includes(" pv ")).replace(/ nps \d+| time \d+/g, "");
    engine.post("ucinewgame\nposition startpos");
    await ask("go depth 13", "bestmove");
    const paused = last();
    const { lines: straight } = await run("", "position startpos", "go depth 13");
    assert.equal(paused, straight.findLast((line) => line.includes(" pv ")).replace(/ nps \d+| time \d+/g, ""));
});

test("pondering, mate searches and levels end as they should", async () => {
    const { engine, ask } = await start();
    engine.post("position startpos moves e2e4 e7e5");
    engine.post("go ponder wtime 1000 btime 1000");
    await sleep(50);
    assert.match(await ask("ponderhit", "bestmove"), /bestmove [a-h]/);
    engine.post("position fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
    assert.match(await ask("go mate 1", "bestmove"), /bestmove g5g7/);
    engine.post("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1400\nposition startpos");
    assert.match(await ask("go wtime 60000 btime 60000", "bestmove"), /bestmove [a-h]/);
});

test("it is a worker of Node", async () => {
    const worker = new Worker(program);
    const answer = new Promise((done) => worker.on("message", (line) => line.startsWith("bestmove") && done(line)));
    worker.postMessage("position startpos moves e2e4");
    worker.postMessage("go depth 5");
    assert.match(await answer, /^bestmove /);
    await worker.terminate();
});
