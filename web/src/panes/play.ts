// The pane of games against the engine: the terms of the next one, and how the one on the board stands.

import type { Color } from "chessops/types";
import { beginMatch, leaveMatch, resign, setAnalysis, setTab } from "../app/actions";
import { endText, levelText } from "../app/match";
import { state } from "../app/state";
import type { TimeControl } from "../clock";
import { $ } from "../dom";
import { chess960, Game } from "../game";
import { load, save } from "../store";

const value = (id: string): string => $<HTMLSelectElement>(id).value;

/** "3+2" is three minutes and two seconds for each move; the empty text is no clock. */
function timeControl(text: string): TimeControl | null {
    const [minutes, seconds] = text.split("+").map(Number);
    return minutes ? { base: minutes * 60_000, increment: (seconds ?? 0) * 1000 } : null;
}

function begin(): void {
    const [level, colour, control, from] = ["level", "colour", "control", "from"].map(value) as [string, string, string, string];
    const person: Color = colour === "random" ? (Math.random() < 0.5 ? "white" : "black") : (colour as Color);
    save("setup", { level: Number(level), colour, control });
    const games: Record<string, () => Game> = {
        "960": () => chess960(Math.floor(Math.random() * 960)),
        here: () => Game.fromFen(state.game.fen),
        start: () => new Game(),
    };
    beginMatch(games[from]!(), { person, elo: Number(level), control: timeControl(control) });
}

export function drawPlay(): void {
    const { match, game, tab } = state;
    $("pane-play").hidden = tab !== "play";
    $("setup").hidden = match !== null;
    $("playing").hidden = match === null;
    $<HTMLButtonElement>("resign").disabled = !match || match.end !== null;
    $("study").hidden = !match?.end;
    $("level-text").textContent = levelText(Number(value("level")));
    if (!match) return;
    const whose = game.last.turn === match.person ? "Your move." : "Tamarack is thinking.";
    $("status").textContent = match.end ? endText(match.end) : whose;
}

/** Sets the pane up with what was chosen the last time. */
export function listenPlay(): void {
    const kept = load<{ level: number; colour: string; control: string }>("setup");
    if (kept) {
        $<HTMLInputElement>("level").value = String(kept.level);
        $<HTMLSelectElement>("colour").value = kept.colour;
        $<HTMLSelectElement>("control").value = kept.control;
    }
    $("level").oninput = drawPlay;
    $("setup").onsubmit = (event) => {
        event.preventDefault();
        begin();
    };
    $("resign").onclick = resign;
    $("again").onclick = leaveMatch;
    $("study").onclick = () => {
        setTab("analyse");
        setAnalysis(true);
    };
}
