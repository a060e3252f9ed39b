// The engine under Node: as a program, as a worker, and as a function, in both builds.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

const path = (name) => fileURLToPath(new URL(`../package/${name}`, import.meta.url));
const program = path("tamarack.js");
const { load } = createRequire(import.meta.url)(program);
const SINGLE = path("tamarack.wasm");
const THREADS = path("tamarack-threads.wasm");
const hasThreads = existsSync(THREADS);
/** For tests of threads. */
const needsThreads = { skip: hasThreads ? false : "tamarack-threads.wasm was not built" };

/** A test of each build. */
function testBoth(name, check) {
    test(`${name} (one thread)`, () => check(SINGLE));
    test(`${name} (with threads)`, needsThreads, () => check(THREADS));
}

/** An engine, its lines, and the next line that begins with some text; it quits at the end of the test. */
async function withEngine(wasm, check) {
    const lines = [];
    const wanted = [];
    let onQuit;
    const quit = new Promise((resolve) => (onQuit = resolve));
    const onLine = (line) => {
        lines.push(line);
        if (wanted[0] && line.startsWith(wanted[0].text)) wanted.shift().resolve(line);
    };
    const engine = await load(onLine, { wasm, onQuit });
    const ask = (command, text) =>
        new Promise((resolve) => {
            wanted.push({ text, resolve });
            engine.post(command);
        });
    try {
        await check({ engine, lines, ask });
    } finally {
        engine.post("quit");
        await quit;
    }
}

async function run(wasm, input, ...commands) {
    const process_ = spawn(process.execPath, [program, ...commands], { env: { ...process.env, TAMARACK_WASM: wasm } });
    let output = "";
    process_.stdout.on("data", (data) => (output += data));
    process_.stdin.on("error", () => {});
    process_.stdin.end(input);
    const code = await new Promise((done) => process_.on("close", done));
    return { code, lines: output.split("\n") };
}

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

testBoth("bench counts the nodes of the native engine", async (wasm) => {
    const { lines } = await run(wasm, "", "bench");
    const expected = readFileSync(new URL("../../bench.txt", import.meta.url), "utf8").trim();
    assert.equal(lines.at(-2).split(" ")[0], expected);
});

testBoth("the program answers lines and finishes what it was asked", async (wasm) => {
    const { code, lines } = await run(wasm, "uci\nisready\nposition startpos moves e2e4\ngo nodes 3000\n");
    assert.equal(code, 0);
    assert.ok(lines.includes("uciok") && lines.includes("readyok"));
    assert.match(lines.at(-2), /^bestmove [a-h][1-8][a-h][1-8]/);
});

testBoth("commands as arguments are done one after the other", async (wasm) => {
    const { code, lines } = await run(wasm, "", "position startpos moves e2e4", "go nodes 3000", "position startpos", "go infinite", "isready", "perft 3");
    assert.equal(code, 0);
    const answers = lines.filter((line) => /^(bestmove|readyok|Nodes searched)/.test(line)).map((line) => line.split(/[ :]/)[0]);
    assert.deepEqual(answers, ["bestmove", "bestmove", "readyok", "Nodes"]);
    assert.ok(lines.includes("Nodes searched: 8902"));
});

testBoth("an endless search ends with the input, and quit ends the program", async (wasm) => {
    assert.match((await run(wasm, "go infinite\n")).lines.at(-2), /^bestmove /);
    assert.equal((await run(wasm, "go infinite\nquit\n")).code, 0);
});

testBoth("wrong lines are answered with a sentence", async (wasm) => {
    const { lines } = await run(wasm, "nonsense\nposition fen 8/8 w\ngo depth 1\nisready\n");
    assert.match(lines[0], /^info string .*nonsense/);
    assert.match(lines[1], /^info string position: FEN/);
    assert.ok(lines.includes("bestmove (none)"));
    assert.ok(lines.includes("readyok"));
});

testBoth("a table that is too large is refused with a sentence, and the engine plays on", async (wasm) => {
    const { code, lines } = await run(wasm, "setoption name Hash value 100000\nsetoption name Hash value 3000\ngo depth 5\n");
    assert.equal(code, 0);
    assert.equal(lines.filter((line) => /^info string .*(memory|address space)/.test(line)).length, 2, lines.join("\n"));
    assert.match(lines.at(-2), /^bestmove [a-h]/);
});

testBoth("what needs files is refused with a sentence", async (wasm) => {
    const { code, lines } = await run(wasm, "go nodes 500\nsavehash x\nloadhash x\nexport_net x\nisready\n");
    assert.equal(code, 0);
    for (const command of ["savehash", "loadhash", "export_net"]) {
        assert.ok(lines.some((line) => line.startsWith(`info string ${command}: x: `)), `${command}: ${lines.join("\n")}`);
    }
    assert.ok(lines.includes("readyok"));
});

/** Far more than it takes, for a machine that does other things. */
const MAX_DELAY = 1000;

testBoth("stop, isready and quit are heard while it thinks", (wasm) =>
    withEngine(wasm, async ({ engine, lines, ask }) => {
        const delays = [];
        for (const threads of wasm === THREADS ? [1, 3] : [1]) {
            engine.post(`setoption name Threads value ${threads}`);
            await ask("isready", "readyok");
            for (const fen of ["startpos", "fen 8/8/7k/p1P4p/1r1B4/4P2r/3KR3/8 w - - 0 48", "fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]) {
                engine.post(`position ${fen}`);
                for (const time of [1, 30, 300]) {
                    engine.post("go infinite");
                    await sleep(time);
                    assert.equal(engine.isSearching, true);
                    await ask("isready", "readyok");
                    assert.ok(!lines.at(-1).startsWith("bestmove"));
                    const asked = performance.now();
                    await ask("stop", "bestmove");
                    delays.push(performance.now() - asked);
                    assert.equal(engine.isSearching, false);
                }
            }
        }
        console.log(`stop was answered after ${Math.max(...delays).toFixed(1)} ms at most`);
        assert.ok(Math.max(...delays) < MAX_DELAY);
    }),
);

test("a search with pauses finds what one without does", () =>
    withEngine(SINGLE, async ({ engine, lines, ask }) => {
        const last = (lines) => lines.findLast((line) => line.includes(" pv ")).replace(/ nps \d+| time \d+/g, "");
        engine.post("ucinewgame\nposition startpos");
        await ask("go depth 13", "bestmove");
        const { lines: straight } = await run(hasThreads ? THREADS : SINGLE, "", "position startpos", "go depth 13");
        assert.equal(last(lines), last(straight));
    }));

testBoth("pondering, mate searches and levels end as they should", (wasm) =>
    withEngine(wasm, async ({ engine, ask }) => {
        engine.post("position startpos moves e2e4 e7e5");
        engine.post("go ponder wtime 1000 btime 1000");
        await sleep(50);
        assert.match(await ask("ponderhit", "bestmove"), /bestmove [a-h]/);
        engine.post("position fen 7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
        assert.match(await ask("go mate 1", "bestmove"), /bestmove g5g7/);
        engine.post("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1400\nposition startpos");
        assert.match(await ask("go wtime 60000 btime 60000", "bestmove"), /bestmove [a-h]/);
    }),
);

testBoth("what a line of the engine makes the user post is heard", async (wasm) => {
    let engine;
    const quit = new Promise((resolve, reject) => {
        const onLine = (line) => {
            if (line.includes("failed")) reject(new Error(line));
            if (line === "readyok") engine.post("go nodes 2000");
            if (line.startsWith("bestmove")) engine.end();
        };
        load(onLine, { wasm, onQuit: resolve }).then((loaded) => {
            engine = loaded;
            engine.post("isready");
        });
    });
    await quit;
});

test("several threads search, and can be more and fewer again", needsThreads, () =>
    withEngine(THREADS, async ({ engine, lines, ask }) => {
        for (const threads of [4, 1, 3]) {
            engine.post(`setoption name Threads value ${threads}\ndebug on\nposition startpos`);
            await ask("go nodes 200000", "bestmove");
        }
        assert.ok(!lines.some((line) => line.includes("cannot")), lines.join("\n"));
        await ask("bench 6 2", "Position 50/50");
    }));

test("where there is one thread it says so", () =>
    withEngine(SINGLE, async ({ ask }) => {
        const said = await ask("setoption name Threads value 2", "info string");
        assert.match(said, /cannot start 2 threads, using 1: this build has one thread/);
    }));

test("where workers cannot start it says so, and does not wait for ever", needsThreads, async () => {
    // Threads above the limit get no worker; `bench` needs two more.
    await withEngine(THREADS, async ({ ask }) => {
        const said = await ask("setoption name Threads value 1024", "info string");
        assert.match(said, /cannot start 1024 threads, using \d+: a thread did not start/);
        await ask("bench 2", "info string");
        assert.match(await ask("isready", "readyok"), /readyok/);
        assert.match(await ask("go nodes 1000", "bestmove"), /bestmove [a-h]/);
    });
});

test("a worker that fails costs a thread, not the engine", needsThreads, () =>
    withEngine(THREADS, async ({ ask }) => {
        await ask("isready", "readyok");
        const threads = createRequire(import.meta.url)("node:worker_threads");
        threads.Worker = class extends Worker {
            constructor(_file, options) {
                super("throw new Error('broken')", { ...options, eval: true });
            }
        };
        try {
            assert.match(await ask("setoption name Threads value 3", "info string"), /cannot start 3 threads, using 1: a thread did not start/);
        } finally {
            threads.Worker = Worker;
        }
        assert.match(await ask("go nodes 1000", "bestmove"), /bestmove [a-h]/);
    }));

test("the network may be given, plain or packed, and what is none is refused with a reason", async () => {
    const plain = readFileSync(new URL("../../nets/default.nnue", import.meta.url));
    const packed = readFileSync(path("tamarack.net"));
    for (const network of [plain, packed, new Uint8Array(plain).buffer]) {
        const best = await new Promise((resolve, reject) => {
            const onLine = (line) => line.startsWith("bestmove") && resolve(line);
            load(onLine, { wasm: SINGLE, network }).then((engine) => engine.post("go nodes 100"), reject);
        });
        assert.match(best, /bestmove [a-h]/);
    }
    const said = [];
    const refused = (network) => load((line) => said.push(line), { wasm: SINGLE, network });
    await assert.rejects(refused(plain.subarray(0, 1000)), /it has no network/);
    assert.match(said.join(), /info string the network cannot be used: .*bytes/);
    await assert.rejects(refused(packed.subarray(0, 100_000)), /unexpected end of file/);
    await assert.rejects(refused(path("nowhere.net")), /nowhere\.net/);
});

test("it is a worker of Node", async () => {
    const worker = new Worker(program);
    const answer = new Promise((done) => worker.on("message", (line) => line.startsWith("bestmove") && done(line)));
    const exit = new Promise((done) => worker.on("exit", done));
    worker.postMessage("position startpos moves e2e4");
    worker.postMessage("go depth 5");
    assert.match(await answer, /^bestmove /);
    worker.postMessage("go infinite");
    worker.postMessage("quit");
    assert.equal(await exit, 0);
});
