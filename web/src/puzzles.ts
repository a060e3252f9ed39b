// Mistakes of games that were looked through, as puzzles: the position before the mistake, and the move that was better. Kept in the
// browser's own database.

import { createStore, entries, update, type UseStore } from "idb-keyval";
import type { Chess } from "chessops/chess";
import type { Color } from "chessops/types";
import { fenOf, type Game } from "./game";

export type Status = "ask" | "checking" | "wrong" | "solved" | "shown";

/** The puzzles that are being solved. */
export interface Training {
    puzzles: readonly Puzzle[];
    at: number;
    status: Status;
    /** The game that the puzzle is played in: when another one is on the board, it is left. */
    game: Game;
}

/** A move of a game that was looked through, as the report has it. */
export interface Judged {
    step: { before: Chess; mover: Color; san: string; uci: string };
    mark: string | null;
    why: string | null;
    better: { moves: readonly string[] } | null;
}

export interface Puzzle {
    /** The position, and the move of the game: the same mistake is kept once. */
    id: string;
    fen: string;
    mover: Color;
    /** "Morphy – Anderssen, 12…Nd5??" */
    title: string;
    /** The sentence on what was wrong with the move of the game. */
    why: string | null;
    /** The better line, in UCI. */
    solution: readonly string[];
    /** Milliseconds since 1970: when it was made, and when it was solved last. */
    time: number;
    solved: number | null;
}

const GLYPHS: Record<string, string> = { mistake: "?", blunder: "??" };

/** The mistakes and blunders of a game; of a game against the engine those of the person. */
export function puzzlesOf(game: Game, moves: readonly Judged[]): Puzzle[] {
    const person = game.tag("White") === "You" ? "white" : game.tag("Black") === "You" ? "black" : null;
    const names = [game.tag("White") ?? "White", game.tag("Black") ?? "Black"].join(" – ");
    return moves
        .filter(({ mark, better, step }) => mark && GLYPHS[mark] && better && (!person || step.mover === person))
        .map((move) => puzzleOf(move, names));
}

function puzzleOf({ step, mark, why, better }: Judged, names: string): Puzzle {
    const fen = fenOf(step.before);
    const number = `${step.before.fullmoves}${step.mover === "white" ? "." : "…"}`;
    const title = `${names}, ${number}\u2009${step.san}${GLYPHS[mark!]}`;
    return { id: `${fen} ${step.uci}`, fen, mover: step.mover, title, why, solution: better!.moves, time: Date.now(), solved: null };
}

const database: { store: UseStore | null } = { store: null };
const store = (): UseStore => (database.store ??= createStore("tamarack-puzzles", "puzzles"));

/** Adds puzzles to those that are kept. Each is looked for and written in one transaction, so that who asks for all meanwhile waits. */
export async function keepPuzzles(puzzles: readonly Puzzle[]): Promise<void> {
    await Promise.all(puzzles.map((puzzle) => update<Puzzle>(puzzle.id, (known) => known ?? puzzle, store())));
}

/** All of them: those to be solved first, then those that were solved long ago. */
export async function keptPuzzles(): Promise<Puzzle[]> {
    const all = (await entries<string, Puzzle>(store())).map(([, puzzle]) => puzzle);
    return all.sort((a, b) => (a.solved ?? 0) - (b.solved ?? 0) || b.time - a.time);
}

export function keepSolved({ id }: Puzzle): Promise<void> {
    return update<Puzzle>(id, (puzzle) => ({ ...puzzle!, solved: Date.now() }), store());
}
