// What can be done with a move of the game: a menu at the move, and keys.

import { edit, goTo, removeFrom } from "../app/actions";
import { state } from "../app/state";
import { askText } from "../dialogs";
import { $, make } from "../dom";
import { MOVE_NAGS, nagMeaning, nagSign, type NodeId, ROOT, textOf } from "../game";

/** Opens the menu for the move that is looked at, below a place of the screen. */
function open(x: number, y: number): void {
    const { game } = state;
    const menu = $("menu");
    const id = game.at;
    const isRoot = id === ROOT;
    const items = [
        item("Comment… (C)", () => void askComment(id)),
        ...(isRoot || game.isMainline(id) ? [] : [item("Make it the main line (P)", promote), item("One line up", () => edit(() => game.promote(id)))]),
        ...(isRoot ? [] : [glyphs(id), item("Delete from here (Del)", () => removeFrom(id))]),
    ];
    menu.replaceChildren(...items);
    menu.hidden = false;
    const { width, height } = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
    menu.querySelector("button")?.focus();
}

function close(): void {
    const menu = $("menu");
    if (menu.hidden) return;
    const hadFocus = menu.contains(document.activeElement);
    menu.hidden = true;
    if (hadFocus) $("open-menu").focus();
}

function item(text: string, action: () => void): HTMLButtonElement {
    const button = make("button", "", text);
    button.setAttribute("role", "menuitem");
    button.onclick = () => {
        close();
        action();
    };
    return button;
}

/** The glyphs of how good the move is, one beside the other. */
function glyphs(id: NodeId): HTMLElement {
    const buttons = MOVE_NAGS.map((nag) => {
        const button = item(nagSign(nag), () => edit((game) => game.toggleNag(id, nag)));
        button.setAttribute("aria-label", `${nagSign(nag)} ${nagMeaning(nag)}`);
        button.setAttribute("role", "menuitemcheckbox");
        button.setAttribute("aria-checked", String(state.game.node(id).nags.includes(nag)));
        return button;
    });
    const row = make("div", "menu-row", ...buttons);
    row.setAttribute("role", "group");
    return row;
}

async function askComment(id: NodeId): Promise<void> {
    const { game } = state;
    const where = id === ROOT ? "the game" : `${game.moveNumber(id)} ${game.node(id).san}`;
    const text = await askText(`Comment on ${where}`, textOf(game.node(id).after), "Keep");
    if (text !== null && state.game === game && game.has(id)) edit(() => game.comment(id, text));
}

function promote(): void {
    edit((game) => game.promoteToMain(game.at));
}

/** The keys of the menu, for the whole page. */
export const MENU_KEYS: Record<string, () => void> = { c: () => void askComment(state.game.at), p: promote };

export function listenMenu(): void {
    const [menu, opener] = [$("menu"), $("open-menu")];
    opener.onclick = () => {
        const { left, top, bottom } = opener.getBoundingClientRect();
        open(left, bottom + 220 > innerHeight ? top - 220 : bottom);
    };
    $("moves").oncontextmenu = (event) => {
        const id = (event.target as HTMLElement).closest<HTMLElement>("[data-id]")?.dataset.id;
        if (!id) return;
        event.preventDefault();
        goTo(Number(id));
        open(event.clientX, event.clientY);
    };
    document.addEventListener("pointerdown", (event) => menu.contains(event.target as Node) || close(), true);
    menu.onkeydown = (event) => {
        event.stopPropagation();
        const buttons = [...menu.querySelectorAll("button")];
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        if (event.key === "Escape" || event.key === "Tab") close();
        else if (step) buttons[(at + step + buttons.length) % buttons.length]!.focus();
        else return;
        event.preventDefault();
    };
}
