// What is kept of the state for the next visit: game with its tree and lines, match with level, colour and clocks, tab and switches.

import type { Color } from "chessops/types";
import { Clock } from "../clock";
import { type Game, loadGame, ROOT, type SavedGame, saveGame } from "../game";
import { load, save } from "../store";
import { isPersonsTurn, type Match } from "./match";
import { state, type Tab } from "./state";

interface SavedMatch extends Omit<Match, "clock" | "at"> {
    /** How many moves of the main line are its own. */
    moves: number;
    left: Record<Color, number> | null;
}

interface Session {
    game: SavedGame;
    match: SavedMatch | null;
    tab: Tab;
    analysing: boolean;
    orientation: Color;
}

export function keep(): void {
    const { game, match, tab, analysing, orientation } = state;
    const saved = saveGame(game);
    const session: Session = { game: saved, match: match && saveMatch(match, game), tab, analysing, orientation };
    // Where there is no room for the engine's lines, they are left out.
    if (!save("session", session)) save("session", { ...session, game: { ...saved, lines: [] } });
}

function saveMatch(match: Match, game: Game): SavedMatch {
    const { clock, at, ...rest } = match;
    return { ...rest, moves: game.has(at) ? game.ply(at) : 0, left: clock && { white: clock.time("white"), black: clock.time("black") } };
}

function loadMatch({ moves, left, ...rest }: SavedMatch, game: Game, tab: Tab): Match {
    const clock = rest.control && left && new Clock(rest.control, left);
    const match = { ...rest, clock, at: game.mainline()[moves - 1]?.id ?? ROOT };
    // Nobody is charged for the time that the page was closed; the engine's begins when it thinks.
    if (clock && tab === "play" && !match.end && match.at !== ROOT && isPersonsTurn(match, game)) clock.start(match.person);
    return match;
}

/** Brings back what was kept; what cannot be read any more is forgotten. */
export function restore(): void {
    const kept = load<Session>("session");
    if (!kept) return;
    try {
        const game = loadGame(kept.game);
        const match = kept.match && loadMatch(kept.match, game, kept.tab);
        Object.assign(state, { game, match, tab: kept.tab, analysing: kept.analysing, orientation: kept.orientation });
    } catch (error) {
        console.info("The last session cannot be read.", error);
    }
}

/** Milliseconds between a change and its keeping, and between keepings while time runs or the engine finds more. */
const DELAY = 400;
const INTERVAL = 5000;

/** Keeps the session soon after each change, and at once when the page is left. */
export function keepAlways(onChange: (action: () => void) => void): void {
    const due = { isSet: false };
    onChange(() => {
        if (due.isSet) return;
        due.isSet = true;
        setTimeout(() => {
            due.isSet = false;
            keep();
        }, DELAY);
    });
    addEventListener("pagehide", keep);
    document.addEventListener("visibilitychange", () => document.hidden && keep());
    setInterval(() => (state.match?.clock?.isRunning || state.live) && keep(), INTERVAL);
}
