// The graph of the evaluation: White's chances of winning after each move, with the marked moves and the turning points, to click and
// to walk through by the arrow keys.

import { type Evaluation, winPercent } from "../report/evaluation";
import { GLYPHS } from "../report/marks";
import type { Report } from "../report/report";
import { scoreText } from "../text";

const WIDTH = 600;
const HEIGHT = 150;
const SPACE = "http://www.w3.org/2000/svg";

export class Graph {
    readonly element = svg("svg", {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        class: "graph",
        role: "slider",
        tabindex: "0",
        "aria-label": "Evaluation of the game, move by move",
        "aria-orientation": "horizontal",
        "aria-valuemin": "0",
    });
    private plies = 0;
    private ply = 0;

    /** `onGo` hears of the number of moves before the position that is wanted. */
    constructor(private readonly onGo: (ply: number) => void) {
        this.element.onpointerdown = (event) => {
            this.element.setPointerCapture(event.pointerId);
            this.point(event);
        };
        this.element.onpointermove = (event) => event.buttons === 1 && this.point(event);
        this.element.onkeydown = (event) => this.press(event);
    }

    /** Draws the graph, with the position after `ply` moves marked; null if what is looked at is no part of it. */
    draw(report: Report, evaluations: readonly (Evaluation | undefined)[], ply: number | null): void {
        this.plies = report.moves.length;
        this.ply = ply ?? 0;
        const parts = this.areas(evaluations);
        parts.push(svg("line", { class: "middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
        report.turningPoints.forEach(({ ply: at }, number) => parts.push(...this.turn(at, number + 1)));
        if (ply !== null) parts.push(svg("line", { class: "here", x1: this.x(ply), x2: this.x(ply), y1: 0, y2: HEIGHT }));
        for (const { ply: at, mark } of report.moves) {
            const evaluation = evaluations[at];
            if (mark && evaluation) parts.push(sign(mark, this.x(at), yOf(evaluation)));
        }
        this.element.replaceChildren(...parts);
        this.tell(report, evaluations[this.ply], ply);
    }

    /** White's part and Black's, for each row of positions that have been searched. */
    private areas(evaluations: readonly (Evaluation | undefined)[]): SVGElement[] {
        const rows: { x: number; y: number }[][] = [];
        evaluations.forEach((one, at) => {
            if (one && !evaluations[at - 1]) rows.push([]);
            if (one) rows.at(-1)!.push({ x: this.x(at), y: yOf(one) });
        });
        return rows.flatMap((row) => {
            const points = row.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
            const [left, right] = [row[0]!.x, row.at(-1)!.x];
            return [
                svg("rect", { class: "black", x: left, width: right - left, height: HEIGHT }),
                svg("polygon", { class: "white", points: `${left},${HEIGHT} ${points} ${right},${HEIGHT}` }),
                svg("polyline", { class: "edge", points }),
            ];
        });
    }

    private tell(report: Report, evaluation: Evaluation | undefined, ply: number | null): void {
        const move = report.moves[this.ply - 1];
        const number = move ? `${move.step.before.fullmoves}${move.step.mover === "white" ? "." : "…"} ${move.step.san}` : "The beginning";
        const words = [ply === null ? "A side line" : number, evaluation ? scoreText(evaluation.score) : "not searched", move?.mark ?? ""];
        this.element.setAttribute("aria-valuemax", String(this.plies));
        this.element.setAttribute("aria-valuenow", String(this.ply));
        this.element.setAttribute("aria-valuetext", words.filter(Boolean).join(", "));
    }

    private turn(at: number, number: number): SVGElement[] {
        const label = svg("text", { class: "turn-number", x: Math.max(8, Math.min(WIDTH - 8, this.x(at))), y: 13 });
        label.textContent = String(number);
        return [svg("line", { class: "turn", x1: this.x(at), x2: this.x(at), y1: 17, y2: HEIGHT }), label];
    }

    private x(ply: number): number {
        return this.plies === 0 ? 0 : (ply / this.plies) * WIDTH;
    }

    private point({ clientX }: PointerEvent): void {
        const { left, width } = this.element.getBoundingClientRect();
        this.go(Math.round(((clientX - left) / width) * this.plies));
    }

    private press(event: KeyboardEvent): void {
        const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10, Home: -Infinity, End: Infinity };
        const step = steps[event.key];
        if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        this.go(this.ply + step);
    }

    private go(ply: number): void {
        this.onGo(Math.max(0, Math.min(this.plies, ply)));
    }
}

function yOf({ score }: Evaluation): number {
    return HEIGHT * (1 - winPercent(score) / 100);
}

/** A mark at its place: a shape of its own for each kind, so that colour is not all that tells. */
function sign(mark: keyof typeof GLYPHS, x: number, y: number): SVGElement {
    const [left, top] = [Math.max(6, Math.min(WIDTH - 6, x)), Math.max(6, Math.min(HEIGHT - 6, y))];
    const group = svg("g", { class: `sign ${mark}`, transform: `translate(${left.toFixed(1)} ${top.toFixed(1)})` });
    const shapes = {
        inaccuracy: svg("circle", { r: 4 }),
        mistake: svg("rect", { x: -4.5, y: -4.5, width: 9, height: 9 }),
        blunder: svg("path", { d: "M0 -6.5L6 5H-6z" }),
    };
    group.append(shapes[mark]);
    return group;
}

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
    const element = document.createElementNS(SPACE, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
}
