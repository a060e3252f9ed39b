// One word as a move: SAN and what people write for it. A word is read into shapes, which do not know the position; a shape fits
// legal moves of a position in a language.

import { type Chess, pseudoDests } from "chessops/chess";
import type { Role } from "chessops/types";
import { makeSquare, parseSquare } from "chessops/util";
import { ENGLISH, FIGURINES, type Language } from "./languages";
import { splitNags } from "./nags";
import { type LegalMove, sideName } from "./position";

/** What a word says of a move. */
export type Shape =
    | { kind: "castling"; side: "a" | "h" }
    | { kind: "null" }
    | {
          kind: "move";
          /** The piece as it was written, a letter in capitals or a figurine; empty for a pawn. */
          piece: string;
          file: string;
          rank: string;
          takes: boolean;
          /** The target; for `exd` a file alone. */
          to: string;
          /** The piece that a pawn becomes, as it was written. */
          promotion: string;
      };

export interface Word {
    text: string;
    /** The shape of standard notation, if the word has one. */
    standard: Shape | null;
    /** Other shapes: the first letter, small, is a piece; squares in capitals. */
    loose: readonly Shape[];
    nags: readonly number[];
}

const FIGURINE = "[♔-♟]";
const TARGET = "(?<to>[a-h][1-8])";
const PROMOTION = `(?:(?:=|\\(=?|=\\(|/)?(?<promotion>Кр|[\\p{L}♔-♟])\\)?)?`;
const FROM = "(?<file>[a-h])?(?<rank>[1-8])?(?<sign>[-x:])?";
const STANDARD = new RegExp(`^(?<piece>Кр|КР|\\p{Lu}|${FIGURINE})?${FROM}${TARGET}(?<after>:)?${PROMOTION}$`, "u");
const SMALL_PIECE = new RegExp(`^(?<piece>кр|\\p{Ll})${FROM}${TARGET}(?<after>:)?${PROMOTION}$`, "u");
const FILES = /^(?<file>[a-h])x?(?<to>[a-h])$/;
const CASTLING = /^[O0oОо](?:-?[O0oОо]){1,2}$/;
const NULL = /^(?:--|Z0|@@@@|0000|null|pass)$/i;

/** Cyrillic letters that look as files do. */
const LOOK_ALIKE: Record<string, string> = { а: "a", с: "c", е: "e" };

/** The word with compatible characters made alike: widths, hyphens, signs of taking, look-alikes before a rank. */
export function plainWord(text: string): string {
    return text
        .normalize("NFKC")
        .replaceAll(/[\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]/g, "")
        .replaceAll(/[‐‑‒–—―−﹣]/g, "-")
        .replaceAll(/[×✕⨯∶]/g, (sign) => (sign === "∶" ? ":" : "x"))
        .replaceAll("⁄", "/")
        .replaceAll(/[асе](?=[1-8x:-])/g, (letter) => LOOK_ALIKE[letter]!);
}

/** Check and mate; x is mate in Russian texts. */
const CHECK = /(?:[+#†‡]+|(?:dbl\.?)?ch\.?|(?:check)?mate|matt?|(?<=[a-h][1-8])[xXх])$/u;
const EN_PASSANT = /\(?e\.?p\.?\)?$/;

/** A word without check, glyphs and "e.p.", which may follow in any order; null if a sign says nothing. */
function stripped(text: string): { word: string; nags: number[] } | null {
    let word = text;
    const nags: number[] = [];
    for (;;) {
        const split = splitNags(word);
        if (!split) return null;
        nags.unshift(...split.nags);
        const next = split.word.replace(EN_PASSANT, "").replace(CHECK, "");
        if (next === word) return { word, nags };
        word = next;
    }
}

function shapeOf(match: RegExpExecArray | null): Shape | null {
    const parts = match?.groups;
    if (!parts) return null;
    const { piece = "", file = "", rank = "", to = "", promotion = "" } = parts;
    const takes = parts.sign !== undefined && parts.sign !== "-";
    const shape = { kind: "move", piece: capital(piece), file, rank, to, promotion: capital(promotion) } as const;
    // A pawn's file alone is said only where it takes: `bb4` is no pawn's move.
    if (piece === "" && file === to[0] && rank === "") return null;
    return { ...shape, takes: takes || parts.after !== undefined };
}

function capital(letters: string): string {
    const upper = letters.toUpperCase();
    return upper === "КР" ? "Кр" : upper;
}

/** All that a word of a game can be; null if it is no move in any notation that is read here. */
export function readWord(text: string): Word | null {
    const bare = stripped(plainWord(text));
    if (!bare || bare.word === "") return null;
    const { word, nags } = bare;
    if (CASTLING.test(word)) {
        const side = word.replaceAll("-", "").length === 3 ? "a" : "h";
        return { text, standard: { kind: "castling", side }, loose: [], nags };
    }
    if (NULL.test(word)) return { text, standard: { kind: "null" }, loose: [], nags };
    const standard = shapeOf(STANDARD.exec(word)) ?? shapeOf(FILES.exec(word));
    if (standard?.kind === "move" && standard.piece !== "") return { text, standard, loose: looseShapes(word, true), nags };
    if (standard?.kind === "move" && standard.file !== "" && standard.rank !== "") return { text, standard, loose: [], nags };
    const loose = looseShapes(word, false);
    return standard || loose.length > 0 ? { text, standard, loose, nags } : null;
}

/** The shapes of a word when capitals do not count. */
function looseShapes(word: string, hasPiece: boolean): Shape[] {
    const small = word.toLowerCase();
    // `Nf3` is what it is; `BXC3` and `E4` may be anything.
    if (hasPiece && !/[A-H][1-8]|X/.test(word.slice(1))) return [];
    const pawn = small === word ? null : shapeOf(STANDARD.exec(small));
    const piece = shapeOf(SMALL_PIECE.exec(small));
    return [pawn, piece].filter((one) => one !== null);
}

function roleOf(letter: string, language: Language): Role | undefined {
    return FIGURINES.get(letter) ?? language.roles.get(letter);
}

/** True if every letter of the shape is a piece in this language. */
export function isIn(shape: Shape, language: Language): boolean {
    if (shape.kind !== "move") return true;
    return [shape.piece, shape.promotion].every((letter) => letter === "" || roleOf(letter, language) !== undefined);
}

/** The legal moves that a shape can be. */
export function fits(shape: Shape, moves: readonly LegalMove[], language: Language): LegalMove[] {
    if (shape.kind === "null") return [];
    if (shape.kind === "castling") return moves.filter((one) => one.castles === shape.side);
    const { file, rank, to, takes } = shape;
    // Where both squares are written the piece need not be.
    const isWhole = file !== "" && rank !== "";
    const role = shape.piece !== "" ? roleOf(shape.piece, language) : isWhole ? "any" : "pawn";
    const promotion = shape.promotion === "" ? undefined : roleOf(shape.promotion, language);
    if (role === undefined || (shape.promotion !== "" && promotion === undefined)) return [];
    return moves.filter((one) => {
        const [from, target] = [makeSquare(one.move.from), makeSquare(one.move.to)];
        if (role !== "any" && one.role !== role) return false;
        if ((file && from[0] !== file) || (rank && from[1] !== rank) || one.move.promotion !== promotion) return false;
        if (one.castles) return isWhole && !takes && isCastlingTarget(one, to);
        if (takes && !one.takes) return false;
        if (to.length === 1) return one.takes && target[0] === to;
        // `d5` is a step: a pawn that takes there says so.
        if (role === "pawn" && !file && !takes && one.takes) return false;
        return target === to;
    });
}

/** True if a castling king may be said to go to `to`: its own square afterwards, if it is two files away or more, or its rook's. */
function isCastlingTarget({ move, castles }: LegalMove, to: string): boolean {
    if (to === makeSquare(move.to)) return true;
    const target = `${castles === "h" ? "g" : "c"}${makeSquare(move.from)[1]}`;
    return to === target && Math.abs(parseSquare(target)! - move.from) >= 2;
}

/** Why a shape fits no legal move, as the end of a sentence. */
export function whyNot(shape: Shape, position: Chess, language: Language): string {
    const side = sideName(position.turn);
    if (!position.hasDests()) return `${side} is ${position.isCheck() ? "checkmated" : "stalemated"}`;
    if (shape.kind === "null") return `${side} is in check and cannot pass`;
    if (shape.kind === "castling") return `${side} cannot castle there now`;
    const role = shape.piece === "" ? "pawn" : roleOf(shape.piece, language);
    if (!role) return noPiece(shape.piece, language);
    if (shape.promotion !== "" && !roleOf(shape.promotion, language)) return noPiece(shape.promotion, language);
    if (shape.to.length === 1) return `no ${role} of ${side} takes there`;
    const target = parseSquare(shape.to)!;
    const isLast = target < 8 || target >= 56;
    if (shape.piece === "" && isLast && shape.promotion === "" && pawnReaches(target, position)) {
        return `it does not say what the pawn becomes, as in ${shape.to}=Q`;
    }
    if (shape.promotion !== "" && (role !== "pawn" || !isLast)) return "only a pawn on the last rank becomes another piece";
    if (/^(?:king|pawn)$/.test(roleOf(shape.promotion, language) ?? "")) return `a pawn does not become a ${roleOf(shape.promotion, language)}`;
    if (position.board.pieces(position.turn, role).isEmpty()) return `${side} has no ${role}`;
    if (shape.takes && !position.board[position.turn === "white" ? "black" : "white"].has(target)) {
        return `there is nothing to take on ${shape.to}`;
    }
    if (position.board[position.turn].has(target)) return `a piece of ${side} stands on ${shape.to} itself`;
    if (reaches(shape, role, position)) return `it would leave the king of ${side} in check`;
    return `no ${role} of ${side} can go to ${shape.to}${shape.file || shape.rank ? ` from ${shape.file}${shape.rank}` : ""}`;
}

function noPiece(letter: string, language: Language): string {
    if (language !== ENGLISH) return `${letter} is no piece`;
    return `${letter} is none of the pieces K, Q, R, B and N, and the game as a whole is in no other language`;
}

function pawnReaches(target: number, position: Chess): boolean {
    const context = position.ctx();
    return [...position.board.pieces(position.turn, "pawn")].some((from) => position.dests(from, context).has(target));
}

/** True if a piece could go there but for its king. */
function reaches(shape: Shape & { kind: "move" }, role: Role, position: Chess): boolean {
    const target = parseSquare(shape.to)!;
    const context = position.ctx();
    return [...position.board.pieces(position.turn, role)].some((from) => {
        const name = makeSquare(from);
        if ((shape.file && name[0] !== shape.file) || (shape.rank && name[1] !== shape.rank)) return false;
        const takes = role === "pawn" && name[0] !== shape.to[0];
        return pseudoDests(position, from, context).has(target) && (shape.takes || shape.file !== "" || !takes);
    });
}

/** The moves among which a word leaves the choice, as the end of a sentence. */
export function whichOnes(moves: readonly LegalMove[]): string {
    const ways = moves.map(({ role, move }) => `the ${role} from ${makeSquare(move.from)}`);
    return `it can be ${ways.slice(0, -1).join(", ")} or ${ways.at(-1)}`;
}

/** True for what may stand alone after a move and adds nothing: a sign of check, "e.p.". */
export function isRemark(text: string): boolean {
    return /^(?:[+#†‡]+|(?:dbl\.?)?ch\.?|check|(?:check)?mate|matt?|\(?e\.?p\.?\)?)$/.test(plainWord(text));
}
