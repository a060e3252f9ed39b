// Positions: from and to FEN, the legal moves, and the numbered positions of Chess960.

import { Chess, normalizeMove } from "chessops/chess";
import { INITIAL_FEN, makeFen, parseFen } from "chessops/fen";
import type { Color, NormalMove, Role } from "chessops/types";
import { makeUci, opposite } from "chessops/util";
import { Unreadable } from "./unreadable";

export { INITIAL_FEN };

/** What a judge says of a FEN: the position as the engine writes it, with what it repaired, or why there is none. */
export type Verdict = { fen: string; repairs: readonly string[] } | { refusal: string };

/** Decides which positions there are; the page and the engine share one (see judge.ts). */
export type Judge = (fen: string) => Verdict;

/** A legal move; castling is the king's way to its rook, as in `uci`. */
export interface LegalMove {
    move: NormalMove;
    uci: string;
    role: Role;
    takes: boolean;
    /** The side of the rook that it castles with. */
    castles: "a" | "h" | null;
}

const FAULTS: Record<string, string> = {
    ERR_FEN: "it has more parts than a FEN can have",
    ERR_BOARD: "the board is not eight ranks of eight squares",
    ERR_POCKETS: "the board is not eight ranks of eight squares",
    ERR_TURN: "after the board there must be w or b",
    ERR_CASTLING: "the castling rights cannot be read",
    ERR_EP_SQUARE: "the en passant square cannot be read",
    ERR_HALFMOVES: "the halfmove clock is no number",
    ERR_FULLMOVES: "the fullmove number is no number",
    ERR_EMPTY: "there are no pieces",
    ERR_KINGS: "each side needs exactly one king",
    ERR_OPPOSITE_CHECK: "the side that has just moved is in check",
    ERR_PAWNS_ON_BACKRANK: "there is a pawn on the first or the last rank",
};

/** The judge until the engine's has been loaded: the rules of chessops, which know less of what is impossible. */
export const plainJudge: Judge = (text) => {
    const words = text.trim().split(/\s+/);
    if (words.length < 2) return { refusal: FAULTS.ERR_TURN! };
    // What follows the counters of an EPD, or stands in their place.
    const operations = text.includes(";") ? words.findIndex((word, at) => at >= 4 && /^[a-z;]/i.test(word)) : -1;
    const fen = (operations < 0 ? words : words.slice(0, operations)).join(" ");
    const position = parseFen(fen).chain((setup) => Chess.fromSetup(setup));
    if (position.isErr) return { refusal: FAULTS[position.error.message] ?? "it cannot be read" };
    return { fen: fenOf(position.value), repairs: [] };
};

/** The position of a FEN, and what was repaired in it.
 *  @throws Unreadable with the judge's words if there is no such position. */
export function positionOf(fen: string, judge: Judge): { position: Chess; repairs: readonly string[] } {
    const verdict = judge(fen);
    if ("refusal" in verdict) throw new Unreadable(`FEN: ${verdict.refusal}.`);
    const fields = verdict.fen.split(" ");
    const position = parseFen(fields.slice(0, 4).join(" ")).chain((setup) => Chess.fromSetup(setup));
    if (position.isErr) throw new Unreadable(`FEN: ${FAULTS[position.error.message] ?? "it cannot be read"}.`);
    // chessops reads four digits at most.
    position.value.halfmoves = Number(fields[4] ?? 0);
    position.value.fullmoves = Math.max(1, Number(fields[5] ?? 1));
    return { position: position.value, repairs: verdict.repairs };
}

/** The FEN of a position, its counters whole. */
export function fenOf(position: Chess): string {
    return `${keyOf(position)} ${position.halfmoves} ${position.fullmoves}`;
}

/** What makes a repetition: the FEN without its counters. */
export function keyOf(position: Chess): string {
    return makeFen(position.toSetup(), { epd: true });
}

const PROMOTIONS: readonly Role[] = ["queen", "rook", "bishop", "knight"];

/** All legal moves. */
export function legalMoves(position: Chess): LegalMove[] {
    const moves: LegalMove[] = [];
    const context = position.ctx();
    const { board, turn } = position;
    for (const from of board[turn]) {
        const role = board.getRole(from)!;
        for (const to of position.dests(from, context)) {
            const castles = role === "king" && board[turn].has(to) ? (to > from ? "h" : "a") : null;
            const takes = !castles && (board.occupied.has(to) || (role === "pawn" && (from - to) % 8 !== 0));
            const isPromotion = role === "pawn" && (to < 8 || to >= 56);
            for (const promotion of isPromotion ? PROMOTIONS : [undefined]) {
                const move = promotion ? { from, to, promotion } : { from, to };
                moves.push({ move, uci: makeUci(move), role, takes, castles });
            }
        }
    }
    return moves;
}

/** The move as the tree has it, castling as the king's way to its rook; null if it is not legal. */
export function legal(position: Chess, move: NormalMove): NormalMove | null {
    const normal = normalizeMove(position, move) as NormalMove;
    if (!position.dests(normal.from).has(normal.to) || !position.isLegal(normal)) return null;
    return normal.promotion ? normal : { from: normal.from, to: normal.to };
}

/** The position after the side to move has passed; null in check. */
export function passed(position: Chess): Chess | null {
    if (position.isCheck()) return null;
    const after = position.clone();
    after.epSquare = undefined;
    after.halfmoves += 1;
    if (after.turn === "black") after.fullmoves += 1;
    after.turn = opposite(after.turn);
    return after;
}

/** The name of a side at the beginning of a sentence. */
export function sideName(color: Color): "White" | "Black" {
    return color === "white" ? "White" : "Black";
}

/** True if a king or rook that may castle stands elsewhere than in chess. */
export function isChess960(position: Chess): boolean {
    for (const square of position.castles.castlingRights) {
        if (![0, 7, 56, 63].includes(square)) return true;
        const king = position.board.kingOf(square < 8 ? "white" : "black");
        if (king !== (square < 8 ? 4 : 60)) return true;
    }
    return false;
}

/** The FEN of the starting position of this number of Chess960 (Scharnagl's), 0 to 959; 518 is that of chess. */
export function chess960(number: number): string {
    const rank: (string | null)[] = Array(8).fill(null);
    const empty = () => rank.flatMap((piece, file) => (piece ? [] : [file]));
    let rest = number;
    const take = (of: number) => {
        const digit = rest % of;
        rest = Math.floor(rest / of);
        return digit;
    };
    rank[2 * take(4) + 1] = "b";
    rank[2 * take(4)] = "b";
    rank[empty()[take(6)]!] = "q";
    const pairs = [
        [0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4],
    ];
    const free = empty();
    for (const at of pairs[rest]!) rank[free[at]!] = "n";
    const [left, king, right] = empty();
    rank[left!] = "r";
    rank[king!] = "k";
    rank[right!] = "r";
    const back = rank.join("");
    return `${back}/pppppppp/8/8/8/8/PPPPPPPP/${back.toUpperCase()} w KQkq - 0 1`;
}
