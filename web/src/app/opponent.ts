// What a person does in a game against the engine beside moving: begin, resign, offer and claim a draw, another game.

import { opposite } from "chessops/util";
import { type Ending, Game } from "../game";
import { announce, say } from "../messages";
import { replaceGame } from "./actions";
import { drawn, endText, finish, newMatch, opponentText, resignation, takesDraw, type Match, type Terms } from "./match";
import { changed, state } from "./state";

/** Begins a game against the engine. */
export function beginMatch(game: Game, terms: Terms): void {
    if (game.ending()) return say("The game is over in this position already.", "setup");
    const match = newMatch(terms);
    const [white, black] = terms.person === "white" ? ["You", opponentText(match)] : [opponentText(match), "You"];
    const date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
    const control = terms.control ? `${terms.control.base / 1000}+${terms.control.increment / 1000}` : "-";
    const tags = { Event: "Game against Tamarack", Date: date, White: white, Black: black, Result: "*", TimeControl: control };
    for (const [name, value] of Object.entries(tags)) game.setTag(name, value!);
    replaceGame(game);
    state.match = match;
    state.orientation = terms.person;
    say(null);
    changed();
}

/** Another game on the same terms, colours exchanged. */
export function rematch(): void {
    const { match, game } = state;
    if (match) beginMatch(new Game({ start: game.start }), { ...match, person: opposite(match.person) });
}

function endMatch(end: Ending): void {
    const { match, game } = state;
    if (!match || match.end) return;
    finish(match, game, end);
    announce(endText(end));
    changed();
}

export function resign(): void {
    if (state.match) endMatch(resignation(state.match));
}

/** Offers the engine a draw at the person's turn. */
export function offerDraw(): void {
    const { match, game } = state;
    if (!match || match.end) return;
    const moves = game.ply(match.at);
    if (takesDraw(match, moves)) return endMatch(drawn("agreement"));
    match.offer = { moves, text: "Tamarack declines the draw." };
    changed();
}

export function claimDraw(): void {
    const claimed = state.match && state.game.claimable(state.match.at);
    if (claimed) endMatch(drawn(claimed));
}

/** The engine does not play on: the game stays, and the reason is said. */
export function breakOff(match: Match, why: string): void {
    if (state.match !== match) return;
    leaveMatch();
    say(why || "Tamarack finds no move in this position.", "setup");
}

/** Back to the terms of the next game. */
export function leaveMatch(): void {
    state.match?.clock?.stop();
    state.match = null;
    changed();
}
