// What a person, or the engine as an opponent, can do to the state.

import type { Color } from "chessops/types";
import { opposite } from "chessops/util";
import { clockCommand, type Game, type NodeId, ROOT, type TreeNode } from "../game";
import { announce, say } from "../messages";
import { play as playSound, soundOf } from "../sound";
import { longMove } from "../text";
import { claimsDraw, drawn, endText, finish, isPersonsTurn, type Match } from "./match";
import { settings } from "./settings";
import { changed, matchShown, played, state, type Question, type Tab } from "./state";

// ---- Moves.

/** Plays a move of the person; false if it cannot be played. */
export function playMove(play: (game: Game) => TreeNode | null): boolean {
    const { game } = state;
    const match = matchShown();
    const mover = game.turn();
    const may = !match || (!match.end && game.at === match.at && mover === match.person);
    const node = may ? play(game) : null;
    if (node) {
        afterMove(node, mover);
        played(node);
    } else {
        changed();
    }
    return node !== null;
}

/** Plays the engine's move in the match, though an earlier position may be looked at; `score` is its own view. */
export function playAnswer(match: Match, uci: string, score: number | null): void {
    const { game } = state;
    match.score = score ?? match.score;
    game.goTo(match.at);
    const mover = game.turn();
    const node = game.playUci(uci);
    if (node) afterMove(node, mover);
}

function afterMove(node: TreeNode, mover: Color): void {
    const { game } = state;
    const match = matchShown();
    if (match) afterMatchMove(match, node, mover);
    const end = match?.end ?? game.ending();
    if (settings.sound) playSound(soundOf(node.san, end !== null));
    announce(`${mover === "white" ? "White" : "Black"}: ${longMove(node.san)}.${end ? ` ${endText(end)}` : ""}`);
    changed();
}

function afterMatchMove(match: Match, node: TreeNode, mover: Color): void {
    const { game } = state;
    const { clock } = match;
    match.at = node.id;
    game.promoteToMain(node.id);
    // The clock begins with the second move.
    if (game.ply() > 1) clock?.moved(mover);
    if (clock) game.setCommand(node.id, "clk", clockCommand(clock.time(mover) / 1000));
    const claimed = game.claimable();
    const end = game.ending() ?? (claimed && claimsDraw(match) ? drawn(`${claimed}, claimed by Tamarack`) : null);
    if (end) finish(match, game, end);
    else if (game.turn() === match.person) clock?.start(match.person);
}

/** Goes to a move, without playing it. */
export function goTo(id: NodeId | null | undefined): void {
    const { game } = state;
    if (id === null || id === undefined || id === game.at || !game.has(id)) return;
    game.goTo(id);
    changed();
}

export const goBack = (): void => goTo(state.game.parent());
export const goOn = (): void => goTo(state.game.node().children[0]?.id);
export const goToStart = (): void => goTo(ROOT);
export const goToEnd = (): void => goTo(state.game.line().at(-1)?.id);

/** The moves that were played in the position before the one that is looked at. */
function beside(): readonly TreeNode[] {
    const parent = state.game.parent();
    return parent === null ? [] : state.game.node(parent).children;
}

export const hasBeside = (): boolean => beside().length > 1;

/** Goes to the next of them, or the one before. */
export function goBeside(step: 1 | -1): void {
    const moves = beside();
    goTo(moves[moves.findIndex(({ id }) => id === state.game.at) + step]?.id);
}

/** Takes the last move back: against the engine to the person's turn, else the move that is looked at with all that follows. */
export function takeBack(): void {
    const match = matchShown();
    if (!match) return removeFrom(state.game.at);
    const { game } = state;
    const path = game.path(match.at);
    const first = path[Math.max(0, path.length - (isPersonsTurn(match, game) ? 2 : 1))];
    if (!first) return;
    match.at = game.parent(first.id)!;
    match.end = match.offer = null;
    game.once(() => {
        game.remove(first.id);
        if (game.result !== "*") game.setResult("*");
    });
    game.goTo(match.at);
    match.clock?.stop();
    if (game.ply() > 0 && isPersonsTurn(match, game)) match.clock?.start(match.person);
    changed();
}

// ---- Changes of the tree.

/** Takes out a move with all that follows. */
export function removeFrom(id: NodeId): void {
    const { game } = state;
    if (id === ROOT) return;
    const name = `${game.moveNumber(id)} ${game.node(id).san}`;
    const more = game.node(id).children.length > 0 ? " with what followed" : "";
    game.remove(id);
    changed();
    say(`Taken out: ${name}${more}. Undo (Ctrl+Z) brings it back.`, "moves", true);
}

/** Changes the game by what `change` does, in one step of undo. */
export function edit(change: (game: Game) => void): void {
    state.game.once(() => change(state.game));
    changed();
}

/** The games that were on the board before, with their matches, newest last. */
const before: { game: Game; match: Match | null }[] = [];
const MAX_BEFORE = 20;

/** Takes the last change of the game back; where there is none, brings the game back that was on the board before. */
export function undo(): void {
    if (matchShown()) return;
    say(null);
    if (!state.game.undo()) {
        const last = before.pop();
        if (!last) return;
        Object.assign(state, { ...last, gameNumber: state.gameNumber + 1, tab: last.match ? "play" : "analyse" });
        resumeMatch();
    }
    changed();
}

export function redo(): void {
    if (matchShown() || !state.game.redo()) return;
    changed();
}

export function canUndo(): boolean {
    return !matchShown() && (state.game.canUndo || before.length > 0);
}

/** Takes another game onto the board, to analyse it. */
export function setGame(game: Game): void {
    replaceGame(game);
    state.match = null;
    state.tab = "analyse";
    say(null);
    changed();
}

/** Puts another game on the board; undo brings the one before back. */
export function replaceGame(game: Game): void {
    const { game: last, match } = state;
    match?.clock?.stop();
    if (last.root.children.length > 0) before.push({ game: last, match: match?.end ? null : match });
    if (before.length > MAX_BEFORE) before.shift();
    state.game = game;
    state.gameNumber += 1;
}

// ---- What is looked at.

export function setTab(tab: Tab): void {
    if (tab === state.tab) return;
    state.tab = tab;
    say(null);
    const { match } = state;
    if (tab !== "play") {
        match?.clock?.stop();
        if (match?.end) state.match = null;
    } else {
        resumeMatch();
    }
    changed();
}

/** Goes on with the match, unless it was taken out of the game in the meantime. */
function resumeMatch(): void {
    const { match, game } = state;
    if (!match) return;
    if (!game.has(match.at)) return void (state.match = null);
    game.goTo(match.at);
    if (!match.end && game.ply() > 0 && isPersonsTurn(match, game)) match.clock?.start(match.person);
}

export function setAnalysis(on: boolean): void {
    state.analysing = on;
    changed();
}

export function flip(): void {
    state.orientation = opposite(state.orientation);
    changed();
}

/** Asks the engine for a threat or a hint in the position that is looked at; asked again, the answer is taken away. */
export function question(kind: Question): void {
    const { game } = state;
    const fen = game.fen();
    const isAsked = state.question?.kind === kind && state.question.fen === fen;
    if (game.ending() || (kind === "threat" && game.position().isCheck())) return say("There is nothing to ask in this position.");
    state.question = isAsked ? null : { kind, fen, uci: null };
    changed();
}
