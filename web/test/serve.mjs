// A server of plain files, for the tests and for `npm run serve`.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript",
    ".css": "text/css",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
};

/** The headers that isolate a page, so that it may have shared memory. */
const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

/** Serves a folder, and others below paths of their own, with the headers that isolate a page or without; returns the server, its
 *  address, the paths that were asked for, and the bytes that were sent of each. */
export async function serve(folder, { port = 0, isolated = true, others = {} } = {}) {
    const asked = [];
    const sent = new Map();
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
        asked.push(path);
        const below = Object.keys(others).find((one) => path.startsWith(one));
        const inFolder = below ? path.slice(below.length) : path;
        const file = join(below ? others[below] : folder, path.endsWith("/") ? `${inFolder}index.html` : inFolder);
        const stat = statSync(file, { throwIfNoEntry: false });
        if (!stat?.isFile()) {
            response.writeHead(404).end();
            return;
        }
        const type = TYPES[extname(file)] ?? "application/octet-stream";
        sent.set(path, (sent.get(path) ?? 0) + stat.size);
        response.writeHead(200, { "Content-Type": type, ...(isolated ? ISOLATION : {}) });
        createReadStream(file).pipe(response);
    });
    await new Promise((done, fail) => server.once("error", fail).listen(port, "127.0.0.1", done));
    return { server, asked, sent, address: `http://127.0.0.1:${server.address().port}/` };
}

/** `npm run serve [-- PORT]`. */
async function main() {
    const port = Number(process.argv[2] ?? 8080);
    if (!Number.isInteger(port) || port < 0 || port > 65535) return `${process.argv[2]} is no port; it is a number from 0 to 65535.`;
    const folder = fileURLToPath(new URL("../dist", import.meta.url));
    if (!existsSync(join(folder, "index.html"))) return "The page is not built yet: run 'npm run build' first.";
    try {
        const { address } = await serve(folder, { port });
        console.log(address);
        return null;
    } catch (error) {
        if (error.code === "EADDRINUSE") return `Port ${port} is taken by another program; 'npm run serve -- ${port + 1}' takes another one.`;
        if (error.code === "EACCES") return `Port ${port} may not be used; 'npm run serve -- 8080' takes another one.`;
        throw error;
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    const fault = await main();
    if (fault) {
        console.error(`serve: ${fault}`);
        process.exitCode = 1;
    }
}
