// A browser for the tests of the page, and what they all do in it. TAMARACK_SHOTS names a folder for screenshots.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
export const shots = process.env.TAMARACK_SHOTS;
export const dist = fileURLToPath(new URL("../dist", import.meta.url));
/** What users of npm get is served beside the page. */
export const withPackage = { others: { "/package/": fileURLToPath(new URL("../package", import.meta.url)) } };
let browser, site;

/** Has a browser and the page there for the tests of a file. */
export function withBrowser() {
    before(async () => {
        site = await serve(dist, withPackage);
        browser = await chromium.launch({
            executablePath,
            args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
        });
    });
    after(async () => {
        await browser?.close();
        site?.server.close();
    });
}

const engineIsThere = () => document.querySelector("#about").textContent.startsWith("Tamarack");

/** A new visitor, who leaves at the end of the test; the faults that the page shows in the console or asks for elsewhere are
 *  collected. */
export async function visit(t, { at = site.address, hash = "", prepare, isReady = engineIsThere, ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "light", ...options });
    t.after(() => context.close());
    // What is to be there before the page is.
    await prepare?.(context);
    const page = await context.newPage();
    const faults = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("request", (request) => {
        if (!request.url().startsWith(at) && !/^(data|blob):/.test(request.url())) faults.push(`outside: ${request.url()}`);
    });
    await page.goto(at + hash);
    await page.waitForFunction(isReady);
    return { page, context, faults, address: at };
}

/** A visitor whose engine is a script: it answers at once, and nothing of the real one is loaded. `replies` has the lines for each `go`, in
 *  turn; when they are used up it says nothing any more. What it was told stands in `engineLines`. */
export const visitScripted = (t, { replies = [], ...options } = {}) =>
    visit(t, { prepare: (context) => scriptEngine(context, replies), ...options });

async function scriptEngine(context, replies) {
    const noModule = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
    await context.route(/\/engine\/tamarack.*\.gz/, (route) => route.fulfill({ body: noModule }));
    await context.addInitScript((replies) => {
        globalThis.engineLines = [];
        globalThis.Worker = class {
            postMessage(line) {
                if (typeof line !== "string") return;
                globalThis.engineLines.push(line);
                const say = (...lines) => setTimeout(() => lines.forEach((data) => this.onmessage({ data })));
                if (line === "uci") say("id name Tamarack scripted", "option name UCI_Elo type spin default 1500 min 600 max 2900", "uciok");
                if (line === "isready") say("readyok");
                if (line.startsWith("go") && replies.length > 0) say(...replies.shift());
                if (line === "stop") say("bestmove 0000");
            }
            terminate() {}
        };
    }, replies);
}

/** Drags at once, as a quick hand does: pieces that still glide can be had, too. What follows has to be waited for, since the
 *  board tells the page of a move a millisecond after the button is let go. */
export async function dragPiece(page, from, to) {
    const box = await page.locator("cg-board").boundingBox();
    const isFlipped = await page.locator(".cg-wrap.orientation-black").count();
    const middle = (square) => {
        let [file, rank] = [square.charCodeAt(0) - 97, 8 - Number(square[1])];
        if (isFlipped) [file, rank] = [7 - file, 7 - rank];
        return [box.x + ((file + 0.5) * box.width) / 8, box.y + ((rank + 0.5) * box.height) / 8];
    };
    await page.mouse.move(...middle(from));
    await page.mouse.down();
    await page.mouse.move(...middle(to), { steps: 6 });
    await page.mouse.up();
}

/** The moves of the main line that are shown. */
export const moves = (page) => page.locator("#moves > .pair button").allTextContents();
/** All moves that are shown, side lines where they stand. */
export const allMoves = (page) => page.locator("#moves button").allTextContents();

/** Waits until the engine shows so many lines. */
export const awaitLines = (page, count) =>
    page.waitForFunction((count) => document.querySelectorAll("#lines .line-moves").length === count && /depth \d/.test(document.querySelector("#depth").textContent), count);

/** Asserts what a click or key brings: the page answers in its own time, questions in a task of their own. */
export async function eventually(assertion) {
    const end = Date.now() + 30_000;
    for (;;) {
        try {
            return await assertion();
        } catch (error) {
            if (Date.now() > end) throw error;
        }
        await new Promise((wake) => setTimeout(wake, 20));
    }
}

/** The text of an element is this, or matches it. */
export const says = (page, selector, expected, hint) =>
    eventually(async () => {
        const text = await page.textContent(selector);
        if (expected instanceof RegExp) assert.match(text, expected, hint);
        else assert.equal(text, expected, hint);
    });

export const awaitMoves = (page, expected, hint) => eventually(async () => assert.deepEqual(await moves(page), expected, hint));
export const awaitAllMoves = (page, expected) => eventually(async () => assert.deepEqual(await allMoves(page), expected));

export const shot = (page, name) => (shots ? page.screenshot({ path: `${shots}/${name}.png` }) : null);

export async function load(page, text) {
    if (!(await page.locator("details.give").evaluate((box) => box.open))) await page.click("details.give summary");
    await page.fill("#text", text);
    await page.click("#load");
}

export const PGN = `[Event "Paris"]
[White "Morphy"]
[Black "Duke of Brunswick and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 {Black is in
what's like a zugzwang.} b5 10. Nxb5 cxb5 (10... Qb4+ 11. Qxb4) 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6
15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0`;
