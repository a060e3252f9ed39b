// The one reader of what people paste: FEN, EPD, PGN of one game or many, moves alone in SAN, UCI or from square to square, UCI's
// `position`, links. A text is read wholly, or refused with a sentence that names the place, the word, and why.

import { Chess } from "chessops/chess";
import type { NormalMove } from "chessops/types";
import { build, type Built, type Fault, type Reading } from "./builder";
import { ENGLISH, type Language, OTHERS } from "./languages";
import { type Token, cleaned, tokensOf } from "./lexer";
import { isLink, textOfLink } from "./link";
import { isIn, lettersOf } from "./notation";
import { INITIAL_FEN, type Judge, keyOf, plainJudge, positionOf } from "./position";
import { Game, type NodeId, type Result, type Tag, type TreeNode } from "./tree";
import { Unreadable, quoted } from "./unreadable";

export interface Options {
    /** Decides which positions there are; the engine's (judge.ts), once it has been loaded. */
    judge?: Judge;
}

/** A game of a text. */
export interface Entry {
    /** From 1. */
    number: number;
    tags: readonly Tag[];
    /** "Morphy – Anderssen, 1-0, Paris 1858", "12 moves", "Position 3". */
    title: string;
    /** The game, a new one with each call.
     *  @throws Unreadable in a text so long that its games are read when they are asked for. */
    game(): Game;
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

// ---- Games as they stand in the text.

interface RawGame {
    tags: Tag[];
    /** Comments before the tags. */
    comments: string[];
    tokens: Token[];
    result: Result | null;
    /** A FEN that stands before the moves instead of a tag. */
    fen?: string;
    /** What the list calls it. */
    kind: "game" | "position";
}

function newGame(kind: RawGame["kind"] = "game"): RawGame {
    return { tags: [], comments: [], tokens: [], result: null, kind };
}

function rawGames(tokens: readonly Token[]): RawGame[] {
    const games: RawGame[] = [];
    let game = newGame();
    let depth = 0;
    /** Comments after a result, until it is clear to which game they belong. */
    let waiting: string[] = [];
    const isBegun = () => game.tags.length > 0 || game.tokens.length > 0 || game.result !== null;
    const begin = () => {
        games.push(game);
        game = newGame();
        game.comments = waiting;
        [waiting, depth] = [[], 0];
    };
    for (const token of tokens) {
        if (token.kind === "tag") {
            const isRepeated = token.afterBlank && game.tags.some((tag) => tag.name === token.tag.name);
            const hasMoves = game.tokens.some((one) => one.kind !== "comment");
            if (game.result !== null || hasMoves || isRepeated) begin();
            game.comments.push(...textsOf(game.tokens));
            game.tokens = [];
            game.tags.push(token.tag);
        } else if (game.result !== null && token.kind === "comment") {
            waiting.push(token.text);
        } else if (game.result !== null) {
            if (token.kind === "word" && token.text === ".") continue;
            if (token.kind !== "number" && !(token.kind === "word" && token.word)) throw afterResult(game, token);
            begin();
            game.tokens.push(token);
        } else if (token.kind === "result" && depth === 0) {
            game.result = token.result;
        } else {
            depth += token.kind === "open" ? 1 : token.kind === "close" ? -1 : 0;
            game.tokens.push(token);
        }
    }
    game.tokens.push(...waiting.map((text) => ({ kind: "comment", text }) as const));
    if (isBegun()) games.push(game);
    return games;
}

function textsOf(tokens: readonly Token[]): string[] {
    return tokens.flatMap((token) => (token.kind === "comment" ? [token.text] : []));
}

function afterResult(game: RawGame, token: Token): Unreadable {
    const word = "text" in token ? token.text : token.kind === "open" ? "(" : ")";
    return new Unreadable(`After the result ${game.result} stands ${quoted(word)}, which is neither a move nor another game.`);
}

// ---- Positions.

const PLACEMENT = /^[pnbrqk1-8~]+(?:\/[pnbrqk\d~]*){2,}/i;

/** The games of a text that begins with a FEN, an EPD, or UCI's `position`; null if it does not. */
function positionsIn(text: string): RawGame[] | null {
    const uci = /^(?:position\s+)?(startpos|fen\s+(?=\S*\/))/i.exec(text) ?? /^position\s+(?=\S*\/)/i.exec(text);
    const bare = unquoted(text.slice(uci?.[0].length ?? 0).trim());
    if (uci?.[1]?.toLowerCase() === "startpos") return [fromFen(INITIAL_FEN, bare)];
    if (/^moves\s/i.test(bare)) return [fromFen(INITIAL_FEN, bare)];
    const unlabelled = bare.replace(/^(?:fen|epd)\s*[:=]?\s*(?=\S*\/)/i, "");
    if (!PLACEMENT.test(unquoted(unlabelled))) return null;
    const lines = unlabelled.split("\n").map((line) => unquoted(line.trim())).filter((line) => line !== "");
    if (lines.length > 1 && lines.every((line) => PLACEMENT.test(line))) return lines.map(fromLine);
    return [fromLine(unquoted(unlabelled))];
}

const MARKS = "\"'`“”„«»‘’";

/** A text without the quotation marks around it, or around its beginning. */
function unquoted(text: string): string {
    if (!MARKS.includes(text[0] ?? " ")) return text;
    const end = [...text].findIndex((sign, at) => at > 0 && MARKS.includes(sign));
    const [inside, rest] = end < 0 ? [text.slice(1), ""] : [text.slice(1, end), text.slice(end + 1)];
    return `${inside.trim()} ${rest.replace(/^[\s,;.]+$/, "")}`.trim();
}

/** A FEN or EPD with what follows it: operations, or moves. */
function fromLine(line: string): RawGame {
    // Underscores stand for blanks in addresses.
    const text = /^\S+_[wb]_/.test(line) ? line.replaceAll("_", " ") : line;
    const fields = /^\S+(?:\s+[wb](?=\s|$))?(?:\s+(?:[KQA-H]{1,4}|[KQkqA-Ha-h]{1,4}|-)(?=\s|$))?(?:\s+(?:[a-h][36]|-)(?=\s|$))?(?:\s+(?:-?\d+|-)(?=[\s,;]|$)){0,2}/.exec(text);
    const fen = fields?.[0] ?? text;
    const rest = text.slice(fen.length).trim().replace(/^[,;.]+\s*/, "");
    const isEpd = /^[a-z]\w*\s[^;]*;/i.test(rest) && !/^moves\s/i.test(rest);
    if (isEpd) return fromEpd(fen, rest);
    const isMoves = /^(?:moves\s|\d+\s*\.|[a-h][1-8]|[KQRBNO][a-hx1-8O-]|\[|\{|\*)/.test(rest);
    if (rest !== "" && !isMoves) return { ...newGame("position"), fen: `${fen} ${rest}` };
    return fromFen(fen, rest);
}

function fromFen(fen: string, rest: string): RawGame {
    const [game, another] = rest === "" ? [newGame("position")] : rawGames(tokensOf(rest.replace(/^moves\b/i, "")));
    if (another) throw new Unreadable("After the moves from this position stands another game.");
    return { ...(game ?? newGame("position")), fen };
}

/** EPD: the counters are read, the other operations kept as a comment. */
function fromEpd(fen: string, operations: string): RawGame {
    const id = /(?:^|;)\s*id\s+"([^"]*)"/.exec(operations)?.[1];
    return {
        ...newGame("position"),
        fen: `${fen} ${operations}`,
        tags: id ? [{ name: "Event", value: id }] : [],
        comments: [` ${operations} `],
    };
}

// ---- Reading a game.

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

// ---- The moves, in the language that fits all of them.

/** How many readings are tried of a text with words that could be several moves, and how many words are read for that. */
const MAX_READINGS = 256;
const MAX_WORDS = 20_000;

/** The moves of a game in the one way that all of them can be read. `isBare`: a text without tags, which may be no game at all. */
function readMoves(tokens: readonly Token[], start: Chess, isFree: boolean, isBare: boolean): Built {
    const hasCapitals = tokens.some((token) => token.kind === "word" && /^\p{Lu}[^\p{Lu}]*$/u.test(token.text) && isPiece(token));
    const faults: (Fault & { language: Language })[] = [];
    const read = (language: Language, isLoose: boolean): Built | null => {
        const found = uniqueReading(tokens, start, isFree, { language, isLoose, hasCapitals, choices: new Map() });
        if ("root" in found) return found;
        faults.push({ ...found, language });
        return null;
    };
    for (const isLoose of [false, true]) {
        const english = read(ENGLISH, isLoose);
        if (english) return english;
        for (const others of OTHERS) {
            const fitting = others
                .filter((language) => isWritten(tokens, language, isLoose))
                .flatMap((language) => ({ language, built: read(language, isLoose) }))
                .filter((one): one is Fitting => one.built !== null);
            if (fitting.length > 0) return oneOf(fitting);
        }
    }
    const first = faults[0]!;
    const deepest = faults.reduce((best, fault) => (fault.at > best.at ? fault : best), first);
    if (isBare && !tokens.slice(0, deepest.at).some((token) => token.kind === "word")) throw noGame(tokens[deepest.at], deepest);
    const isForeign = deepest.at > first.at && deepest.language !== ENGLISH;
    throw new Unreadable(isForeign ? `${deepest.sentence.slice(0, -1)} (read in ${deepest.language.name}).` : deepest.sentence);
}

function isPiece(token: Token): boolean {
    return token.kind === "word" && lettersOf(token.word?.standard ?? null).length > 0;
}

/** A text of which not even the first word is a move, if that is what is wrong with it. */
function noGame(token: Token | undefined, fault: Fault): Unreadable {
    if (token?.kind !== "word" || token.word) return new Unreadable(fault.sentence);
    return new Unreadable(`This is neither a FEN nor the moves of a game: ${quoted(token.text)} is no move${fault.why === "it is no move" ? "" : `, ${fault.why}`}.`);
}

/** True if all letters are pieces in the language, and one of them is none in English: that English reads them is for English to say. */
function isWritten(tokens: readonly Token[], language: Language, isLoose: boolean): boolean {
    let isForeign = false;
    for (const token of tokens) {
        if (token.kind !== "word" || !token.word) continue;
        const { standard, loose } = token.word;
        const shapes = [standard, ...(isLoose ? loose : [])].filter((one) => one !== null);
        if (!shapes.some((shape) => isIn(shape, language))) return false;
        isForeign ||= shapes.some((shape) => !isIn(shape, ENGLISH));
    }
    return isForeign;
}

interface Fitting {
    language: Language;
    built: Built;
}

/** The reading on which several languages agree. */
function oneOf(fitting: readonly Fitting[]): Built {
    const [first, ...rest] = fitting;
    const other = rest.find((one) => uciOf(one.built.root) !== uciOf(first!.built.root));
    if (!other) return first!.built;
    throw new Unreadable(
        `These moves are one game in ${first!.language.name} and another in ${other.language.name}: use the English letters K, Q, R, B and N.`,
    );
}

/** All moves, to compare trees with the same shape. */
function uciOf(root: TreeNode): string {
    const words: string[] = [];
    const todo: TreeNode[] = [root];
    for (let node = todo.pop(); node; node = todo.pop()) {
        words.push(node.uci);
        for (const child of node.children) todo.push(child);
    }
    return words.join(" ");
}

/** Tries all choices that words leave: the one with which all can be read, or a fault. */
function uniqueReading(tokens: readonly Token[], start: Chess, isFree: boolean, reading: Reading): Built | Fault {
    const readings: Built[] = [];
    let fault: Fault | null = null;
    let count = 0;
    const todo: ReadonlyMap<number, number>[] = [new Map()];
    for (let choices = todo.pop(); choices; choices = todo.pop()) {
        const built = build(tokens, start, isFree, { ...reading, choices });
        count += 1;
        const open = built.choices;
        if ("root" in built) readings.push(built);
        else if (!fault || built.at > fault.at) fault = built;
        // Each choice after those that were made is tried otherwise.
        const last = Math.max(-1, ...choices.keys());
        for (const [at, ways] of open) {
            if (at <= last) continue;
            const before = new Map([...open.keys()].filter((key) => key < at).map((key) => [key, choices.get(key) ?? 0]));
            for (let way = 1; way < ways; way += 1) todo.push(new Map([...before, [at, way]]));
        }
        const isEnough = todo.length > 0 && (count >= MAX_READINGS || count * tokens.length > MAX_WORDS);
        if (readings.length > 1 || (isEnough && readings.length > 0)) return ambiguous(tokens, readings, open);
        if (isEnough) break;
    }
    return readings[0] ?? fault!;
}

function ambiguous(tokens: readonly Token[], readings: readonly Built[], open: ReadonlyMap<number, number>): Fault {
    const at = Math.min(...[...(readings[0]?.choices ?? open).keys(), ...open.keys()]);
    const token = tokens[at];
    const word = token && "text" in token ? token.text : "";
    return {
        at: tokens.length,
        choices: new Map(),
        why: "",
        sentence: `${quoted(word)} can be the move of a pawn and of another piece: write pieces with the capitals K, Q, R, B and N.`,
    };
}

// ---- Moves that are typed.

/** The moves, with their glyphs, that a person types for a position: one or several.
 *  @throws Unreadable with a sentence. */
function typedMoves(text: string, position: Chess): TreeNode[] {
    const typed = cleaned(text).trim();
    if (typed === "") throw new Unreadable("Type a move, such as e4 or Nf3.");
    const tokens = tokensOf(typed);
    const isMoves = tokens.every((token) => token.kind === "word" || token.kind === "number" || token.kind === "nag");
    if (!isMoves || !tokens.some((token) => token.kind === "word")) throw new Unreadable(`${quoted(typed)} is no move.`);
    const nodes: TreeNode[] = [];
    let node = readMoves(tokens, position, true, false).root.children[0];
    for (; node; node = node.children[0]) nodes.push(node);
    if (nodes.some((one) => one.move === null)) throw new Unreadable(`${quoted(typed)} is no move that can be played.`);
    return nodes;
}

/** The one move that a person types for a position: SAN as people write it, in UCI, or from square to square.
 *  @throws Unreadable with a sentence. */
export function typedMove(text: string, position: Chess): NormalMove {
    const [node, another] = typedMoves(text, position);
    if (!node?.move || another) throw new Unreadable(`${quoted(text.trim())} is more than one move.`);
    return node.move;
}

/** Plays a move, or several, as a person types them, after the position that is looked at.
 *  @throws Unreadable with a sentence; the game is as it was then. */
export function playText(game: Game, text: string): TreeNode {
    const nodes = typedMoves(text, game.position());
    let at: NodeId = game.at;
    game.once(() => {
        for (const { move, nags } of nodes) {
            at = game.add(at, move!)!.id;
            if (nags.length > 0) game.setNags(at, [...game.node(at).nags, ...nags]);
        }
    });
    game.goTo(at);
    return game.node(at);
}
