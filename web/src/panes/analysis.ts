// The pane of the analysis: score, chances, the engine's lines, and the gauge beside the board.

import { playMove, setAnalysis } from "../app/actions";
import { linesShown, state } from "../app/state";
import { $, make } from "../dom";
import type { Line } from "../engine";
import { type Game, scoreOf, type TreeNode } from "../game";
import { load, save } from "../store";
import { chancesOf, gaugeText, lineMoves, percent, scoreText, short } from "../text";

type Chances = [number, number, number];

/** How many lines the user wants. */
export function multipv(): number {
    return Number($<HTMLSelectElement>("multipv").value);
}

/** What the position is worth: by the engine, by the rules where the game is over, or by what is written in it; `null` is not known. */
function worth(): { score: string; chances: Chances; gauge: string } | null {
    const { game, tab } = state;
    const best = linesShown()[0];
    if (best) return { score: scoreText(best.score), chances: best.wdl, gauge: gaugeText(best.score) };
    if (tab === "play") return null;
    const end = game.ending();
    if (end) {
        const chances: Chances = end.result === "1-0" ? [1000, 0, 0] : end.result === "0-1" ? [0, 0, 1000] : [0, 1000, 0];
        return { score: end.result.replaceAll("1/2", "½"), chances, gauge: "" };
    }
    const written = scoreOf(game.node().after);
    return written && { score: scoreText(written), chances: chancesOf(written), gauge: gaugeText(written) };
}

export function drawAnalysis(): void {
    const best = linesShown()[0];
    const known = worth();
    $("analysis").setAttribute("aria-checked", String(state.analysing));
    $("pane-analyse").classList.toggle("off", !state.analysing);
    $("score").textContent = known?.score ?? "–";
    const loading = state.analysing ? state.loading : null;
    $("depth").textContent = best ? `depth ${best.depth}` : loading ? "loading the engine" : "";
    $("speed").textContent = best ? `${short(best.nodes)} nodes, ${short(best.speed)}/s` : (loading ?? "");
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
    const { game, analysing, tab } = state;
    const list = $("lines");
    const lines = linesShown();
    const wanted = analysing && tab === "analyse" && !game.ending() ? multipv() : 0;
    while (list.children.length > wanted) list.lastElementChild?.remove();
    while (list.children.length < wanted) list.append(make("li"));
    [...list.children].forEach((item, at) => drawLine(item as HTMLElement, lines[at]));
}

/** A line: its score, which plays the first move, its moves, each of which plays the line so far, and a button that shows it whole. */
function drawLine(item: HTMLElement, line: Line | undefined): void {
    if (!line) return item.replaceChildren();
    const moves = lineMoves(state.game.position(), line);
    // Where nothing has changed, a button stays under the hand that presses it.
    const text = `${state.game.at} ${scoreText(line.score)} ${moves.map(({ san }) => san).join(" ")}`;
    if (item.dataset.line === text && item.children.length > 0) return;
    item.dataset.line = text;
    const focused = [...item.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    const play = (count: number) => playMove((game) => playAll(game, line.moves.slice(0, count)));
    const first = moves[0]?.san ?? "";
    const score = make("button", "line-score", scoreText(line.score));
    score.title = `Play ${first}`;
    score.setAttribute("aria-label", `${scoreText(line.score)}, play ${first}`);
    score.onclick = () => play(1);
    const words = moves.map((move, at) => {
        const word = make("button", "line-move", move.san);
        word.onclick = () => play(at + 1);
        return make("span", "", ...(move.number ? [move.number, word] : [word]));
    });
    item.replaceChildren(score, make("span", "line-moves", ...words), wholeButton(item));
    showWhole(item, item.classList.contains("whole"));
    if (focused >= 0) item.querySelectorAll("button")[focused]?.focus();
}

function wholeButton(item: HTMLElement): HTMLButtonElement {
    const button = make("button", "line-more", "▾");
    button.setAttribute("aria-label", "The whole line");
    button.onclick = () => showWhole(item, !item.classList.contains("whole"));
    return button;
}

/** Shows a line whole; then Tab reaches each of its moves, too. */
function showWhole(item: HTMLElement, isWhole: boolean): void {
    item.classList.toggle("whole", isWhole);
    item.querySelector(".line-more")?.setAttribute("aria-expanded", String(isWhole));
    for (const move of item.querySelectorAll<HTMLElement>(".line-move")) move.tabIndex = isWhole ? 0 : -1;
}

/** Plays several moves, as a side line where the game goes on otherwise. */
function playAll(game: Game, moves: readonly string[]): TreeNode | null {
    let last: TreeNode | null = null;
    game.once(() => {
        for (const uci of moves) last = game.playUci(uci) ?? last;
    });
    return last;
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
