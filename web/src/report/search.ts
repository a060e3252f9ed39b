// Every position of a game searched, by as many engines of one thread each as there are processors. That takes less time than one
// engine of several threads, whose threads search partly the same, and it needs no shared memory.

import type { Line } from "../engine";

/** Nodes for each position: a game of 40 moves takes less than a minute on two cores. */
export const NODES = 500_000;
const MOST_ENGINES = 16;

/** A position to be searched. */
export interface Task<Id> {
    id: Id;
    /** The arguments of UCI's `position`. */
    position: string;
    whiteToMove: boolean;
}

export interface Searcher {
    /** The best line after so many nodes; null if the engine refuses the position. Rejects with a sentence if it cannot be used. */
    search(task: Task<unknown>, nodes: number): Promise<Line | null>;
    close(): void;
}

export interface Listeners<Id> {
    onLine: (id: Id, line: Line) => void;
    /** All has been searched, or what has failed. It is not called after `stop`. */
    onEnd: (failure: string | null) => void;
}

/** A search of some positions of a game, in their order. To go on after `stop`, another one takes those that are left. */
export class LookThrough<Id> {
    private readonly waiting: boolean[];
    private readonly searchers: Searcher[] = [];
    private isOver = false;
    private running = 0;

    constructor(
        private readonly tasks: readonly Task<Id>[],
        private readonly listeners: Listeners<Id>,
        open: () => Searcher,
        engines: number = processors(),
    ) {
        this.waiting = tasks.map(() => true);
        const count = Math.min(engines, tasks.length);
        for (let one = 1; one <= count; one += 1) {
            const searcher = open();
            this.searchers.push(searcher);
            // Each has a part of the game, and goes back in it from its end: what it knows of later positions helps with earlier ones.
            void this.run(searcher, Math.ceil((one * tasks.length) / count) - 1);
        }
        if (count === 0) queueMicrotask(() => this.end(null));
    }

    stop(): void {
        this.isOver = true;
        for (const searcher of this.searchers) searcher.close();
    }

    private async run(searcher: Searcher, first: number): Promise<void> {
        this.running += 1;
        try {
            for (let at: number | null = first; at !== null && !this.isOver; at = this.next(at)) {
                this.waiting[at] = false;
                const task = this.tasks[at]!;
                const line = await searcher.search(task, NODES);
                if (line && !this.isOver) this.listeners.onLine(task.id, line);
            }
            this.running -= 1;
            if (this.running === 0) this.end(null);
        } catch (error) {
            this.end(error instanceof Error ? error.message : String(error));
        }
    }

    /** The position before this one; where that has been taken, the last of the longest row that waits. */
    private next(at: number): number | null {
        if (this.waiting[at - 1]) return at - 1;
        let [end, length] = [null as number | null, 0];
        for (let here = 0, row = 0; here < this.waiting.length; here += 1) {
            row = this.waiting[here] ? row + 1 : 0;
            if (row > length) [end, length] = [here, row];
        }
        // Somebody comes down from its end: the half before it is left.
        return end === null || length < 4 ? end : end - Math.floor(length / 2);
    }

    private end(failure: string | null): void {
        if (this.isOver) return;
        this.stop();
        this.listeners.onEnd(failure);
    }
}

function processors(): number {
    return Math.min(MOST_ENGINES, navigator.hardwareConcurrency || 1);
}
