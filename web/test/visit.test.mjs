// The way of the engine to the browser: how many bytes, and what is said meanwhile.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dist, says, visit, withBrowser } from "./browser.mjs";
import { serve } from "./serve.mjs";

withBrowser();

test("a first visit takes at most 5 MB, until it analyses: one build of the engine, once, and the second visit next to nothing", async (t) => {
    // As from a server of plain files, which compresses nothing and lets nothing be kept.
    const own = await serve(dist);
    t.after(() => own.server.close());
    const { page, faults } = await visit(t, { at: own.address });
    await page.click("#analysis");
    await page.waitForFunction(() => /depth \d/.test(document.querySelector("#depth").textContent));
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    const bytes = (of = () => true) => [...own.sent].filter(([path]) => of(path)).reduce((sum, [, one]) => sum + one, 0);
    for (const [path, one] of [...own.sent].sort((a, b) => b[1] - a[1])) console.log(`${path}: ${one} bytes`);
    console.log(`first visit: ${bytes()} bytes`);
    assert.ok(bytes() < 5e6, `${bytes()} bytes`);
    const packed = own.asked.filter((path) => path.endsWith(".gz"));
    assert.equal(packed.length, 2, packed.join());
    own.sent.clear();
    await page.reload();
    await page.waitForFunction(() => document.querySelector("#about").textContent.startsWith("Tamarack"));
    assert.ok(bytes() < 1e5, `second visit: ${bytes()} bytes`);
    assert.deepEqual(faults, []);
});

test("while the engine is loaded it says how much has come, and where it cannot be loaded it says why", async (t) => {
    let letGo;
    const held = new Promise((resolve) => (letGo = resolve));
    const prepare = (context) => context.route(/tamarack\.net/, async (route) => held.then(() => route.fulfill({ status: 404, body: "" })));
    const { page } = await visit(t, { prepare, isReady: () => true });
    await page.waitForFunction(() => /Loading the engine: 0\.\d of 4\.\d MB/.test(document.querySelector("#about").textContent));
    await page.click("#analysis");
    await says(page, ".facts", /loading the engine0\.\d of 4\.\d MB/);
    await page.click("#tab-play");
    await page.click("#begin");
    await page.fill("#typed", "e4");
    await page.press("#typed", "Enter");
    await says(page, "#status", /Tamarack is being loaded: 0\.\d of 4\.\d MB/);
    letGo();
    await page.waitForFunction(() => /The engine cannot be used: .*tamarack\.net.*404/.test(document.querySelector("#about").textContent));
    await says(page, "#status", /The engine cannot be used: .*404/);
});
