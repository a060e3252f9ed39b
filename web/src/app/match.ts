// A game against the engine: who plays, at which level and clock, and how it ended.

import type { Color } from "chessops/types";
import { opposite } from "chessops/util";
import { Clock, type TimeControl } from "../clock";
import { type Ending, type Game, type NodeId, ROOT } from "../game";

/** The strengths that the engine can be held to; it says them itself when it has loaded. Above the most it plays at full strength. */
export const levels = { min: 1300, max: 2900 };

export interface Terms {
    person: Color;
    /** `null` is full strength. */
    elo: number | null;
    control: TimeControl | null;
}

export interface Match extends Terms {
    /** The last move of the match: what is tried out beside it is no part of it. */
    at: NodeId;
    clock: Clock | null;
    end: Ending | null;
    /** Centipawns of the engine's last thought, from its own view; `null` before it. */
    score: number | null;
    /** How many moves had been played when the person offered a draw, and what the engine answered. */
    offer: { moves: number; text: string } | null;
}

export function newMatch(terms: Terms): Match {
    return { ...terms, at: ROOT, clock: terms.control && new Clock(terms.control), end: null, score: null, offer: null };
}

/** Ends the match: its result stands in the game, too. */
export function finish(match: Match, game: Game, end: Ending): void {
    match.clock?.stop();
    match.end = end;
    game.setResult(end.result, end.why === "time" ? "time forfeit" : "normal");
}

/** True if it is the person's turn. */
export function isPersonsTurn(match: Match, game: Game): boolean {
    return game.turn(match.at) === match.person;
}

export function resignation(match: Match): Ending {
    return { result: match.person === "white" ? "0-1" : "1-0", why: "resignation" };
}

/** True if the engine takes a draw: it stands worse, or even in a game that has been played for a while. */
export function takesDraw({ score }: Match, moves: number): boolean {
    return score !== null && (score <= -100 || (score <= 15 && moves >= 60));
}

/** True if the engine claims a draw that it may claim. */
export function claimsDraw({ score }: Match): boolean {
    return score !== null && score <= 0;
}

/** The end by the clock, if a side's time is over. */
export function flagFall(match: Match, game: Game): Ending | null {
    const running = match.clock?.isRunning;
    if (!running || match.end || match.clock!.time(running) > 0) return null;
    const isDraw = game.position(match.at).hasInsufficientMaterial(opposite(running));
    const winner = running === "white" ? "0-1" : "1-0";
    return { result: isDraw ? "1/2-1/2" : winner, why: isDraw ? "the winner's lack of material" : "time" };
}

/** A draw, and why it is one. */
export function drawn(why: string): Ending {
    return { result: "1/2-1/2", why };
}

export function levelText(elo: number | null): string {
    return elo === null || elo > levels.max ? "Full strength" : `${elo} Elo`;
}

/** How the levels below an Elo play (see src/search/strength/levels.rs). */
const LEVEL_WORDS: [below: number, text: string][] = [
    [750, "It has just learnt the moves: it overlooks most captures, and often moves without a look at your reply."],
    [1000, "A beginner: it overlooks pieces that hang, and threats two moves away."],
    [1300, "It sees most of what hangs, and errs a few moves ahead."],
    [1800, "It sees short tactics, and often chooses a move that is not the best."],
    [2300, "It errs seldom, and in small things."],
    [Infinity, "It plays the best move that it sees at a glance."],
];

/** How a level plays, in a sentence. */
export function levelWords(elo: number | null): string {
    if (elo === null || elo > levels.max) return "Everything it has: no human beats it.";
    return LEVEL_WORDS.find(([below]) => elo < below)![1];
}

/** The engine's name in a game. */
export function opponentText({ elo }: Match): string {
    return `Tamarack, ${elo === null ? "full strength" : levelText(elo)}`;
}

/** "White wins: checkmate." */
export function endText({ result, why }: Ending): string {
    const winner = result === "1-0" ? "White wins" : result === "0-1" ? "Black wins" : "Draw";
    return result === "1/2-1/2" ? `${winner} by ${why}.` : `${winner}: ${why}.`;
}
