// A game as a tree: moves, side lines to any depth, and all that a PGN says of them.
//
// - `Game` has the tree and the place that is looked at (`at`). `new Game()`, `Game.fromFen(fen, judge)`; texts are read by
//   reader.ts, written by writer.ts, and saved with the engine's lines by saved.ts.
// - A move is addressed by the id of its node (`NodeId`), which no edit changes; `ROOT` is the position before the first move.
//   Nodes are never changed: an edit makes new ones on the way to the root. So `undo` and `redo` are the roots before.
// - Looking: `node(id)`, `parent(id)`, `path(id)`, `mainline()`, `line(id)` (through `id` to its end), `position(id)`, `fen(id)`,
//   `ply(id)`, `moveNumber(id)`, `isMainline(id)`, `uciPosition(id)`, `ending(id)`, `claimable(id)`, `tag(name)`, `result`. Without an
//   id they speak of the place that is looked at.
// - Going: `goTo(id)`, `forward()`, `back()`, `toStart()`, `toEnd()`.
// - Changing: `play(move)`, `playUci(uci)`, `add(...)`, `promote(id)`, `promoteToMain(id)`, `remove(id)`, `takeBack(plies)`,
//   `comment(id, text)`, `setCommand(id, name, value)`, `setNags(id, nags)`, `toggleNag(id, nag)`, `setTag(name, value)`,
//   `setResult(result, termination)`; `undo()`, `redo()`.
// - `lines` remembers the engine's lines of each node; they are saved with the game and no part of undo.

import { Chess } from "chessops/chess";
import { makeSanAndPlay } from "chessops/san";
import type { Color, NormalMove } from "chessops/types";
import { makeUci, parseUci } from "chessops/util";
import { withCommand, withText } from "./comments";
import { type Claim, type Ending, claimOf, endingOf } from "./ending";
import { MOVE_NAGS, POSITION_NAGS } from "./nags";
import { EMPTY, type EngineLine, type GameData, type NodeId, ROOT, type Result, type Tag, type TreeNode } from "./node";
import { INITIAL_FEN, type Judge, fenOf, isChess960, legal, passed, positionOf } from "./position";

/** What undo brings back. */
interface Snapshot {
    root: TreeNode;
    tags: readonly Tag[];
    result: Result | null;
    at: NodeId;
}

const MAX_UNDO = 500;

interface Place {
    node: TreeNode;
    parent: NodeId | null;
    ply: number;
}

export class Game {
    readonly start: Chess;
    /** The remembered lines of the engine. */
    readonly lines = new Map<NodeId, readonly EngineLine[]>();
    private state: Snapshot;
    private past: Snapshot[] = [];
    private future: Snapshot[] = [];
    private nextId = 1;
    private places: Map<NodeId, Place> | null = null;
    private positions = new Map<NodeId, Chess>();

    constructor(data?: Partial<GameData>) {
        this.start = data?.start ?? Chess.default();
        this.state = { root: data?.root ?? EMPTY, tags: data?.tags ?? [], result: data?.result ?? null, at: ROOT };
        for (const id of this.index().keys()) this.nextId = Math.max(this.nextId, id + 1);
    }

    /** A game that begins in a position.
     *  @throws Unreadable if there is no such position. */
    static fromFen(fen: string, judge: Judge): Game {
        return new Game({ start: positionOf(fen, judge).position });
    }

    // ---- Looking.

    get root(): TreeNode {
        return this.state.root;
    }

    get at(): NodeId {
        return this.state.at;
    }

    get tags(): readonly Tag[] {
        return this.state.tags;
    }

    has(id: NodeId): boolean {
        return this.index().has(id);
    }

    node(id: NodeId = this.at): TreeNode {
        return this.place(id).node;
    }

    parent(id: NodeId = this.at): NodeId | null {
        return this.place(id).parent;
    }

    /** The number of moves before the position. */
    ply(id: NodeId = this.at): number {
        return this.place(id).ply;
    }

    /** The moves from the beginning to `id`, which is the last of them. */
    path(id: NodeId = this.at): TreeNode[] {
        const path: TreeNode[] = [];
        for (let at: NodeId | null = id; at !== null && at !== ROOT; at = this.parent(at)) path.push(this.node(at));
        return path.reverse();
    }

    /** The moves of the main line. */
    mainline(): TreeNode[] {
        return this.line(ROOT);
    }

    /** The moves to `id`, and its main continuation to the end. */
    line(id: NodeId = this.at): TreeNode[] {
        const line = this.path(id);
        for (let next = this.node(id).children[0]; next; next = next.children[0]) line.push(next);
        return line;
    }

    isMainline(id: NodeId = this.at): boolean {
        return this.path(id).every((node) => this.node(this.parent(node.id)!).children[0] === node);
    }

    /** The position after a move; it is not to be changed. */
    position(id: NodeId = this.at): Chess {
        const known = this.positions.get(id);
        if (known) return known;
        // The nearest position that is known, and the moves from there on.
        const way: TreeNode[] = [];
        let from: NodeId | null = id;
        for (; from !== null && from !== ROOT && !this.positions.has(from); from = this.parent(from)) way.push(this.node(from));
        let position = from === null || from === ROOT ? this.start : this.positions.get(from)!;
        for (const node of way.reverse()) {
            position = after(position, node.move);
            this.positions.set(node.id, position);
        }
        return position;
    }

    fen(id: NodeId = this.at): string {
        return fenOf(this.position(id));
    }

    turn(id: NodeId = this.at): Color {
        return this.position(id).turn;
    }

    /** "12." or "12…" before the move of a node. */
    moveNumber(id: NodeId = this.at): string {
        const { turn, fullmoves } = this.start;
        const half = Math.max(0, this.ply(id) - 1) + (turn === "white" ? 0 : 1);
        return `${fullmoves + Math.floor(half / 2)}${half % 2 === 0 ? "." : "…"}`;
    }

    get isChess960(): boolean {
        return isChess960(this.start);
    }

    /** The arguments of UCI's `position`. */
    uciPosition(id: NodeId = this.at): string {
        const path = this.path(id);
        // There are no null moves in UCI's games: the position after the last one is the start.
        const last = path.findLastIndex((node) => node.move === null);
        const fen = fenOf(last < 0 ? this.start : this.position(path[last]!.id));
        const start = fen === INITIAL_FEN ? "startpos" : `fen ${fen}`;
        const moves = path.slice(last + 1).map((node) => node.uci);
        return moves.length > 0 ? `${start} moves ${moves.join(" ")}` : start;
    }

    /** The end of the game in a position by the rules alone: what ends it without a claim. */
    ending(id: NodeId = this.at): Ending | null {
        return endingOf(this.history(id));
    }

    /** The draw that a player may claim in a position; the game is not ended by it. */
    claimable(id: NodeId = this.at): Claim | null {
        return claimOf(this.history(id));
    }

    /** The position, and those before it back to the last capture or move of a pawn. */
    private history(id: NodeId): Chess[] {
        const history = [this.position(id)];
        for (let at = this.parent(id); at !== null && history.at(-1)!.halfmoves > 0; at = this.parent(at)) history.push(this.position(at));
        return history;
    }

    /** The value of a tag. */
    tag(name: string): string | undefined {
        return this.tags.find((one) => one.name === name)?.value;
    }

    /** The result that stands at the end of the moves: what was read or set, else what the rules say at the end of the main line. */
    get result(): Result {
        return this.state.result ?? this.ending(this.mainline().at(-1)?.id ?? ROOT)?.result ?? "*";
    }

    // ---- Going.

    goTo(id: NodeId): void {
        if (this.has(id)) this.state = { ...this.state, at: id };
    }

    /** To the main continuation; false at the end. */
    forward(): boolean {
        const next = this.node().children[0];
        if (next) this.goTo(next.id);
        return next !== undefined;
    }

    back(): boolean {
        const parent = this.parent();
        if (parent !== null) this.goTo(parent);
        return parent !== null;
    }

    toStart(): void {
        this.goTo(ROOT);
    }

    /** To the end of the line that is looked at. */
    toEnd(): void {
        this.goTo(this.line().at(-1)?.id ?? ROOT);
    }

    // ---- Changing.

    /** Plays a move after the position that is looked at and goes there; one that is not there yet becomes a side line, or the main
     *  line at its end. Null if the move is not legal. */
    play(move: NormalMove): TreeNode | null {
        const node = this.add(this.at, move);
        if (node) this.goTo(node.id);
        return node;
    }

    /** The same for a move in UCI; castling also as the king's own way. */
    playUci(uci: string): TreeNode | null {
        const move = parseUci(uci);
        return move && "from" in move ? this.play(move) : null;
    }

    /** The node of a move after `id`, which is added where it is not there yet; null if the move is not legal. */
    add(id: NodeId, move: NormalMove): TreeNode | null {
        const before = this.position(id);
        const normal = legal(before, move);
        if (!normal) return null;
        const uci = makeUci(normal);
        const known = this.node(id).children.find((child) => child.uci === uci);
        if (known) return known;
        const next = before.clone();
        const san = makeSanAndPlay(next, normal);
        const node: TreeNode = { ...EMPTY, id: this.nextId++, move: normal, uci, san };
        this.edit(id, (parent) => ({ ...parent, children: [...parent.children, node] }));
        this.positions.set(node.id, next);
        return node;
    }

    /** Moves the line of `id` one place up among those that begin where it begins; false if it is the first everywhere. */
    promote(id: NodeId): boolean {
        const first = this.path(id).findLast((node) => this.rank(node.id) > 0);
        if (!first) return false;
        this.reorder(first.id, this.rank(first.id) - 1);
        return true;
    }

    /** Makes the line to `id` the main line. */
    promoteToMain(id: NodeId): boolean {
        const late = this.path(id).filter((node) => this.rank(node.id) > 0);
        if (late.length === 0) return false;
        this.once(() => late.forEach((node) => this.reorder(node.id, 0)));
        return true;
    }

    /** Takes out a move with all that follows; who looks at it looks at the move before. */
    remove(id: NodeId): boolean {
        const parent = this.parent(id);
        if (parent === null) return false;
        const isLost = this.path().some((node) => node.id === id);
        this.edit(parent, (node) => ({ ...node, children: node.children.filter((child) => child.id !== id) }));
        if (isLost) this.goTo(parent);
        return true;
    }

    /** Takes out the last moves of the line that is looked at, and goes to its new end. */
    takeBack(plies: number): void {
        const line = this.line();
        const first = line[Math.max(0, line.length - plies)];
        if (!first || plies < 1) return;
        const parent = this.parent(first.id)!;
        this.remove(first.id);
        this.goTo(parent);
    }

    /** Sets the words of a comment after a move (or before the first, at the root); its commands stay. */
    comment(id: NodeId, text: string): void {
        this.edit(id, (node) => ({ ...node, after: withText(node.after, text) }));
    }

    /** Sets a command in a comment, such as `eval` to `0.35`, or takes it out with `null`. */
    setCommand(id: NodeId, name: string, value: string | null): void {
        this.edit(id, (node) => ({ ...node, after: withCommand(node.after, name, value) }));
    }

    setNags(id: NodeId, nags: readonly number[]): void {
        this.edit(id, (node) => ({ ...node, nags: [...new Set(nags)] }));
    }

    /** Sets or clears a glyph; of those that say how good a move is, and who is better, one stays. */
    toggleNag(id: NodeId, nag: number): void {
        const { nags } = this.node(id);
        if (nags.includes(nag)) return this.setNags(id, nags.filter((one) => one !== nag));
        const rivals = [MOVE_NAGS, POSITION_NAGS].find((group) => group.includes(nag)) ?? [];
        this.setNags(id, [...nags.filter((one) => !rivals.includes(one)), nag].sort((a, b) => a - b));
    }

    /** Sets a tag, in its place if it is there already, or takes it out with `null`. */
    setTag(name: string, value: string | null): void {
        const others = this.tags.filter((one) => one.name !== name);
        if (value === null) return this.change({ tags: others });
        const known = this.tags.findIndex((one) => one.name === name);
        const tag = { name, value: value.replaceAll(/\s+/g, " ") };
        this.change({ tags: known < 0 ? [...others, tag] : this.tags.with(known, tag) });
    }

    /** Sets the result, in the tag too, and how the game ended, as in "time forfeit". */
    setResult(result: Result, termination?: string): void {
        this.once(() => {
            this.change({ result });
            this.setTag("Result", result);
            if (termination !== undefined) this.setTag("Termination", termination);
        });
    }

    get canUndo(): boolean {
        return this.past.length > 0;
    }

    get canRedo(): boolean {
        return this.future.length > 0;
    }

    undo(): boolean {
        const before = this.past.pop();
        if (!before) return false;
        this.future.push(this.state);
        this.restore(before);
        return true;
    }

    redo(): boolean {
        const next = this.future.pop();
        if (!next) return false;
        this.past.push(this.state);
        this.restore(next);
        return true;
    }

    /** Makes one step of undo of all that `changes` does. */
    once(changes: () => void): void {
        const [before, past] = [this.state, this.past];
        this.past = [];
        changes();
        const isChanged = this.past.length > 0;
        this.past = isChanged ? [...past, before] : past;
    }

    private restore(state: Snapshot): void {
        this.state = state;
        this.places = null;
    }

    private change(change: Partial<Snapshot>): void {
        this.past.push(this.state);
        if (this.past.length > MAX_UNDO) this.past.shift();
        this.future = [];
        this.state = { ...this.state, ...change };
        if (change.root) this.places = null;
    }

    /** Exchanges a node, and makes anew those on its way to the root. */
    private edit(id: NodeId, change: (node: TreeNode) => TreeNode): void {
        let node = change(this.node(id));
        for (let parent = this.parent(id); parent !== null; parent = this.parent(parent)) {
            const old = this.node(parent);
            const changed = node;
            node = { ...old, children: old.children.map((child) => (child.id === changed.id ? changed : child)) };
        }
        this.change({ root: node });
    }

    /** The place of a move among those in the same position. */
    private rank(id: NodeId): number {
        const parent = this.parent(id);
        return parent === null ? 0 : this.node(parent).children.findIndex((child) => child.id === id);
    }

    private reorder(id: NodeId, rank: number): void {
        this.edit(this.parent(id)!, (parent) => {
            const others = parent.children.filter((child) => child.id !== id);
            return { ...parent, children: others.toSpliced(rank, 0, this.node(id)) };
        });
    }

    private place(id: NodeId): Place {
        const place = this.index().get(id);
        if (!place) throw new RangeError(`there is no node ${id}`);
        return place;
    }

    private index(): Map<NodeId, Place> {
        if (this.places) return this.places;
        const places = new Map<NodeId, Place>();
        const todo: Place[] = [{ node: this.state.root, parent: null, ply: 0 }];
        for (let place = todo.pop(); place; place = todo.pop()) {
            places.set(place.node.id, place);
            for (const child of place.node.children) todo.push({ node: child, parent: place.node.id, ply: place.ply + 1 });
        }
        this.places = places;
        return places;
    }
}

function after(position: Chess, move: NormalMove | null): Chess {
    if (!move) return passed(position) ?? position;
    const next = position.clone();
    next.play(move);
    return next;
}
