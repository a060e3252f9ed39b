// Positions and games as text, in and out, and the starting positions of Chess960.

import { loadText, setGame } from "../app/actions";
import { state } from "../app/state";
import { $, isText } from "../dom";
import { chess960, Game } from "../game";
import { say } from "../messages";

async function copy(text: string, what: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
        say(`${what} copied.`, "text", true);
    } catch {
        // Without permission the text can be copied by hand.
        const box = $<HTMLTextAreaElement>("text");
        box.value = text;
        box.select();
    }
}

function pgn(): string {
    const { game, match } = state;
    const end = match?.end ?? (game.isAtEnd ? game.end : null);
    const headers: Record<string, string> = { Result: end?.result ?? game.headers.get("Result") ?? "*" };
    if (match) {
        const name = `Tamarack${match.elo ? ` (${match.elo} Elo)` : ""}`;
        headers.White = match.person === "white" ? "You" : name;
        headers.Black = match.person === "white" ? name : "You";
        headers.Date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
    }
    return game.pgn(headers);
}

function set960(number: number): void {
    $<HTMLInputElement>("number-960").value = String(number);
    setGame(chess960(number));
}

function setTyped960(): void {
    const text = $<HTMLInputElement>("number-960").value;
    const number = Number(text);
    const isNumber = text !== "" && Number.isInteger(number) && number >= 0 && number <= 959;
    if (isNumber) set960(number);
    else say("The number of a Chess960 position is 0 to 959.", "number");
}

export function listenTexts(): void {
    const click = (id: string, action: () => void) => ($(id).onclick = action);
    click("load", () => loadText($<HTMLTextAreaElement>("text").value, "text"));
    click("copy-fen", () => void copy(state.game.fen, "FEN"));
    click("copy-pgn", () => void copy(pgn(), "PGN"));
    click("reset", () => setGame(new Game()));
    click("random-960", () => set960(Math.floor(Math.random() * 960)));
    $("form-960").onsubmit = (event) => {
        event.preventDefault();
        setTyped960();
    };
    document.addEventListener("paste", (event) => {
        const text = event.clipboardData?.getData("text") ?? "";
        if (isText(event.target) || text.trim() === "") return;
        event.preventDefault();
        loadText(text, "moves");
    });
}
