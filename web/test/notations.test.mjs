// Whatever notation a game is written in: it is read as that game, or refused; never as another.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadModule } from "./modules.mjs";
import { randomFrom } from "./random.mjs";

const { Game, legalMoves, readText } = await loadModule("game/index.ts");
const { OTHERS } = await loadModule("game/languages.ts");

const ROLES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight" };
const plain = (san) => san.replace(/[+#]/, "");
const small = (san) => plain(san).replace(/^[KQRBN]/, (letter) => letter.toLowerCase()).replaceAll("O", "o").replace(/=./, (sign) => sign.toLowerCase());

/** Ways to write a move. */
const NOTATIONS = {
    "small letters": ({ san }) => small(san),
    "small letters, no x": ({ san }) => small(san).replace("x", ""),
    capitals: ({ san }) => san.toUpperCase(),
    figurines: ({ san }) => plain(san).replace(/[KQRBN]/g, (letter) => "♔♕♖♗♘"["KQRBN".indexOf(letter)]),
    "from square to square": ({ san, from, to, takes, castles }) =>
        castles ? plain(san) : (/^[KQRBN]?/.exec(san)[0] + from + (takes ? "x" : "-") + to + (/=./.exec(san)?.[0] ?? "")),
    UCI: ({ uci }) => uci,
    "zeros and brackets": ({ san }) => san.replaceAll("O", "0").replace(/=(.)/, "($1)"),
    "typographic dashes and signs": ({ san }) => san.replaceAll("-", "–").replace("x", "×"),
};

/** A random game of so many plies. */
function randomMoves(random, plies) {
    const game = new Game();
    for (let ply = 0; ply < plies; ply += 1) {
        const moves = legalMoves(game.position());
        if (moves.length > 0) game.play(random.pick(moves).move);
    }
    return game.mainline().map(({ id, san, uci }) => {
        const { takes, castles } = legalMoves(game.position(game.parent(id))).find((one) => one.uci === uci);
        return { san, uci, from: uci.slice(0, 2), to: uci.slice(2, 4), takes, castles };
    });
}

/** How many games written in a notation were refused; none may have been read as another. */
function refusedOf(name, write, plies, games) {
    const random = randomFrom(plies);
    let refused = 0;
    for (let number = 0; number < games; number += 1) {
        const moves = randomMoves(random, plies);
        const text = moves.map((move, at) => (at % 2 ? "" : `${at / 2 + 1}. `) + write(move)).join(" ");
        let found;
        try {
            found = readText(text).games[0].game().mainline().map((node) => node.uci);
        } catch (error) {
            assert.equal(error.name, "Unreadable", error.stack);
            refused += 1;
            continue;
        }
        assert.deepEqual(found, moves.map((move) => move.uci), `${name}: ${text}`);
    }
    return refused;
}

test("a game in any notation of English is read as that game", () => {
    for (const [name, write] of Object.entries(NOTATIONS)) {
        for (const plies of [3, 12, 70]) assert.equal(refusedOf(name, write, plies, 12), 0, `${name}, ${plies} plies`);
    }
});

test("a game in another language is read as that game, and a short one that two languages read otherwise is refused", () => {
    for (const { name, roles } of OTHERS[0]) {
        const letters = new Map([...roles].map(([letter, role]) => [role, letter]));
        const write = ({ san }) => san.replaceAll(/[KQRBN]/g, (letter) => letters.get(ROLES[letter]));
        assert.equal(refusedOf(name, write, 40, 10), 0, name);
        assert.ok(refusedOf(name, write, 6, 20) <= 4, name);
    }
});
