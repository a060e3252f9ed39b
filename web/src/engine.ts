// The engine in its worker: one search at a time, and the answers of a search go to whoever asked for it.

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
    best: string | null;
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
    private worker: Worker;
    private running: Job | null = null;
    private next: Job | null = null;
    private stopped = false;
    private set = new Map<string, string>();
    private isReady = false;

    constructor(
        private onReady: (name: string) => void,
        private onFailure: (why: string) => void,
    ) {
        const build = canHaveThreads ? "" : "#tamarack.wasm";
        this.worker = new Worker(`${import.meta.env.BASE_URL}engine/tamarack.js${build}`);
        this.worker.onmessage = ({ data }) => this.read(String(data));
        this.worker.onerror = (event) => onFailure(event.message || "the engine's file cannot be loaded");
        this.post("uci");
        this.post("isready");
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
        this.worker.postMessage(line);
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

    private read(text: string): void {
        if (text.startsWith("info string the engine")) this.onFailure(text.slice("info string ".length));
        else if (text.startsWith("id name ")) this.onReady(text.slice("id name ".length));
        else if (text === "readyok") {
            this.isReady = true;
            this.begin();
        } else if (text.startsWith("bestmove")) {
            const job = this.running;
            const wasStopped = this.stopped;
            this.running = null;
            const best = text.split(" ")[1] ?? "";
            if (job && !wasStopped) job.onDone?.({ best: /^[a-h]/.test(best) ? best : null });
            this.begin();
        } else if (text.startsWith("info ") && this.running && !this.stopped) {
            const line = parseInfo(text, this.running.whiteToMove);
            if (line) this.running.onLine?.(line);
        }
    }
}

/** A line of analysis; `null` if it is something else. */
export function parseInfo(text: string, whiteToMove: boolean): Line | null {
    const words = text.split(" ");
    const after = (name: string): string | undefined => {
        const at = words.indexOf(name);
        return at < 0 ? undefined : words[at + 1];
    };
    const number = (name: string): number => Number(after(name) ?? 0);
    const at = words.indexOf("score");
    const moves = words.indexOf("pv");
    if (at < 0 || moves < 0) return null;
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
