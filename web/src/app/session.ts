// What is kept of the state for the next visit.

import { Game } from "../game";
import { load, save } from "../store";
import { state } from "./state";

export function keep(): void {
    save("game", { pgn: state.game.pgn({}), ply: state.game.ply });
}

export function restore(): void {
    const kept = load<{ pgn: string; ply: number }>("game");
    if (!kept) return;
    try {
        const game = Game.fromPgn(kept.pgn);
        game.ply = Math.min(game.played.length, kept.ply);
        state.game = game;
    } catch {
        // What cannot be read any more is forgotten.
    }
}
