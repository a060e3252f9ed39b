// Modules of src/ under Node, which reads no TypeScript: bundled by vite.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";

/** All that the module at `path` in src/ exports, in a copy of its own with all that it imports. */
export async function loadModule(path) {
    const built = await build({
        root: fileURLToPath(new URL("..", import.meta.url)),
        configFile: false,
        publicDir: false,
        logLevel: "error",
        ssr: { noExternal: true },
        build: { ssr: `src/${path}`, write: false, minify: false, target: "node20", rolldownOptions: { output: { codeSplitting: false } } },
    });
    const folder = mkdtempSync(join(tmpdir(), "tamarack-test-"));
    try {
        const file = join(folder, "module.mjs");
        writeFileSync(file, built.output[0].code);
        return await import(pathToFileURL(file).href);
    } finally {
        rmSync(folder, { recursive: true });
    }
}
