// The chooser of a promotion: four pieces on the squares before the pawn, by mouse and keyboard.

import type { Color, Role } from "chessops/types";
import { make } from "../dom";
import { pieceImage } from "./piece";

const ROLES = ["queen", "knight", "rook", "bishop"] as const;
const LETTERS: Record<string, Role> = { q: "queen", n: "knight", r: "rook", b: "bishop" };

/** Asks on the board for the piece that a pawn becomes; `null` if none is chosen. `file` is counted from the left of the screen. */
export function askPromotion(box: HTMLElement, color: Color, file: number, isBelow: boolean): Promise<Role | null> {
    const focused = document.activeElement;
    return new Promise((answer) => {
        const close = (role: Role | null) => {
            document.removeEventListener("pointerdown", closeOutside, true);
            box.hidden = true;
            box.replaceChildren();
            if (focused instanceof HTMLElement) focused.focus();
            answer(role);
        };
        const closeOutside = (event: Event) => {
            if (!box.contains(event.target as Node)) close(null);
        };
        const buttons = ROLES.map((role) => {
            const button = make("button", "", pieceImage(color, role));
            button.type = "button";
            button.setAttribute("aria-label", role);
            button.title = role;
            button.onclick = () => close(role);
            return button;
        });
        box.style.left = `${file * 12.5}%`;
        box.classList.toggle("below", isBelow);
        box.replaceChildren(...buttons);
        box.onkeydown = (event) => onKey(event, buttons, close);
        box.hidden = false;
        document.addEventListener("pointerdown", closeOutside, true);
        buttons[0]!.focus();
    });
}

/** Arrows and Tab walk round the pieces, letters choose one, Escape none; Enter and Space are the button's own. */
function onKey(event: KeyboardEvent, buttons: HTMLElement[], close: (role: Role | null) => void): void {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = buttons.indexOf(document.activeElement as HTMLElement);
    const walk = (step: number) => buttons[(at + step + buttons.length) % buttons.length]!.focus();
    const isBelow = (event.currentTarget as HTMLElement).classList.contains("below");
    const role = LETTERS[event.key.toLowerCase()];
    if (event.key === "Escape") close(null);
    else if (role) close(role);
    else if (event.key === "Tab") walk(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown") walk(isBelow ? -1 : 1);
    else if (event.key === "ArrowUp") walk(isBelow ? 1 : -1);
    else if (event.key === "ArrowRight") walk(1);
    else if (event.key === "ArrowLeft") walk(-1);
    else return;
    event.preventDefault();
}
