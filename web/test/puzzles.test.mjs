// Mistakes of games that were looked through, as puzzles.

import assert from "node:assert/strict";
import { test } from "node:test";
import { awaitMoves, dragPiece, load, says, shot, visitScripted, withBrowser } from "./browser.mjs";

withBrowser();

/** Puts a puzzle into the browser's database, as the report does. */
const keep = (page, puzzles) =>
    page.evaluate(
        (puzzles) =>
            new Promise((done, fail) => {
                const request = indexedDB.open("tamarack-puzzles");
                request.onupgradeneeded = () => request.result.createObjectStore("puzzles");
                request.onerror = fail;
                request.onsuccess = () => {
                    const change = request.result.transaction("puzzles", "readwrite");
                    for (const puzzle of puzzles) change.objectStore("puzzles").put(puzzle, puzzle.id);
                    change.oncomplete = () => done(request.result.close());
                };
            }),
        puzzles,
    );

const PUZZLES = [
    ["r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "white", "White – Black, 4.\u2009Nf3??", ["h5f7"]],
    ["rnb1kbnr/pppp1ppp/8/4p1q1/4P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 1 3", "white", "White – Black, 3.\u2009Nf3?", ["c1g5", "a7a6"]],
].map(([fen, mover, title, solution], at) => ({ id: `${at}`, fen, mover, title, why: "It overlooks the queen.", solution, time: 100 - at, solved: null }));

const status = (page, text) => page.waitForFunction((text) => document.querySelector("#puzzle-status").textContent.includes(text), text);

test("mistakes become puzzles, which are solved on the board", async (t) => {
    const score = (cp) => [`info depth 9 score cp ${cp} wdl 300 400 300 nodes 1 nps 1 pv e2e4`, "bestmove e2e4"];
    const { page, faults } = await visitScripted(t, { replies: [score(900), score(20)] });
    await page.click("#puzzles");
    await page.locator("#message:visible").waitFor();
    await says(page, "#message", /no puzzles yet/);
    await keep(page, PUZZLES);
    await page.click("#puzzles");
    await status(page, "White to move");
    await says(page, "#pane-puzzle", /Puzzle 1 of 2.*4\.\u2009Nf3\?\?.*White to move/s);
    await shot(page, "puzzle");
    await dragPiece(page, "h5", "f7");
    await status(page, "Right.");
    await says(page, "#puzzle-why", "It overlooks the queen.");
    await page.click("#puzzle-next");
    await says(page, "#puzzle-number", /2 of 2/);
    await dragPiece(page, "g1", "f3");
    await status(page, "Not the best move");
    await status(page, "White to move");
    await awaitMoves(page, []);
    await page.click("#puzzle-hint");
    await page.locator(".cg-shapes circle").first().waitFor({ state: "attached" });
    await page.click("#puzzle-show");
    await status(page, "This was better.");
    await awaitMoves(page, ["Bxg5", "a6"]);
    await shot(page, "puzzle-shown");
    await page.click("#puzzle-leave");
    assert.equal(await page.locator("#pane-puzzle").isVisible(), false);
    await page.click("#puzzles");
    await status(page, "White to move");
    await says(page, "#puzzle-title", /3\.\u2009Nf3\?/, "what was solved comes after what was not");
    assert.deepEqual(faults, []);
});

test("on a phone, who asks for puzzles sees the board", async (t) => {
    const { page } = await visitScripted(t, { viewport: { width: 390, height: 664 } });
    await keep(page, PUZZLES);
    const isSeen = async (selector) => {
        const { y, height } = await page.locator(selector).boundingBox();
        return y >= 0 && y + height <= page.viewportSize().height;
    };
    await page.locator("#puzzles").evaluate((button) => button.scrollIntoView({ block: "start" }));
    assert.equal(await isSeen("#board"), false, "the button is below the board");
    await page.click("#puzzles");
    await status(page, "White to move");
    await shot(page, "puzzle-phone");
    for (const selector of ["#player-top", "#board", "#player-bottom"]) assert.equal(await isSeen(selector), true, selector);
});

test("the mistakes of a game that has been looked through are the puzzles", async (t) => {
    // The engine's word on the positions, from the last to the first.
    const words = [["mate 1", "h5f7"], ["cp -20", "g7g6 h5f3"], ["cp 20", "g1f3"], ["cp -15", "g8f6"], ["cp 30", "g1f3"], ["cp -25", "e7e5"], ["cp 25", "e2e4"]];
    const replies = words.map(([score, pv]) => [`info depth 20 multipv 1 score ${score} wdl 300 400 300 nodes 1000000 nps 1 pv ${pv}`, `bestmove ${pv.split(" ")[0]}`]);
    const { page, faults } = await visitScripted(t, { replies });
    await page.evaluate(() => Object.defineProperty(navigator, "hardwareConcurrency", { value: 1 }));
    await load(page, "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#");
    await page.click("#tab-report");
    await page.click("#report-run");
    await page.locator("#report-moves .report-move").waitFor();
    await says(page, "#live", /has been looked through/);
    await page.click("#puzzles");
    await status(page, "Black to move");
    await says(page, "#puzzle-title", /White – Black, 3…\u2009Nf6\?\?/);
    await dragPiece(page, "g7", "g6");
    await status(page, "Right.");
    await says(page, "#puzzle-why", /mate/);
    assert.deepEqual(faults, []);
});
