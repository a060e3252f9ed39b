// The page in a browser: playing, analysing, loading, threads, offline.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { PGN, awaitLines, awaitMoves, dist, dragPiece, load, moves, says, shot, shots, visit, withBrowser, withPackage } from "./browser.mjs";
import { serve } from "./serve.mjs";

withBrowser();
/** For tests of threads. */
const needsThreads = { skip: existsSync(`${dist}/engine/tamarack-threads.wasm.gz`) ? false : "tamarack-threads.wasm was not built" };

test("a move by the mouse is answered", async (t) => {
    const { page, faults } = await visit(t);
    await page.click("#tab-play");
    await page.click("#begin");
    await dragPiece(page, "e2", "e4");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    assert.equal((await moves(page))[0], "e4");
    await page.click("#takeback");
    await awaitMoves(page, []);
    await page.click("#resign");
    await page.click(".question button >> text=Play on");
    await says(page, "#status", /Your move/, "who hesitates has not resigned");
    await page.click("#resign");
    await page.click(".question button >> text=Resign");
    await says(page, "#status", /Black wins: resignation/);
    assert.deepEqual(faults, []);
});

test("with the black pieces and a clock the engine begins, and a promotion is asked for", async (t) => {
    const { page, faults } = await visit(t);
    await page.click("#tab-play");
    await page.selectOption("#colour", "black");
    await page.selectOption("#control", "3+2");
    await page.click("#begin");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 1);
    assert.equal(await page.locator("#player-top .clock").isVisible(), true);
    await dragPiece(page, "e7", "e5");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 3);
    await page.click("#tab-analyse");
    await load(page, "8/P5k1/8/8/8/8/6K1/8 w - - 0 1");
    // The board still shows Black below.
    await dragPiece(page, "a7", "a8");
    await page.click('#promotion button[aria-label="knight"]');
    await awaitMoves(page, ["a8=N"]);
    assert.deepEqual(faults, []);
});

test("analysis starts, shows its lines, and stops", async (t) => {
    const { page, faults } = await visit(t);
    await load(page, PGN);
    for (let step = 0; step < 17; step += 1) await page.keyboard.press("ArrowRight");
    await page.click("details.give summary");
    await page.click("#analysis");
    await awaitLines(page, 3);
    await says(page, "#score", /^[+−]?(\d+\.\d\d|#\d+)$/);
    await says(page, "#speed", /nodes, .*\/s/);
    assert.equal(await page.locator("#wdl").isVisible(), true);
    await page.locator(".cg-shapes g line").first().waitFor({ state: "attached" });
    await page.waitForTimeout(shots ? 4000 : 0);
    await shot(page, "analysis");
    await page.selectOption("#multipv", "5");
    await awaitLines(page, 5);
    await page.click("#analysis");
    const before = await page.textContent("#speed");
    await page.waitForTimeout(300);
    await says(page, "#speed", before);
    assert.equal(await page.locator("#lines li").count(), 0);
    assert.deepEqual(faults, []);
});

test("a pasted PGN is stepped through, and given back", async (t) => {
    const { page, faults } = await visit(t);
    await load(page, PGN);
    assert.equal((await moves(page)).length, 33);
    await says(page, "#player-bottom .name", "Morphy");
    await page.click("#last");
    await says(page, "#moves", /White wins: checkmate/);
    await page.click("#previous");
    await says(page, "#moves [aria-current]", "Nxb8");
    await page.keyboard.press("Home");
    assert.equal(await page.locator("#moves [aria-current]").count(), 0);
    await page.reload();
    assert.equal((await moves(page)).length, 33, "the page remembers the game");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click("details.give summary");
    await page.click("#copy-pgn");
    await page.locator("#message.good").waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(text.includes('[White "Morphy"]') && text.includes("17. Rd8# 1-0"), text);
    assert.deepEqual(faults, []);
});

test("what cannot be used gets a sentence, and the board stays", async (t) => {
    const { page, faults } = await visit(t);
    await page.fill("#typed", "e4");
    await page.keyboard.press("Enter");
    for (const [text, sentence] of [
        ["8/8/8/8/8/8/8/9 w - - 0 1", /rank 1/],
        ["8/8/8/8/8/8/8/8 w - - 0 1", /0 kings/],
        ["4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", /Black is in check although it is not its turn/],
        ["1. e4 e5 2. Nf6", /Move 2, White: “Nf6”/],
        ["good morning", /neither a FEN nor/],
        ["", /paste a FEN/],
    ]) {
        await load(page, text);
        await says(page, "#message", sentence);
        await awaitMoves(page, ["e4"]);
    }
    await page.fill("#typed", "Ke4");
    await page.press("#typed", "Enter");
    await says(page, "#message", /Ke4/);
    assert.deepEqual(faults, []);
});

test("Chess960 positions are set up, castled in, and analysed", async (t) => {
    const { page, faults } = await visit(t);
    await page.click("details.give summary");
    await page.fill("#number-960", "518");
    await page.click("#form-960 button >> nth=0");
    assert.equal(await page.locator("piece.white.king").count(), 1);
    await load(page, "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1");
    await dragPiece(page, "c1", "d1");
    await awaitMoves(page, ["O-O"]);
    await page.click("#analysis");
    await page.waitForFunction(() => /depth \d/.test(document.querySelector("#depth").textContent));
    assert.deepEqual(faults, []);
});

/** What an engine in a worker of its own prints for some lines, until a line with `last`. */
const answers = (page, lines, last) =>
    page.evaluate(
        ([lines, last]) =>
            new Promise((resolve) => {
                const printed = [];
                const worker = new Worker("package/tamarack.js");
                worker.onerror = (event) => resolve([...printed, `error: ${event.message}`]);
                worker.onmessage = ({ data }) => {
                    printed.push(data);
                    if (!data.includes(last)) return;
                    worker.postMessage("quit");
                    resolve(printed);
                };
                for (const line of lines) worker.postMessage(line);
            }),
        [lines, last],
    );

test("on an isolated page several threads search, and stop at once", needsThreads, async (t) => {
    const { page, faults } = await visit(t);
    assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    await says(page, "#about", /with threads: this page is cross-origin isolated/);
    await page.click("#open-settings");
    await page.selectOption("#threads", "2");
    await page.click("#settings button");
    await page.click("#analysis");
    await page.waitForFunction(() => /depth \d/.test(document.querySelector("#depth").textContent));
    await page.click("#analysis");
    const printed = await answers(page, ["setoption name Threads value 3", "debug on", "go nodes 300000"], "bestmove");
    assert.ok(printed.some((line) => /vote/.test(line)), printed.join("\n"));
    assert.ok(!printed.some((line) => /cannot|failed|error/.test(line)), printed.join("\n"));
    assert.deepEqual((await answers(page, ["go infinite", "isready", "stop"], "bestmove")).filter((line) => /^(ready|best)/.test(line)).length, 2);
    assert.deepEqual(faults, []);
});

test("without the server's headers there is one thread, and from the second visit on there are several", needsThreads, async (t) => {
    const plain = await serve(dist, { ...withPackage, isolated: false });
    try {
        const { page, faults } = await visit(t, { at: plain.address });
        assert.equal(await page.evaluate(() => crossOriginIsolated), false);
        await says(page, "#about", /in one thread of this browser: this page is not cross-origin isolated/);
        assert.equal(await page.locator("#threads").isVisible(), false);
        assert.match((await answers(page, ["setoption name Threads value 2", "isready"], "readyok")).join(), /this build has one thread/);
        await page.waitForFunction(() => navigator.serviceWorker.controller);
        await page.reload();
        await page.waitForFunction(() => document.querySelector("#about").textContent.includes("with threads"));
        await page.click("#analysis");
        await page.waitForFunction(() => /depth \d/.test(document.querySelector("#depth").textContent));
        assert.deepEqual(faults, []);
    } finally {
        plain.server.close();
    }
});

test("it works without a connection once it is loaded", async (t) => {
    const { page, context, faults } = await visit(t);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => (await caches.keys()).length === 2 && navigator.serviceWorker.controller);
    await context.setOffline(true);
    await page.reload();
    await page.waitForFunction(() => document.querySelector("#about").textContent.startsWith("Tamarack"));
    await page.click("#analysis");
    await page.waitForFunction(() => /depth \d/.test(document.querySelector("#depth").textContent));
    assert.deepEqual(faults, []);
});

test("on a phone nothing is wider than the screen, and a move by touch is answered", async (t) => {
    const { page, faults } = await visit(t, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: "dark" });
    await load(page, PGN);
    await page.click("details.give summary");
    for (let step = 0; step < 17; step += 1) await page.click("#next");
    await page.click("#analysis");
    await awaitLines(page, 3);
    await page.waitForTimeout(shots ? 3000 : 0);
    await page.evaluate(() => scrollTo(0, 0));
    await shot(page, "phone");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.click("#tab-play");
    await page.click("#begin");
    const box = await page.locator("cg-board").boundingBox();
    await page.touchscreen.tap(box.x + box.width * 4.5 / 8, box.y + box.height * 6.5 / 8);
    await page.touchscreen.tap(box.x + box.width * 4.5 / 8, box.y + box.height * 4.5 / 8);
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    await shot(page, "phone-play");
    assert.deepEqual(faults, []);
});

test("every control has a name, and the keyboard reaches it", async (t) => {
    const { page } = await visit(t);
    const nameless = await page.evaluate(() =>
        [...document.querySelectorAll("button, input, select, textarea")]
            .filter((one) => !(one.getAttribute("aria-label") || one.labels?.length || one.textContent.trim()))
            .map((one) => one.outerHTML),
    );
    assert.deepEqual(nameless, []);
    await page.focus("#tab-analyse");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("#report-run").isVisible(), true);
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("#setup").isVisible(), true);
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.locator("#setup").isVisible(), false);
    for (const link of await page.locator("footer a").all()) {
        assert.equal(await link.evaluate((link) => fetch(link.href).then((answer) => answer.ok)), true);
    }
    await page.reload();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Nf3");
    await page.keyboard.press("Enter");
    await awaitMoves(page, ["Nf3"]);
    await says(page, "#live", /White: knight f3/);
});
