// Moves by keyboard: on the focused board the arrow keys walk over the squares, Enter takes a piece and sets it down.

import type { Api } from "chessground/api";
import type { Key } from "chessground/types";
import type { Color } from "chessops/types";
import { onChange, state } from "../app/state";
import { $ } from "../dom";
import { announce } from "../messages";

const STEPS: Record<string, [file: number, rank: number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Lets the board of `api` be played on by keyboard. */
export function listenCursor(api: Api): void {
    const board = $("board");
    let [file, rank] = [4, 1];
    const square = (): Key => `${"abcdefgh"[file]}${rank + 1}` as Key;
    const draw = () => drawCursor(file, rank, state.orientation);
    const walk = (step: [number, number]) => {
        const sign = state.orientation === "white" ? 1 : -1;
        file = Math.max(0, Math.min(7, file + sign * step[0]));
        rank = Math.max(0, Math.min(7, rank + sign * step[1]));
        draw();
        announce(describeSquare(api, square()));
    };
    board.onfocus = () => {
        if (board.matches(":focus-visible")) draw();
    };
    onChange(() => $("cursor").hidden || draw());
    board.onblur = () => ($("cursor").hidden = true);
    // By mouse the board is not focused, so that the arrow keys go on stepping through the game.
    board.addEventListener("mousedown", (event) => {
        event.preventDefault();
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    board.onkeydown = (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const step = STEPS[event.key];
        if (step) walk(step);
        else if (event.key === "Enter" || event.key === " ") takeOrSet(api, square());
        else if (event.key === "Escape") api.cancelMove();
        else return;
        event.preventDefault();
        event.stopPropagation();
    };
}

function drawCursor(file: number, rank: number, orientation: Color): void {
    const cursor = $("cursor");
    const isWhite = orientation === "white";
    cursor.style.left = `${(isWhite ? file : 7 - file) * 12.5}%`;
    cursor.style.top = `${(isWhite ? 7 - rank : rank) * 12.5}%`;
    cursor.hidden = false;
}

/** Takes the piece on the square, or sets the one that was taken down there. */
function takeOrSet(api: Api, square: Key): void {
    api.selectSquare(square);
    const taken = api.state.selected;
    if (!taken) return;
    const targets = api.state.movable.dests?.get(taken) ?? [];
    announce(`${describeSquare(api, taken)}, taken. ${targets.length > 0 ? `It can go to ${targets.join(", ")}.` : "It cannot move."}`);
}

/** "e4, white pawn" */
function describeSquare(api: Api, square: Key): string {
    const piece = api.state.pieces.get(square);
    return `${square}, ${piece ? `${piece.color} ${piece.role}` : "empty"}`;
}
