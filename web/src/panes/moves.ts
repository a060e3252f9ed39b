// The moves of the game, the buttons that step through them, and the box to type one.

import { goTo, playMove, takeBack, flip } from "../app/actions";
import { endText } from "../app/match";
import { state } from "../app/state";
import { $, make } from "../dom";
import { say } from "../messages";
import { longMove } from "../text";

export function drawMoves(): void {
    const { game, match } = state;
    const list = $("moves");
    const parts = pairs();
    const end = match?.end ?? (game.isAtEnd ? game.end : null);
    const hint = state.tab === "play" ? "The moves of the game will stand here." : "Move a piece, or paste a FEN or a PGN.";
    if (end) parts.push(make("span", "result", endText(end)));
    else if (parts.length === 0) parts.push(make("span", "hint", hint));
    list.replaceChildren(...parts);
    const current = list.querySelector<HTMLElement>("[aria-current]");
    list.scrollTop = current ? Math.max(0, current.offsetTop - list.clientHeight / 2) : 0;
    const disable = (id: string, isDisabled: boolean) => ($<HTMLButtonElement>(id).disabled = isDisabled);
    for (const id of ["first", "previous"]) disable(id, game.ply === 0);
    for (const id of ["last", "next"]) disable(id, game.isAtEnd);
    disable("takeback", game.played.length === 0);
}

/** The moves with their numbers, White's and Black's together. */
function pairs(): HTMLElement[] {
    const { game } = state;
    const parts: HTMLElement[] = [];
    game.played.forEach((played, at) => {
        const number = game.moveNumber(at);
        if (at === 0 || number.endsWith(".")) parts.push(make("span", "pair", make("span", "number", number)));
        const button = make("button", "", played.san);
        button.setAttribute("aria-label", `${played.san}, ${number} ${longMove(played.san)}`);
        if (at === game.ply - 1) button.setAttribute("aria-current", "step");
        button.onclick = () => goTo(at + 1);
        parts.at(-1)!.append(button);
    });
    return parts;
}

function playTyped(): void {
    const box = $<HTMLInputElement>("typed");
    const text = box.value.trim();
    if (text === "") return;
    if (!playMove((game) => game.playText(text))) return say(`${text} cannot be played here.`);
    box.value = "";
    say(null);
}

export function listenMoves(): void {
    const click = (id: string, action: () => void) => ($(id).onclick = action);
    click("first", () => goTo(0));
    click("previous", () => goTo(state.game.ply - 1));
    click("next", () => goTo(state.game.ply + 1));
    click("last", () => goTo(state.game.played.length));
    click("takeback", takeBack);
    click("flip", flip);
    $("type-form").onsubmit = (event) => {
        event.preventDefault();
        playTyped();
    };
}
