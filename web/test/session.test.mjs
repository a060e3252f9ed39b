// A place to come back to: what a visitor finds after reload, close or crash.

import assert from "node:assert/strict";
import { test } from "node:test";
import { awaitAllMoves, awaitLines, awaitMoves, dragPiece, load, moves, says, shot, visit, visitScripted, withBrowser } from "./browser.mjs";

withBrowser();

const ready = (page) => page.waitForFunction(() => document.querySelector("#about").textContent.startsWith("Tamarack"));

test("a game goes on where it was when the page is loaded again", async (t) => {
    const { page, faults } = await visit(t);
    await page.click("#tab-play");
    await page.selectOption("#colour", "black");
    await page.selectOption("#control", "own");
    await page.fill("#minutes", "7");
    await page.fill("#seconds", "3");
    await page.fill("#level", "1350");
    await page.click("#begin");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 1);
    await dragPiece(page, "e7", "e6");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 3);
    const played = await moves(page);
    const secondsLeft = async () => {
        const [minutes, seconds] = (await page.textContent("#player-bottom .clock")).split(":").map(Number);
        return 60 * minutes + seconds;
    };
    const [before, since] = [await secondsLeft(), Date.now()];
    await page.reload();
    await ready(page);
    await awaitMoves(page, played);
    assert.equal(await page.locator("#tab-play[aria-selected=true]").count(), 1);
    assert.equal(await page.locator(".cg-wrap.orientation-black").count(), 1);
    await says(page, "#player-top .name", /Tamarack, 1350 Elo/);
    await says(page, "#player-bottom .clock", /^(7:0\d|6:\d\d)$/);
    const after = await secondsLeft();
    assert.ok(after <= before && after >= before - (Date.now() - since) / 1000 - 1, `${after} seconds are left of ${before}`);
    await says(page, "#status", /Your move/);
    await dragPiece(page, "d7", "d6");
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 5);
    await page.click("#resign");
    await page.click(".question .primary");
    await says(page, "#status", /White wins: resignation/);
    await page.reload();
    await says(page, "#status", /White wins: resignation/);
    assert.deepEqual(faults, []);
});

test("an answer that the page was closed before is given at the next visit", async (t) => {
    const { page, context, address } = await visit(t);
    await page.click("#tab-play");
    await page.click("#begin");
    await page.evaluate(() => {
        document.querySelector("#typed").value = "d4";
        document.querySelector("#type-form").requestSubmit();
        dispatchEvent(new Event("pagehide"));
    });
    await page.close();
    const next = await context.newPage();
    await next.goto(address);
    await next.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    assert.equal((await moves(next))[0], "d4");
});

test("tree, place, lines, analysis and settings go on", async (t) => {
    const { page, faults } = await visit(t);
    await load(page, "1. e4 e5 (1... c5 2. Nf3 {good}) 2. Nf3 Nc6");
    await page.locator("#moves .side button").first().click();
    await page.click("#open-settings");
    await page.selectOption("#hash", "128");
    await page.check("#sound");
    await page.click("#settings .primary");
    await page.click("#theme");
    await page.click("#flip");
    await page.click("#analysis");
    await awaitLines(page, 3);
    await page.waitForFunction(() => Number(document.querySelector("#depth").textContent.slice(6)) >= 8);
    await page.reload();
    const depth = Number((await page.textContent("#depth")).slice(6));
    assert.ok(depth >= 8, `${depth}: the lines are there before the engine is`);
    await ready(page);
    await awaitAllMoves(page, ["e4", "e5", "c5", "Nf3", "Nf3", "Nc6"]);
    await says(page, "#moves [aria-current]", "c5");
    await says(page, "#moves .comment", "good");
    assert.equal(await page.getAttribute("#analysis", "aria-checked"), "true");
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    assert.equal(await page.locator(".cg-wrap.orientation-black").count(), 1);
    assert.equal(await page.inputValue("#hash"), "128");
    assert.equal(await page.isChecked("#sound"), true);
    assert.deepEqual(faults, []);
});

test("games are saved with names, opened, renamed by saving again, and deleted", async (t) => {
    const { page, faults } = await visitScripted(t);
    await load(page, '[White "Morphy"]\n[Black "Anderssen"]\n\n1. e4 e5 (1... c5) 2. Nf3 *');
    await page.click("#save-game");
    assert.equal(await page.inputValue(".question input"), "Morphy – Anderssen");
    await page.fill(".question input", "My <b>game</b>");
    await page.click(".question .primary");
    await page.locator("#message.good").waitFor();
    await page.click("#reset");
    await page.reload();
    await page.click("#saved-games");
    await shot(page, "saved");
    await says(page, "#saved-list li", /My <b>game<\/b>/);
    await page.click("#saved-list li .open");
    await awaitAllMoves(page, ["e4", "e5", "c5", "Nf3"]);
    await page.click("#saved-games");
    await page.click("#saved-list li .delete");
    await page.click(".question .primary");
    await page.locator("#saved-list li").waitFor({ state: "detached" });
    await says(page, "#saved-empty", /No game/);
    assert.deepEqual(faults, []);
});

test("a file is opened, saved, and dropped on the page", async (t) => {
    const { page, faults } = await visitScripted(t);
    const buffer = Buffer.from('[White "J\u00fcrgen"]\n\n1. c4 {Englisch} e5 *', "latin1");
    await page.setInputFiles("#file", { name: "old.pgn", mimeType: "application/x-chess-pgn", buffer });
    await awaitMoves(page, ["c4", "e5"]);
    await says(page, "#player-bottom .name", "J\u00fcrgen", "older encodings of files are read, too");
    if (!(await page.locator("details.give").evaluate((box) => box.open))) await page.click("details.give summary");
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-pgn")]);
    assert.match(file.suggestedFilename(), /J\u00fcrgen.*\.pgn$/);
    await page.evaluate(() => {
        const data = new DataTransfer();
        data.items.add(new File(["1. b3 d5 2. Bb2"], "x.pgn"));
        document.querySelector("#board").dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data }));
    });
    await awaitMoves(page, ["b3", "d5", "Bb2"]);
    assert.deepEqual(faults, []);
});

test("a game that came by a link keeps what was added to it when the page is loaded again", async (t) => {
    const { page, address, faults } = await visitScripted(t, { hash: "#pgn=1.%20e4%20e5" });
    await awaitMoves(page, ["e4", "e5"]);
    await page.click("#last");
    await page.fill("#typed", "Nf3");
    await page.press("#typed", "Enter");
    await page.reload();
    await awaitMoves(page, ["e4", "e5", "Nf3"]);
    await page.goto("about:blank");
    await page.goto(`${address}#pgn=1.%20e4%20e5`);
    await page.waitForFunction(() => document.querySelectorAll("#moves button").length === 2);
    await page.click("#undo");
    await awaitMoves(page, ["e4", "e5", "Nf3"]);
    assert.deepEqual(faults, []);
});
