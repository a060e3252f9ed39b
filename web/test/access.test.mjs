// The page for everybody: what is painted, at every size, in both themes, by keyboard alone.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { awaitMoves, dragPiece, load, moves, says, shot, visitScripted, withBrowser } from "./browser.mjs";

withBrowser();

const SIZES = { small: { width: 360, height: 640 }, desk: { width: 1280, height: 860 }, phone: { width: 390, height: 844 }, side: { width: 844, height: 390 } };

/** What axe finds: rule, element, and what is wrong. */
async function violations(page) {
    await page.evaluate(axe.source);
    return page.evaluate(async () => {
        const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${target}: ${failureSummary}`));
    });
}

test("axe finds nothing in either theme at three sizes", async (t) => {
    const lines = ["e7e5 g1f3 b8c6", "c7c5 g1f3 d7d6", "e7e6 d2d4"].map((moves, at) => `info depth 12 multipv ${at + 1} score cp -${20 + at} wdl 200 500 300 nodes 1000000 nps 1000 pv ${moves}`);
    lines.push("bestmove e7e5");
    const { page } = await visitScripted(t, { replies: [lines, ...Array(30).fill(lines)] });
    await load(page, "{A game} 1. e4! e5 (1... c5?! {sharp} 2. Nf3) 2. Nf3?? {[%clk 0:01:00]} Nc6");
    await page.click("#next");
    await page.click("#analysis");
    await page.locator("#lines .line-moves").first().waitFor();
    await page.click("#tab-report");
    await page.click("#report-run");
    await page.locator("#report-body").waitFor();
    const states = { analyse: () => page.click("#tab-analyse"), report: () => page.click("#tab-report"), play: () => page.click("#tab-play") };
    for (const theme of ["light", "dark"]) {
        for (const [name, size] of Object.entries(SIZES)) {
            await page.setViewportSize(size);
            for (const [state, enter] of Object.entries(states)) {
                await enter();
                if (name !== "small") assert.deepEqual(await violations(page), [], `${theme} ${name} ${state}`);
                assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), size.width, `${name} ${state}: nothing is wider than the screen`);
                await shot(page, `access-${theme}-${name}-${state}`);
            }
        }
        await page.setViewportSize(SIZES.desk);
        await page.click("#tab-analyse");
        for (const [dialog, opener] of Object.entries({ settings: "#open-settings", editor: "#edit", saved: "#saved-games", menu: "#open-menu" })) {
            await page.click(opener);
            await page.locator(`#${dialog}`).waitFor();
            assert.deepEqual(await violations(page), [], `${theme} ${dialog}`);
            await shot(page, `access-${theme}-${dialog}`);
            await page.keyboard.press("Escape");
        }
        await page.click("#theme");
    }
});

/** The contrast of two colours, by the formula of WCAG 2. */
function contrast(one, other) {
    const luminance = (color) => {
        const [red, green, blue] = color.match(/[\d.]+/g).map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
}

test("the letters and numbers on the board can be read on its squares in both themes", async (t) => {
    const { page } = await visitScripted(t);
    for (const theme of ["light", "dark"]) {
        const [ink, size, squares] = await page.evaluate(() => {
            const { color, fontSize, opacity } = getComputedStyle(document.querySelector("coords coord").parentElement);
            const image = getComputedStyle(document.querySelector("cg-board")).backgroundImage;
            return [color, parseFloat(fontSize) * Number(opacity), image.match(/rgb\([^)]*\)/g)];
        });
        assert.equal(new Set(squares).size, 2);
        for (const square of squares) assert.ok(contrast(ink, square) >= 4.5, `${theme}: ${ink} on ${square}`);
        assert.ok(size >= 10, `${size}`);
        await page.click("#theme");
    }
});

test("the board fills what there is: on a phone, on its side, and on a large screen", async (t) => {
    const { page } = await visitScripted(t);
    for (const [width, height, least] of [[390, 844, 384], [844, 390, 368], [1280, 860, 600], [1920, 1080, 830], [2560, 1440, 1180]]) {
        await page.setViewportSize({ width, height });
        const fits = (least) => {
            // A board is made anew when its size changes.
            const board = document.querySelector("cg-board")?.getBoundingClientRect();
            return board && board.width >= least && board.left >= 0 && board.top >= 0 && board.right <= innerWidth && board.bottom <= innerHeight;
        };
        await page.waitForFunction(fits, least, { timeout: 5000 }).catch(() => assert.fail(`${width} x ${height}: no board of ${least} pixels on the screen`));
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
    await page.setViewportSize({ width: 844, height: 390 });
    await page.click("#analysis");
    const score = await page.locator("#score").boundingBox();
    assert.ok(score.y + score.height < 390, "the score is seen beside the board");
});

const PROMOTION = "8/P6k/8/8/8/8/7p/K7 w - - 0 1";
/** The buttons of the promotion chooser as they are painted. */
const painted = (page) =>
    page.locator("#promotion button").evaluateAll((buttons) =>
        buttons.map((button) => {
            const piece = button.querySelector("piece");
            const { width, height } = piece.getBoundingClientRect();
            return { name: button.getAttribute("aria-label"), width, height, image: getComputedStyle(piece).backgroundImage };
        }),
    );

test("the four pieces of a promotion are painted, and chosen by mouse", async (t) => {
    const { page } = await visitScripted(t);
    for (const [fen, from, to, played] of [[PROMOTION, "a7", "a8", "a8=R"], ["8/P6k/8/8/8/8/7p/K7 b - - 0 1", "h2", "h1", "h1=R+"]]) {
        await load(page, fen);
        await dragPiece(page, from, to);
        await page.locator("#promotion button").first().waitFor();
        const square = (await page.locator("cg-board").boundingBox()).width / 8;
        const buttons = await painted(page);
        assert.deepEqual(buttons.map(({ name }) => name), ["queen", "knight", "rook", "bishop"]);
        for (const { width, height, image } of buttons) {
            assert.ok(Math.abs(width - square) < 2 && Math.abs(height - square) < 2, `${width} x ${height}`);
            assert.match(image, /^url\("data:image/);
        }
        assert.equal(new Set(buttons.map(({ image }) => image)).size, 4);
        await shot(page, `promotion-${from}`);
        await page.click('#promotion button[aria-label="rook"]');
        await awaitMoves(page, [played]);
    }
});

test("a promotion is chosen by letters, arrows, Tab, Enter and Space, and left by Escape", async (t) => {
    const { page } = await visitScripted(t);
    for (const [keys, played] of [
        [["n"], ["a8=N"]],
        [["ArrowDown", "Enter"], ["a8=N"]],
        [["Tab", "Tab", " "], ["a8=R"]],
        [["ArrowUp", "Enter"], ["a8=B"]],
        [["Enter"], ["a8=Q"]],
        [["Escape"], []],
    ]) {
        await load(page, PROMOTION);
        await dragPiece(page, "a7", "a8");
        await page.locator("#promotion button").first().waitFor();
        for (const key of keys) await page.keyboard.press(key);
        await page.locator("#promotion").waitFor({ state: "hidden" });
        await awaitMoves(page, played);
    }
    assert.equal(await page.locator("cg-board piece.white.pawn").count(), 1, "after Escape the pawn stands where it stood");
});

test("moves are made on the board by keyboard, and read out", async (t) => {
    const { page } = await visitScripted(t);
    await page.focus("#open-settings");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.id), "board");
    const cursor = await page.locator("#cursor").boundingBox();
    const board = await page.locator("cg-board").boundingBox();
    assert.ok(Math.abs(cursor.x - board.x - board.width / 2) < 3, "the cursor is shown on e2");
    await page.keyboard.press("Enter");
    await says(page, "#live", /e2, white pawn, taken\. It can go to e3, e4/);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await says(page, "#live", /e4, empty/);
    await shot(page, "cursor");
    await page.keyboard.press("Enter");
    await awaitMoves(page, ["e4"]);
    await says(page, "#live", /White: e4/);
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", " ", "Escape", "Enter", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await awaitMoves(page, ["e4", "e5"]);
    await page.locator("cg-board").click();
    await page.keyboard.press("ArrowLeft");
    await says(page, "#moves [aria-current]", "e4", "after a click the arrow keys step through the game");
    await awaitMoves(page, ["e4", "e5"]);
});

test("a sentence about a text stands beside its box, in sight", async (t) => {
    const { page } = await visitScripted(t, { viewport: SIZES.phone });
    await load(page, "8/8/8/8/8/8/8/9 w - - 0 1");
    const [message, box] = await Promise.all([page.locator("#message").boundingBox(), page.locator("#text").boundingBox()]);
    assert.ok(message.y > box.y && message.y - box.y - box.height < 130, `${message.y} ${box.y}`);
    assert.ok(message.y + message.height <= 844, "it is on the screen");
});

test("a server whose port is taken says so in a sentence", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const server = spawn(process.execPath, [fileURLToPath(new URL("serve.mjs", import.meta.url)), String(other.address().port)]);
    let said = "";
    server.stderr.on("data", (data) => (said += data));
    const [code] = await once(server, "close");
    other.close();
    assert.equal(code, 1);
    assert.match(said, /^serve: Port \d+ is taken by another program; 'npm run serve -- \d+' takes another one\.\n$/);
});
