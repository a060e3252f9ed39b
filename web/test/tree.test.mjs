// A game as a tree: nothing is lost by looking, and what destroys can be undone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadModule } from "./modules.mjs";

const { ROOT, Game, chess960, loadGame, plainJudge, playText, readGame, saveGame, scoreOf, secondsOf, textOf, writePgn } =
    await loadModule("game/index.ts");

const moves = (game) => game.mainline().map((node) => node.san).join(" ");
const san = (game, ...words) => words.map((word) => playText(game, word).id);

test("another move is a variation, and the game stays (P3)", () => {
    const game = readGame("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
    game.goTo(game.mainline()[0].id);
    playText(game, "c5");
    assert.equal(moves(game), "e4 e5 Nf3 Nc6 Bb5 a6");
    assert.equal(game.isMainline(), false);
    assert.equal(game.line().map((node) => node.san).join(" "), "e4 c5");
    assert.match(writePgn(game), /1\. e4 e5 \(1\.\.\. c5\) 2\. Nf3/);
    // The same move again is no second one.
    game.back();
    playText(game, "c5");
    assert.equal(game.node(game.parent()).children.length, 2);
    assert.equal(game.undo(), true);
    assert.equal(moves(game), "e4 e5 Nf3 Nc6 Bb5 a6");
    assert.equal(writePgn(game).includes("c5"), false);
});

test("lines are promoted, deleted, and brought back, and moves keep their ids", () => {
    const game = readGame("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6) 2. Nf3 Nc6");
    const find = (word) => [...Array(20).keys()].find((id) => game.has(id) && game.node(id).san === word);
    const [d5, e6] = [find("d5"), find("e6")];
    assert.equal(game.promote(e6), true);
    assert.deepEqual(game.node(1).children.map((node) => node.san), ["e5", "e6", "c5"]);
    assert.equal(game.promoteToMain(d5), true);
    assert.equal(moves(game), "e4 c5 c3 d5");
    assert.equal(game.moveNumber(d5), "2…");
    assert.equal(game.promote(d5), false);
    game.goTo(d5);
    assert.equal(game.remove(find("c5")), true);
    assert.equal(game.at, 1);
    assert.equal(game.has(d5), false);
    game.undo();
    assert.equal(game.at, d5);
    game.undo();
    assert.equal(moves(game), "e4 e5 Nf3 Nc6");
    game.redo();
    assert.equal(moves(game), "e4 c5 c3 d5");
    assert.equal(game.canRedo, true);
    assert.equal(game.remove(ROOT), false);
});

test("comments, glyphs and commands are set without touching each other", () => {
    const game = readGame("1. e4 {[%clk 0:03:00] best [%xyz 1]} e5");
    const [e4, e5] = game.mainline().map((node) => node.id);
    game.comment(e4, "  the {best} move\r\nby test ");
    game.setCommand(e4, "eval", "0.35");
    game.setCommand(e4, "clk", "0:02:59");
    assert.equal(textOf(game.node(e4).after), "the {best) move by test");
    assert.equal(secondsOf(game.node(e4).after, "clk"), 179);
    assert.deepEqual(scoreOf(game.node(e4).after), { kind: "cp", value: 35 });
    assert.match(game.node(e4).after.join(), /\[%xyz 1\]/);
    game.setCommand(e5, "eval", "#-3");
    assert.deepEqual(scoreOf(game.node(e5).after), { kind: "mate", value: -3 });
    game.setCommand(e5, "eval", null);
    assert.deepEqual(game.node(e5).after, []);
    game.toggleNag(e4, 1);
    game.toggleNag(e4, 14);
    game.toggleNag(e4, 4);
    assert.deepEqual(game.node(e4).nags, [4, 14]);
    game.toggleNag(e4, 4);
    assert.deepEqual(game.node(e4).nags, [14]);
    assert.equal(writePgn(readGame(writePgn(game))), writePgn(game));
    game.comment(e4, "");
    assert.equal(textOf(game.node(e4).after), "");
});

test("the rules end a game, and what can be claimed does not", () => {
    const ending = (text) => {
        const game = readGame(text);
        return game.ending(game.mainline().at(-1)?.id ?? ROOT);
    };
    assert.deepEqual(ending("1. f3 e5 2. g4 Qh4"), { result: "0-1", why: "checkmate" });
    assert.deepEqual(ending("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), { result: "1/2-1/2", why: "stalemate" });
    assert.deepEqual(ending("7k/8/6K1/8/8/8/8/5B2 b - - 0 1"), { result: "1/2-1/2", why: "insufficient material" });
    const shuffle = (times) => readGame(`[Event "x"]\n\n${"Nf3 Nf6 Ng1 Ng8 ".repeat(times)} *`);
    const claim = (game) => [game.ending(game.mainline().at(-1).id)?.why, game.claimable(game.mainline().at(-1).id)];
    assert.deepEqual(claim(shuffle(1)), [undefined, null]);
    assert.deepEqual(claim(shuffle(2)), [undefined, "threefold repetition"]);
    assert.deepEqual(claim(shuffle(4)), ["fivefold repetition", "threefold repetition"]);
    assert.deepEqual(claim(readGame("7k/8/6K1/8/8/8/8/5R2 w - - 99 80 1. Rf2")), [undefined, "the fifty-move rule"]);
    assert.deepEqual(claim(readGame("7k/8/6K1/8/8/8/8/5R2 w - - 149 80 1. Rf2")), ["the seventy-five-move rule", "the fifty-move rule"]);
    // Mate comes first.
    assert.deepEqual(claim(readGame("7k/8/6K1/8/8/8/8/5R2 w - - 149 80 1. Rf8")), ["checkmate", "the fifty-move rule"]);
    assert.equal(readGame("1. f3 e5 2. g4 Qh4").result, "0-1");
    assert.equal(readGame("1. f3 e5 2. g4 Qh4 *").result, "*");
});

test("the engine is told the moves from the start, and after a null move the position", () => {
    const game = new Game();
    san(game, "e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "O-O");
    assert.equal(game.uciPosition(), "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1h1");
    const passing = readGame("1. e4 -- 2. d4 d5");
    passing.toEnd();
    assert.equal(passing.uciPosition(), "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2 moves d2d4 d7d5");
    assert.equal(passing.playUci("e4d5").san, "exd5");
    const late = Game.fromFen("4k3/8/8/8/8/8/8/4K2R w K - 40 10", plainJudge);
    assert.equal(late.playUci("e1g1").uci, "e1h1");
    assert.equal(late.fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 41 10");
    assert.equal(late.playUci("e8e1"), null);
});

test("Chess960 castles from the numbered positions", () => {
    assert.equal(chess960(518), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    const game = Game.fromFen("1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1", plainJudge);
    assert.equal(game.isChess960, true);
    assert.equal(game.playUci("c1d1").san, "O-O");
    assert.match(writePgn(game), /\[Variant "Chess960"\]/);
    assert.equal(moves(readGame(writePgn(game))), "O-O");
});

test("taking back removes the last moves, and can be undone", () => {
    const game = new Game();
    san(game, "e4", "e5", "Nf3");
    game.takeBack(2);
    assert.equal(moves(game), "e4");
    assert.equal(game.ply(), 1);
    game.undo();
    assert.equal(moves(game), "e4 e5 Nf3");
    game.takeBack(9);
    assert.equal(moves(game), "");
});

test("a saved game has its place and the engine's lines", () => {
    const game = readGame('[Event "x"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 {good} *');
    const line = { number: 1, depth: 20, score: { kind: "cp", value: 35 }, wdl: [300, 600, 100], nodes: 1000, speed: 10, moves: ["d7d6"] };
    const d5 = [...Array(12).keys()].find((id) => game.has(id) && game.node(id).san === "d5");
    game.promoteToMain(d5);
    game.lines.set(d5, [line]);
    game.goTo(d5);
    const again = loadGame(JSON.parse(JSON.stringify(saveGame(game))));
    assert.equal(writePgn(again), writePgn(game));
    assert.equal(again.node().san, "d5");
    assert.deepEqual(again.lines.get(again.at), [line]);
    for (const text of [null, {}, { version: 2 }, { version: 1, pgn: "1. e9" }]) assert.throws(() => loadGame(text), { name: "Unreadable" });
    const empty = loadGame(saveGame(new Game()));
    assert.equal(empty.mainline().length, 0);
});

test("a result that is set stands in tag and moves", () => {
    const game = new Game();
    san(game, "e4");
    game.setResult("0-1", "time forfeit");
    assert.match(writePgn(game), /\[Result "0-1"\]\n\[Termination "time forfeit"\]\n\n1\. e4 0-1\n/);
    assert.match(writePgn(game, { roster: true }), /^\[Event "\?"\]\n\[Site "\?"\]\n\[Date "\?{4}\.\?\?\.\?\?"\]\n\[Round "\?"\]\n\[White "\?"\]\n\[Black "\?"\]\n\[Result "0-1"\]/);
    game.undo();
    assert.equal(game.result, "*");
});
