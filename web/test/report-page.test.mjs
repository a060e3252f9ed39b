// The report on the page: the game is looked through, and its graph, marks and sentences can be walked, played and copied.

import assert from "node:assert/strict";
import { test } from "node:test";
import axe from "axe-core";
import { allMoves, eventually, load, says, shot, visit, visitScripted, withBrowser } from "./browser.mjs";

withBrowser();

const MATE = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#";
/** What the scripted engine says of its positions, from the last to the first. */
const line = (score, pv) => [`info depth 20 seldepth 20 multipv 1 score ${score} wdl 300 400 300 nodes 500000 nps 1 pv ${pv}`, `bestmove ${pv.split(" ")[0]}`];
const REPLIES = [
    line("mate 1", "h5f7"),
    line("cp -20", "g7g6 h5f3 g8f6 g1e2"),
    line("cp 20", "g1f3 g8f6"),
    line("cp -15", "g8f6 d2d3"),
    line("cp 30", "g1f3 b8c6"),
    line("cp -25", "e7e5 g1f3"),
    line("cp 25", "e2e4 e7e5"),
];

/** A visitor with one processor, whose engine answers so. */
async function visitReport(t, replies) {
    const visitor = await visitScripted(t, { replies });
    await visitor.page.evaluate(() => Object.defineProperty(navigator, "hardwareConcurrency", { value: 1 }));
    await load(visitor.page, MATE);
    await visitor.page.click("#tab-report");
    return visitor;
}

const isDone = (page) => says(page, "#report-status", /has been searched/);

test("one button looks the game through; marks, sentence, better line and copy", async (t) => {
    const { page, faults } = await visitReport(t, REPLIES);
    await page.click("#report-run");
    await isDone(page);
    assert.deepEqual(await page.locator("#report-moves .mark").allTextContents(), ["Blunder"]);
    await says(page, "#report-moves li p", "Allows mate at once: 4.Qxf7#.");
    await says(page, "#report-moves .report-line", /^Better: 3…g6 4\.Qf3 Nf6 5\.Ne2$/);
    const sides = await page.locator("#report-sides tr").allTextContents();
    assert.match(sides[0], /^White9\d%000$/);
    assert.match(sides[1], /^Black\d\d%001$/);
    await says(page, "#report-turns li", /3…\s?Nf6\?\? \+0\.20 → #1: Black's chances fall by \d\d points/);
    assert.equal(await page.locator(".graph .sign.blunder").count(), 1);
    // A click shows the move, and the better line becomes a side line.
    await page.click("#report-moves .report-move");
    assert.equal(await page.getAttribute("#report-moves li", "aria-current"), "step");
    await page.click("#report-moves .report-better");
    assert.ok((await allMoves(page)).includes("g6"));
    assert.equal(await page.getAttribute(".graph", "aria-valuetext"), "A side line, +0.25");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = async () => {
        await page.click("#copy-pgn");
        return page.evaluate(() => navigator.clipboard.readText());
    };
    const pgn = await copied();
    assert.match(pgn, /1\. e4 \{ ?\[%eval 0\.25\] ?\}/);
    assert.match(pgn, /Nf6 \$4 \{ ?\[%eval #1\] ?\}\s\(3\.\.\. g6 4\. Qf3 Nf6 5\. Ne2\)/);
    // One step of undo takes the marks out again, after that of the side line.
    await page.click("#undo");
    await page.click("#undo");
    assert.doesNotMatch(await copied(), /eval|\$4/);
    assert.deepEqual(faults, []);
});

test("the graph is walked by keys and by the mouse, and says where it is", async (t) => {
    const { page } = await visitReport(t, REPLIES);
    await page.click("#report-run");
    await isDone(page);
    const graph = page.locator(".graph");
    const isAt = (expected) => eventually(async () => assert.equal(await graph.getAttribute("aria-valuetext"), expected));
    await graph.focus();
    await page.keyboard.press("End");
    await isAt("4. Qxf7#, #0");
    await page.keyboard.press("ArrowLeft");
    await isAt("3… Nf6, #1, blunder");
    await page.keyboard.press("Home");
    await isAt("The beginning, +0.25");
    const { width, height } = await graph.boundingBox();
    await graph.click({ position: { x: (width * 2) / 7, y: height / 2 } });
    await isAt("1… e5, +0.30");
    assert.equal(await page.getAttribute("#moves [aria-current]", "aria-current"), "step");
    assert.equal(await graph.getAttribute("aria-valuemax"), "7");
});

test("it can be stopped and gone on with, and another game ends it", async (t) => {
    const { page } = await visitReport(t, REPLIES.slice(0, 3));
    await page.click("#report-run");
    await says(page, "#report-status", "4 of 8 positions");
    await says(page, "#report-run", "Stop");
    await page.click("#report-run");
    await says(page, "#report-run", "Go on");
    await says(page, "#report-status", "4 of 8 positions");
    await page.click("#report-run");
    await says(page, "#report-run", "Stop");
    await load(page, "1. d4 d5");
    await page.click("#tab-report");
    await says(page, "#report-run", "Look through the game");
    await says(page, "#report-status", "0 of 3 positions");
});

test("axe finds nothing in the report, in either theme at four sizes, and its table is not cut", async (t) => {
    const { page } = await visitReport(t, REPLIES);
    await page.click("#report-run");
    await isDone(page);
    await page.evaluate(axe.source);
    for (const theme of ["light", "dark"]) {
        for (const size of [{ width: 1280, height: 860 }, { width: 390, height: 844 }, { width: 844, height: 390 }, { width: 1280, height: 1250 }]) {
            await page.setViewportSize(size);
            await page.click("#tab-report");
            const found = await page.evaluate(async () => (await globalThis.axe.run(document)).violations.map(({ id, nodes }) => `${id} ${nodes.map(({ failureSummary, target }) => target + failureSummary)}`));
            assert.deepEqual(found, [], `${theme} ${size.width}`);
            const isCut = await page.evaluate(() => document.querySelector(".report-table").scrollWidth > document.querySelector("#report-body").clientWidth);
            assert.equal(isCut, false, `${theme} ${size.width}: the table is cut`);
            assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= size.width, `${theme} ${size.width} is too wide`);
            await shot(page, `report-${theme}-${size.width}`);
        }
        await page.click("#theme");
    }
});

test("the engine itself finds the mate", async (t) => {
    const { page, faults } = await visit(t);
    await load(page, "1. f3 e5 2. g4 Qh4#");
    await page.click("#tab-report");
    await page.click("#report-run");
    await isDone(page);
    await says(page, "#report-moves", /2\.\s?g4\?\?Blunder.*Allows mate at once: 2…Qh4#\./);
    assert.deepEqual(faults, []);
});
