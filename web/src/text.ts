// Numbers, moves and positions as text.

import type { Chess } from "chessops/chess";
import { makeSanAndPlay } from "chessops/san";
import { makeSquare, parseUci } from "chessops/util";
import type { Line, Score } from "./engine";
import type { Game } from "./game";

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

/** The line in SAN with move numbers, and its first move. */
export function lineText(game: Game, line: Line): { text: string; first: string } {
    const position = game.position.clone();
    const words: string[] = [];
    let first = "";
    for (const [at, uci] of line.moves.slice(0, 18).entries()) {
        const move = parseUci(uci);
        if (!move || !position.isLegal(move)) break;
        if (position.turn === "white") words.push(`${position.fullmoves}.`);
        else if (at === 0) words.push(`${position.fullmoves}…`);
        const san = makeSanAndPlay(position, move);
        first ||= san;
        words.push(san);
    }
    return { text: words.join(" ").replaceAll(/(\d\.|…) /g, "$1\u2009"), first };
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
