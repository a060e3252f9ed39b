// What a person, or the engine as an opponent, can do to the state.

import type { Color } from "chessops/types";
import { opposite } from "chessops/util";
import { Game, Unusable } from "../game";
import { announce, say, type Place } from "../messages";
import { longMove } from "../text";
import { endText, finish, newMatch, resignation, type Terms } from "./match";
import { changed, matchShown, state, type Tab } from "./state";

type Play = (game: Game) => ReturnType<Game["play"]>;

/** Plays a move of the person; false if it cannot be played. */
export function playMove(play: Play): boolean {
    const match = matchShown();
    const mover = state.game.turn;
    const may = !match || (!match.end && state.game.isAtEnd && mover === match.person);
    const played = may && play(state.game) !== null;
    if (played) afterMove(mover);
    else changed();
    return played;
}

/** Plays the engine's move at the end of the game, though an earlier position may be looked at. */
export function playAnswer(uci: string): void {
    const { game } = state;
    game.ply = game.played.length;
    const mover = game.turn;
    if (game.playUci(uci)) afterMove(mover);
}

function afterMove(mover: Color): void {
    const { game } = state;
    const match = matchShown();
    if (match) {
        // The clock begins with the second move.
        if (game.played.length > 1) match.clock?.moved(mover);
        if (game.end) finish(match, game.end);
        else if (game.turn === match.person) match.clock?.start(match.person);
    }
    const who = mover === "white" ? "White" : "Black";
    const played = game.lastMove;
    if (played) announce(`${who}: ${longMove(played.san)}.${game.end ? ` ${endText(game.end)}` : ""}`);
    changed();
}

export function goTo(ply: number): void {
    const { game } = state;
    const wanted = Math.max(0, Math.min(game.played.length, ply));
    if (wanted === game.ply) return;
    game.ply = wanted;
    changed();
}

/** Takes the last move back; against the engine to the person's turn. */
export function takeBack(): void {
    const { game } = state;
    if (game.played.length === 0) return;
    const match = matchShown();
    if (match) {
        game.takeBack(game.last.turn === match.person ? 2 : 1);
        match.end = null;
        match.clock?.stop();
        if (game.played.length > 0 && game.last.turn === match.person) match.clock?.start(match.person);
    } else {
        game.takeBack(Math.max(1, game.played.length - game.ply + 1));
    }
    changed();
}

/** Takes another game onto the board, to analyse it. */
export function setGame(game: Game): void {
    state.game = game;
    state.gameNumber += 1;
    state.match?.clock?.stop();
    state.match = null;
    state.tab = "analyse";
    say(null);
    changed();
}

/** Takes the game or position of a text, or says why not. */
export function loadText(text: string, place: Place): void {
    try {
        setGame(Game.fromText(text));
        const moves = state.game.played.length;
        announce(moves > 0 ? `A game of ${moves} moves.` : "A position.");
    } catch (error) {
        if (!(error instanceof Unusable)) throw error;
        say(error.message, place);
    }
}

export function setTab(tab: Tab): void {
    if (tab === state.tab) return;
    state.tab = tab;
    say(null);
    const { match, game } = state;
    if (tab !== "play") {
        match?.clock?.stop();
        if (match?.end) state.match = null;
    } else if (match && !match.end && match.clock && game.played.length > 0 && game.last.turn === match.person) {
        match.clock.start(match.person);
    }
    changed();
}

export function setAnalysis(on: boolean): void {
    state.analysing = on;
    changed();
}

export function flip(): void {
    state.orientation = opposite(state.orientation);
    changed();
}

/** Begins a game against the engine. */
export function beginMatch(game: Game, terms: Terms): void {
    if (game.end) return say("The game is over in this position already.", "setup");
    state.game = game;
    state.gameNumber += 1;
    state.match = newMatch(terms);
    state.orientation = terms.person;
    say(null);
    changed();
}

export function resign(): void {
    const { match } = state;
    if (!match || match.end) return;
    finish(match, resignation(match));
    changed();
}

/** Back to the terms of the next game. */
export function leaveMatch(): void {
    state.match?.clock?.stop();
    state.match = null;
    changed();
}
