// What the page shows: one state, and a word to all views when it has changed.
//
// Modules point one way: main → panes and board → actions → match → state; thinking stands beside the panes.

import type { Color } from "chessops/types";
import type { Line } from "../engine";
import { Game } from "../game";
import type { Match } from "./match";

export type Tab = "analyse" | "play";

export interface State {
    game: Game;
    /** Counts the games that were set up, so that the engine forgets what it knows of the one before. */
    gameNumber: number;
    match: Match | null;
    tab: Tab;
    /** The switch of the analysis. */
    analysing: boolean;
    orientation: Color;
    /** The engine's lines in the position that is looked at, best first. */
    lines: Line[];
}

export const state: State = {
    game: new Game(),
    gameNumber: 0,
    match: null,
    tab: "analyse",
    analysing: false,
    orientation: "white",
    lines: [],
};

const views: (() => void)[] = [];

/** Has a view drawn whenever the state has changed. */
export function onChange(draw: () => void): void {
    views.push(draw);
}

export function changed(): void {
    for (const draw of views) draw();
}

/** The match if it is looked at. */
export function matchShown(): Match | null {
    return state.tab === "play" ? state.match : null;
}
