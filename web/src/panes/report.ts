// The pane of the report: the game looked through, with its graph, accuracies, turning points and marked moves.

import { edit, goTo, playMove } from "../app/actions";
import { changed, matchShown, state } from "../app/state";
import { $, make } from "../dom";
import type { Line } from "../engine";
import type { Game, NodeId, TreeNode } from "../game";
import { announce } from "../messages";
import { keepPuzzles, puzzlesOf } from "../puzzles";
import { annotate, evaluationOf, nodesOf, reportOfGame, SIDES, tasksOf } from "../report/game";
import { GLYPHS, type Mark } from "../report/marks";
import type { Move, Report } from "../report/report";
import { LookThrough, NODES } from "../report/search";
import { EngineSearcher } from "../report/searcher";
import { scoreText } from "../text";
import { Graph } from "./graph";

/** What is drawn, for the game and the moves that it was made for. */
interface Shown {
    game: Game;
    /** The moves of the main line, and the number of positions that are known. */
    key: string;
    nodes: NodeId[];
    report: Report;
}

let search: LookThrough<NodeId> | null = null;
/** The main line that the search is for. */
let searched = "";
let shown: Shown | null = null;
let failure: string | null = null;
let graph: Graph;
let isDue = false;

export function listenReport(): void {
    graph = new Graph((ply) => goTo(shown?.nodes[ply]));
    $("report-graph").append(graph.element);
    $("report-run").onclick = () => (search ? stop() : start());
}

export function drawReport(): void {
    const { game, tab } = state;
    const line = lineKey(game);
    // Another game, or another main line: what is searched is no longer wanted. In a match the processors are the engine's.
    if (search && (searched !== line || matchShown())) stop();
    if (tab !== "report") return;
    const nodes = nodesOf(game);
    const known = nodes.filter((id) => evaluationOf(game, id));
    const key = `${line} ${known.length}`;
    if (shown?.game !== game || shown.key !== key) {
        shown = { game, key, nodes, report: reportOfGame(game) };
        drawMoves(shown);
    }
    drawHead(nodes.length, known.length);
    const ply = nodes.indexOf(game.at);
    const hasMoves = nodes.length > 1 && known.length > 0;
    $("report-body").hidden = !hasMoves;
    if (!hasMoves) return;
    graph.draw(shown.report, nodes.map((id) => evaluationOf(game, id)), ply < 0 ? null : ply);
    markCurrent(ply);
}

function lineKey(game: Game): string {
    return `${state.gameNumber} ${nodesOf(game).join()}`;
}

// ---- The search.

function start(): void {
    const { game } = state;
    failure = null;
    searched = lineKey(game);
    const listeners = {
        onLine: (id: NodeId, line: Line) => {
            if (!game.has(id)) return;
            game.lines.set(id, [line]);
            drawSoon();
        },
        onEnd: (why: string | null) => {
            search = null;
            failure = why;
            if (!why) finish(game);
            changed();
        },
    };
    search = new LookThrough(tasksOf(game), listeners, () => new EngineSearcher());
    changed();
}

function stop(): void {
    search?.stop();
    search = null;
    queueMicrotask(changed);
}

function finish(game: Game): void {
    if (game !== state.game) return;
    const report = reportOfGame(game);
    edit((changing) => annotate(changing, report));
    // Where the browser keeps nothing, there are no puzzles.
    void keepPuzzles(puzzlesOf(game, report.moves)).catch(() => {});
    announce(`The game has been looked through: ${report.moves.filter(({ mark }) => mark).length} moves are marked.`);
}

function drawSoon(): void {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
        isDue = false;
        changed();
    });
}

// ---- What is drawn.

function drawHead(positions: number, known: number): void {
    const button = $<HTMLButtonElement>("report-run");
    const isWhole = known === positions;
    const isBegun = known > 0 && !isAlmostNew(known, positions);
    button.textContent = search ? "Stop" : isBegun ? "Go on" : "Look through the game";
    button.disabled = positions < 2;
    button.hidden = isWhole && positions > 1;
    button.classList.toggle("primary", !search);
    const progress = $<HTMLProgressElement>("report-progress");
    progress.hidden = positions < 2 || isWhole;
    progress.max = positions;
    progress.value = known;
    const searched = isWhole ? `Each of ${positions} positions has been searched with ${NODES.toLocaleString("en")} nodes.` : `${known} of ${positions} positions`;
    $("report-status").textContent = failure ?? (positions < 2 ? "Play a game, or load one, to have it looked through." : searched);
}

/** True if next to nothing is known: the last position of a game that is over is so from the beginning. */
function isAlmostNew(known: number, positions: number): boolean {
    return known <= 1 && positions > 2;
}

function drawMoves({ report, game, nodes }: Shown): void {
    const rows = SIDES.map((side) => {
        const { inaccuracy, mistake, blunder } = report.counts[side];
        const accuracy = report.accuracy[side];
        const name = side === "white" ? "White" : "Black";
        return [name, accuracy === null ? "–" : `${accuracy.toFixed(0)}%`, inaccuracy, mistake, blunder];
    });
    $("report-sides").replaceChildren(
        ...rows.map(([name, ...cells]) => {
            const head = make("th", "", String(name));
            head.scope = "row";
            return make("tr", "", head, ...cells.map((cell) => make("td", "", String(cell))));
        }),
    );
    const turns = report.turningPoints.map((move, at) => {
        const words = make("span", "", moveButton(game, nodes, move), ` ${turnText(game, nodes, move)}`);
        return make("li", "", numberOf(at + 1), words);
    });
    $("report-turns").replaceChildren(...turns);
    $("report-turns-box").hidden = turns.length === 0;
    const marked = report.moves.filter(({ mark }) => mark);
    $("report-moves").replaceChildren(...marked.map((move) => itemOf(game, nodes, move)));
    $("report-none").hidden = marked.length > 0 || report.moves.some(({ cost }) => cost === null);
}

/** The number that the turning point has in the graph. */
function numberOf(number: number): HTMLElement {
    const badge = make("span", "turn-badge", String(number));
    badge.setAttribute("aria-hidden", "true");
    return badge;
}

function turnText(game: Game, nodes: NodeId[], { ply, step, cost }: Move): string {
    const side = step.mover === "white" ? "White" : "Black";
    return `${scores(game, nodes, ply)}: ${side}'s chances fall by ${Math.round(cost ?? 0)} points`;
}

function scores(game: Game, nodes: NodeId[], ply: number): string {
    const [before, after] = [ply - 1, ply].map((at) => evaluationOf(game, nodes[at]!));
    if (!before || !after) return "";
    const end = game.ending(nodes[ply]!);
    return `${scoreText(before.score)} → ${end ? end.result.replaceAll("1/2", "½") : scoreText(after.score)}`;
}

function moveButton(game: Game, nodes: NodeId[], { ply, step, mark }: Move): HTMLButtonElement {
    const id = nodes[ply]!;
    const button = make("button", "report-move", `${game.moveNumber(id)}\u2009${step.san}${mark ? GLYPHS[mark] : ""}`);
    button.onclick = () => goTo(id);
    return button;
}

/** A marked move: what it is called, why, and what was better, which a click plays as a side line. */
function itemOf(game: Game, nodes: NodeId[], move: Move): HTMLElement {
    const { ply, mark, why, better } = move;
    const head = make("div", "report-head", moveButton(game, nodes, move), make("span", `mark ${mark!}`, capital(mark!)), make("span", "report-scores", scores(game, nodes, ply)));
    const item = make("li", "", head, make("p", "", unbroken(why ?? "")));
    item.dataset.ply = String(ply);
    if (better) {
        const line = make("button", "report-better", unbroken(better.text));
        line.title = "Play it as a side line";
        line.onclick = () => playBetter(nodes[ply - 1]!, better.moves);
        item.append(make("p", "report-line", "Better: ", line));
    }
    return item;
}

/** Adds a line after a position, and goes to its first move. */
function playBetter(from: NodeId, moves: readonly string[]): void {
    goTo(from);
    playMove((game) => {
        let first: TreeNode | null = null;
        game.once(() => {
            for (const uci of moves) {
                const node = game.playUci(uci);
                first ??= node;
            }
        });
        if (first) game.goTo((first as TreeNode).id);
        return first;
    });
}

function markCurrent(ply: number): void {
    for (const item of $("report-moves").children) {
        const isHere = (item as HTMLElement).dataset.ply === String(ply);
        if (isHere === item.hasAttribute("aria-current")) continue;
        if (!isHere) item.removeAttribute("aria-current");
        else {
            item.setAttribute("aria-current", "step");
            scrollTo(item as HTMLElement);
        }
    }
}

/** Shows an item where the pane scrolls by itself; the page does not move. */
function scrollTo(item: HTMLElement): void {
    const pane = $("pane-report");
    if (pane.scrollHeight <= pane.clientHeight) return;
    const [box, view] = [item.getBoundingClientRect(), pane.getBoundingClientRect()];
    if (box.top < view.top || box.bottom > view.bottom) pane.scrollTop += box.top - view.top - view.height / 3;
}

/** The text with castling in one piece at the end of a line. */
function unbroken(text: string): string {
    return text.replaceAll(/O-(?=O)/g, "O\u2011");
}

function capital(text: Mark): string {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

