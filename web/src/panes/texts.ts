// Positions and games as text, in and out, and the starting positions of Chess960.

import { setGame } from "../app/actions";
import { loadText } from "../app/texts";
import { state } from "../app/state";
import { $, isText } from "../dom";
import { chess960, fenLink, Game, pgnLink, writePgn } from "../game";
import { say } from "../messages";
import { chooseGame } from "./games";

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

/** The game as a file has it. */
export function pgn(): string {
    return writePgn(state.game, { roster: true });
}

/** An address of this page that carries the game, or the position where there are no moves. */
function link(): string {
    const { game } = state;
    return game.root.children.length > 0 ? pgnLink(location.href, writePgn(game)) : fenLink(location.href, game.fen());
}

function savePgn(): void {
    const name = ["White", "Black"].map((side) => state.game.tag(side)).filter((one) => one).join(" - ") || "game";
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob([pgn()], { type: "application/x-chess-pgn" }));
    anchor.download = `${name.replaceAll(/[^\p{L}\p{N} .()-]/gu, "_")}.pgn`;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}

/** The most bytes of a file that is opened. */
const MAX_FILE = 64 * 2 ** 20;

async function openFile(file: File | undefined): Promise<void> {
    if (!file) return;
    if (file.size > MAX_FILE) return say(`${file.name} is larger than ${MAX_FILE / 2 ** 20} MB; split it first.`, "text");
    const bytes = await file.arrayBuffer();
    await loadText(decode(bytes), "text", chooseGame);
}

/** UTF-8, or the older encoding of many PGN files where it is none. */
function decode(bytes: ArrayBuffer): string {
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
        return new TextDecoder("windows-1252").decode(bytes);
    }
}

function set960(number: number): void {
    $<HTMLInputElement>("number-960").value = String(number);
    setGame(Game.fromFen(chess960(number), state.judge));
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
    const file = $<HTMLInputElement>("file");
    click("load", () => void loadText($<HTMLTextAreaElement>("text").value, "text", chooseGame));
    click("copy-fen", () => void copy(state.game.fen(), "FEN"));
    click("copy-pgn", () => void copy(pgn(), "PGN"));
    click("copy-link", () => void copy(link(), "Link"));
    click("save-pgn", savePgn);
    click("open-pgn", () => file.click());
    click("reset", () => setGame(new Game()));
    click("random-960", () => set960(Math.floor(Math.random() * 960)));
    file.onchange = () => {
        void openFile(file.files?.[0]);
        file.value = "";
    };
    $("form-960").onsubmit = (event) => {
        event.preventDefault();
        setTyped960();
    };
    document.addEventListener("paste", (event) => {
        const text = event.clipboardData?.getData("text") ?? "";
        if (isText(event.target) || text.trim() === "") return;
        event.preventDefault();
        void loadText(text, "moves", chooseGame);
    });
    listenDrop();
}

/** Files and texts that are dropped anywhere on the page. */
function listenDrop(): void {
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
        if (isText(event.target)) return;
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        const text = event.dataTransfer?.getData("text") ?? "";
        if (file) void openFile(file);
        else if (text.trim() !== "") void loadText(text, "moves", chooseGame);
    });
}
