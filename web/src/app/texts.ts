// Texts that become the game on the board: pasted, dropped, opened, or carried by the page's address.

import { carriedText, type Entry, readText, Unreadable } from "../game";
import { judgeLoaded } from "../judge";
import { announce, type Place, say } from "../messages";
import { setGame } from "./actions";
import { state } from "./state";

/** Has the user choose one of several games. */
export type Choose = (games: readonly Entry[], take: (entry: Entry) => void) => void;

/** Takes the game or position of a text, or says why not: then everything stays as it is. */
export async function loadText(text: string, place: Place, choose: Choose): Promise<void> {
    await judgeLoaded;
    attempt(place, () => {
        const { games, notes } = readText(text, { judge: state.judge });
        if (games.length > 1) choose(games, (entry) => attempt(place, () => take(entry, notes, place)));
        else take(games[0]!, notes, place);
    }, choose);
}

function take(entry: Entry, notes: readonly string[], place: Place): void {
    const game = entry.game();
    setGame(game);
    const moves = game.mainline().length;
    announce(moves > 0 ? `A game of ${Math.ceil(moves / 2)} moves.` : "A position.");
    if (notes.length > 0) say(notes.join(" "), place, true);
}

/** Says what was thrown by a reader, and offers the games beside it that can be read. */
function attempt(place: Place, read: () => void, choose?: Choose): void {
    try {
        read();
    } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        say(error.message, place);
        if (choose && error.others.length > 0) choose(error.others, (entry) => attempt(place, () => take(entry, [], place)));
    }
}

/** Takes what the page's address carries; false if it carries nothing. */
export function loadAddress(choose: Choose): boolean {
    const text = carriedText(location.href);
    if (text === null) return false;
    void loadText(text, "link", choose);
    return true;
}
