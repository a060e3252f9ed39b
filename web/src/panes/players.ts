// The names and clocks above and below the board.

import type { Color } from "chessops/types";
import { opposite } from "chessops/util";
import { endText, finish, flagFall, opponentText } from "../app/match";
import { changed, matchShown, state } from "../app/state";
import { timeText } from "../clock";
import { $ } from "../dom";
import { announce } from "../messages";

/** Below this many milliseconds a clock is red. */
const LOW_TIME = 10_000;

function nameOf(color: Color): string {
    const match = matchShown();
    if (match) return color === match.person ? "You" : opponentText(match);
    const side = color === "white" ? "White" : "Black";
    return state.game.headers.get(side) ?? side;
}

export function drawPlayers(): void {
    const { game, orientation } = state;
    for (const [id, color] of [["player-top", opposite(orientation)], ["player-bottom", orientation]] as const) {
        const [name, clock] = [...$(id).children] as [HTMLElement, HTMLElement];
        name.textContent = nameOf(color);
        $(id).classList.toggle("turn", game.turn === color);
        clock.hidden = !matchShown()?.clock;
        clock.dataset.color = color;
    }
    drawClocks();
}

function drawClocks(): void {
    const clock = state.match?.clock;
    if (!clock) return;
    for (const shown of document.querySelectorAll<HTMLElement>(".clock")) {
        const time = clock.time(shown.dataset.color as Color);
        shown.textContent = timeText(time);
        shown.classList.toggle("low", time < LOW_TIME);
    }
}

/** Draws the clocks from time to time, and ends the game of a side that has no time left. */
export function runClocks(): void {
    setInterval(() => {
        drawClocks();
        const { match, game } = state;
        const end = match && flagFall(match, game);
        if (!end) return;
        finish(match, end);
        announce(endText(end));
        changed();
    }, 100);
}
