// What people paste is read wholly, or refused with a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadModule } from "./modules.mjs";

const { ROOT, Game, Unreadable, carriedText, playText, readText, writePgn } = await loadModule("game/index.ts");

const only = (text) => {
    const { games } = readText(text);
    assert.equal(games.length, 1, text);
    return games[0].game();
};
/** The moves of the only game of a text. */
const moves = (text) => only(text).mainline().map((node) => node.san).join(" ");
const fen = (text) => only(text).fen();
/** The sentence with which a text is refused. */
function refusal(text) {
    try {
        readText(text);
    } catch (error) {
        assert.ok(error instanceof Unreadable, error.stack);
        return error.message;
    }
    return assert.fail(`this was read: ${text}`);
}
const readAll = (cases) => {
    for (const [text, expected] of Object.entries(cases)) assert.equal(moves(text), expected, text);
};
const refuseAll = (cases) => {
    for (const [text, pattern] of cases) assert.match(refusal(text), pattern, text);
};

test("a move that cannot be played is refused with its number, side and word (P4)", () => {
    refuseAll([
        ["1. e4 e5 2. Nf3 Nf9", /Move 2, Black: “Nf9” cannot be read: there is no square f9\./],
        ["1. e4 e5 2. Nf6", /Move 2, White: “Nf6” cannot be played: no knight of White can go to f6\./],
        ["1. d4 d5 2. Nc3 Nc6 3. Bf4 Bf5 4. Nf3 Nf6 5. Nd1", /Move 5, White: “Nd1” cannot be played: a piece of White stands on d1/],
        ["1. Nf3 d5 2. d4 e6 3. Nd2", /Move 3, White: “Nd2” .*the knight from b1 or the knight from f3/],
        ["1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. Kh1", /Move 4, White: “Kh1” .* stands on h1 itself/],
        ["1. e4 e5 2. Nxf3", /Move 2, White: “Nxf3” .*nothing to take on f3/],
        ["1. e4 e5 2. O-O", /Move 2, White: “O-O” .*cannot castle/],
        ["1. e4 f6 2. d4 g5 3. Qh5+ a6", /Move 3, Black: “a6” cannot be played/],
        ["1. e4 d5 2. Bb5+ Nc6 3. d4 Nxd4", /Move 3, Black: “Nxd4” .*leave the king of Black in check/],
        ["8/P6k/8/8/8/8/8/K7 w - - 0 1 1. a8", /what the pawn becomes, as in a8=Q/],
        ["1. e4 e5 (1... c5 2. Nf3 Nf3) 2. d4", /Move 2, Black, in a side line: “Nf3”/],
        ["[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 d5 2. d5 *", /^Game 2: Move 2, White: “d5”/],
        ["1. P-K4 P-K4", /descriptive notation/],
        ["8/P6k/8/8/8/8/8/K7 w - - 0 1 1. a8=K", /does not become a king/],
        ["1. f3 e5 2. g4 Qh4# 3. e4", /Move 3, White: “e4” cannot be played: White is checkmated/],
        ["1. e4 f5 2. Qh5+ d6", /leave the king of Black in check/],
        ["1. e4 f5 2. Qh5+ Kf7", /leave the king of Black in check/],
        // What is left of a text that was cut is no sign.
        ["1. e4 e5 2. Nf3 N", /Move 2, Black: “N”/],
        // The standard takes this as a comment; it would be a part of the game.
        ["e2e4;e7e5", /Move 1, Black: “;e7e5” .*this looks like moves/],
        ["1. e4 e5; 2. Nf3 Nc6", /the rest of the line is a comment, but this looks like moves/],
    ]);
});

test("moves that are missing are noticed", () => {
    refuseAll([
        ["12. Nf3 Nc6 13. d4", /begin with “12\.”, but the game begins with move 1/],
        ["1. e4 e5 3. Nf3", /“3\.” .*here move 2 is due/],
        ["1... e5 2. Nf3", /“1\.\.\.” .*White is to move/],
        ["1. e4 2. e5", /“2\.” .*here move 1 is due/],
    ]);
    assert.equal(moves("1. e4 1. e5"), "e4 e5");
    assert.equal(moves("4k3/8/8/8/8/8/8/4K2R w K - 0 40\n1. O-O Ke7 2. Rf3"), "O-O Ke7 Rf3");
});

test("figurines, small letters, and castling and promotion in all notations are read (P5)", () => {
    readAll({
        "1. ♘f3 ♞f6": "Nf3 Nf6",
        "1. ♘\ufe0ef3 ♘f6": "Nf3 Nf6",
        "1. e4 nf6 2. e5 nd5": "e4 Nf6 e5 Nd5",
        "1. d4 nf6 2. c4 e6 3. nc3 bb4 4. e3 bxc3+ 5. bxc3": "d4 Nf6 c4 e6 Nc3 Bb4 e3 Bxc3+ bxc3",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0 Nf6": "e4 e5 Nf3 Nc6 Bb5 a6 O-O Nf6",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. o–o": "e4 e5 Nf3 Nc6 Bb5 a6 O-O",
        "8/P6k/8/8/8/8/7p/K7 w - - 0 1 1. a8(Q) h1=n": "a8=Q h1=N",
        "8/P6k/8/8/8/8/7p/K7 w - - 0 1 1. a8/R h1q+": "a8=R h1=Q+",
        "8/P6k/8/8/8/8/7p/K7 w - - 0 1 1. a8 = Q h1 (B)": "a8=Q h1=B",
        "8/P6k/8/8/8/8/7p/K7 w - - 0 1 1. a7a8q h2h1n": "a8=Q h1=N",
        "1. Ng1-f3 d7-d5 2. e2-e4 d5xe4 3. Nf3 - g5 f7 - f5": "Nf3 d5 e4 dxe4 Ng5 f5",
        "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1": "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O",
        "1. e4 c5 2. e5 d5 3. exd6 e.p. exd6": "e4 c5 e5 d5 exd6 exd6",
        "1. e4 c5 2. e5 d5 3. exd6ep. exd6": "e4 c5 e5 d5 exd6 exd6",
        "1. e4 c5 2. e5 d5 3. ed6 (ep) ed": "e4 c5 e5 d5 exd6 exd6",
        "1.e4,e5 2.Nf3": "e4 e5 Nf3",
        "1 e4 e5 2 Nf3": "e4 e5 Nf3",
        "1) e4 e5 2) Nf3": "e4 e5 Nf3",
        "1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7mate": "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
        "1.\te4\te5\n2.\tNf3": "e4 e5 Nf3",
        "1. NF3 NF6 2. E4 NXE4": "Nf3 Nf6 e4 Nxe4",
        "1. e4 d5 2. e×d5 Q:d5": "e4 d5 exd5 Qxd5",
        "1. e4 e5 2. Dh5 Sc6 3. Lc4 Sf6 4. Dxf7 matt": "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
        "1. e4 e5 2. Фh5 Кc6 3. Сc4 Кf6 4. Ф:f7х": "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
        "1. e4 e5 2. Ngf3 Nbc6": "e4 e5 Nf3 Nc6",
        "1. e4 -- 2. d4": "e4 -- d4",
    });
});

test("the piece letters of other languages are read where all moves fit one language", () => {
    readAll({
        "1. Sf3 Sf6": "Nf3 Nf6",
        "1. d4 Sf6 2. c4 e6 3. Sc3 Lb4 4. Dc2 0-0 5. a3 Lxc3+ 6. Dxc3": "d4 Nf6 c4 e6 Nc3 Bb4 Qc2 O-O a3 Bxc3+ Qxc3",
        "1. e4 e5 2. Cf3 Cc6 3. Fb5 a6 4. Fxc6 dxc6 5. 0-0": "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O",
        "1. e4 e5 2. Cf3 Cc6 3. Ab5 a6 4. Axc6 dxc6 5. O-O Dd4": "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O Qd4",
        "1. e4 e5 2. Pf3 Pc6 3. Lb5 Tb8": "e4 e5 Nf3 Nc6 Bb5 Rb8",
        // Who writes e4 and not Pe4 has no letter for pawns.
        "1. e4 e5 2. Pf3 Pc6": "e4 e5 Nf3 Nc6",
        "1. Pe4 Pe5 2. Pf3": "e4 e5 f3",
        "1. e4 e5 2. Sf3 Sc6 3. Gb5 Hf6 4. O-O": "e4 e5 Nf3 Nc6 Bb5 Qf6 O-O",
        "1. e4 e5 2. Jf3 Jc6 3. Sb5 Vb8": "e4 e5 Nf3 Nc6 Bb5 Rb8",
        "1. e4 e5 2. Hf3 Hc6 3. Fb5 Vf6": "e4 e5 Nf3 Nc6 Bb5 Qf6",
        "1. e4 e5 2. Кf3 Кc6 3. Сb5 Фf6 4. Крe2": "e4 e5 Nf3 Nc6 Bb5 Qf6 Ke2",
        "8/P6k/8/8/8/8/7p/K7 w - - 0 1 1. a8=D h1=L": "a8=Q h1=B",
    });
    refuseAll([
        ["1. e4 e5 2. Sf3 Nc6", /Move 2, White: “Sf3” .*S is none of the pieces K, Q, R, B and N/],
        ["1. e4 e5 2. Sf3 Sc6 3. Lb9", /Move 3, White: “Lb9” .*there is no square b9/],
        ["1. e4 e5 2. Sf3 Sc6 3. Lb6", /Move 3, White: “Lb6” .*no bishop of White can go to b6 \(read in German\)/],
        // A pawn in one language, the knight in another.
        ["1. Pf3 Pf6", /one game in English with P for pawns and another in Dutch/],
        // R is the king in Spanish; nothing else says that this is Spanish.
        ["1. e4 e5 2. Re2", /Move 2, White: “Re2”/],
    ]);
});

test("a small b is the pawn as the standard says, unless pieces are written small", () => {
    const position = "4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1";
    assert.equal(moves(`${position} 1. bxc3`), "bxc3");
    assert.equal(moves(`${position} 1. Bxb2`.replace("1P6", "1p6")), "Bxb2");
    // Both can take, and the other pieces are written small, too.
    assert.match(refusal("4k3/8/8/8/3B4/2p5/1P6/4K1N1 w - - 0 1 1. nf3 kd7 2. bxc3"), /“bxc3” can be the move of a pawn and of another piece/);
    assert.equal(moves("4k3/8/8/8/3B4/2p5/1P6/4K1N1 w - - 0 1 1. Nf3 Kd7 2. bxc3"), "Nf3 Kd7 bxc3");
});

test("tags may have quotation marks and backslashes inside (P6)", () => {
    const tag = (text) => only(text).tag("Event");
    assert.equal(tag('[Event "5th "Old Mill" Cup"]\n\n1. e4'), '5th "Old Mill" Cup');
    assert.equal(tag('[Event "5th \\"Old Mill\\" Cup"]\n\n1. e4'), '5th "Old Mill" Cup');
    assert.equal(tag('[Event "C:\\games\\"]\n\n1. e4'), "C:\\games\\");
    assert.equal(tag('[Event "a"][Site "b"] 1. e4'), "a");
    assert.equal(tag("[Event “Club”]\n\n1. e4"), "Club");
    assert.equal(tag("[Event &quot;A &amp; B&quot;]\n\n1. e4"), "A & B");
    assert.equal(tag('[Event "A &amp; B"]\n\n1. e4&nbsp;e5'), "A &amp; B");
    for (const text of ["1-0", "*", "½-½"]) assert.match(refusal(text), /no moves in this text, only the result/);
    assert.match(refusal('[Event "x"\n\n1. e4'), /The tag “Event” in line 1/);
    assert.equal(moves('[Event "x"]'), "");
    assert.deepEqual(readText('[Event "x"]').notes, ["This game has no moves."]);
});

test("comments before tags, blank lines between moves, and several games are read (P7)", () => {
    assert.equal(moves('{ Club notes }\n[Event "x"]\n\n1. e4 e5\n\n2. Nf3\n\n2... Nc6 *'), "e4 e5 Nf3 Nc6");
    const { games } = readText('[White "A"]\n[Black "B"]\n\n1. e4 1-0\n\n{ second }\n[White "C"]\n\n1. d4 d5\n\n1. c4 c5'.replace("\n\n1. c4", " 0-1\n\n1. c4"));
    assert.deepEqual(games.map((one) => one.title), ["A – B, 1-0", "C – ?, 0-1", "Game 3"]);
    assert.deepEqual(games.map((one) => one.game().mainline().map((node) => node.san).join(" ")), ["e4", "d4 d5", "c4 c5"]);
    assert.deepEqual(games[1].game().root.after, [" second "]);
    // One that cannot be read is named, and the others can be had.
    try {
        readText("1. e4 1-0\n1. d5 0-1\n1. c4 *");
        assert.fail();
    } catch (error) {
        assert.match(error.message, /^Game 2: Move 1, White: “d5”/);
        assert.deepEqual(error.others.map((one) => one.number), [1, 3]);
    }
});

test("comments, glyphs, clocks, evaluations and side lines are kept (P8)", () => {
    const text = `[Event "x"]

{before} 1. e4 $1 {[%clk 0:03:00] best} {two} 1... e5 (1... c5 {Sicilian}
2. Nf3 (2. c3 {[%foo bar]}) 2... d6) {then} 2. Nf3 $14
{[%eval 0.35] [%csl Gd4][%cal Rg1f3]} *
`;
    const game = only(text);
    assert.equal(writePgn(game), text);
    assert.equal(writePgn(only(writePgn(game))), writePgn(game));
    assert.equal(moves("1. e4! e5?! 2. Nf3!! ; a remark } here\n2... Nc6 $3"), "e4 e5 Nf3 Nc6");
    const remark = only("1. e4 ; a remark } here\ne5");
    assert.equal(writePgn(remark), "1. e4\n; a remark } here\n1... e5 *\n".replace("1. e4\n;", "1. e4 ;"));
    assert.deepEqual(only("1. e4!? e5 +- 2. d4 ⩲").mainline().map((node) => node.nags), [[5], [18], [14]]);
    refuseAll([
        ["1. e4 {never closed", /“\{never closed” .*never closed with \}/],
        ["1. e4 (1. d4", /side line with move 1, White is never closed/],
        ["1. e4) e5", /no side line is open/],
        ["(1. e4) e5", /before the move that it could replace/],
        ["1. e4 } e5", /no comment is open/],
        ["1. e4 $ e5", /number of a glyph/],
    ]);
});

test("a result stays as it was written (P9)", () => {
    const shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(2);
    const game = only(`[Result "1-0"]\n[Termination "time forfeit"]\n\n${shuffle} 1-0`);
    const last = game.mainline().at(-1).id;
    assert.equal(game.ending(last), null);
    assert.equal(game.claimable(last), "threefold repetition");
    for (const at of [ROOT, last]) {
        game.goTo(at);
        assert.match(writePgn(game), /\[Result "1-0"\]\n\[Termination "time forfeit"\][^]* 1-0\n$/);
    }
});

test("FEN in quotation marks, EPD, UCI's position and links are read (P13)", () => {
    const wanted = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    const address = wanted.replaceAll(" ", "_");
    for (const text of [
        wanted, `"${wanted}"`, `“${wanted}”`, `'${wanted}',`, `FEN: ${wanted}`, `fen "${wanted}"`, `[FEN "${wanted}"]`, `position fen ${wanted}`, `\`${wanted}\``,
        address, `https://lichess.org/analysis/standard/${address}`, `lichess.org/editor/${address}?color=white`, `https://lichess.org/analysis/fromPosition/${address}#4`,
        `https://www.chess.com/analysis?fen=${encodeURIComponent(wanted)}&flip=true`, `https://example.org/page/#fen=${address}`,
        `http://127.0.0.1:8080/?fen=${wanted.replaceAll(" ", "+")}`, `${wanted.split(" ").slice(0, 4).join(" ")} hmvc 2; fmvn 3;`, `${wanted}\r\n`, `\ufeff${wanted}`,
    ]) {
        if (text.includes("hmvc")) continue; // The engine's judge reads the counters of EPD.
        assert.equal(fen(text), wanted, text);
    }
    assert.equal(moves(`position fen ${wanted} moves f1b5 a7a6`), "Bb5 a6");
    assert.equal(moves("position startpos moves e2e4 e7e5"), "e4 e5");
    assert.equal(moves("https://lichess.org/analysis/pgn/e4_e5_Nf3"), "e4 e5 Nf3");
    const epd = readText(`${wanted.split(" ").slice(0, 4).join(" ")} bm Bb5; id "Spanish";`);
    assert.equal(epd.games[0].game().fen(), wanted.replace("2 3", "0 1"));
    assert.deepEqual(epd.games[0].game().root.after, [' bm Bb5; id "Spanish"; ']);
    assert.match(epd.notes.join(), /kept as a comment/);
    assert.equal(readText(`${wanted}\n${wanted}\n`).games.length, 2);
    const perft = only("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D4 43238 ;D5 674624");
    assert.deepEqual(perft.root.after, [" D4 43238 ;D5 674624 "]);
    assert.equal(moves("2r4k/1P6/8/8/8/8/8/K7 w - - 0 1 bxc8(Q)+"), "bxc8=Q+");
    assert.equal(moves(`(${wanted}) Bb5`), "Bb5");
    for (const text of [`#fen=${address}`, `?fen=${wanted}`]) assert.equal(fen(text), wanted);
    refuseAll([
        ["https://lichess.org/abcdefgh", /link to a game on lichess\.org.*paste it here/],
        ["https://www.chess.com/game/live/123456", /link to a game on www\.chess\.com/],
        ["https://lichess.org/study/abcdefgh", /a study/],
        ["https://lichess.org/analysis/atomic/rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1", /only chess and Chess960/],
        ["8/8/8/8/8/8/8/9 w - - 0 1", /^FEN: /],
        ["4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", /^FEN: .*check/],
        ["good morning", /neither a FEN nor the moves of a game: “good” is no move/],
        ["", /nothing to read/],
        ['[Variant "Atomic"]\n\n1. e4', /only chess and Chess960/],
        ['[SetUp "1"]\n\n1. e4', /no tag FEN/],
    ]);
});

test("a link carries a game or a position, as it was encoded by anybody", () => {
    const pgn = '[Event "Müller & Co, 100% + 5"]\n\n1. e4 {ça va?} e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n';
    for (const address of [
        `http://x/#pgn=${encodeURIComponent(pgn)}`,
        `http://x/?pgn=${encodeURIComponent(pgn)}`,
        `http://x/#${new URLSearchParams({ pgn })}`,
        `http://x/#pgn=${encodeURI(pgn).replaceAll("#", "%23")}`,
    ]) {
        assert.equal(writePgn(only(carriedText(address))).replaceAll("\n", " "), pgn.replaceAll("\n", " ").replace("} e5", "} 1... e5"), address);
    }
    assert.equal(carriedText("http://x/#pgn=1.e4_e5"), "1.e4 e5");
    assert.equal(carriedText("http://x/#pgn=1.+e4+e5+2.+Qh5%2B"), "1. e4 e5 2. Qh5+");
    assert.equal(carriedText("http://x/#pgn=1.%20e4%20e5%202.%20Qh5+"), "1. e4 e5 2. Qh5+");
    assert.equal(carriedText("http://x/#pgn=100%"), "100%");
    assert.equal(carriedText("http://x/"), null);
});

test("a typed move is read as pasted ones are", () => {
    const game = new Game();
    for (const text of ["e4", "e7e5", "nf3", "Sc6", "♗b5", "a6", "o-o"]) playText(game, text);
    assert.equal(game.mainline().map((node) => node.san).join(" "), "e4 e5 Nf3 Nc6 Bb5 a6 O-O");
    for (const text of ["Ke4", "Nf9", "hello", "", "1-0", "{a}"]) assert.throws(() => playText(game, text), Unreadable, text);
    assert.equal(game.mainline().length, 7);
    playText(game, "Nf6 d3! 5... d6");
    assert.equal(game.mainline().length, 10);
});
