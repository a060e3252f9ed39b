// What the engine says beside its lines reaches the user.

import assert from "node:assert/strict";
import { test } from "node:test";
import { visitScripted, withBrowser } from "./browser.mjs";

withBrowser();

const alert = (page) => page.locator("[role=alert]:visible");

test("why the engine refuses a position is said, and nothing waits for ever", async (t) => {
    const refusal = [
        "info string position: FEN: impossible position: White has more than 16 pieces",
        "info string go: the last position was invalid",
        "bestmove (none)",
    ];
    const { page, faults } = await visitScripted(t, { replies: [refusal] });
    await page.click("#analysis");
    await alert(page).waitFor();
    assert.equal(await alert(page).textContent(), "The engine refuses this position: impossible position: White has more than 16 pieces.");
    // It is asked again in the next position.
    await page.fill("#typed", "e4");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => globalThis.engineLines.filter((line) => line.startsWith("go")).length === 2);
    assert.deepEqual(faults, []);
});

test("what the engine cannot do is said, and the analysis goes on", async (t) => {
    const reply = [
        "info string option Hash: cannot allocate 512 MB for the transposition table",
        "info depth 9 seldepth 9 multipv 1 score cp 31 wdl 300 500 200 nodes 900 nps 1 pv e2e4 e7e5",
    ];
    const { page } = await visitScripted(t, { replies: [reply] });
    await page.click("#analysis");
    await page.waitForFunction(() => document.querySelector("#depth").textContent === "depth 9");
    assert.equal(await alert(page).textContent(), "The engine says: option Hash: cannot allocate 512 MB for the transposition table.");
});
