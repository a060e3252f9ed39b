// PGN and what people paste for it as tokens. Nothing is dropped but white space, the escape lines of PGN (`%` at the beginning of a
// line), commas, and the marks of HTML between moves.

import { nagOf } from "./nags";
import { type Word, isRemark, plainWord, readWord } from "./notation";
import type { Result, Tag } from "./node";
import { Unreadable, quoted } from "./unreadable";

export type Token =
    | { kind: "tag"; tag: Tag; afterBlank: boolean }
    | { kind: "comment"; text: string }
    | { kind: "nag"; nag: number }
    /** A move number; `dots` is 0 for a bare number, and the number null for dots alone. */
    | { kind: "number"; number: number | null; dots: number; text: string }
    | { kind: "open" }
    | { kind: "close" }
    | { kind: "result"; result: Result; text: string }
    | { kind: "word"; text: string; word: Word | null }
    /** Something that belongs nowhere, with the reason as a clause. */
    | { kind: "fault"; text: string; why: string };

const RESULTS: readonly [RegExp, Result][] = [
    [/^1\s?[-:]\s?0(?![\w/:-])/, "1-0"],
    [/^0\s?[-:]\s?1(?![\w/:-])/, "0-1"],
    [/^(?:1\/2|½|0\.5|0,5)(?:\s?[-:]\s?(?:1\/2|½|0\.5|0,5))?(?![\w/:-])/, "1/2-1/2"],
    [/^\*/, "*"],
];

/** Between squares: `Ng1 - f3`, `e4 x d5`. */
const LONG = /^[^\s{}()[\];,$]*[a-h][1-8]\s+[-–—−x×:]\s*[a-h][1-8][^\s{}()[\];,$]*/u;
const LONG_CASTLING = /^[0Oo]\s+[-–—−]\s+[0Oo](?:\s+[-–—−]\s+[0Oo])?/;
const WORD = /^[^\s{}()[\];,$]+/u;
/** The piece of a promotion or "e.p." that stands apart from its move. */
const APART = /^(?:\s*=\s*\(?\s*|\s*\(\s*=?\s*)[\p{L}♔-♟]\s*\)?(?![\p{L}\p{N}])/u;
const EN_PASSANT = /^\s*\(\s*e\.?\s?p\.?\s*\)/i;

const ENTITIES: ReadonlyMap<string, string> = new Map(Object.entries({
    nbsp: " ", ndash: "–", mdash: "—", minus: "−", frac12: "½", times: "×", quot: '"', ldquo: "“", rdquo: "”", apos: "'", amp: "&", lt: "<",
    gt: ">", hellip: "…", thinsp: " ", ensp: " ", emsp: " ", plus: "+", equals: "=", num: "#", excl: "!", quest: "?", lpar: "(", rpar: ")",
    half: "½", period: ".", ast: "*", hyphen: "-", dash: "-", shy: "",
}));

/** A character of HTML by its name or number; what is none stays. */
function entity(whole: string, name: string): string {
    const number = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name);
    if (!number) return ENTITIES.get(name) ?? whole;
    const code = number[1] ? Number.parseInt(number[1], 16) : Number(number[2]);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}

const ENTITY = /&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}\d{0,2});/gi;
/** Comments and tags, which stay, or one of the two that are changed. */
const HTML = new RegExp(
    [
        String.raw`\{[^}]*\}?|^[ \t]*\[[^\n]*\][ \t]*$|;[^\n]*`,
        ENTITY.source,
        String.raw`<\/?(?:br|p|div|span|b|i|u|em|strong|li|ol|ul|td|tr|table|a|pre|code)\b[^<>\n]*>`,
    ].join("|"),
    "gim",
);

/** The text as it was meant: without the marks of files, mails and web pages around it. Comments and tags stay as they are, except
 *  where a whole text has been escaped for HTML. */
export function cleaned(text: string): string {
    let clean = text.replace(/^\ufeff+/, "").replaceAll(/\r\n?|\u2028|\u2029|\u0085/g, "\n").replaceAll("\0", "");
    clean = clean.replace(/^\s*```[^\n]*\n/, "").replace(/\n?```\s*$/, "");
    const lines = clean.split("\n");
    if (lines.some((line) => line.startsWith(">")) && lines.every((line) => /^(?:>|\s*$)/.test(line))) {
        clean = lines.map((line) => line.replace(/^(?:> ?)+/, "")).join("\n");
    }
    if (/\[\s*\w+\s*&(?:quot|#34|#x22|ldquo);/i.test(clean)) clean = clean.replaceAll(ENTITY, entity);
    if (!/[&<]/.test(clean)) return clean;
    return clean.replaceAll(HTML, (whole, name: string | undefined) => {
        if (name !== undefined) return entity(whole, name);
        return whole.startsWith("<") ? " " : whole;
    });
}

/** All tokens of a text.
 *  @throws Unreadable for a tag that cannot be read. */
export function tokensOf(text: string): Token[] {
    return new Lexer(text).run();
}

class Lexer {
    private at = 0;
    private tokens: Token[] = [];
    private words = new Map<string, Word | null>();

    constructor(private readonly text: string) {}

    run(): Token[] {
        for (this.skip(); this.at < this.text.length; this.skip()) this.next();
        return this.tokens;
    }

    private get rest(): string {
        // Nothing that is matched here but comments and tags is longer.
        return this.text.slice(this.at, this.at + 200);
    }

    private line(at: number): number {
        return this.text.slice(0, at).split("\n").length;
    }

    private skip(): void {
        for (;;) {
            const isEscape = this.text[this.at] === "%" && (this.at === 0 || this.text[this.at - 1] === "\n");
            if (isEscape) this.at = this.endOfLine();
            else if (this.at < this.text.length && /[\s,\u200b-\u200f\u2060\ufeff]/.test(this.text[this.at]!)) this.at += 1;
            else return;
        }
    }

    private endOfLine(): number {
        const end = this.text.indexOf("\n", this.at);
        return end < 0 ? this.text.length : end;
    }

    private take(length: number, token: Token): void {
        this.at += length;
        this.tokens.push(token);
    }

    private next(): void {
        const sign = this.text[this.at]!;
        if (sign === "{") return this.comment();
        if (sign === ";") {
            const end = this.endOfLine();
            const text = this.text.slice(this.at + 1, end);
            const why = "after ; the rest of the line is a comment, but this looks like moves";
            return this.take(end - this.at, isMoves(text) ? { kind: "fault", text: `;${text}`, why } : { kind: "comment", text });
        }
        if (sign === "[") return this.tag();
        if (sign === "(") return this.take(1, { kind: "open" });
        if (sign === ")") return this.take(1, { kind: "close" });
        if (sign === "}") return this.take(1, { kind: "fault", text: sign, why: "no comment is open there" });
        if (sign === "]") return this.take(1, { kind: "fault", text: sign, why: "no tag is open there" });
        if (sign === "$") return this.nag();
        this.result() || this.number() || this.word();
    }

    private comment(): void {
        const end = this.text.indexOf("}", this.at);
        if (end < 0) {
            const beginning = this.text.slice(this.at + 1, this.at + 60).trim();
            const why = "this comment is never closed with }";
            return this.take(this.text.length - this.at, { kind: "fault", text: `{${beginning}`, why });
        }
        this.take(end + 1 - this.at, { kind: "comment", text: this.text.slice(this.at + 1, end) });
    }

    private nag(): void {
        const match = /^\$(\d{1,5})(?!\d)/.exec(this.rest);
        if (match) this.take(match[0].length, { kind: "nag", nag: Number(match[1]) });
        else this.take(1, { kind: "fault", text: /^\S+/.exec(this.rest)![0], why: "after $ there must be the number of a glyph" });
    }

    /** A tag: its value ends at the quotation mark before the closing bracket, so that other marks may stand inside. */
    private tag(): void {
        const command = /^\[%[^\]\n]*\]/.exec(this.rest);
        if (command) return this.take(command[0].length, { kind: "comment", text: ` ${command[0]} ` });
        const line = this.text.slice(this.at, this.endOfLine());
        const opening = /^\[\s*([\p{L}\p{N}_+#=:.-]+)\s*(["“”„«])/u.exec(line);
        const value = opening && tagValue(line, opening[0].length);
        if (!value) {
            const name = /^\[\s*([\p{L}\p{N}_]*)/u.exec(line)?.[1];
            const what = name ? `The tag ${quoted(name)}` : `The tag ${quoted(line)}`;
            throw new Unreadable(`${what} in line ${this.line(this.at)} cannot be read: a tag is written as [Name "value"].`);
        }
        const afterBlank = /\n[ \t]*\n\s*$/.test(this.text.slice(Math.max(0, this.at - 200), this.at));
        this.take(value.end, { kind: "tag", tag: { name: opening[1]!, value: value.text }, afterBlank });
    }

    private result(): boolean {
        const rest = plainStart(this.rest);
        for (const [pattern, result] of RESULTS) {
            const match = pattern.exec(rest);
            if (!match) continue;
            this.take(match[0].length, { kind: "result", result, text: match[0] });
            return true;
        }
        return false;
    }

    private number(): boolean {
        const { rest } = this;
        const match = /^(\d{1,3}(?![\d:/]))(?:\s*(\.[.\s]*|…+\.*|\)(?=\s)|:(?=\s)))?|^(?:\.\.+|…)/.exec(plainDots(rest));
        // `0-0` is no number, nor is what begins a word, such as 1st; but moves may follow at once.
        if (!match || /^[0Oo]\s*[-–—−‐‑‒]/.test(rest)) return false;
        const next = rest.slice(match[0].length);
        if (match[1] && !match[2] && /^[\p{L}-]/u.test(next) && !/^[a-hNBRQKO]/.test(next)) return false;
        const dots = match[2] ?? (match[1] ? "" : match[0]);
        const count = /…|\.\s*\./.test(dots) ? 3 : dots === "" ? 0 : 1;
        const length = match[0].trimEnd().length;
        this.take(length, { kind: "number", number: match[1] ? Number(match[1]) : null, dots: count, text: match[0].trim() });
        return true;
    }

    private word(): void {
        const { rest } = this;
        const text = (LONG.exec(rest) ?? LONG_CASTLING.exec(rest) ?? WORD.exec(rest))?.[0];
        if (!text) return this.take(1, { kind: "fault", text: this.text[this.at]!, why: "it has no meaning here" });
        let whole = text;
        const after = this.text.slice(this.at + text.length, this.at + text.length + 20);
        const apart = (/[18]$/.test(plainWord(text)) ? APART.exec(after) : null) ?? EN_PASSANT.exec(after);
        if (apart) whole += apart[0];
        this.add(whole);
    }

    private add(text: string): void {
        const bare = text.replaceAll(/\s+/g, "");
        const plain = plainWord(bare);
        const glyph = nagOf(plain);
        if (glyph !== undefined) return this.take(text.length, { kind: "nag", nag: glyph });
        const isAfterMove = ["word", "nag"].includes(this.tokens.at(-1)?.kind ?? "");
        if (isAfterMove && isRemark(bare)) return void (this.at += text.length);
        let word = this.words.get(bare);
        if (word === undefined) {
            word = readWord(bare);
            this.words.set(bare, word);
        }
        this.take(text.length, { kind: "word", text, word });
    }
}

/** True for a comment that is nothing but moves: `1. e4 e5; 2. Nf3 Nc6`. */
function isMoves(comment: string): boolean {
    const words = comment.replaceAll(/\d+\s*\.+/g, " ").split(/[\s,;]+/).filter((word) => word !== "");
    return words.length > 0 && words.every((word) => readWord(word) !== null);
}

function plainStart(text: string): string {
    return text.replaceAll(/[‐‑‒–—―−﹣－]/g, "-").replaceAll("⁄", "/");
}

function plainDots(text: string): string {
    return text.replaceAll("．", ".").replaceAll(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
}

/** The value of a tag whose opening mark has been read, and the end of the tag in its line; null if it has no end there. */
function tagValue(line: string, start: number): { text: string; end: number } | null {
    const closing = (at: number) => /^["“”»]\s*\]/.exec(line.slice(at));
    let text = "";
    for (let at = start; at < line.length; at += 1) {
        const [sign, next] = [line[at]!, line[at + 1]];
        if (sign === "\\" && (next === '"' || next === "\\")) {
            text += next;
            at += 1;
            continue;
        }
        const end = closing(at);
        if (end) return { text, end: at + end[0].length };
        text += sign;
    }
    // A backslash before the last mark was meant as itself.
    for (let at = start; at < line.length; at += 1) {
        const end = closing(at);
        if (end) return { text: line.slice(start, at), end: at + end[0].length };
    }
    return null;
}
