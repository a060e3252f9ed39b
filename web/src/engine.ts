// The engine in its worker: one search at a time, and the answers of a search go to whoever asked for it.

import { type Build, engineAddress, engineFiles } from "./engine-files";
import { canHaveThreads } from "./threads";

export interface Score {
    /** Centipawns, or moves to mate, from White's view. */
    kind: "cp" | "mate";
    value: number;
}

export interface Line {
    number: number;
    depth: number;
    score: Score;
    /** Chances of White's win, of a draw, and of Black's win, in thousandths. */
    wdl: [number, number, number];
    nodes: number;
    speed: number;
    /** The moves, castling as king takes rook. */
    moves: string[];
}

export interface Answer {
    /** None if the game is over in the position, or the engine refuses it. */
    best: string | null;
    /** What the engine said beside: why it refuses the position. */
    said: string[];
}

/** The default of an option that is a number, and its least and greatest value. */
export interface Range {
    default: number;
    min: number;
    max: number;
}

/** Who hears of the engine. */
export interface Listeners {
    /** It has loaded, and this is its name. */
    onReady?: (name: string, build: Build) => void;
    /** It cannot be used. */
    onFailure?: (why: string) => void;
    /** A sentence for the user: what the engine cannot do. */
    onSaid?: (text: string) => void;
    /** So many bytes of its files have come, of so many. */
    onProgress?: (loaded: number, total: number) => void;
}

export interface Job {
    /** The arguments of `position`. */
    position: string;
    /** The arguments of `go`. */
    go: string;
    whiteToMove: boolean;
    options: Record<string, string | number | boolean>;
    /** The search begins: what came before (loading, the end of another search) was no thinking. */
    onBegin?: () => void;
    onLine?: (line: Line) => void;
    onDone?: (answer: Answer) => void;
}

/** The transposition table in MB. */
const HASH = 64;

export class Engine {
    /** The options that are numbers, as the engine lists them; filled before `onReady`. */
    readonly options = new Map<string, Range>();
    private name = "";
    private worker: Worker | null = null;
    private running: Job | null = null;
    private next: Job | null = null;
    private stopped = false;
    private set = new Map<string, string>();
    private said: string[] = [];
    private isReady = false;
    private isClosed = false;

    constructor(private readonly listeners: Listeners) {
        void this.load(canHaveThreads ? "threads" : "single");
    }

    /** Starts this build of the engine. */
    private async load(build: Build): Promise<void> {
        const fail = (why: string) => this.failed(build, why);
        try {
            const files = await engineFiles(build, this.listeners.onProgress);
            if (this.isClosed) return;
            const worker = new Worker(`${engineAddress("tamarack.js")}#given`);
            this.worker = worker;
            worker.onmessage = ({ data }) => this.worker === worker && this.read(String(data), build);
            worker.onerror = (event) => fail(event.message || "its worker cannot be loaded");
            worker.postMessage(files);
            this.post("uci");
            this.post("isready");
        } catch (error) {
            fail(error instanceof Error ? error.message : String(error));
        }
    }

    /** Where the build with threads does not start (there may be no memory to share), that with one thread does. */
    private failed(build: Build, why: string): void {
        if (this.isClosed) return;
        this.worker?.terminate();
        this.worker = null;
        if (build === "threads" && !this.isReady) return void this.load("single");
        this.listeners.onFailure?.(why);
    }

    /** Ends the engine; nobody hears of it any more. */
    close(): void {
        this.isClosed = true;
        this.worker?.terminate();
        this.worker = null;
    }

    /** Starts a job as soon as the one before has ended; of several that wait only the last counts. */
    start(job: Job): void {
        this.next = job;
        this.stopRunning();
        this.begin();
    }

    /** Ends the search; nobody hears of it any more. */
    cancel(): void {
        this.next = null;
        this.stopRunning();
    }

    newGame(): void {
        this.cancel();
        this.post("ucinewgame");
    }

    get isBusy(): boolean {
        return this.running !== null;
    }

    private post(line: string): void {
        this.worker?.postMessage(line);
    }

    private stopRunning(): void {
        if (this.running && !this.stopped) {
            this.stopped = true;
            this.post("stop");
        }
    }

    private begin(): void {
        if (this.running || !this.next || !this.isReady) return;
        const job = this.next;
        this.next = null;
        this.running = job;
        this.stopped = false;
        this.said = [];
        const options = { Hash: HASH, UCI_Chess960: true, UCI_ShowWDL: true, ...job.options };
        for (const [name, value] of Object.entries(options)) {
            if (this.set.get(name) === String(value)) continue;
            this.set.set(name, String(value));
            this.post(`setoption name ${name} value ${value}`);
        }
        this.post(`position ${job.position}`);
        this.post(`go ${job.go}`);
        job.onBegin?.();
    }

    private read(text: string, build: Build): void {
        if (text.startsWith("info string ")) this.hear(text.slice("info string ".length), build);
        else if (text.startsWith("id name ")) this.name = text.slice("id name ".length);
        else if (text.startsWith("option name ")) this.addOption(text);
        else if (text === "uciok") this.listeners.onReady?.(this.name, build);
        else if (text === "readyok") {
            this.isReady = true;
            this.begin();
        } else if (text.startsWith("bestmove")) {
            const job = this.running;
            const wasStopped = this.stopped;
            this.running = null;
            const best = text.split(" ")[1] ?? "";
            if (job && !wasStopped) job.onDone?.({ best: /^[a-h]/.test(best) ? best : null, said: this.said });
            this.begin();
        } else if (text.startsWith("info ") && this.running && !this.stopped) {
            const line = parseInfo(text, this.running.whiteToMove);
            if (line) this.running.onLine?.(line);
        }
    }

    private addOption(text: string): void {
        const [, name, ...numbers] = /^option name (.+) type spin default (-?\d+) min (-?\d+) max (-?\d+)/.exec(text) ?? [];
        const [standard, min, max] = numbers.map(Number);
        if (name) this.options.set(name, { default: standard!, min: min!, max: max! });
    }

    private hear(text: string, build: Build): void {
        if (text.startsWith("the engine")) return this.failed(build, text);
        const [, refusal] = /^position: (?:FEN: )?(.*)/.exec(text) ?? [];
        // The refusal of a position that is no longer looked at, and what follows from it, are of no use.
        if (text.startsWith("go: ") || (refusal && this.stopped)) return;
        const sentence = refusal ? `The engine refuses this position: ${refusal}.` : `The engine says: ${text}.`;
        this.said.push(sentence);
        this.listeners.onSaid?.(sentence);
    }
}

/** A line of analysis; `null` if it is something else, or its score is only a bound. */
export function parseInfo(text: string, whiteToMove: boolean): Line | null {
    const words = text.split(" ");
    const after = (name: string): string | undefined => {
        const at = words.indexOf(name);
        return at < 0 ? undefined : words[at + 1];
    };
    const number = (name: string): number => Number(after(name) ?? 0);
    const at = words.indexOf("score");
    const moves = words.indexOf("pv");
    if (at < 0 || moves < 0 || words.includes("lowerbound") || words.includes("upperbound")) return null;
    const sign = whiteToMove ? 1 : -1;
    const kind = words[at + 1] === "mate" ? "mate" : "cp";
    const chances = words.indexOf("wdl");
    const [win, draw, loss] = chances < 0 ? [0, 1000, 0] : words.slice(chances + 1, chances + 4).map(Number);
    return {
        number: number("multipv") || 1,
        depth: number("depth"),
        score: { kind, value: sign * Number(words[at + 2]) },
        wdl: whiteToMove ? [win!, draw!, loss!] : [loss!, draw!, win!],
        nodes: number("nodes"),
        speed: number("nps"),
        moves: words.slice(moves + 1),
    };
}
