import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** The build with threads may have been left out (see build.sh). */
const THREADS = "tamarack-threads.wasm";
const HAS_THREADS = existsSync(`package/${THREADS}`);
const ENGINE = ["tamarack.js", "tamarack.wasm", ...(HAS_THREADS ? [THREADS] : [])];

/** The engine beside the page, under `engine/`. */
function engine(): Plugin {
    return {
        name: "engine",
        configureServer(server) {
            server.middlewares.use("/engine", (request, response, next) => {
                const name = ENGINE.find((file) => request.url === `/${file}`);
                if (!name || !existsSync(`package/${name}`)) return next();
                response.setHeader("Content-Type", name.endsWith(".js") ? "text/javascript" : "application/wasm");
                response.end(readFileSync(`package/${name}`));
            });
        },
        writeBundle({ dir }) {
            mkdirSync(join(dir!, "engine"), { recursive: true });
            cpSync("../LICENSE", join(dir!, "LICENSE.txt"));
            for (const name of ENGINE) cpSync(`package/${name}`, join(dir!, "engine", name));
        },
    };
}

/** The list of all files, in the service worker, which keeps them. */
function offline(): Plugin {
    return {
        name: "offline",
        enforce: "post",
        closeBundle() {
            const files = readdirSync("dist", { recursive: true, withFileTypes: true })
                .filter((entry) => entry.isFile() && entry.name !== "sw.js")
                .map((entry) => relative("dist", join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
                .sort();
            const hash = createHash("sha256");
            for (const file of files) hash.update(file).update(readFileSync(join("dist", file)));
            const worker = readFileSync("src/sw.js", "utf8")
                .replace('"VERSION"', JSON.stringify(hash.digest("hex").slice(0, 12)))
                .replace('["FILES"]', JSON.stringify(["./", ...files]));
            writeFileSync("dist/sw.js", worker);
        },
    };
}

export default defineConfig({
    base: "./",
    build: { target: "es2022", chunkSizeWarningLimit: 1000 },
    define: { HAS_THREADS },
    server: { headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" } },
    plugins: [engine(), offline()],
});
