// A list of games to choose one from.

import { $, make } from "../dom";
import type { Entry } from "../game";

/** As many are shown; others are found by words. */
const SHOWN = 300;

/** What shows the last list again. */
const last: { show: (() => void) | null } = { show: null };

/** Lets the last list be shown again, to choose another game. */
export function listenGames(): void {
    $("games-again").onclick = () => last.show?.();
}

/** Shows the games of a text; `take` gets the one that is chosen. */
export function chooseGame(games: readonly Entry[], take: (entry: Entry) => void): void {
    last.show = () => chooseGame(games, take);
    $("games-again").hidden = false;
    $("games-again").textContent = `${games.length} games`;
    const dialog = $<HTMLDialogElement>("games");
    const [list, search] = [$("games-list"), $<HTMLInputElement>("games-search")];
    const draw = () => {
        const words = search.value.toLowerCase().split(/\s+/);
        const found = games.filter(({ title, number }) => words.every((word) => `${number} ${title}`.toLowerCase().includes(word)));
        $("games-title").textContent = `${games.length} games`;
        $("games-rest").textContent = found.length > SHOWN ? `${SHOWN} of ${found.length} are shown: type a name to find others.` : "";
        list.replaceChildren(...found.slice(0, SHOWN).map((entry) => make("li", "", choice(entry))));
    };
    const choice = (entry: Entry) => {
        const button = make("button", "", `${entry.number}. ${entry.title}`);
        button.onclick = () => {
            dialog.close();
            take(entry);
        };
        return button;
    };
    search.value = "";
    search.oninput = draw;
    draw();
    dialog.showModal();
}
