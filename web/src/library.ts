// Saved games with names, in this browser's own database.

import { createStore, del, entries, set, type UseStore } from "idb-keyval";
import { type Game, loadGame, saveGame, type SavedGame } from "./game";

export interface KeptGame {
    id: string;
    name: string;
    /** Milliseconds since 1970. */
    time: number;
    game: SavedGame;
}

const database: { store: UseStore | null } = { store: null };
/** Made when it is needed first: some browsers forbid it to private windows. */
const store = (): UseStore => (database.store ??= createStore("tamarack", "games"));

/** Keeps the game under a name; one of the same name is replaced. */
export async function keepGame(name: string, game: Game): Promise<void> {
    const same = (await keptGames()).find((one) => one.name === name);
    const id = same?.id ?? crypto.randomUUID();
    const kept: KeptGame = { id, name, time: Date.now(), game: saveGame(game) };
    await set(id, kept, store());
}

/** All of them, the newest first. */
export async function keptGames(): Promise<KeptGame[]> {
    const all = await entries<string, KeptGame>(store());
    return all.map(([, kept]) => kept).sort((a, b) => b.time - a.time);
}

export function dropGame(id: string): Promise<void> {
    return del(id, store());
}

/** @throws Unreadable if it is of a later version of the page. */
export function openGame({ game }: KeptGame): Game {
    return loadGame(game);
}
