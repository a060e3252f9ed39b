// The moves of a game in the one way that all of them can be read: in English letters, in those of another language, in small ones.

import type { Chess } from "chessops/chess";
import { build, type Built, type Fault, type Reading } from "./builder";
import { ENGLISH, FIGURINES, type Language, OTHERS } from "./languages";
import type { Token } from "./lexer";
import { isIn } from "./notation";
import type { TreeNode } from "./node";
import { Unreadable, quoted } from "./unreadable";

/** How many readings are tried of a text with words that could be several moves, and how many words are read for that. */
const MAX_READINGS = 256;
const MAX_WORDS = 20_000;

/** The moves of a game in the one way that all of them can be read. `isBare`: a text without tags, which may be no game at all. */
export function readMoves(tokens: readonly Token[], start: Chess, isFree: boolean, isBare: boolean): Built {
    const hasCapitals = tokens.some(isCapital);
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

/** True for a word in which a capital is a piece and nothing else: `Nf3`. */
function isCapital(token: Token): boolean {
    if (token.kind !== "word" || !token.word) return false;
    const { standard, loose } = token.word;
    return standard?.kind === "move" && standard.piece !== "" && !FIGURINES.has(standard.piece) && loose.length === 0;
}

/** A text of which not even the first word is a move, if that is what is wrong with it. */
function noGame(token: Token | undefined, fault: Fault): Unreadable {
    if (token?.kind !== "word" || token.word) return new Unreadable(fault.sentence);
    const why = fault.why === "it is no move" ? "" : `, ${fault.why}`;
    return new Unreadable(`This is neither a FEN nor the moves of a game: ${quoted(token.text)} is no move${why}.`);
}

/** True if all letters are pieces in the language, and one of them is none in English: that English reads them is for English to say.
 *  Who writes a letter for pawns writes it for all of them. */
function isWritten(tokens: readonly Token[], language: Language, isLoose: boolean): boolean {
    let isForeign = false;
    let [namesPawns, hasBarePawns] = [false, false];
    for (const token of tokens) {
        if (token.kind !== "word" || !token.word) continue;
        const { standard, loose } = token.word;
        const shapes = [standard, ...(isLoose ? loose : [])].filter((one) => one !== null);
        if (!shapes.some((shape) => isIn(shape, language))) return false;
        isForeign ||= shapes.some((shape) => !isIn(shape, ENGLISH));
        const { piece, rank } = standard?.kind === "move" ? standard : { piece: "?", rank: "" };
        namesPawns ||= language.roles.get(piece) === "pawn";
        hasBarePawns ||= piece === "" && rank === "";
    }
    return isForeign && !(namesPawns && hasBarePawns);
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
