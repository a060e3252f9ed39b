// A game as a tree on the page: nothing is lost by looking, and what is read is kept.

import assert from "node:assert/strict";
import { test } from "node:test";
import { awaitAllMoves, awaitLines, awaitMoves, dragPiece, load, says, shot, visit, visitScripted, withBrowser } from "./browser.mjs";

withBrowser();

const CURRENT = "#moves [aria-current]";
const ALERT = "[role=alert]:visible";
const copied = async (page, button) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click(button);
    await page.locator("#message.good").waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
};

test("another move is a side line, and the game stays", async (t) => {
    const { page, faults } = await visitScripted(t);
    await load(page, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
    await page.keyboard.press("Escape");
    await page.locator("#moves button").first().click();
    await dragPiece(page, "c7", "c5");
    await page.locator("#moves .side").waitFor();
    await awaitMoves(page, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]);
    await says(page, "#moves .side", "1…c5");
    await says(page, CURRENT, "c5");
    await page.fill("#typed", "Nf3 d6");
    await page.press("#typed", "Enter");
    assert.deepEqual(await page.locator("#moves .side button").allTextContents(), ["c5", "Nf3", "d6"]);
    await page.locator("cg-board").click();
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowUp"]) await page.keyboard.press(key);
    await says(page, CURRENT, "e5", "the arrows up and down go from one line to the next");
    await page.keyboard.press("ArrowDown");
    await says(page, CURRENT, "c5");
    assert.deepEqual(faults, []);
});

test("side lines are promoted, commented, marked and deleted, and each of it is undone", async (t) => {
    const { page, faults } = await visitScripted(t);
    await load(page, "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *");
    const side = page.locator("#moves .side button").first();
    await side.click({ button: "right" });
    await shot(page, "menu");
    await page.click("#menu >> text=main line");
    await awaitMoves(page, ["e4", "c5", "Nf3"]);
    await page.keyboard.press("c");
    await page.fill("dialog textarea", "The Sicilian.");
    await page.click("dialog.question .primary");
    await says(page, "#moves > .comment", "The Sicilian.");
    await page.click("#open-menu");
    await page.click("#menu [aria-label^='!!']");
    await says(page, "#moves .glyph", "!!");
    assert.match(await copied(page, "#copy-pgn"), /1\. e4 c5 \$3 \{ The Sicilian\. \} \(1\.\.\. e5 2\. Nf3\) 2\. Nf3/);
    await page.locator("cg-board").click();
    await page.keyboard.press("Delete");
    await awaitMoves(page, ["e4", "e5", "Nf3"]);
    await says(page, ALERT, /Taken out: 1… c5 with what followed\. Undo \(Ctrl\+Z\)/);
    for (let step = 0; step < 4; step += 1) await page.keyboard.press("Control+z");
    await awaitMoves(page, ["e4", "e5", "Nf3"]);
    assert.equal(await page.locator("#moves .glyph, #moves .comment").count(), 0);
    await page.keyboard.press("Control+y");
    await awaitMoves(page, ["e4", "c5", "Nf3"]);
    assert.deepEqual(faults, []);
});

test("a game that another one replaced comes back by undo, against the engine too", async (t) => {
    const { page } = await visitScripted(t, { replies: [["bestmove e7e5"], ["bestmove b8c6"]] });
    await load(page, "1. d4 d5 2. c4");
    await page.click("#reset");
    await awaitMoves(page, []);
    await page.click("#undo");
    await awaitMoves(page, ["d4", "d5", "c4"]);
    await page.click("#tab-play");
    await page.click("#begin");
    await page.fill("#typed", "e4");
    await page.press("#typed", "Enter");
    await awaitMoves(page, ["e4", "e5"]);
    await load(page, "1. c4");
    await page.click("#undo");
    await says(page, "#status", /Your move/);
    await page.fill("#typed", "Nf3");
    await page.press("#typed", "Enter");
    await awaitMoves(page, ["e4", "e5", "Nf3", "Nc6"]);
});

test("comments, glyphs, clocks, evaluations, side lines and tags are shown, and copied as they came", async (t) => {
    const { page, faults } = await visitScripted(t);
    const text = `[Event "5th \\"Old Mill\\" Cup"]
[White "A"]
[WhiteElo "2100"]
[Black "B"]
[Result "1-0"]
[Termination "time forfeit"]

{ Club notes } 1. e4 $1 { [%clk 0:02:58] [%eval 0.35] best } e5 (1... c5 $5 { sharp }) 2. Nf3 1-0
`;
    await load(page, text);
    assert.deepEqual(await page.locator("#moves .comment").allTextContents(), ["Club notes", "best", "sharp"]);
    assert.deepEqual(await page.locator("#moves .glyph").allTextContents(), ["!", "!?"]);
    await says(page, "#player-bottom .name", "A (2100)");
    await page.click("#next");
    await says(page, "#player-bottom .clock", "2:58");
    await says(page, "#score", "+0.35");
    const copy = await copied(page, "#copy-pgn");
    for (const part of ['[Event "5th \\"Old Mill\\" Cup"]', '[Termination "time forfeit"]', "{ Club notes }", "$1 { [%clk 0:02:58] [%eval 0.35] best }", "(1... c5 $5 { sharp })", "1-0"]) {
        assert.ok(copy.replaceAll(/\s+/g, " ").includes(part), `${part} in ${copy}`);
    }
    await load(page, copy);
    assert.equal(await copied(page, "#copy-pgn"), copy);
    assert.deepEqual(faults, []);
});

test("what cannot be read gets a sentence in an alert, and the old game stays", async (t) => {
    const { page, faults } = await visitScripted(t);
    await load(page, "1. d4 d5");
    for (const [text, sentence] of [
        ["1. e4 e5 2. Nf3 Nf9", /Move 2.*Nf9/],
        ["1-0", /1-0/],
        ["https://lichess.org/abcdefgh", /lichess\.org/],
        ["8/8/8/8/8/8/8/9 w - - 0 1", /FEN/],
        ["NNNNNNNN/NNN5/8/4k3/8/8/8/4K3 w - - 0 1", /more promoted pieces/],
        ["4k3/8/5N2/1B6/8/8/8/4R1K1 b - - 0 1", /FEN/],
    ]) {
        await load(page, text);
        await says(page, ALERT, sentence, text);
        await awaitMoves(page, ["d4", "d5"], text);
    }
    for (const [text, expected] of [
        ["1. e4 nf6 2. e5 nd5", ["e4", "Nf6", "e5", "Nd5"]],
        ["1. Sf3 Sf6 2. Sc3", ["Nf3", "Nf6", "Nc3"]],
        ["1. ♘f3 ♞f6", ["Nf3", "Nf6"]],
    ]) {
        await load(page, text);
        await awaitMoves(page, expected, text);
    }
    await page.fill("#typed", "o-o");
    await page.press("#typed", "Enter");
    await says(page, ALERT, /castl/i);
    assert.deepEqual(faults, []);
});

test("of several games one is chosen from a list", async (t) => {
    const { page } = await visitScripted(t);
    await load(page, `[White "Morphy"]\n[Black "X"]\n\n1. e4 e5 *\n\n[White "Anderssen"]\n[Black "Y"]\n\n1. f4 *\n`);
    assert.equal(await page.locator("#games-list button").count(), 2);
    await page.fill("#games-search", "anders");
    await shot(page, "games");
    await page.click("#games-list button");
    await awaitMoves(page, ["f4"]);
    await page.click("#games-again");
    await page.click("#games-list button >> nth=0");
    await awaitMoves(page, ["e4", "e5"]);
});

test("links carry a game or a position, when the page is opened and while it is open", async (t) => {
    const { page, address, faults } = await visitScripted(t, { hash: `#pgn=${encodeURIComponent("1. e4 e5 (1... c5) 2. Nf3 {good}")}` });
    await awaitAllMoves(page, ["e4", "e5", "c5", "Nf3"]);
    await page.click("details.give summary");
    const link = await copied(page, "#copy-link");
    await page.evaluate(() => (location.hash = "#fen=8/P6k/8/8/8/8/7p/K7_w_-_-_0_1"));
    await page.locator("cg-board piece.white.king").waitFor();
    await page.waitForFunction(() => document.querySelectorAll("cg-board piece").length === 4);
    await page.evaluate(() => (location.hash = "#pgn=1.%20e4%20e5%202.%20Qh6"));
    await page.locator(ALERT).waitFor();
    await says(page, ALERT, /Qh6/);
    const { y, height } = await page.locator(ALERT).boundingBox();
    assert.ok(y >= 0 && y + height < 200, "the sentence is seen at the top");
    assert.equal(await page.locator("cg-board piece").count(), 4);
    await page.goto(`${address}?fen=8/8/8/4k3/8/8/8/R3K3%20w%20Q%20-%200%201`);
    await page.waitForFunction(() => document.querySelectorAll("cg-board piece").length === 3);
    await page.goto(link);
    await page.locator("#moves .side").waitFor();
    await awaitAllMoves(page, ["e4", "e5", "c5", "Nf3"]);
    assert.ok(link.startsWith(`${address}#pgn=`), link);
    assert.deepEqual(faults, []);
});

test("the lines of a position are remembered, and a click on a move of a line plays so far", async (t) => {
    const { page, faults } = await visit(t);
    await load(page, "1. e4 e5");
    await page.click("#analysis");
    await awaitLines(page, 3);
    await page.waitForFunction(() => Number(document.querySelector("#depth").textContent.slice(6)) >= 9);
    await page.keyboard.press("ArrowRight");
    await awaitLines(page, 3);
    await page.keyboard.press("ArrowLeft");
    const depth = Number((await page.textContent("#depth")).slice(6));
    assert.ok(depth >= 9, `${depth}: what was known is shown at once`);
    await page.click("#analysis");
    await page.click("#next");
    await page.click("#analysis");
    await awaitLines(page, 3);
    await page.click("#analysis");
    await page.click("#analysis");
    const san = await page.evaluate(() => {
        // At once, since the engine goes on.
        const move = document.querySelectorAll("#lines li:first-child .line-move")[2];
        move.click();
        return move.textContent;
    });
    await page.locator("#moves [aria-current]").waitFor();
    await says(page, CURRENT, san);
    assert.deepEqual(faults, []);
});
