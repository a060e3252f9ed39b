// What is loaded and copied is the same game; what is damaged is read as it stands or refused with a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadModule } from "./modules.mjs";
import { randomFrom } from "./random.mjs";

const { Game, Unreadable, legalMoves, loadGame, plainJudge, readText, saveGame, writePgn } = await loadModule("game/index.ts");

const STARTS = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 3 40",
    "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "8/P6k/8/8/8/8/7p/K7 w - - 12 345",
];
const TEXTS = [
    " a word ", "", "two\nlines", " with \"marks\", \\ and / ", "(not a side line) 12. Nf3", "1-0 is no result here", "[Event \"no tag\"]", "{ an open brace",
    "; a semicolon", "% a percent sign", "Zug um Zug: ♘f3 – прекрасно 妙手 🙂", "  blanks   inside  ", "a rather long comment ".repeat(8), "$1 !? -- *", "&amp; <br>",
];
const VALUES = ["Müller, A", "5th \"Old Mill\" Cup", "C:\\games\\", "", "?", "a ] b", "\"", "\\\"", "1.e4", "  x ", "&quot;", "{x}", "“typographic”"];

/** A random comment, as raw text. */
function comment({ below, chance, pick }) {
    const clock = `[%clk ${below(2)}:${10 + below(50)}:${10 + below(50)}${chance(0.3) ? `.${below(9)}` : ""}]`;
    const commands = [clock, `[%eval ${(below(2000) - 1000) / 100}]`, `[%eval #${below(20) - 10}]`, "[%csl Gd4,Re5][%cal Rg1f3]", "[%emt 0:00:07]", "[%unknown a b c]"];
    const parts = [...(chance(0.4) ? [pick(commands)] : []), ...(chance(0.7) ? [pick(TEXTS)] : [])];
    return parts.join(chance(0.5) ? " " : "");
}

/** Adds a line of moves after `parent`, with all that may stand beside them; returns its moves as text. */
function growLine(random, parent, position, plies, depth, isSideLine) {
    const { below, chance } = random;
    const words = [];
    let [node, at, isBroken, isAfterSideLines] = [parent, position, true, false];
    for (let ply = 0; ply < plies; ply += 1) {
        const moves = legalMoves(at).filter((one) => ply > 0 || parent.children.every((child) => child.uci !== one.uci));
        if (moves.length === 0) break;
        const before = ply === 0 ? (isSideLine && chance(0.2) ? [comment(random)] : []) : isAfterSideLines && chance(0.3) ? [comment(random)] : [];
        const child = { uci: random.pick(moves).uci, nags: [], before, after: [], children: [] };
        const [game, number] = [new Game({ start: at }), at.fullmoves];
        const { san } = game.playUci(child.uci);
        for (const text of before) words.push(`{${text}}`);
        if (at.turn === "white") words.push(chance(0.5) ? `${number}. ${san}` : `${number}.${san}`);
        else words.push(isBroken || before.length > 0 || chance(0.2) ? `${number}... ${san}` : san);
        isBroken = false;
        while (chance(0.15)) {
            child.nags.push(1 + below(146));
            words.push(`$${child.nags.at(-1)}`);
        }
        while (chance(0.25)) {
            child.after.push(comment(random));
            words.push(`{${child.after.at(-1)}}`);
        }
        node.children.push(child);
        isAfterSideLines = false;
        while (ply > 0 && depth > 0 && chance(0.12)) {
            const line = growLine(random, node, at, 1 + below(5), depth - 1, true);
            if (line.length === 0) break;
            words.push("(", ...line, ")");
            isAfterSideLines = true;
        }
        [node, at] = [child, game.position()];
    }
    return words;
}

/** A random game: its tree and its text, as other programs write it. */
function generate(random) {
    const { below, chance, pick } = random;
    const start = chance(0.3) ? pick(STARTS) : null;
    const tags = ["Event", "Site", "Date", "White", "Black", "ECO", "Remark"].filter(() => chance(0.5)).map((name) => ({ name, value: pick(VALUES) }));
    if (start) tags.push({ name: "SetUp", value: "1" }, { name: "FEN", value: start });
    const result = pick(["1-0", "0-1", "1/2-1/2", "*"]);
    tags.push({ name: "Result", value: chance(0.9) ? result : "1-0" });
    const root = { uci: "", nags: [], before: [], after: [], children: [] };
    if (chance(0.3)) root.after.push(comment(random));
    const position = start ? Game.fromFen(start, plainJudge).position() : new Game().position();
    const words = [...root.after.map((text) => `{${text}}`), ...growLine(random, root, position, below(24), 3, false), result];
    const head = tags.map(({ name, value }) => `[${name} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`).join("\n");
    // White space that means nothing, but for that around brackets.
    const body = words.reduce((text, word) => text + (text === "" || /\($/.test(text) || word === ")" ? "" : pick([" ", " ", "\n", "  "])) + word, "");
    return { root, tags, result, text: `${head}\n\n${body}\n` };
}

/** What a game is, without the ids of its nodes; lists of nodes, since trees may be deep. */
function contentOf(root) {
    const content = [];
    const todo = [root];
    for (let node = todo.pop(); node; node = todo.pop()) {
        const { uci, nags, before, after, children } = node;
        content.push({ uci, nags, before, after, children: children.length });
        todo.push(...[...children].reverse());
    }
    return content;
}

test("2,000 games with all that a PGN can hold are loaded and copied as the same games", () => {
    const random = randomFrom(69);
    let nodes = 0;
    for (let number = 0; number < 2000; number += 1) {
        const { root, tags, result, text } = generate(random);
        const game = readText(text).games[0].game();
        const content = contentOf(game.root);
        assert.deepEqual(content, contentOf(root), text);
        assert.deepEqual(game.tags, tags, text);
        assert.equal(game.result, result, text);
        const copy = writePgn(game);
        const again = readText(copy).games[0].game();
        assert.deepEqual(contentOf(again.root), content, copy);
        assert.deepEqual(again.tags, tags, copy);
        assert.equal(writePgn(again), copy);
        nodes += content.length;
        // Only a comment may make a line longer.
        if (number % 10 === 0) for (const line of copy.split("\n")) assert.ok(line.length < 80 || /^\[|[{}]/.test(line), line);
    }
    assert.ok(nodes > 30_000, String(nodes));
});

/** A text with some faults, as copying, mailing and typing make them. */
function damaged(text, { below, pick }) {
    let broken = text;
    for (let fault = 0; fault <= below(3); fault += 1) {
        const [at, length] = [below(broken.length), 1 + below(20)];
        const cut = (start, end, put) => (broken = broken.slice(0, start) + put + broken.slice(end));
        const faults = [
            () => cut(at, at + 1, ""),
            () => cut(at, at + length, ""),
            () => cut(at, at, pick([..."{}()[]$;%\"\\\n\t.-+=x0O1 8abhNKS♘é\0\ud800"])),
            () => cut(at, at + 1, pick([..."{}()[]$;abcdefgh12345678NBRQKO0-"])),
            () => cut(at, broken.length, ""),
            () => cut(0, at, ""),
            () => cut(at, at, broken.slice(at, at + length)),
            () => (broken = broken.toUpperCase()),
            () => (broken = broken.replaceAll("\n", "\r\n")),
            () => (broken = broken.replaceAll('"', "“")),
        ];
        pick(faults)();
    }
    return broken;
}

test("500 damaged games are read as they stand, or refused with a sentence", () => {
    const random = randomFrom(4);
    let refused = 0;
    for (let number = 0; number < 500; number += 1) {
        const text = damaged(generate(random).text, random);
        try {
            const { games } = readText(text);
            for (const game of games.map((one) => one.game())) {
                const copy = writePgn(game);
                if (game.tags.length + game.mainline().length === 0) continue;
                assert.equal(writePgn(readText(copy).games[0].game()), copy, text);
            }
        } catch (error) {
            if (!(error instanceof Unreadable)) throw new Error(`on ${JSON.stringify(text)}`, { cause: error });
            assert.match(error.message, /^[^\p{Cc}]{10,300}\.$/u, text);
            refused += 1;
        }
    }
    assert.ok(refused > 100 && refused < 450, String(refused));
});

test("texts made to be deep or to take long are read or refused", () => {
    const many = 40_000;
    for (const text of [
        "(".repeat(many), ")".repeat(many), "{".repeat(many) + "&", "[".repeat(many), `[${" ".repeat(many)}`, "1/".repeat(many), "k/".repeat(many), "-".repeat(many), "<b ".repeat(many),
        "1. e4 (1. d4 ".repeat(8000), `1. e4 ${"(1. d4 ".repeat(8000)}${")".repeat(8000)}`, `1. e4 ${"(1. d4)".repeat(8000)}`, "a".repeat(many), "e4!".repeat(many), `"${"'".repeat(many)}`,
        "e2e4 ".repeat(many), `1. e4 ${"{a}".repeat(many)}`, "1. ".repeat(many), "\n".repeat(many), "a ".repeat(many), "&nbsp;".repeat(8000), `[A "${'"'.repeat(5000)}`, "* ".repeat(many), "bxc3 ".repeat(5000),
        `${"nf3 nf6 ng1 ng8 ".repeat(500)} bxc3`, "\ud800 \u0000 \uffff", "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]", "http://" + "x".repeat(many), "$".repeat(many), `1. e4 ${"$1 ".repeat(many)}`,
    ]) {
        try {
            const copy = writePgn(readText(text).games[0].game());
            assert.equal(writePgn(readText(copy).games[0].game()), copy);
        } catch (error) {
            assert.ok(error instanceof Unreadable, `${text.slice(0, 20)}: ${error.stack}`);
        }
    }
});

test("games with side lines and the engine's lines are saved and opened as they were", () => {
    const random = randomFrom(7);
    for (let number = 0; number < 100; number += 1) {
        const game = readText(generate(random).text).games[0].game();
        const saved = JSON.parse(JSON.stringify(saveGame(game)));
        assert.deepEqual(contentOf(loadGame(saved).root), contentOf(game.root));
    }
});
