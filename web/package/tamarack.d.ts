/** Where the engine's WebAssembly comes from: an address (a path under Node), its bytes, or the compiled module. Any file may be packed by
 *  gzip. */
export type Source = string | URL | BufferSource | WebAssembly.Module;

export interface Options {
    /**
     * If nothing else is said, `tamarack-threads.wasm` beside `tamarack.js` where it is there and memory can be shared, else
     * `tamarack.wasm`.
     */
    wasm?: Source;
    /** The network, as it is or as it is packed in `tamarack.net`, which is taken if nothing else is said. */
    network?: string | URL | BufferSource;
    /** Called after the command `quit`, and after `end` when all is finished. */
    onQuit?: () => void;
    /** True if each line waits for the end of those before it, `stop` too. */
    sequential?: boolean;
}

export interface Engine {
    /** Executes a UCI command, or several in lines of their own. Returns at once; what there is to say goes to `onLine`. */
    post(line: string): void;
    /** Tells that no more lines come: what was asked for is finished, but a search without end is stopped. */
    end(): void;
    /** True from `go` until `bestmove`. */
    readonly isSearching: boolean;
}

/**
 * Starts an engine. With threads it has workers of its own, which keep a program of Node running until `quit` or `end`. With one thread
 * it searches on the calling thread, whose event loop gets a turn every few milliseconds; so it does on the thread of a page itself,
 * which may not wait for others.
 *
 * Rejects if the WebAssembly cannot be loaded, or there is not enough memory, or a worker does not start.
 */
export function load(onLine: (line: string) => void, options?: Options): Promise<Engine>;
