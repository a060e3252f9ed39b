// The picture of a piece outside the board, as the board draws it.

import type { Color, Role } from "chessops/types";
import { make } from "../dom";

export function pieceImage(color: Color, role: Role): HTMLElement {
    const piece = document.createElement("piece");
    piece.className = `${role} ${color}`;
    // The pictures of the board's style sheet are those of `.cg-wrap piece`.
    const box = make("span", "cg-wrap piece-image", piece);
    box.setAttribute("aria-hidden", "true");
    return box;
}
