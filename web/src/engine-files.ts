// The engine's files: fetched once, packed, with progress, and kept for the next visit. Only the build that runs is fetched.

/** The build of the page tells the version of all files together, and the bytes of each (see vite.config.ts). */
declare const ENGINE_FILES: { version: string; bytes: Record<string, number> };

export type Build = "single" | "threads";

/** What the engine's worker waits for (see package/tamarack.js). */
export interface Files {
    wasm: WebAssembly.Module;
    /** Packed. */
    network: ArrayBuffer;
}

/** Called with the bytes that have come and those that there are in all. */
export type OnProgress = (loaded: number, total: number) => void;

const NETWORK = "tamarack.net.gz";
const WASM: Record<Build, string> = { single: "tamarack.wasm.gz", threads: "tamarack-threads.wasm.gz" };
/** The name of the cache, which the service worker answers from, too. */
const CACHE = `tamarack-engine-${ENGINE_FILES.version}`;

/** The address of a file beside the page's engine. A new version is never mixed with what a browser has kept of an old one. */
export function engineAddress(name: string): string {
    return `${import.meta.env.BASE_URL}engine/${name}?v=${ENGINE_FILES.version}`;
}

const asked = new Map<Build, Promise<Files>>();
let listeners: OnProgress[] = [];

/** The files of a build; of several that ask for them each hears how far they have come. Rejects with a sentence. */
export function engineFiles(build: Build, onProgress: OnProgress = () => {}): Promise<Files> {
    listeners.push(onProgress);
    const files = asked.get(build) ?? fetchFiles(build);
    asked.set(build, files);
    // What could not be fetched may be asked for again.
    files.catch(() => asked.delete(build)).finally(() => (listeners = listeners.filter((one) => one !== onProgress)));
    return files;
}

async function fetchFiles(build: Build): Promise<Files> {
    const names = [WASM[build], NETWORK];
    const loaded = new Map<string, number>();
    const total = names.reduce((sum, name) => sum + (ENGINE_FILES.bytes[name] ?? 0), 0);
    const cache = await openCache();
    const one = (name: string) =>
        fetchFile(name, cache, (bytes) => {
            loaded.set(name, bytes);
            const sum = [...loaded.values()].reduce((a, b) => a + b, 0);
            // A server may have packed them once more, or unpacked them.
            for (const tell of listeners) tell(Math.min(sum, total), total);
        });
    const [wasm, network] = await Promise.all(names.map(one));
    return { wasm: await WebAssembly.compile(await unpacked(wasm!)), network: network! };
}

async function fetchFile(name: string, cache: Cache | null, onBytes: (bytes: number) => void): Promise<ArrayBuffer> {
    const address = engineAddress(name);
    const kept = await cache?.match(address);
    const response = kept ?? (await fetch(address));
    if (!response.ok) throw new Error(`the file ${name} cannot be loaded (${response.status} ${response.statusText})`);
    const bytes = await readAll(response, onBytes);
    // Where there is no room, it is fetched again at the next visit.
    if (!kept) await cache?.put(address, new Response(bytes)).catch(() => {});
    return bytes;
}

async function readAll(response: Response, onBytes: (bytes: number) => void): Promise<ArrayBuffer> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    const reader = response.body!.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
        parts.push(part.value);
        bytes += part.value.length;
        onBytes(bytes);
    }
    return new Blob(parts).arrayBuffer();
}

/** The cache of this version, those of others being removed; none where the browser gives none. */
async function openCache(): Promise<Cache | null> {
    try {
        for (const name of await caches.keys()) {
            if (name.startsWith("tamarack-engine-") && name !== CACHE) await caches.delete(name);
        }
        return await caches.open(CACHE);
    } catch {
        return null;
    }
}

/** What gzip packed; a server may have unpacked it on the way. */
async function unpacked(bytes: ArrayBuffer): Promise<ArrayBuffer> {
    const [first, second] = new Uint8Array(bytes, 0, 2);
    if (first !== 0x1f || second !== 0x8b) return bytes;
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
