// The names and clocks above and below the board.

import type { Color, Role } from "chessops/types";
import { opposite } from "chessops/util";
import { endText, finish, flagFall, opponentText } from "../app/match";
import { changed, matchShown, state } from "../app/state";
import { timeText } from "../clock";
import { pieceImage } from "../board/piece";
import { $, make } from "../dom";
import { secondsOf } from "../game";
import { announce } from "../messages";

/** Below this many milliseconds a clock is red. */
const LOW_TIME = 10_000;

function nameOf(color: Color): string {
    const match = matchShown();
    if (match) return color === match.person ? "You" : opponentText(match);
    const side = color === "white" ? "White" : "Black";
    const name = state.game.tag(side);
    const elo = state.game.tag(`${side}Elo`);
    if (!name || /^[?]*$/.test(name)) return side;
    return elo && /^\d+$/.test(elo) ? `${name} (${elo})` : name;
}

export function drawPlayers(): void {
    const { game, orientation } = state;
    for (const [id, color] of [["player-top", opposite(orientation)], ["player-bottom", orientation]] as const) {
        const [name, taken, clock] = [...$(id).children] as [HTMLElement, HTMLElement, HTMLElement];
        taken.replaceChildren(...takenParts(color));
        name.textContent = nameOf(color);
        $(id).classList.toggle("turn", game.turn() === color);
        clock.hidden = !matchShown()?.clock && clockSeconds(color) === null;
        clock.dataset.color = color;
    }
    drawClocks();
}

/** The seconds that a side had left at the move that is looked at, as the game says. */
function clockSeconds(color: Color): number | null {
    const { game } = state;
    const last = game.path().findLast(({ id, after }) => game.turn(id) !== color && secondsOf(after, "clk") !== null);
    return last ? secondsOf(last.after, "clk") : null;
}

const VALUES: [role: Role, value: number][] = [["queen", 9], ["rook", 5], ["bishop", 3], ["knight", 3], ["pawn", 1]];

/** The pieces that a side has more than the other, and by how much it is ahead in pawns. */
function takenParts(color: Color): HTMLElement[] {
    const { board } = state.game.position();
    const parts: HTMLElement[] = [];
    let ahead = 0;
    for (const [role, value] of VALUES) {
        const more = board.pieces(color, role).size() - board.pieces(opposite(color), role).size();
        ahead += more * value;
        for (let piece = 0; piece < more; piece += 1) parts.push(pieceImage(opposite(color), role));
    }
    if (ahead > 0) parts.push(make("span", "more", `+${ahead}`));
    return parts;
}

function drawClocks(): void {
    const clock = matchShown()?.clock;
    for (const shown of document.querySelectorAll<HTMLElement>(".clock")) {
        if (shown.hidden) continue;
        const color = shown.dataset.color as Color;
        const time = clock ? clock.time(color) : (clockSeconds(color) ?? 0) * 1000;
        shown.textContent = timeText(time);
        shown.classList.toggle("low", time < LOW_TIME);
    }
}

/** Draws the clocks from time to time, and ends the game of a side that has no time left. */
export function runClocks(): void {
    setInterval(() => {
        if (state.match?.clock?.isRunning) drawClocks();
        const { match, game } = state;
        const end = match && flagFall(match, game);
        if (!end) return;
        finish(match, game, end);
        announce(endText(end));
        changed();
    }, 100);
}
