// The moves of one game: tokens, in one language, as a tree. A token that cannot be meant ends it with a fault.

import type { Chess } from "chessops/chess";
import { makeSanAndPlay } from "chessops/san";
import type { NormalMove } from "chessops/types";
import { ENGLISH, type Language } from "./languages";
import type { Token } from "./lexer";
import { type Shape, type Word, fits, isIn, whichOnes, whyNot } from "./notation";
import { type LegalMove, legalMoves, passed, sideName } from "./position";
import { ROOT, type TreeNode } from "./node";
import { quoted } from "./unreadable";

/** How words are taken. */
export interface Reading {
    language: Language;
    /** Also small letters for pieces and capitals for files. */
    isLoose: boolean;
    /** Capitals stand for pieces in this text, so that a small letter is a file wherever it can be. */
    hasCapitals: boolean;
    /** Which of several moves a word is, by the index of its token; the first where there is no entry. */
    choices: ReadonlyMap<number, number>;
}

/** Where and why the moves cannot be read. */
export interface Fault {
    /** The index of the token. */
    at: number;
    /** The sentence, without the game's number. */
    sentence: string;
    /** The reason alone, as a clause. */
    why: string;
    /** The words before that could be several moves, by the index of their token, with the number of moves. */
    choices: ReadonlyMap<number, number>;
}

export interface Built {
    root: TreeNode;
    /** The words that could be several moves, by the index of their token, with the number of moves. */
    choices: ReadonlyMap<number, number>;
}

interface Growing {
    id: number;
    move: NormalMove | null;
    uci: string;
    san: string;
    nags: number[];
    before: string[];
    after: string[];
    children: Growing[];
}

/** A line that is being read. */
interface Line {
    /** The last move; the move or root before the line at its beginning. */
    node: Growing;
    position: Chess;
    /** What the last move was played from; null before the first move of the line. */
    previous: { node: Growing; position: Chess } | null;
    /** Comments that wait for the next move. */
    before: string[];
    nags: number[];
    /** Side lines have followed the last move. */
    isAfterSideLines: boolean;
}

class Fail extends Error {
    constructor(readonly fault: Fault) {
        super(fault.sentence);
    }
}

/** Reads the moves of a game that begins in a position. `isFree`: the first number may be any. */
export function build(tokens: readonly Token[], start: Chess, isFree: boolean, reading: Reading): Built | Fault {
    try {
        return new Builder(tokens, start, isFree, reading).run();
    } catch (error) {
        if (error instanceof Fail) return error.fault;
        throw error;
    }
}

function grow(id: number): Growing {
    return { id, move: null, uci: "", san: "", nags: [], before: [], after: [], children: [] };
}

class Builder {
    private root = grow(ROOT);
    private nextId = 1;
    private line: Line;
    private outer: Line[] = [];
    /** What the numbers of the text have more than those of the position. */
    private offset: number | null;
    private choices = new Map<number, number>();
    private at = 0;

    constructor(
        private tokens: readonly Token[],
        start: Chess,
        isFree: boolean,
        private reading: Reading,
    ) {
        this.line = { node: this.root, position: start, previous: null, before: [], nags: [], isAfterSideLines: false };
        this.offset = isFree ? null : 0;
    }

    run(): Built {
        for (this.at = 0; this.at < this.tokens.length; this.at += 1) this.token(this.tokens[this.at]!);
        if (this.outer.length > 0) {
            const place = this.place(this.line.previous?.position ?? this.line.position);
            throw this.fail(`The side line with ${place} is never closed with a bracket.`);
        }
        this.settle();
        return { root: this.root, choices: this.choices };
    }

    /** The place of a move in this position: "move 12, Black". */
    private place({ fullmoves, turn }: Chess): string {
        return `move ${fullmoves + (this.offset ?? 0)}, ${sideName(turn)}`;
    }

    /** The place of the next move. */
    private where(): string {
        return `${this.place(this.line.position)}${this.outer.length > 0 ? ", in a side line" : ""}`;
    }

    private fail(sentence: string, why = ""): Fail {
        return new Fail({ at: this.at, sentence, why, choices: this.choices });
    }

    /** A fault of a word: its place, the word, and why. */
    private failAt(word: string, why: string, what = "read"): Fail {
        const where = this.where();
        return this.fail(`${where[0]!.toUpperCase()}${where.slice(1)}: ${quoted(word)} cannot be ${what}: ${why}.`, why);
    }

    private token(token: Token): void {
        switch (token.kind) {
            case "word":
                return this.word(token.text, token.word);
            case "number":
                return this.number(token);
            case "comment":
                return this.comment(token.text);
            case "nag":
                return this.nag(token.nag);
            case "open":
                return this.open();
            case "close":
                return this.close();
            case "result":
                // A game that is quoted in a side line ends there.
                return token.result === "*" ? undefined : this.comment(` ${token.result} `);
            case "fault":
                throw this.failAt(token.text, token.why);
            case "tag":
                throw this.failAt(`[${token.tag.name}`, "a tag stands within a side line");
        }
    }

    private comment(text: string): void {
        const { line } = this;
        if (line.isAfterSideLines || (!line.previous && this.outer.length > 0)) line.before.push(text);
        else line.node.after.push(text);
    }

    private nag(nag: number): void {
        const { line } = this;
        const isOfNode = line.previous !== null || this.outer.length === 0;
        (isOfNode ? line.node.nags : line.nags).push(nag);
    }

    /** Comments for which no move has come stand after the last one. */
    private settle(): void {
        this.line.node.after.push(...this.line.before);
    }

    private open(): void {
        const { previous } = this.line;
        if (!previous) throw this.failAt("(", "a side line begins before the move that it could replace");
        this.outer.push(this.line);
        this.line = { ...previous, previous: null, before: [], nags: [], isAfterSideLines: false };
    }

    private close(): void {
        const inner = this.line;
        const outer = this.outer.pop();
        if (!outer) throw this.failAt(")", "no side line is open there");
        this.line = inner;
        if (inner.previous) {
            this.settle();
            outer.isAfterSideLines = true;
        } else {
            // Nothing but comments and glyphs, such as (=).
            outer.node.nags.push(...inner.nags);
            (outer.isAfterSideLines ? outer.before : outer.node.after).push(...inner.before);
        }
        this.line = outer;
    }

    private number({ number, dots, text }: Token & { kind: "number" }): void {
        const { position } = this.line;
        if (dots > 1 && position.turn === "white") {
            throw this.failAt(text, "it announces a move of Black, but White is to move; a move may be missing");
        }
        if (number === null) return;
        if (this.offset === null) this.offset = number - position.fullmoves;
        const expected = position.fullmoves + this.offset;
        if (number === expected) return;
        const isFirst = this.outer.length === 0 && !this.line.previous;
        if (isFirst) {
            const missing = `but the game begins with move ${expected}: the moves before are missing`;
            throw this.fail(`The moves begin with ${quoted(text)}, ${missing}.`);
        }
        throw this.failAt(text, `here move ${expected} is due; a move may be missing`);
    }

    private word(text: string, word: Word | null): void {
        if (!word) throw this.failAt(text, whatIs(text));
        if (word.standard?.kind === "null") return this.pass(text, word);
        const moves = legalMoves(this.line.position);
        const found = this.movesOf(word, moves);
        let choice = 0;
        if (found.length > 1) {
            this.choices.set(this.at, found.length);
            choice = this.reading.choices.get(this.at) ?? 0;
        }
        const move = found[choice];
        if (!move) throw this.failAt(text, this.whyNot(word, moves), "played");
        const position = this.line.position.clone();
        const san = makeSanAndPlay(position, move.move);
        this.append({ move: move.move, uci: move.uci, san, nags: [...word.nags] }, position);
    }

    private pass(text: string, word: Word): void {
        const position = passed(this.line.position);
        if (!position) throw this.failAt(text, whyNot(word.standard!, this.line.position, ENGLISH), "played");
        this.append({ move: null, uci: "0000", san: "--", nags: [...word.nags] }, position);
    }

    private append(played: Pick<Growing, "move" | "uci" | "san" | "nags">, position: Chess): void {
        const { line } = this;
        const node: Growing = { ...grow(this.nextId++), ...played, before: line.before };
        node.nags.unshift(...line.nags);
        line.node.children.push(node);
        const previous = { node: line.node, position: line.position };
        this.line = { node, position, previous, before: [], nags: [], isAfterSideLines: false };
    }

    /** The different moves that a word can be, the standard one first. */
    private movesOf(word: Word, moves: readonly LegalMove[]): LegalMove[] {
        const { language, isLoose, hasCapitals } = this.reading;
        const shapes = [word.standard, ...(isLoose ? word.loose : [])].filter((one) => one !== null);
        const found = new Map<string, LegalMove>();
        for (const shape of shapes) {
            const fitting = fits(shape, moves, language);
            if (fitting.length > 1) return [];
            if (fitting[0]) found.set(fitting[0].uci, fitting[0]);
            if (hasCapitals && found.size > 0 && shape === word.standard) break;
        }
        return [...found.values()];
    }

    private whyNot(word: Word, moves: readonly LegalMove[]): string {
        const { language, isLoose } = this.reading;
        const shapes = [word.standard, ...(isLoose || !word.standard ? word.loose : [])].filter((one): one is Shape => one !== null);
        const several = shapes.map((shape) => fits(shape, moves, language)).find((found) => found.length > 1);
        if (several) return whichOnes(several);
        const shape = shapes.find((one) => isIn(one, language)) ?? shapes[0];
        return shape ? whyNot(shape, this.line.position, language) : "it is no move";
    }
}

/** What a word that is no move in any notation seems to be. */
function whatIs(text: string): string {
    const square = /[a-h](\d+)/.exec(text);
    if (square && !/^[1-8]$/.test(square[1]!)) return `there is no square ${square[0]}`;
    const isDescriptive = /^(?:[KQRBNP]|Kt|[KQ][RBN]|[KQ]?[RBN]?P)[-x][KQ]?[KQRBNP]\d?/.test(text);
    if (isDescriptive) return "descriptive notation is not read here, only algebraic";
    if (/^\d{4}$/.test(text)) return "numeric notation is not read here, only algebraic";
    return "it is no move";
}
