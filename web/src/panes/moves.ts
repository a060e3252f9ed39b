// The moves of the game with side lines, glyphs and comments, the buttons that step through them, and the box to type one.

import { canUndo, flip, goBack, goOn, goTo, goToEnd, goToStart, playMove, question, takeBack, undo } from "../app/actions";
import { endText } from "../app/match";
import { matchShown, state } from "../app/state";
import { $, make } from "../dom";
import { nagMeaning, nagSign, playText, type NodeId, ROOT, secondsOf, textOf, type TreeNode, Unreadable } from "../game";
import { say } from "../messages";
import { openingOf } from "../openings";
import { longMove } from "../text";
import { timeText } from "../clock";

/** The tree that is drawn: while it stays the same, another move is marked in it. */
const drawn: { root: TreeNode | null; hint: string; moves: Map<NodeId, HTMLElement> } = { root: null, hint: "", moves: new Map() };

export function drawMoves(): void {
    const { game } = state;
    const list = $("moves");
    const text = lastWords();
    if (drawn.root !== game.root || drawn.hint !== text) {
        const hadFocus = list.contains(document.activeElement);
        drawn.moves.clear();
        const parts = [...comment(game.root), ...line(game.root, true)];
        if (text) parts.push(make("span", game.root.children.length > 0 ? "result" : "hint", text));
        list.replaceChildren(...parts);
        [drawn.root, drawn.hint] = [game.root, text];
        if (hadFocus) drawn.moves.get(game.at)?.focus();
    }
    markCurrent(list);
    drawOpening();
    const disable = (id: string, isDisabled: boolean) => ($<HTMLButtonElement>(id).disabled = isDisabled);
    for (const id of ["first", "previous"]) disable(id, game.at === ROOT);
    for (const id of ["last", "next"]) disable(id, game.node().children.length === 0);
    disable("takeback", matchShown() ? game.root.children.length === 0 : game.at === ROOT);
    disable("undo", !canUndo());
    $("threat").hidden = state.tab !== "analyse";
    $("threat").setAttribute("aria-pressed", String(state.question?.kind === "threat"));
}

/** The name of the opening, once the names are there. */
function drawOpening(): void {
    const { game } = state;
    const opening = openingOf(game, game.at === ROOT ? (game.mainline().at(-1)?.id ?? ROOT) : game.at, drawOpening);
    $("opening").hidden = !opening;
    $("opening").textContent = opening ? `${opening.code} ${opening.name}` : "";
}

/** What stands after the moves: how the game ended, or what can be done where there are none. */
function lastWords(): string {
    const { game, tab } = state;
    const end = matchShown()?.end ?? game.ending(game.mainline().at(-1)?.id ?? ROOT);
    if (end) return endText(end);
    if (game.result !== "*") return game.result.replaceAll("1/2", "½");
    if (game.root.children.length > 0) return "";
    return tab === "play" ? "The moves of the game will stand here." : "Move a piece, or paste a FEN or a PGN.";
}

/** Marks the move that is looked at; it is the one that Tab reaches. */
function markCurrent(list: HTMLElement): void {
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    list.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    const current = drawn.moves.get(state.game.at);
    current?.setAttribute("aria-current", "step");
    (current ?? list.querySelector<HTMLElement>("button"))?.setAttribute("tabindex", "0");
    if (!current) return void (list.scrollTop = 0);
    const top = current.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
    list.scrollTop = Math.max(0, top - list.clientHeight / 2);
}

/** The moves after a node along its main continuation, and between them its side lines. */
function line(from: TreeNode, isMain: boolean): HTMLElement[] {
    const parts: HTMLElement[] = [];
    let isBroken = true;
    for (let node = from; node.children[0]; node = node.children[0]) {
        const [next, ...others] = node.children;
        const sides = others.map((other) => make("span", "side", ...lineOf(other)));
        isBroken = addMove(parts, next!, isBroken, isMain) || sides.length > 0;
        parts.push(...sides);
    }
    return parts;
}

/** A side line: its first move, and how it goes on. */
function lineOf(first: TreeNode): HTMLElement[] {
    const parts: HTMLElement[] = [];
    addMove(parts, first, true, false);
    return [...parts, ...line(first, false)];
}

/** Adds a move; true if the next one needs its number again. Moves of White and Black of the main line stand together. */
function addMove(parts: HTMLElement[], node: TreeNode, isBroken: boolean, isMain: boolean): boolean {
    const number = state.game.moveNumber(node.id);
    for (const part of commentParts(node.before)) parts.push(part);
    const isFirst = isBroken || number.endsWith(".") || node.before.length > 0;
    if (isFirst || !isMain) parts.push(make("span", "pair", ...(isFirst ? [make("span", "number", number)] : [])));
    parts.at(-1)!.append(button(node, number), ...glyphs(node));
    const words = comment(node);
    parts.push(...words);
    return words.length > 0;
}

function button(node: TreeNode, number: string): HTMLElement {
    const move = make("button", "", node.san);
    move.dataset.id = String(node.id);
    move.tabIndex = -1;
    const seconds = secondsOf(node.after, "clk");
    if (seconds !== null) move.title = `Clock ${timeText(seconds * 1000)}`;
    move.setAttribute("aria-label", `${node.san}, ${number} ${longMove(node.san)}`);
    drawn.moves.set(node.id, move);
    return move;
}

function glyphs(node: TreeNode): HTMLElement[] {
    return node.nags.map((nag) => {
        const glyph = make("span", `glyph glyph-${nag}`, nagSign(nag));
        glyph.title = nagMeaning(nag);
        return glyph;
    });
}

function comment(node: TreeNode): HTMLElement[] {
    return commentParts(node.after);
}

function commentParts(comments: readonly string[]): HTMLElement[] {
    const text = textOf(comments);
    return text ? [make("span", "comment", text)] : [];
}

function playTyped(): void {
    const box = $<HTMLInputElement>("typed");
    const text = box.value.trim();
    if (text === "") return;
    if (matchShown() && /\s\S/.test(text.replace(/^\d+\s*[.…]*\s*/, ""))) return say("In a game one move is played at a time.");
    try {
        if (!playMove((game) => playText(game, text))) return say("It is not your move.");
        box.value = "";
        say(null);
    } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        say(error.message);
    }
}

export function listenMoves(): void {
    const click = (id: string, action: () => void) => ($(id).onclick = action);
    click("first", goToStart);
    click("previous", goBack);
    click("next", goOn);
    click("last", goToEnd);
    click("takeback", takeBack);
    click("undo", undo);
    click("flip", flip);
    click("threat", () => question("threat"));
    $("moves").onclick = ({ target }) => {
        const id = target instanceof HTMLElement ? target.closest<HTMLElement>("[data-id]")?.dataset.id : undefined;
        if (id) goTo(Number(id));
    };
    $("type-form").onsubmit = (event) => {
        event.preventDefault();
        playTyped();
    };
}
