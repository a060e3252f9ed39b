// Saved games: a name for the one on the board, and the list of all.

import { setGame } from "../app/actions";
import { state } from "../app/state";
import { ask, askText } from "../dialogs";
import { $, make } from "../dom";
import { Unreadable } from "../game";
import { dropGame, keepGame, type KeptGame, keptGames, openGame } from "../library";
import { say } from "../messages";

/** The name of a game by its tags, else by the day. */
function nameOfGame(): string {
    const [white, black] = ["White", "Black"].map((side) => state.game.tag(side)?.trim()).map((name) => (name && !/^\?*$/.test(name) ? name : null));
    return white || black ? `${white ?? "?"} – ${black ?? "?"}` : `Game of ${new Date().toISOString().slice(0, 10)}`;
}

async function save(): Promise<void> {
    const name = (await askText("Save this game as", nameOfGame(), "Save", "line"))?.trim();
    if (!name) return;
    await attempt(async () => {
        await keepGame(name, state.game);
        say(`Saved as “${name}”, in this browser.`, "moves", true);
    });
}

/** Does something with the browser's database, or says that there is none. */
async function attempt(action: () => Promise<void>): Promise<void> {
    try {
        await action();
    } catch (error) {
        if (error instanceof Unreadable) return say(error.message);
        console.info("The browser's database cannot be used.", error);
        say("This browser keeps no games for this page (a private window?): save a file instead.");
    }
}

async function show(): Promise<void> {
    await attempt(async () => {
        await draw();
        $<HTMLDialogElement>("saved").showModal();
    });
}

async function draw(): Promise<void> {
    const games = await keptGames();
    $("saved-empty").hidden = games.length > 0;
    $("saved-list").replaceChildren(...games.map(row));
}

function row(kept: KeptGame): HTMLElement {
    const date = new Date(kept.time).toLocaleDateString(undefined, { dateStyle: "medium" });
    const open = make("button", "open", kept.name, make("small", "", date));
    open.onclick = () =>
        void attempt(async () => {
            $<HTMLDialogElement>("saved").close();
            setGame(openGame(kept));
        });
    const remove = make("button", "delete", "Delete");
    remove.setAttribute("aria-label", `Delete ${kept.name}`);
    remove.onclick = () => void attempt(() => askToDelete(kept));
    return make("li", "", open, remove);
}

async function askToDelete({ id, name }: KeptGame): Promise<void> {
    if (!(await ask(`Delete “${name}”?`, "Delete", "Keep"))) return;
    await dropGame(id);
    await draw();
}

export function listenSaved(): void {
    $("save-game").onclick = () => void save();
    $("saved-games").onclick = () => void show();
}
