// What the page shows: one state, and a word to all views when it has changed.
//
// Modules point one way: main → panes and board → actions → match → state; thinking stands beside the panes.

import type { Color } from "chessops/types";
import { type EngineLine, Game, type Judge, type NodeId, plainJudge, type TreeNode } from "../game";
import type { Training } from "../puzzles";
import type { Match } from "./match";

export type Tab = "analyse" | "report" | "play";

/** What the engine was asked for beside the analysis: what the opponent threatens, or a move for the person. */
export type Question = "threat" | "hint";

export interface State {
    game: Game;
    /** Counts the games that were set up, so that the engine forgets what it knows of the one before. */
    gameNumber: number;
    match: Match | null;
    tab: Tab;
    /** The switch of the analysis. */
    analysing: boolean;
    orientation: Color;
    /** How much of the engine has come, while it is loaded: "1.2 of 4.2 MB". */
    loading: string | null;
    /** Why the engine cannot be used, in a sentence. */
    failure: string | null;
    /** What the analysis says of a position at this moment; the best of it is remembered in the game. */
    live: { at: NodeId; lines: readonly EngineLine[] } | null;
    /** A question to the engine about the position with this FEN, and the move that is the answer, once it is there. */
    question: { kind: Question; fen: string; uci: string | null } | null;
    /** The puzzles that are being solved. */
    training: Training | null;
    /** Decides which positions there are. */
    judge: Judge;
}

export const state: State = {
    game: new Game(),
    gameNumber: 0,
    match: null,
    tab: "analyse",
    analysing: false,
    orientation: "white",
    loading: null,
    failure: null,
    live: null,
    question: null,
    training: null,
    judge: plainJudge,
};

const views: (() => void)[] = [];

/** Has a view drawn whenever the state has changed. */
export function onChange(draw: () => void): void {
    views.push(draw);
}

export function changed(): void {
    for (const draw of views) draw();
}

const hearers: ((node: TreeNode) => void)[] = [];

/** Has somebody hear of each move that a person plays. */
export function onPlayed(hear: (node: TreeNode) => void): void {
    hearers.push(hear);
}

export function played(node: TreeNode): void {
    for (const hear of hearers) hear(node);
}

/** The match if it is looked at. */
export function matchShown(): Match | null {
    return state.tab === "play" ? state.match : null;
}

/** The engine's lines in the position that is looked at, best first; those that are remembered until the analysis knows more. */
export function linesShown(): readonly EngineLine[] {
    const { game, tab, analysing, live } = state;
    if (tab !== "analyse" || !analysing) return [];
    const known = game.lines.get(game.at) ?? [];
    const now = live?.at === game.at ? live.lines : [];
    const isBetter = now.length > known.length || (now[0]?.depth ?? 0) >= (known[0]?.depth ?? 0);
    return isBetter ? now : known;
}
