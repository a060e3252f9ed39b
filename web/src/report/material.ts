// What a line wins and loses.

import type { Board } from "chessops/board";
import type { Chess } from "chessops/chess";
import { attacks } from "chessops/attacks";
import { SquareSet } from "chessops/squareSet";
import type { Color, Role } from "chessops/types";
import { opposite } from "chessops/util";
import type { Step } from "./line";

/** Pieces in pawns; the king's is for comparing attackers only. */
export const VALUE: Record<Role, number> = { pawn: 1, knight: 3, bishop: 3, rook: 5, queen: 9, king: 100 };

/** Moves after which a line is no longer believed in. */
const FAR = 12;

/** What a side has taken and lost, and what it is worth to it in pawns. */
export interface Balance {
    /** From the side's view. */
    pawns: number;
    won: Role[];
    lost: Role[];
}

/** Where a line comes to rest: the number of its moves up to the last position in which nothing is about to be taken and nobody is in
 *  check. Null if it nowhere does. */
export function rest(steps: readonly Step[]): number | null {
    for (let count = Math.min(steps.length, FAR); count > 0; count -= 1) {
        if (isQuiet(steps, count)) return count;
    }
    return null;
}

function isQuiet(steps: readonly Step[], count: number): boolean {
    const last = steps[count - 1]!;
    if (last.after.isCheckmate()) return true;
    if (last.after.isCheck()) return false;
    const next = steps[count];
    if (next) return !next.taken && !next.promotion && !bestCapture(last.after);
    return !last.taken && !last.promotion && !bestCapture(last.after);
}

/** What a side has won and lost by these moves; like is set against like, and a knight against a bishop. */
export function balance(side: Color, steps: readonly Step[]): Balance {
    const [won, lost]: [Role[], Role[]] = [[], []];
    let pawns = 0;
    for (const { mover, taken, promotion } of steps) {
        const sign = mover === side ? 1 : -1;
        if (taken) {
            pawns += sign * VALUE[taken.role];
            (mover === side ? won : lost).push(taken.role);
        }
        if (promotion) pawns += sign * (VALUE[promotion] - 1);
    }
    for (const alike of [(a: Role, b: Role) => a === b, (a: Role, b: Role) => VALUE[a] === VALUE[b]]) {
        for (const role of [...won]) {
            const at = lost.findIndex((one) => alike(one, role));
            if (at < 0) continue;
            lost.splice(at, 1);
            won.splice(won.indexOf(role), 1);
        }
    }
    return { pawns, won: won.sort(byValue), lost: lost.sort(byValue) };
}

function byValue(a: Role, b: Role): number {
    return VALUE[b] - VALUE[a];
}

/** The capture that wins most for the side to move, in pawns above zero; null if none wins. */
function bestCapture(position: Chess): number | null {
    let best = 0;
    for (const square of position.board[opposite(position.turn)]) best = Math.max(best, exchange(position.board, square, position.turn));
    return best > 0 ? best : null;
}

/** What the side that begins wins by taking on a square, both taking with their least piece as long as it pays (static exchange
 *  evaluation); zero if it need not take. Pins are left out. */
export function exchange(board: Board, square: number, side: Color): number {
    const victim = board.getRole(square);
    if (!victim || board.getColor(square) === side) return 0;
    const attacker = leastAttacker(board, square, side);
    if (attacker === null) return 0;
    const role = board.getRole(attacker)!;
    // A king cannot take what is protected.
    const after = board.clone();
    after.take(attacker);
    after.set(square, { role, color: side });
    if (role === "king" && leastAttacker(after, square, opposite(side)) !== null) return 0;
    return Math.max(0, VALUE[victim] - exchange(after, square, opposite(side)));
}

function leastAttacker(board: Board, square: number, side: Color): number | null {
    let [least, value] = [null as number | null, Infinity];
    for (const from of attackersOf(board, square, side)) {
        const worth = VALUE[board.getRole(from)!];
        if (worth < value) [least, value] = [from, worth];
    }
    return least;
}

/** The squares of a side's pieces that attack, or protect, a square. */
export function attackersOf(board: Board, square: number, side: Color): SquareSet {
    let found = SquareSet.empty();
    for (const from of board[side]) {
        if (attacks(board.get(from)!, from, board.occupied).has(square)) found = found.with(from);
    }
    return found;
}
