// Numbers, moves and positions as text.

import type { Chess } from "chessops/chess";
import { makeSanAndPlay } from "chessops/san";
import { makeSquare, parseUci } from "chessops/util";
import type { Line, Score } from "./engine";

/** "+0.35", "−1.20", "#5", "−#3". */
export function scoreText({ kind, value }: Score): string {
    const sign = value < 0 ? "−" : kind === "cp" && value > 0 ? "+" : "";
    return sign + (kind === "mate" ? `#${Math.abs(value)}` : (Math.abs(value) / 100).toFixed(2));
}

/** The same for a narrow place: "1.2", "12", "#5". */
export function gaugeText({ kind, value }: Score): string {
    const size = Math.abs(value);
    return kind === "mate" ? `#${size}` : size < 995 ? (size / 100).toFixed(1) : String(Math.round(size / 100));
}

/** 231 k, 4.7 M. */
export function short(number: number): string {
    if (number < 1000) return String(number);
    if (number < 1e6) return `${Math.round(number / 1000)} k`;
    return `${(number / 1e6).toFixed(number < 1e7 ? 1 : 0)} M`;
}

export function percent(thousandths: number): string {
    return `${Math.round(thousandths / 10)}%`;
}

/** The moves of a line in SAN, with the number before a move of White and before the first. */
export function lineMoves(start: Chess, line: Line): { number: string; san: string }[] {
    const position = start.clone();
    const moves: { number: string; san: string }[] = [];
    for (const uci of line.moves) {
        const move = parseUci(uci);
        if (!move || !position.isLegal(move)) break;
        const number = position.turn === "white" ? `${position.fullmoves}.\u2009` : moves.length === 0 ? `${position.fullmoves}…\u2009` : "";
        moves.push({ number, san: makeSanAndPlay(position, move) });
    }
    return moves;
}

/** The chances that a score in pawns stands for, roughly, where nobody has said them: White's win, none, Black's win. */
export function chancesOf({ kind, value }: Score): [number, number, number] {
    const white = kind === "mate" ? (value >= 0 ? 1000 : 0) : Math.round(1000 / (1 + Math.exp(-value / 250)));
    return [white, 0, 1000 - white];
}

const NAMES: Record<string, string> = { N: "knight ", B: "bishop ", R: "rook ", Q: "queen ", K: "king " };

/** A move in words, for those who hear it. */
export function longMove(san: string): string {
    if (san.startsWith("O-O-O")) return "castles queenside";
    if (san.startsWith("O-O")) return "castles";
    return san
        .replace(/^[NBRQK]/, (letter) => NAMES[letter] ?? "")
        .replace("x", " takes ")
        .replace(/=([NBRQ])/, (_, letter: string) => `, promotes to ${NAMES[letter]?.trim()}`)
        .replace("+", ", check")
        .replace("#", ", checkmate")
        .replaceAll("  ", " ");
}

/** The pieces of a position in words. */
export function describePosition(position: Chess): string {
    const of = (color: "white" | "black") => {
        const pieces = (["king", "queen", "rook", "bishop", "knight", "pawn"] as const).flatMap((role) => {
            const squares = [...position.board.pieces(color, role)].map(makeSquare);
            return squares.length > 0 ? [`${role} ${squares.join(" ")}`] : [];
        });
        return pieces.join(", ");
    };
    const turn = position.turn === "white" ? "White" : "Black";
    return `${turn} to move${position.isCheck() ? ", in check" : ""}. White: ${of("white")}. Black: ${of("black")}.`;
}
