#!/usr/bin/env node
// Tamarack, a UCI chess engine, as a Web Worker, a worker of Node, a program of Node, or a function. See README.md.
//
// There are two builds of the engine. `tamarack-threads.wasm` needs shared memory: the engine runs in workers of its own, which this
// file starts for it (`startThreads`). `tamarack.wasm` has one thread (`startSingle`): a search is a single call into WebAssembly that
// takes as long as it takes. Every few milliseconds it unwinds its stack (binaryen's asyncify) and returns here, so that the event loop
// gets a turn and a `stop` is read; then it is wound up again. The network is a file of its own for both, `tamarack.net`.
"use strict";

(() => {
    const isNode = typeof process === "object" && !!process.versions?.node;
    const isWorker = typeof WorkerGlobalScope === "function" && self instanceof WorkerGlobalScope;
    /** The page itself must not wait for other threads. */
    const canHaveThreads = typeof SharedArrayBuffer === "function" && (isNode || (isWorker && self.crossOriginIsolated));
    /** The name of the workers that are threads of an engine. */
    const THREAD = "tamarack-thread";
    /** `tamarack.js#given` waits for its files. */
    const GIVEN = "#given";
    /** The address of this file, in a browser. */
    const script = isNode ? "" : isWorker ? self.location.href : (document.currentScript?.src ?? self.location.href);

    const UNWINDING = 1;
    const REWINDING = 2;

    /** Bytes in a page of WebAssembly's memory. */
    const PAGE = 65536;
    /** The memory that the build with threads begins with, and the most that it can have (see web/build.sh). */
    const FIRST_MEMORY = 32 << 20;
    const MAX_MEMORY = 2 ** 32;
    /** Milliseconds after which a worker that has not begun is given up. */
    const START_TIME = 20_000;
    /** Milliseconds in which a worker says that its thread has ended. */
    const END_TIME = 100;

    const decoder = new TextDecoder();
    const encoder = new TextEncoder();

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

    const isPlace = (source) => typeof source === "string" || source instanceof URL;

    async function request(address) {
        const response = await fetch(address);
        if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
        return response;
    }

    /** The bytes at an address or a path, or those given; unpacked if they are packed by gzip. */
    async function read(source) {
        const given = !isPlace(source)
            ? source
            : isNode
              ? await require("node:fs/promises").readFile(source)
              : await (await request(source)).arrayBuffer();
        const bytes = ArrayBuffer.isView(given) ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength) : new Uint8Array(given);
        if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
        if (isNode) return require("node:zlib").gunzipSync(bytes);
        const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Uint8Array(await new Response(unpacked).arrayBuffer());
    }

    /** The compiled module, from an address, a path, bytes, or a module. */
    async function compile(source) {
        if (source instanceof WebAssembly.Module) return source;
        if (isNode || !isPlace(source)) return WebAssembly.compile(await read(source));
        const response = await request(source);
        // A server that does not know the type must not stop us.
        const isWasm = (response.headers.get("Content-Type") ?? "").startsWith("application/wasm");
        return isWasm ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await read(await response.arrayBuffer()));
    }

    /** A network's file; what web/pack.mjs wrote becomes what it had read. */
    function unpack(file) {
        if (decoder.decode(file.subarray(0, 8)) !== "TAMAPACK") return file;
        const view = new DataView(file.buffer, file.byteOffset);
        const [start, count] = [view.getUint32(8, true), view.getUint32(12, true)];
        const [body, planes] = [file.subarray(16), 16 + start];
        if (body.length < start + 2 * count) throw new Error("the network's file is cut short");
        const network = Uint8Array.from(body); // of its own memory
        const numbers = new DataView(network.buffer, start);
        for (let at = 0; at < count; at += 1) {
            const zigzag = file[planes + at] | (file[planes + count + at] << 8);
            numbers.setInt16(2 * at, (zigzag >> 1) ^ -(zigzag & 1), true);
        }
        return network;
    }

    /** Starts an engine. `onLine` gets each line that it prints; its lines are posted with `post`. */
    async function load(onLine, { wasm, network, onQuit = () => {}, sequential = false } = {}) {
        // Both come at the same time.
        const file = read(network ?? beside(".net")).then(unpack);
        file.catch(() => {}); // whoever starts hears of it
        const start = async (source) => {
            const module = await compile(source);
            const hasThreads = WebAssembly.Module.imports(module).some(({ kind }) => kind === "memory");
            return (hasThreads ? startThreads : startSingle)(module, await file, onLine, onQuit, sequential);
        };
        if (wasm) return start(wasm);
        const { single, threads } = defaultWasm();
        if (threads && canHaveThreads) {
            try {
                return await start(threads);
            } catch {
                // It was not built, or its memory or worker cannot be had.
            }
        }
        return start(single);
    }

    async function startSingle(module, network, onLine, onQuit, sequential) {
        let engine; // the exports
        let paused; // the memory for a paused search
        let pause = 0; // the milliseconds that the search pauses for
        let isWorking = false;
        let isPrinting = false;
        let hasEnded = false;
        let hasQuit = false;

        const { exports } = await WebAssembly.instantiate(module, {
            tamarack: {
                now: () => performance.now(),
                write: (start, length) => {
                    isPrinting = true;
                    try {
                        writeLines(onLine, engine.memory, start, length);
                    } finally {
                        isPrinting = false;
                    }
                },
                pause: (milliseconds) => {
                    if (engine.asyncify_get_state() === REWINDING) return engine.asyncify_stop_rewind();
                    pause = milliseconds;
                    engine.asyncify_start_unwind(paused);
                },
            },
        });
        engine = exports;
        giveNetwork(engine, engine.memory, network);
        if (!engine.tamarack_start(sequential)) throw new Error("there is not enough memory for the engine");
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
            if (hasQuit) return;
            const isBusy = isWorking || engine.tamarack_is_busy();
            if (engine.tamarack_has_quit() || (hasEnded && !isBusy)) {
                hasQuit = true;
                return void onQuit();
            }
            if (isWorking || !isBusy) return;
            isWorking = true;
            // After the messages that are already there: a `stop` may be among them.
            afterEvents(work, 0);
        }

        /** Does what the user asks for; if that is done while the engine prints, as soon as it has returned. */
        function act(action) {
            if (isPrinting) return queueMicrotask(() => act(action));
            if (hasQuit || hasEnded) return;
            action();
            goOn();
        }

        return {
            post: (line) => act(() => giveLines(engine, engine.memory, line)),
            end: () =>
                act(() => {
                    hasEnded = true;
                    engine.tamarack_end();
                }),
            get isSearching() {
                return isWorking;
            },
        };
    }

    /** The threads of an engine live in workers, which are kept for later threads. This thread, the host, starts them and never waits. */
    async function startThreads(module, network, onLine, onQuit, sequential) {
        if (!canHaveThreads) throw new Error("threads need shared memory, which there is not here");
        const memory = sharedMemory();
        const maxThreads = 16 + 4 * processors();
        const threads = [];
        let searches = 0; // begun and not answered
        let hasEnded = false;
        let hasQuit = false;
        let first; // settles the promise that the first thread, the engine's own, has begun
        const hasStarted = new Promise((resolve, reject) => (first = { resolve, reject }));

        const print = (line) => {
            if (line.startsWith("bestmove")) searches -= 1;
            onLine(line);
        };
        const { exports: engine } = await WebAssembly.instantiate(module, {
            env: { memory },
            tamarack: {
                now,
                write: (start, length) => writeLines(print, memory, start, length),
                notify: () => afterEvents(() => engine.tamarack_flush(), 0),
                spawn_thread: spawn,
            },
        });
        engine.__wasm_init_tls(engine.tamarack_stack(engine.__tls_size.value) + engine.tamarack_stack_size());
        giveNetwork(engine, memory, network);
        engine.tamarack_start(sequential);
        await hasStarted;

        /** Starts a thread of the engine. */
        function spawn(start, canWait = true) {
            const thread = threads.find((one) => one.start === 0) ?? addThread();
            // The word of one that has just ended may be under way.
            if (!thread && canWait && threads.length > 0) return void setTimeout(() => spawn(start, false), END_TIME);
            if (!thread) return refuse(start);
            thread.start = start;
            // Whoever changes it first has the start: the worker, or this thread if the worker does not begin.
            Atomics.store(thread.claim, 0, 0);
            thread.timer = setTimeout(() => giveUp(thread), START_TIME);
            thread.worker.postMessage({ start });
        }

        /** A new worker; none if there may be no more, or no memory is left. */
        function addThread() {
            const stack = threads.length < maxThreads ? engine.tamarack_stack(engine.__tls_size.value) >>> 0 : 0;
            if (stack === 0) return null;
            const thread = { start: 0, claim: new Int32Array(new SharedArrayBuffer(4)), timer: 0 };
            try {
                thread.worker = newWorker((message) => hear(thread, message), (error) => fail(thread, error));
            } catch {
                return null;
            }
            thread.worker.postMessage({ module, memory, top: stack + engine.tamarack_stack_size(), claim: thread.claim });
            threads.push(thread);
            return thread;
        }

        function hear(thread, { begun, ended, start }) {
            if (hasQuit) return;
            engine.tamarack_flush();
            if (start) spawn(start);
            if (begun) {
                clearTimeout(thread.timer);
                first.resolve();
            }
            if (ended) {
                thread.start = 0;
                if (thread === threads[0]) {
                    close();
                    onQuit();
                }
            }
        }

        /** Does without a worker that has not begun; false if it has. */
        function giveUp(thread) {
            if (hasQuit || Atomics.compareExchange(thread.claim, 0, 0, 1) !== 0) return false;
            clearTimeout(thread.timer);
            threads.splice(threads.indexOf(thread), 1);
            thread.worker.terminate();
            refuse(thread.start);
            return true;
        }

        /** A worker cannot be loaded, or the engine has failed in it. */
        function fail(thread, error) {
            if (hasQuit || giveUp(thread)) return;
            engine.tamarack_flush();
            print(`info string the engine has failed: ${error.message}`);
            close();
            throw error;
        }

        function refuse(start) {
            if (hasQuit) return;
            engine.tamarack_refuse(start);
            first.reject(new Error("a worker does not begin"));
        }

        function close() {
            hasQuit = true;
            for (const { worker, timer } of threads) {
                clearTimeout(timer);
                worker.terminate();
            }
        }

        return {
            post(line) {
                if (hasQuit || hasEnded) return;
                searches += String(line).split("\n").filter((one) => /^\s*go\b(?!.*\bperft\b)/.test(one)).length;
                giveLines(engine, memory, line);
            },
            end() {
                if (hasQuit || hasEnded) return;
                hasEnded = true;
                engine.tamarack_end();
            },
            get isSearching() {
                return !hasQuit && searches > 0;
            },
        };
    }

    /** As much shared memory as can be had; the system gives it when it is used. */
    function sharedMemory() {
        for (let maximum = MAX_MEMORY; ; maximum /= 2) {
            try {
                return new WebAssembly.Memory({ initial: FIRST_MEMORY / PAGE, maximum: maximum / PAGE, shared: true });
            } catch (error) {
                if (maximum <= 4 * FIRST_MEMORY) throw error;
            }
        }
    }

    function processors() {
        const os = isNode ? require("node:os") : null;
        return os ? (os.availableParallelism?.() ?? os.cpus().length) : navigator.hardwareConcurrency || 1;
    }

    /** Milliseconds since a point that is the same for all workers. */
    function now() {
        return performance.timeOrigin + performance.now();
    }

    /** Starts a worker that is a thread of the engine. */
    function newWorker(onMessage, onError) {
        if (isNode) {
            const worker = new (require("node:worker_threads").Worker)(__filename, { workerData: THREAD });
            return worker.on("message", onMessage).on("error", onError);
        }
        const worker = new Worker(script, { name: THREAD });
        worker.onmessage = ({ data }) => onMessage(data);
        worker.onerror = (event) => {
            event.preventDefault();
            onError(new Error(event.message || "a worker cannot be loaded"));
        };
        return worker;
    }

    /** Does what threads of the engine have to do, one after the other. */
    function beThread(port) {
        let engine, claim;
        port.onmessage = ({ data }) => {
            if (data.module) {
                const { module, memory, top } = data;
                claim = data.claim;
                engine = new WebAssembly.Instance(module, {
                    env: { memory },
                    tamarack: {
                        now,
                        write: () => {},
                        notify: () => port.postMessage({}),
                        spawn_thread: (start) => port.postMessage({ start }),
                    },
                }).exports;
                engine.__stack_pointer.value = top;
                engine.__wasm_init_tls(top);
            } else if (Atomics.compareExchange(claim, 0, 0, 1) === 0) {
                port.postMessage({ begun: true });
                engine.tamarack_run(data.start);
                port.postMessage({ ended: true });
            }
        };
    }

    /** Gives `onLine` the lines of a text in the engine's memory. */
    function writeLines(onLine, memory, start, length) {
        // Decoders do not take shared memory.
        const text = decoder.decode(new Uint8Array(memory.buffer, start >>> 0, length).slice());
        for (const line of text.replace(/\n$/, "").split("\n")) onLine(line);
    }

    function fillBuffer(engine, memory, bytes) {
        const start = engine.tamarack_buffer(bytes.length) >>> 0;
        new Uint8Array(memory.buffer, start, bytes.length).set(bytes);
    }

    /** Gives the engine its network, before it starts. */
    function giveNetwork(engine, memory, file) {
        fillBuffer(engine, memory, file);
        if (!engine.tamarack_network()) throw new Error("it has no network");
    }

    /** Gives the engine the lines of a text. */
    function giveLines(engine, memory, text) {
        for (const line of String(text).split("\n")) {
            fillBuffer(engine, memory, encoder.encode(line));
            engine.tamarack_line();
        }
    }

    /** The place of a file of the package: its name is that of this file, with another ending. */
    function beside(ending) {
        if (isNode) return require("node:path").join(__dirname, `tamarack${ending}`);
        const [, base, query] = /^(.*?)(?:\.[^./]*)?(\?.*)?$/.exec(script.replace(/#.*/, ""));
        return `${base}${ending}${query ?? ""}`;
    }

    function defaultWasm() {
        // `tamarack.js#/elsewhere/tamarack.wasm` names another place.
        const named = isNode ? process.env.TAMARACK_WASM : isWorker && decodeURIComponent(self.location.hash.slice(1));
        return named ? { single: named } : { single: beside(".wasm"), threads: beside("-threads.wasm") };
    }

    /** The first message, where the program that has this worker reads the files itself: `{ wasm, network }`. */
    function givenFiles(port) {
        return new Promise((resolve) => {
            port.onmessage = ({ data }) => resolve(data);
        });
    }

    /** Lines of messages in, lines of messages out. */
    async function serve(port, quit) {
        const files = isWorker && self.location.hash === GIVEN ? await givenFiles(port) : {};
        const early = [];
        let post = (line) => early.push(line);
        port.onmessage = ({ data }) => post(data);
        load((line) => port.postMessage(line), { ...files, onQuit: quit }).then(
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
        const commands = process.argv.slice(2);
        const engine = await load(print, { onQuit: () => process.exit(0), sequential: commands.length > 0 });
        if (commands.length > 0) {
            for (const command of commands.some((one) => one.includes(" ")) ? commands : [commands.join(" ")]) engine.post(command);
            return engine.end();
        }
        const lines = require("node:readline").createInterface({ input: process.stdin, crlfDelay: Infinity });
        lines.on("line", (line) => engine.post(line));
        lines.on("close", () => engine.end());
    }

    if (isNode) {
        const { isMainThread, parentPort, workerData } = require("node:worker_threads");
        module.exports = { load };
        if (require.main !== module) return;
        if (!isMainThread && workerData === THREAD) return beThread(parentPort);
        if (!isMainThread) return serve(parentPort, () => process.exit(0));
        runProgram().catch((error) => {
            console.error(`tamarack: ${error.message}`);
            process.exit(1);
        });
    } else if (isWorker) {
        if (self.name === THREAD) beThread(self);
        else serve(self, () => self.close());
    } else {
        self.tamarack = { load };
    }
})();
