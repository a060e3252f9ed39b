#!/usr/bin/env node
// Tamarack, a UCI chess engine, as a Web Worker, a worker of Node, a program of Node, or a function. See README.md.
//
// A search is a single call into WebAssembly that takes as long as it takes. Every few milliseconds it unwinds its stack (binaryen's
// asyncify) and returns here, so that the event loop gets a turn and a `stop` is read; then it is wound up again.
"use strict";

(() => {
    const isNode = typeof process === "object" && !!process.versions?.node;
    const UNWINDING = 1;
    const REWINDING = 2;

    /** Calls `resume` after the events that wait, or after some milliseconds. */
    const afterEvents = (() => {
        if (isNode) {
            return (resume, milliseconds) => (milliseconds > 0 ? setTimeout(resume, milliseconds) : setImmediate(resume));
        }
        // A timer of zero would wait for four milliseconds.
        const { port1, port2 } = new MessageChannel();
        const waiting = [];
        port1.onmessage = () => waiting.shift()();
        return (resume, milliseconds) => {
            if (milliseconds > 0) return void setTimeout(resume, milliseconds);
            waiting.push(resume);
            port2.postMessage(0);
        };
    })();

    /** The compiled module, from an address, a path, bytes, or a module. */
    async function compile(source) {
        if (source instanceof WebAssembly.Module) return source;
        if (typeof source !== "string" && !(source instanceof URL)) return WebAssembly.compile(source);
        if (isNode) return WebAssembly.compile(await require("node:fs/promises").readFile(source));
        const response = await fetch(source);
        if (!response.ok) throw new Error(`${source}: ${response.status} ${response.statusText}`);
        const kind = response.headers.get("Content-Type") ?? "";
        // A server that does not know the type must not stop us.
        return kind.startsWith("application/wasm")
            ? WebAssembly.compileStreaming(response)
            : WebAssembly.compile(await response.arrayBuffer());
    }

    /** Starts an engine. `onLine` gets each line that it prints; its lines are posted with `post`. */
    async function load(onLine, { wasm = defaultWasm(), onQuit = () => {} } = {}) {
        const decoder = new TextDecoder();
        const encoder = new TextEncoder();
        let engine; // the exports
        let paused; // the memory for a paused search
        let pause = 0; // the milliseconds that the search pauses for
        let isWorking = false;
        let hasQuit = false;

        const { exports } = await WebAssembly.instantiate(await compile(wasm), {
            tamarack: {
                now: () => performance.now(),
                write: (start, length) => {
                    const text = decoder.decode(new Uint8Array(engine.memory.buffer, start, length));
                    for (const line of text.replace(/\n$/, "").split("\n")) onLine(line);
                },
                pause: (milliseconds) => {
                    if (engine.asyncify_get_state() === REWINDING) return engine.asyncify_stop_rewind();
                    pause = milliseconds;
                    engine.asyncify_start_unwind(paused);
                },
            },
        });
        engine = exports;
        if (!engine.tamarack_start()) throw new Error("there is not enough memory for the engine");
        paused = engine.tamarack_paused();
        const empty = new Uint32Array(engine.memory.buffer, paused, 2)[0];

        /** Searches until the search pauses or there is nothing left to search. */
        function work() {
            if (hasQuit) return;
            engine.tamarack_work();
            if (engine.asyncify_get_state() === UNWINDING) {
                engine.asyncify_stop_unwind();
                return void afterEvents(resume, pause);
            }
            new Uint32Array(engine.memory.buffer, paused, 2)[0] = empty;
            isWorking = false;
            goOn();
        }

        function resume() {
            if (hasQuit) return;
            engine.asyncify_start_rewind(paused);
            work();
        }

        /** Begins what the last lines have asked for. */
        function goOn() {
            if (engine.tamarack_has_quit() && !hasQuit) {
                hasQuit = true;
                onQuit();
            }
            if (hasQuit || isWorking || !engine.tamarack_is_busy()) return;
            isWorking = true;
            // After the messages that are already there: a `stop` may be among them.
            afterEvents(work, 0);
        }

        return {
            post(line) {
                if (hasQuit) return;
                for (const one of String(line).split("\n")) {
                    const bytes = encoder.encode(one);
                    const start = engine.tamarack_buffer(bytes.length);
                    new Uint8Array(engine.memory.buffer, start, bytes.length).set(bytes);
                    engine.tamarack_line();
                }
                goOn();
            },
            /** No more lines come: searches without end are stopped. */
            end() {
                if (!hasQuit) engine.tamarack_end();
            },
            get isSearching() {
                return isWorking;
            },
        };
    }

    function defaultWasm() {
        if (isNode) return require("node:path").join(__dirname, "tamarack.wasm");
        // `tamarack.js#/elsewhere/tamarack.wasm` names another place.
        const { hash, href } = self.location;
        return hash.length > 1 ? decodeURIComponent(hash.slice(1)) : href.replace(/\.[^./]*(\?.*)?$/, ".wasm$1");
    }

    /** Lines of messages in, lines of messages out. */
    function serve(port, quit) {
        const early = [];
        let post = (line) => early.push(line);
        port.onmessage = ({ data }) => post(data);
        load((line) => port.postMessage(line), { onQuit: quit }).then(
            (engine) => {
                post = engine.post;
                for (const line of early) post(line);
            },
            (error) => port.postMessage(`info string the engine cannot start: ${error.message}`),
        );
    }

    /** Lines of the standard input in, lines of the standard output out; or the commands of the arguments, one after the other. */
    async function runProgram() {
        const fs = require("node:fs");
        const print = (line) => {
            try {
                fs.writeSync(1, `${line}\n`);
            } catch (error) {
                // A full pipe is tried again; nobody reads a broken one.
                if (error.code === "EAGAIN") print(line);
                else process.exit(0);
            }
        };
        const engine = await load(print, { onQuit: () => process.exit(0) });
        const commands = process.argv.slice(2);
        if (commands.length > 0) {
            for (const command of commands.some((one) => one.includes(" ")) ? commands : [commands.join(" ")]) {
                engine.post(command);
                engine.end();
                while (engine.isSearching) await new Promise((done) => setTimeout(done, 1));
            }
            return;
        }
        const lines = require("node:readline").createInterface({ input: process.stdin, crlfDelay: Infinity });
        lines.on("line", (line) => engine.post(line));
        // As the native engine: what has been asked for is finished, but a search without end is stopped.
        lines.on("close", async () => {
            engine.end();
            while (engine.isSearching) await new Promise((done) => setTimeout(done, 1));
            process.exit(0);
        });
    }

    if (isNode) {
        const threads = require("node:worker_threads");
        module.exports = { load };
        if (require.main !== module) return;
        if (!threads.isMainThread) return serve(threads.parentPort, () => process.exit(0));
        runProgram().catch((error) => {
            console.error(`tamarack: ${error.message}`);
            process.exit(1);
        });
    } else if (typeof WorkerGlobalScope === "function" && self instanceof WorkerGlobalScope) {
        serve(self, () => self.close());
    } else {
        self.tamarack = { load };
    }
})();
