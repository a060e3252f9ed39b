/** Where the engine's WebAssembly comes from: an address (a path under Node), its bytes, or the compiled module. */
export type Source = string | URL | BufferSource | WebAssembly.Module;

export interface Options {
    /** `tamarack.wasm` beside `tamarack.js`, if nothing else is said. */
    wasm?: Source;
    /** Called after the command `quit`. */
    onQuit?: () => void;
}

export interface Engine {
    /** Executes a UCI command, or several in lines of their own. Returns at once; what there is to say goes to `onLine`. */
    post(line: string): void;
    /** Tells that no more lines come: a search without end is stopped. */
    end(): void;
    /** True from `go` until `bestmove`. */
    readonly isSearching: boolean;
}

/**
 * Starts an engine on the calling thread, whose event loop gets a turn every few milliseconds of a search.
 *
 * Rejects if the WebAssembly cannot be loaded, or there is not enough memory.
 */
export function load(onLine: (line: string) => void, options?: Options): Promise<Engine>;
