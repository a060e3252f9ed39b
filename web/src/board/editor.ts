// The editor of positions, in a dialog with a board of its own: pieces are drawn, moved and taken off, and the judge has the last word.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Key, Piece } from "chessground/types";
import { INITIAL_BOARD_FEN } from "chessops/fen";
import type { Color, Role } from "chessops/types";
import { setGame } from "../app/actions";
import { state } from "../app/state";
import { $, make } from "../dom";
import { Game, Unreadable } from "../game";
import { say } from "../messages";
import { pieceImage } from "./piece";

/** What a click on a square does: sets a piece, takes one off, or (`null`) moves pieces by hand. */
type Tool = Piece | "eraser" | null;

const ROLES: Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];

class Editor {
    private readonly api: Api;
    private tool: Tool = null;

    constructor() {
        this.api = Chessground($("editor-board"), {
            coordinates: true,
            animation: { enabled: false },
            movable: { free: true, color: "both", showDests: false },
            premovable: { enabled: false },
            draggable: { deleteOnDropOff: true, showGhost: true },
            drawable: { enabled: false },
            highlight: { lastMove: false, check: false },
            events: { change: () => this.writeFen() },
        });
        $("palette").replaceChildren(...(["white", "black"] as const).flatMap((color) => this.paletteRow(color)));
        $("editor-board").addEventListener("pointerdown", (event) => this.onPress(event), true);
        $("editor-board").addEventListener("pointermove", (event) => event.buttons === 1 && this.tool && this.onPress(event), true);
        for (const name of ["mousedown", "touchstart"]) {
            $("editor-board").addEventListener(name, (event) => this.tool && event.stopPropagation(), true);
        }
        for (const input of document.querySelectorAll<HTMLElement>("#editor-turn, .castling input")) input.onchange = () => this.writeFen();
        $("editor-fen").oninput = () => this.readFen($<HTMLInputElement>("editor-fen").value);
        $("editor-empty").onclick = () => this.readFen("8/8/8/8/8/8/8/8 w - - 0 1", true);
        $("editor-start").onclick = () => this.readFen(`${INITIAL_BOARD_FEN} w KQkq - 0 1`, true);
        $("editor-set").onclick = () => this.setUp();
        $("editor-cancel").onclick = () => this.dialog.close();
    }

    private get dialog(): HTMLDialogElement {
        return $<HTMLDialogElement>("editor");
    }

    open(): void {
        say(null);
        this.choose(null);
        this.dialog.showModal();
        this.api.set({ orientation: state.orientation });
        this.readFen(state.game.fen(), true);
        this.api.redrawAll();
    }

    /** The pieces of a colour, and at the end of the row the hand or the eraser. */
    private paletteRow(color: Color): HTMLElement[] {
        const pieces = ROLES.map((role) => {
            const button = this.toolButton(`${color} ${role}`, { color, role }, pieceImage(color, role));
            button.onpointerdown = (event) => this.api.dragNewPiece({ color, role }, event as unknown as MouseEvent, true);
            return button;
        });
        return [...pieces, color === "white" ? this.toolButton("Move by hand", null, "✥") : this.toolButton("Take off", "eraser", "✕")];
    }

    private toolButton(name: string, tool: Tool, content: Node | string): HTMLButtonElement {
        const button = make("button", "", content);
        button.setAttribute("role", "radio");
        button.setAttribute("aria-label", name);
        button.title = name;
        button.onclick = () => this.choose(tool, button);
        return button;
    }

    private choose(tool: Tool, button = $("palette").querySelector<HTMLElement>('[aria-label="Move by hand"]')!): void {
        this.tool = tool;
        for (const one of $("palette").children) one.setAttribute("aria-checked", String(one === button));
    }

    /** Draws with the tool on the square that is pressed. */
    private onPress(event: PointerEvent): void {
        const key = this.tool && this.api.getKeyAtDomPos([event.clientX, event.clientY]);
        if (!key || !this.tool) return;
        event.preventDefault();
        event.stopPropagation();
        const piece = this.tool === "eraser" ? undefined : this.tool;
        this.api.setPieces(new Map<Key, Piece | undefined>([[key, piece]]));
        this.writeFen();
    }

    /** The FEN of what is drawn. */
    private writeFen(): void {
        const castling = [...document.querySelectorAll<HTMLInputElement>(".castling input:checked")].map((box) => box.value).join("");
        const turn = $<HTMLSelectElement>("editor-turn").value;
        $<HTMLInputElement>("editor-fen").value = `${this.api.getFen()} ${turn} ${castling || "-"} - 0 1`;
    }

    /** Draws what a FEN says, as far as it can be read. */
    private readFen(fen: string, isWritten = false): void {
        const [placement = "", turn = "w", castling = "-"] = fen.trim().split(/\s+/);
        if (!/^[pnbrqkPNBRQK1-8]+(\/[pnbrqkPNBRQK1-8]+){7}$/.test(placement)) return;
        this.api.set({ fen: placement });
        $<HTMLSelectElement>("editor-turn").value = turn === "b" ? "b" : "w";
        for (const box of document.querySelectorAll<HTMLInputElement>(".castling input")) box.checked = castling.includes(box.value);
        if (isWritten) $<HTMLInputElement>("editor-fen").value = fen;
    }

    private setUp(): void {
        try {
            setGame(Game.fromFen($<HTMLInputElement>("editor-fen").value, state.judge));
            this.dialog.close();
        } catch (error) {
            if (!(error instanceof Unreadable)) throw error;
            say(error.message, "editor");
        }
    }
}

/** Lets the position be edited; the editor is made when it is opened first. */
export function listenEditor(): void {
    const made: { editor: Editor | null } = { editor: null };
    $("edit").onclick = () => {
        made.editor ??= new Editor();
        made.editor.open();
    };
}
