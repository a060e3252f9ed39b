// The pane of the analysis: score, chances, the engine's lines, and the gauge beside the board.

import { playMove, setAnalysis } from "../app/actions";
import { state } from "../app/state";
import { $, make } from "../dom";
import type { Line } from "../engine";
import { load, save } from "../store";
import { gaugeText, lineText, percent, scoreText, short } from "../text";

type Chances = [number, number, number];

/** How many lines the user wants. */
export function multipv(): number {
    return Number($<HTMLSelectElement>("multipv").value);
}

/** What the position is worth: by the engine, or by the rules where the game is over; `null` is not known. */
function worth(): { score: string; chances: Chances; gauge: string } | null {
    const best = state.lines[0];
    if (best) return { score: scoreText(best.score), chances: best.wdl, gauge: gaugeText(best.score) };
    const end = state.tab === "play" ? null : state.game.end;
    if (!end) return null;
    const chances: Chances = end.result === "1-0" ? [1000, 0, 0] : end.result === "0-1" ? [0, 0, 1000] : [0, 1000, 0];
    return { score: end.result.replaceAll("1/2", "½"), chances, gauge: "" };
}

export function drawAnalysis(): void {
    const best = state.lines[0];
    const known = worth();
    $("analysis").setAttribute("aria-checked", String(state.analysing));
    $("pane-analyse").classList.toggle("off", !state.analysing);
    $("score").textContent = known?.score ?? "–";
    $("depth").textContent = best ? `depth ${best.depth}` : "";
    $("speed").textContent = best ? `${short(best.nodes)} nodes, ${short(best.speed)}/s` : "";
    drawGauge(known);
    drawChances(known?.chances ?? null);
    drawLines();
}

function drawGauge(known: ReturnType<typeof worth>): void {
    const gauge = $("gauge");
    const number = gauge.lastElementChild as HTMLElement;
    // Its place is kept.
    gauge.style.visibility = state.tab === "play" ? "hidden" : "";
    gauge.classList.toggle("flipped", state.orientation === "black");
    // While the engine begins, it stays where it was.
    if (!known && state.analysing) return;
    const white = known ? (known.chances[0] + known.chances[1] / 2) / 10 : 50;
    gauge.style.setProperty("--white", `${white.toFixed(1)}%`);
    gauge.setAttribute("aria-label", known ? `Evaluation ${known.score}` : "Evaluation");
    gauge.classList.toggle("black-better", white < 50);
    number.textContent = known?.gauge ?? "";
}

function drawChances(chances: Chances | null): void {
    const bar = $("wdl");
    bar.hidden = !chances;
    if (!chances) return;
    const [white, draw, black] = chances.map(percent);
    bar.setAttribute("aria-label", `White wins ${white}, draw ${draw}, Black wins ${black}`);
    [...bar.children].forEach((part, at) => {
        const share = chances[at as 0 | 1 | 2];
        (part as HTMLElement).style.flexGrow = String(share);
        part.textContent = share >= 90 ? percent(share) : "";
    });
}

function drawLines(): void {
    const list = $("lines");
    const wanted = state.analysing && state.tab === "analyse" && !state.game.end ? multipv() : 0;
    while (list.children.length > wanted) list.lastElementChild?.remove();
    while (list.children.length < wanted) list.append(make("li"));
    [...list.children].forEach((item, at) => {
        const line = state.lines[at];
        item.replaceChildren(...(line ? lineParts(line) : []));
    });
}

function lineParts(line: Line): HTMLElement[] {
    const { text, first } = lineText(state.game, line);
    const score = make("button", "line-score", scoreText(line.score));
    score.title = `Play ${first}`;
    score.setAttribute("aria-label", `Play ${first}, ${scoreText(line.score)}`);
    score.onclick = () => playMove((game) => (line.moves[0] ? game.playUci(line.moves[0]) : null));
    return [score, make("span", "", text)];
}

/** Sets the pane up; `onSettings` hears of another number of lines. */
export function listenAnalysis(onSettings: () => void): void {
    const list = $<HTMLSelectElement>("multipv");
    const kept = load<string>("multipv");
    if (kept) list.value = kept;
    list.onchange = () => {
        save("multipv", list.value);
        onSettings();
    };
    $("analysis").onclick = () => setAnalysis(!state.analysing);
}
