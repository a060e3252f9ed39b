// The board: the position, the person's moves, the engine's arrows.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { DrawShape } from "chessground/draw";
import type { Key } from "chessground/types";
import "chessground/assets/chessground.base.css";
import "chessground/assets/chessground.cburnett.css";
import { chessgroundDests, chessgroundMove } from "chessops/compat";
import { parseSquare } from "chessops/util";
import { goBack, goOn, playMove } from "../app/actions";
import { linesShown, matchShown, state } from "../app/state";
import { $ } from "../dom";
import { shapesOf } from "../game";
import { describePosition } from "../text";
import { listenCursor } from "./cursor";
import { askPromotion } from "./promotion";

const BRUSHES = {
    green: { key: "g", color: "#3c7a4e", opacity: 0.9, lineWidth: 10 },
    red: { key: "r", color: "#a8433b", opacity: 0.9, lineWidth: 10 },
    blue: { key: "b", color: "#2f6690", opacity: 0.9, lineWidth: 10 },
    yellow: { key: "y", color: "#c2902f", opacity: 0.9, lineWidth: 10 },
    best: { key: "best", color: "#c2862a", opacity: 0.95, lineWidth: 11 },
    threat: { key: "threat", color: "#b3322a", opacity: 0.9, lineWidth: 12 },
    other: { key: "other", color: "#3d5a6c", opacity: 0.6, lineWidth: 8 },
};

/** The brushes of `[%csl]` and `[%cal]`. */
const MARKS: Record<string, string> = { G: "green", R: "red", B: "blue", Y: "yellow" };

export class Board {
    private readonly api: Api;
    private game = state.game;

    constructor() {
        this.api = Chessground($("board"), {
            coordinates: true,
            coordinatesOnSquares: false,
            animation: { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180 },
            movable: { free: false, showDests: true, rookCastle: true, events: { after: (from, to) => void onMove(from, to) } },
            highlight: { lastMove: true, check: true },
            draggable: { showGhost: true },
            drawable: { brushes: BRUSHES },
        });
        listenCursor(this.api);
        listenWheel();
        new ResizeObserver(() => this.api.redrawAll()).observe($("board"));
    }

    draw(): void {
        const { game, tab, orientation } = state;
        const position = game.position();
        const match = matchShown();
        const mayPlay = match !== null && !match.end && game.at === match.at;
        const { move } = game.node();
        this.api.set({
            fen: game.fen(),
            orientation,
            turnColor: position.turn,
            check: position.isCheck(),
            lastMove: move ? (chessgroundMove(move) as Key[]) : [],
            movable: {
                color: tab !== "play" ? "both" : mayPlay ? match.person : undefined,
                dests: chessgroundDests(position, { chess960: game.isChess960 }) as Map<Key, Key[]>,
            },
            premovable: { enabled: match !== null && !match.end },
        });
        $("board").setAttribute("aria-label", describePosition(position));
        // On a phone, what was pressed to see another game is below the board and the players' names and clocks.
        if (game !== this.game) $("board").closest(".table")!.scrollIntoView({ block: "nearest" });
        this.game = game;
        this.drawArrows();
        if (mayPlay && position.turn === match.person) this.api.playPremove();
    }

    /** The engine's first moves as arrows, its answer to a question, and what is marked in the game's comments. */
    drawArrows(): void {
        const lines = linesShown().slice(0, 5);
        const shapes = lines.flatMap((line, at) => arrow(line.moves[0], at === 0 ? "best" : "other", at === 0 ? 11 : 9 - at));
        const { question, game } = state;
        if (question?.uci) shapes.unshift(...arrow(question.uci, question.kind === "threat" ? "threat" : "best", 12));
        const marked = shapesOf(game.node().after).map(({ brush, from, to }): DrawShape => {
            return { orig: from as Key, ...(to ? { dest: to as Key } : {}), brush: MARKS[brush] ?? "green" };
        });
        this.api.setAutoShapes([...shapes.reverse(), ...marked]);
    }
}

/** The arrow of a move, or a circle where there is only a square. */
function arrow(uci: string | undefined, brush: string, lineWidth: number): DrawShape[] {
    const [from, to] = [uci?.slice(0, 2), uci?.slice(2, 4)];
    if (!from) return [];
    return [{ orig: from as Key, ...(to ? { dest: shownTarget(from, to) as Key } : {}), brush, modifiers: { lineWidth } }];
}

/** The square that a castling king goes to; the engine names the rook's. */
function shownTarget(from: string, to: string): string {
    const { board: pieces, turn } = state.game.position();
    const square = (name: string) => parseSquare(name) ?? 0;
    const castles = pieces.king.has(square(from)) && pieces[turn].has(square(to));
    return castles ? `${to > from ? "g" : "c"}${from[1]}` : to;
}

/** Plays the move of a piece that was moved, after a question where a pawn is promoted. */
export async function onMove(from: Key, to: Key): Promise<void> {
    const { game, orientation } = state;
    const [origin, target] = [parseSquare(from), parseSquare(to)];
    if (origin === undefined || target === undefined) return;
    const isPromotion = game.position().board.pawn.has(origin) && (target < 8 || target >= 56);
    const file = orientation === "white" ? target % 8 : 7 - (target % 8);
    const promotion = isPromotion ? await askPromotion($("promotion"), game.turn(), file, game.turn() !== orientation) : undefined;
    playMove((game) => (promotion === null ? null : game.play({ from: origin, to: target, promotion })));
}

/** The least distance of the wheel for a step. */
const WHEEL_STEP = 40;

/** Lets the wheel step through the game. */
function listenWheel(): void {
    const wheel = { way: 0 };
    $("board").addEventListener(
        "wheel",
        (event) => {
            if (event.ctrlKey) return;
            event.preventDefault();
            wheel.way += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * WHEEL_STEP;
            if (Math.abs(wheel.way) < WHEEL_STEP) return;
            if (wheel.way > 0) goOn();
            else goBack();
            wheel.way = 0;
        },
        { passive: false },
    );
}
