// Games against the engine, and what is asked of it beside the analysis. The engine of most tests is a script.

import assert from "node:assert/strict";
import { test } from "node:test";
import { awaitMoves, dragPiece, load, says, shot, visitScripted, withBrowser } from "./browser.mjs";

withBrowser();

const answer = (score, move) => [`info depth 9 score cp ${score} nodes 1 nps 1 pv ${move}`, `bestmove ${move}`];

/** Begins a game against an engine that answers with these lines. */
async function begin(t, replies, choose = async () => {}) {
    const { page, faults } = await visitScripted(t, { replies });
    await page.click("#tab-play");
    await choose(page);
    await page.click("#begin");
    return { page, faults };
}

async function type(page, move) {
    await page.fill("#typed", move);
    await page.press("#typed", "Enter");
}

const status = (page, text) => page.waitForFunction((text) => document.querySelector("#status").textContent.includes(text), text);

async function ownClock(page) {
    await page.selectOption("#control", "own");
    await page.fill("#minutes", "0.1");
    await page.fill("#seconds", "0");
}

test("the wait before an answer is shown is not charged to the engine's clock", async (t) => {
    // The time of the page stands, but where the test lets it go on.
    const { page, faults } = await begin(t, [answer(0, "e7e5"), answer(0, "b8c6"), answer(0, "g8f6")], async (page) => {
        await page.clock.install({ time: 0 });
        await page.clock.pauseAt(1000);
        await ownClock(page);
    });
    for (const [at, move] of [[2, "e4"], [4, "Nf3"], [6, "Nc3"]]) {
        await type(page, move);
        await page.clock.runFor(20);
        assert.equal(await page.locator("#moves button").count(), at - 1, "there is a wait");
        await page.clock.runFor(1000);
        assert.equal(await page.locator("#moves button").count(), at);
    }
    await says(page, "#player-top .clock", "6.0", "three answers at once cost nothing");
    assert.deepEqual(faults, []);
});

test("a person's time runs out", async (t) => {
    const { page } = await begin(t, [answer(0, "e7e5")], async (page) => {
        await page.clock.install({ time: 0 });
        await page.clock.pauseAt(1000);
        await ownClock(page);
    });
    await type(page, "e4");
    await page.clock.runFor(1000);
    await awaitMoves(page, ["e4", "e5"]);
    await page.clock.runFor(7000);
    await status(page, "Black wins: time.");
    await says(page, "#moves", /Black wins: time/);
});

test("levels reach from what the engine says to full strength, each with a word on how it plays", async (t) => {
    const { page, faults } = await begin(t, [], async (page) => {
        assert.equal(await page.getAttribute("#level", "min"), "600");
        const words = new Set();
        for (const level of [600, 900, 1200, 1500, 2000, 2600, 2950]) {
            await page.fill("#level", String(level));
            words.add(await page.textContent("#level-words"));
        }
        assert.equal(words.size, 7);
        await says(page, "#level-text", "Full strength");
        await page.fill("#level", "650");
        await says(page, "#level-text", "650 Elo");
        await shot(page, "level-650");
    });
    await type(page, "e4");
    await page.waitForFunction(() => globalThis.engineLines.some((line) => line.startsWith("go ")));
    const lines = await page.evaluate(() => globalThis.engineLines);
    assert.ok(lines.includes("setoption name UCI_Elo value 650") && lines.includes("setoption name UCI_LimitStrength value true"), lines.join("\n"));
    assert.deepEqual(faults, []);
});

test("a draw is offered, declined by an engine that stands well, and taken by one that stands badly", async (t) => {
    const { page, faults } = await begin(t, [answer(80, "e7e5"), answer(-300, "d8h4")]);
    await type(page, "e4");
    await awaitMoves(page, ["e4", "e5"]);
    await page.click("#draw");
    await status(page, "Tamarack declines the draw.");
    assert.equal(await page.isDisabled("#draw"), true, "it is not asked twice in a position");
    await type(page, "Nf3");
    await awaitMoves(page, ["e4", "e5", "Nf3", "Qh4"]);
    await page.click("#draw");
    await status(page, "Draw by agreement.");
    await shot(page, "draw");
    assert.deepEqual(faults, []);
});

test("a rematch exchanges the colours", async (t) => {
    const { page, faults } = await begin(t, [answer(0, "e7e5"), answer(0, "d2d4")]);
    await type(page, "e4");
    await awaitMoves(page, ["e4", "e5"]);
    await page.click("#resign");
    await page.click(".question .primary");
    await page.click("#rematch");
    await awaitMoves(page, ["d4"]);
    await says(page, "#player-bottom .name", "You");
    assert.equal(await page.locator(".cg-wrap.orientation-black").count(), 1);
    assert.deepEqual(faults, []);
});

test("a move that is made while the engine thinks is played as soon as it may be", async (t) => {
    const { page, faults } = await begin(t, [answer(0, "e7e5"), answer(0, "b8c6")]);
    await type(page, "e4");
    await dragPiece(page, "g1", "f3");
    await awaitMoves(page, ["e4", "e5", "Nf3", "Nc6"]);
    assert.deepEqual(faults, []);
});

test("a draw by repetition is claimed, not thrust upon anybody", async (t) => {
    const shuffle = [["g8f6", 300], ["f6g8", 300], ["g8f6", 300], ["f6g8", 300]].map(([move, score]) => answer(score, move));
    const { page } = await begin(t, shuffle);
    for (const [at, move] of [[2, "Nf3"], [4, "Ng1"], [6, "Nf3"], [8, "Ng1"]]) {
        await type(page, move);
        await page.waitForFunction((at) => document.querySelectorAll("#moves button").length === at, at);
    }
    await says(page, "#draw", "Claim the draw");
    await status(page, "Your move.");
    await page.click("#draw");
    await status(page, "Draw by threefold repetition.");
});

test("an engine that plays no move says why, and the game stays", async (t) => {
    const { page } = await begin(t, [["info string position: FEN: there are too many pieces", "bestmove (none)"]]);
    await type(page, "e4");
    await page.locator("#message:visible").waitFor();
    await says(page, "#message", /there are too many pieces/);
    assert.equal(await page.locator("#setup").isVisible(), true);
    await awaitMoves(page, ["e4"]);
});

test("a hint and the opponent's threat are shown as arrows, by button and key", async (t) => {
    const { page, faults } = await begin(t, [answer(0, "e7e5"), answer(0, "g1f3"), answer(0, "d8h4")]);
    await type(page, "e4");
    await awaitMoves(page, ["e4", "e5"]);
    assert.equal(await page.locator(".cg-shapes g line").count(), 0);
    await page.click("#hint");
    await page.locator(".cg-shapes g line").waitFor({ state: "attached" });
    await page.keyboard.press("h");
    await page.locator(".cg-shapes g line").waitFor({ state: "detached" });
    await page.click("#tab-analyse");
    await page.locator("cg-board").click();
    await page.keyboard.press("x");
    await page.locator(".cg-shapes g line").waitFor({ state: "attached" });
    assert.equal(await page.getAttribute("#threat", "aria-pressed"), "true");
    const lines = await page.evaluate(() => globalThis.engineLines);
    assert.ok(lines.some((line) => /position fen rnbqkbnr\/pppp1ppp\/8\/4p3\/4P3\/8\/PPPP1PPP\/RNBQKBNR b KQkq/.test(line)), "it is the other side's turn");
    await page.click("#threat");
    await page.locator(".cg-shapes g line").waitFor({ state: "detached" });
    assert.deepEqual(faults, []);
});

test("moves sound only where that is wanted", async (t) => {
    const { page, faults } = await visitScripted(t);
    await page.evaluate(() => {
        globalThis.tones = 0;
        const make = AudioContext.prototype.createOscillator;
        AudioContext.prototype.createOscillator = function () {
            globalThis.tones += 1;
            return make.call(this);
        };
    });
    await type(page, "e4");
    assert.equal(await page.evaluate(() => globalThis.tones), 0);
    await page.click("#open-settings");
    await page.check("#sound");
    await page.click("#settings .primary");
    const before = await page.evaluate(() => globalThis.tones);
    await type(page, "e5");
    assert.ok((await page.evaluate(() => globalThis.tones)) > before);
    assert.deepEqual(faults, []);
});

test("openings have their names, and the wheel steps through the game", async (t) => {
    const { page, faults } = await visitScripted(t);
    await load(page, "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3");
    await page.waitForFunction(() => document.querySelector("#opening").textContent === "B90 Sicilian Defense: Najdorf Variation, English Attack");
    await page.locator("cg-board").hover();
    await page.mouse.wheel(0, 100);
    await page.mouse.wheel(0, 100);
    await page.mouse.wheel(0, -100);
    await says(page, "#moves [aria-current]", "e4");
    await page.waitForFunction(() => document.querySelector("#opening").textContent === "B00 King's Pawn Game");
    assert.deepEqual(faults, []);
});

test("captured material is shown beside the names", async (t) => {
    const { page } = await visitScripted(t);
    await load(page, "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qe5+ 4. Qe2 Qxe2+ 5. Bxe2");
    await page.click("#last");
    await says(page, "#player-bottom .taken", "");
    await load(page, "4k3/8/8/8/8/8/8/QN2K3 w - - 0 1");
    const pieces = await page.locator("#player-bottom .taken piece").evaluateAll((all) => all.map((piece) => [piece.className, piece.clientWidth > 10, getComputedStyle(piece).backgroundImage.startsWith("url")]));
    assert.deepEqual(pieces, [["queen black", true, true], ["knight black", true, true]]);
    await says(page, "#player-bottom .more", "+12");
});

test("a position is edited by mouse, as far as the judge allows", async (t) => {
    const { page, faults } = await visitScripted(t);
    await page.click("details.give summary");
    await page.click("#edit");
    await page.click("#editor-empty");
    const board = await page.locator("#editor-board cg-board").boundingBox();
    const square = (name) => [board.x + ((name.charCodeAt(0) - 97 + 0.5) * board.width) / 8, board.y + ((8.5 - Number(name[1])) * board.width) / 8];
    await page.click("#editor-set");
    assert.match(await page.locator("#editor [role=alert]").textContent(), /FEN/);
    for (const [piece, at] of [["white king", "e1"], ["black king", "e8"], ["white rook", "h1"], ["white pawn", "a2"]]) {
        await page.click(`#palette [aria-label="${piece}"]`);
        await page.mouse.click(...square(at));
    }
    await page.click('#palette [aria-label="Take off"]');
    await page.mouse.click(...square("a2"));
    await page.click('#palette [aria-label="Move by hand"]');
    await page.mouse.move(...square("e8"));
    await page.mouse.down();
    await page.mouse.move(...square("d7"), { steps: 4 });
    await page.mouse.up();
    await page.check('.castling input[value="K"]');
    await page.selectOption("#editor-turn", "b");
    assert.equal(await page.inputValue("#editor-fen"), "8/3k4/8/8/8/8/8/4K2R b K - 0 1");
    await shot(page, "editor");
    await page.click("#editor-set");
    await page.waitForFunction(() => document.querySelectorAll("#board cg-board piece").length === 3);
    await type(page, "Kc6");
    await type(page, "O-O");
    await awaitMoves(page, ["Kc6", "O-O"]);
    assert.deepEqual(faults, []);
});
