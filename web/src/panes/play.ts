// The pane of games against the engine: the terms of the next one, and how the one on the board stands.

import type { Color } from "chessops/types";
import { question, setAnalysis, setTab } from "../app/actions";
import { endText, isPersonsTurn, levels, levelText, levelWords } from "../app/match";
import { beginMatch, claimDraw, leaveMatch, offerDraw, rematch, resign } from "../app/opponent";
import { state } from "../app/state";
import type { TimeControl } from "../clock";
import { ask } from "../dialogs";
import { $ } from "../dom";
import { chess960, Game } from "../game";
import { say } from "../messages";
import { load, save } from "../store";

/** The fields whose choice is kept. */
const FIELDS = ["level", "colour", "control", "minutes", "seconds"] as const;

const value = (id: string): string => $<HTMLSelectElement>(id).value;

/** The level that is chosen; `null` is full strength. */
function level(): number | null {
    const elo = Number(value("level"));
    return elo > levels.max ? null : elo;
}

/** The clock that is chosen, `null` for none; a sentence if there is no such clock. */
function timeControl(): TimeControl | null | string {
    const [minutes, seconds] = value("control") === "own" ? [value("minutes"), value("seconds")].map(Number) : value("control").split("+").map(Number);
    if (value("control") === "") return null;
    if (!minutes || minutes < 0.1 || minutes > 600) return "A game can have a tenth of a minute to 600 minutes.";
    if (seconds === undefined || !(seconds >= 0 && seconds <= 600)) return "A move can add 0 to 600 seconds.";
    return { base: minutes * 60_000, increment: seconds * 1000 };
}

function begin(): void {
    const control = timeControl();
    if (typeof control === "string") return say(control, "setup");
    save("setup", Object.fromEntries(FIELDS.map((field) => [field, value(field)])));
    const colour = value("colour");
    const person: Color = colour === "random" ? (Math.random() < 0.5 ? "white" : "black") : (colour as Color);
    const games: Record<string, () => Game> = {
        "960": () => Game.fromFen(chess960(Math.floor(Math.random() * 960)), state.judge),
        here: () => new Game({ start: state.game.position().clone() }),
        start: () => new Game(),
    };
    beginMatch(games[value("from")]!(), { person, elo: level(), control });
}

export function drawPlay(): void {
    const { match, tab } = state;
    $("pane-play").hidden = tab !== "play";
    $("setup").hidden = match !== null;
    $("playing").hidden = match === null;
    drawTerms();
    if (match) drawPlaying();
}

function drawTerms(): void {
    const slider = $<HTMLInputElement>("level");
    // The range comes with the engine; until then a level that was chosen earlier stays what it was.
    const chosen = slider.dataset.chosen ?? slider.value;
    [slider.min, slider.max] = [String(levels.min), String(levels.max + Number(slider.step))];
    slider.value = chosen;
    slider.setAttribute("aria-valuetext", levelText(level()));
    $("level-text").textContent = levelText(level());
    $("level-words").textContent = levelWords(level());
    $("own-control").hidden = value("control") !== "own";
}

function drawPlaying(): void {
    const { game } = state;
    const match = state.match!;
    const isOver = match.end !== null;
    const isMine = isPersonsTurn(match, game);
    const claim = game.claimable(match.at);
    const isOffered = match.offer?.moves === game.ply(match.at);
    for (const id of ["resign", "draw", "hint"]) $(id).hidden = isOver;
    for (const id of ["rematch", "study"]) $(id).hidden = !isOver;
    $<HTMLButtonElement>("draw").disabled = !isMine || (!claim && isOffered);
    $("draw").textContent = claim ? "Claim the draw" : "Offer a draw";
    $<HTMLButtonElement>("hint").disabled = !isMine;
    const said = isOffered ? ` ${match.offer!.text}` : "";
    $("status").textContent = match.end ? endText(match.end) : isMine ? `Your move.${said}` : thinkingText();
}

function thinkingText(): string {
    if (state.failure) return state.failure;
    return state.loading ? `Tamarack is being loaded: ${state.loading}.` : "Tamarack is thinking.";
}

async function askToResign(): Promise<void> {
    if (await ask("Resign this game?", "Resign", "Play on")) resign();
}

async function askToLeave(): Promise<void> {
    if (state.match?.end || (await ask("Leave this game without an end?", "Leave", "Play on"))) leaveMatch();
}

/** Sets the pane up with what was chosen the last time. */
export function listenPlay(): void {
    const kept = load<Record<string, string | number>>("setup") ?? {};
    for (const field of FIELDS) {
        if (kept[field] !== undefined) $<HTMLInputElement>(field).value = String(kept[field]);
    }
    const slider = $<HTMLInputElement>("level");
    slider.dataset.chosen = String(kept.level ?? slider.value);
    slider.oninput = () => {
        slider.dataset.chosen = slider.value;
        drawTerms();
    };
    $("control").onchange = drawTerms;
    $("setup").onsubmit = (event) => {
        event.preventDefault();
        begin();
    };
    $("resign").onclick = () => void askToResign();
    $("draw").onclick = () => (state.match && state.game.claimable(state.match.at) ? claimDraw() : offerDraw());
    $("hint").onclick = () => question("hint");
    $("rematch").onclick = rematch;
    $("again").onclick = () => void askToLeave();
    $("study").onclick = () => {
        setTab("analyse");
        setAnalysis(true);
    };
}
