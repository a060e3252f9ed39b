// The one reader of what people paste: FEN, EPD, PGN of one game or many, moves alone in SAN, UCI or from square to square, UCI's
// `position`, links. A text is read wholly, or refused with a sentence that names the place, the word, and why.

import { Chess } from "chessops/chess";
import { cleaned, tokensOf } from "./lexer";
import { isLink, textOfLink } from "./link";
import { INITIAL_FEN, type Judge, keyOf, plainJudge, positionOf } from "./position";
import { positionsIn } from "./positions-in";
import { type RawGame, rawGames } from "./raw-games";
import { readMoves } from "./readings";
import type { Result, Tag, TreeNode } from "./node";
import { Game } from "./tree";
import { type Entry, Unreadable, quoted } from "./unreadable";

export interface Options {
    /** Decides which positions there are; the engine's (judge.ts), once it has been loaded. */
    judge?: Judge;
}

export interface ReadText {
    /** One or more. */
    games: readonly Entry[];
    /** Sentences on what was repaired or kept otherwise than it was written. */
    notes: readonly string[];
}

/** Games of longer texts are read when they are asked for. */
const MAX_EAGER = 400_000;

/** Reads a text.
 *  @throws Unreadable with a sentence; nothing of the text has been taken then. */
export function readText(text: string, options: Options = {}): ReadText {
    const judge = options.judge ?? plainJudge;
    const clean = cleaned(text).trim();
    if (clean === "") throw new Unreadable("There is nothing to read: paste a FEN, a PGN or moves.");
    if (isLink(clean)) {
        const carried = textOfLink(clean);
        if (isLink(carried.trim())) throw new Unreadable("This link carries another link: open that one.");
        return readText(carried, options);
    }
    const notes: string[] = [];
    const raw = positionsIn(clean) ?? rawGames(tokensOf(clean));
    const isLong = clean.length > MAX_EAGER;
    const entries = raw.map((one, index) => entryOf(one, index + 1, raw.length, judge, isLong ? null : notes));
    const games = entries.filter((entry): entry is Entry => !(entry instanceof Unreadable));
    const refused = entries.find((entry) => entry instanceof Unreadable);
    if (refused instanceof Unreadable) throw new Unreadable(refused.message, games);
    return { games, notes };
}

/** The first game of a text that is to have one. For what the page has written itself. */
export function readGame(text: string, options: Options = {}): Game {
    return readText(text, options).games[0]!.game();
}

/** A game of the text, read at once if `notes` are wanted; what cannot be read is returned. */
function entryOf(raw: RawGame, number: number, count: number, judge: Judge, notes: string[] | null): Entry | Unreadable {
    const read = () => {
        try {
            return gameOf(raw, judge);
        } catch (error) {
            if (!(error instanceof Unreadable) || count === 1) throw error;
            throw new Unreadable(`${raw.kind === "game" ? "Game" : "Position"} ${number}: ${error.message}`);
        }
    };
    try {
        const data = notes && read();
        notes?.push(...data!.notes.map((note) => (count === 1 ? note : `Game ${number}: ${note}`)));
        return { number, tags: raw.tags, title: titleOf(raw, number), game: () => new Game(data ?? read()) };
    } catch (error) {
        if (error instanceof Unreadable) return error;
        throw error;
    }
}

function titleOf({ tags, kind, tokens, result }: RawGame, number: number): string {
    const tag = (name: string) => {
        const value = tags.find((one) => one.name === name)?.value.trim();
        return value && !/^[?.]*$/.test(value) ? value : undefined;
    };
    if (kind === "position") return tag("Event") ?? `Position ${number}`;
    const [white, black] = [tag("White"), tag("Black")];
    const where = [tag("Event") ?? tag("Site"), tag("Round") && `round ${tag("Round")}`, (tag("Date") ?? tag("UTCDate"))?.replaceAll(/\.\?\?/g, "")];
    const moves = tokens.filter((token) => token.kind === "word").length;
    const who = white || black ? `${white ?? "?"} – ${black ?? "?"}` : moves > 0 ? `Game ${number}` : `Game ${number}, without moves`;
    return [who, result === "*" ? undefined : result ?? tag("Result"), ...where].filter((one) => one).join(", ");
}

interface ReadGame {
    start: Chess;
    tags: readonly Tag[];
    root: TreeNode;
    result: Result | null;
    notes: readonly string[];
}

const VARIANTS = /^(?:standard|normal|chess|from ?position|fischer.*|chess ?-?960.*|960|freestyle.*)$/i;

function gameOf(raw: RawGame, judge: Judge): ReadGame {
    const tag = (name: string) => raw.tags.find((one) => one.name.toLowerCase() === name)?.value.trim();
    const variant = tag("variant");
    if (variant && !VARIANTS.test(variant)) {
        throw new Unreadable(`This is a game of ${quoted(variant)}; only chess and Chess960 are played here.`);
    }
    const fen = raw.fen ?? tag("fen");
    if (fen === undefined && tag("setup") === "1") {
        throw new Unreadable("The tag SetUp says that the game begins in another position, but there is no tag FEN with it.");
    }
    const { position: start, repairs } = fen === undefined ? { position: Chess.default(), repairs: [] } : positionOf(fen, judge);
    const isEmpty = raw.tokens.every((token) => ["comment", "number", "nag"].includes(token.kind));
    if (isEmpty && raw.tags.length === 0 && fen === undefined) throw nothing(raw);
    const isFree = fen !== undefined && `${keyOf(start)} 0 1` !== INITIAL_FEN;
    const { root } = readMoves(raw.tokens, start, isFree, fen === undefined && raw.tags.length === 0);
    const result = raw.result ?? resultOf(tag("result"));
    const whole = raw.comments.length > 0 ? { ...root, after: [...raw.comments, ...root.after] } : root;
    const notes = repairs.filter((one) => !one.includes("EPD operations")).map((one) => `FEN: ${one}.`);
    if (raw.kind === "game" && isEmpty && fen === undefined) notes.push("This game has no moves.");
    if (raw.kind === "position" && raw.comments.length > 0) notes.push("The operations of the EPD are kept as a comment.");
    return { start, tags: raw.tags, root: whole, result, notes };
}

function nothing(raw: RawGame): Unreadable {
    if (raw.result) return new Unreadable(`There are no moves in this text, only the result ${raw.result}.`);
    return new Unreadable("There are no moves in this text, and no position.");
}

function resultOf(text: string | undefined): Result | null {
    return text === "1-0" || text === "0-1" || text === "1/2-1/2" || text === "*" ? text : null;
}
