// An engine of one thread that searches positions for the report.

import { Engine, type Line } from "../engine";
import type { Searcher, Task } from "./search";

/** The transposition table of each engine in MB. */
const HASH = 16;

/** The new line, with the end of the old one where it is only its beginning, as it may be when the search is cut off. */
function longer(old: Line | null, line: Line): Line {
    const isBeginning = old && old.moves.length > line.moves.length && line.moves.every((move, at) => move === old.moves[at]);
    return isBeginning ? { ...line, moves: old.moves } : line;
}

/** An engine of its own. */
export class EngineSearcher implements Searcher {
    private fail: (why: Error) => void = () => {};
    private failure: Error | null = null;
    private readonly engine = new Engine({
        onFailure: (why) => {
            this.failure = new Error(`The engine cannot be used: ${why}.`);
            this.fail(this.failure);
        },
    });

    search({ position, whiteToMove }: Task<unknown>, nodes: number): Promise<Line | null> {
        return new Promise((resolve, reject) => {
            if (this.failure) return reject(this.failure);
            this.fail = reject;
            let last: Line | null = null;
            this.engine.start({
                position,
                go: `nodes ${nodes}`,
                whiteToMove,
                options: { Threads: 1, Hash: HASH, MultiPV: 1, UCI_LimitStrength: false },
                onLine: (line) => (last = longer(last, line)),
                // The last whole line is older than the end of the search.
                onDone: () => resolve(last && { ...last, nodes: Math.max(last.nodes, nodes) }),
            });
        });
    }

    close(): void {
        this.engine.close();
    }
}
