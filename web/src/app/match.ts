// A game against the engine: who plays, at which level and clock, and how it ended.

import type { Color } from "chessops/types";
import { opposite } from "chessops/util";
import { Clock, type TimeControl } from "../clock";
import type { End, Game } from "../game";

/** Strengths above this are full strength. */
export const MAX_ELO = 2900;

export interface Match {
    person: Color;
    /** `null` is full strength. */
    elo: number | null;
    clock: Clock | null;
    end: End | null;
}

export interface Terms {
    person: Color;
    elo: number;
    control: TimeControl | null;
}

export function newMatch({ person, elo, control }: Terms): Match {
    return { person, elo: elo > MAX_ELO ? null : elo, clock: control && new Clock(control), end: null };
}

export function finish(match: Match, end: End): void {
    match.clock?.stop();
    match.end = end;
}

export function resignation(match: Match): End {
    return { result: match.person === "white" ? "0-1" : "1-0", why: "resignation" };
}

/** The end by the clock, if a side's time is over. */
export function flagFall(match: Match, game: Game): End | null {
    const running = match.clock?.isRunning;
    if (!running || match.end || match.clock!.time(running) > 0) return null;
    const isDraw = game.last.hasInsufficientMaterial(opposite(running));
    const winner = running === "white" ? "0-1" : "1-0";
    return { result: isDraw ? "1/2-1/2" : winner, why: isDraw ? "the winner's lack of material" : "time" };
}

export function levelText(elo: number | null): string {
    return elo === null || elo > MAX_ELO ? "Full strength" : `${elo} Elo`;
}

/** The engine's name in a game. */
export function opponentText({ elo }: Match): string {
    return `Tamarack, ${elo === null ? "full strength" : levelText(elo)}`;
}

/** "White wins: checkmate." */
export function endText({ result, why }: End): string {
    const winner = result === "1-0" ? "White wins" : result === "0-1" ? "Black wins" : "Draw";
    return result === "1/2-1/2" ? `${winner} by ${why}.` : `${winner}: ${why}.`;
}
