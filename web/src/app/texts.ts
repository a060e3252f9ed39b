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

/** Takes what the page's address carries. When the page is loaded again, what has become of it since then stays. */
export function loadAddress(choose: Choose): void {
    const text = carriedText(location.href);
    if (text === null || wasTaken()) return;
    void loadText(text, "link", choose);
}

/** Where a tab remembers the address whose game it has taken. */
const TAKEN = "tamarack-address";

/** True if the address was taken already, and the tab comes back to it; it is remembered as taken. */
function wasTaken(): boolean {
    const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    try {
        const isBack = visit?.type === "reload" || visit?.type === "back_forward";
        const isSame = sessionStorage.getItem(TAKEN) === location.href;
        sessionStorage.setItem(TAKEN, location.href);
        return isBack && isSame;
    } catch {
        return false;
    }
}
