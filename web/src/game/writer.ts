// PGN out of a game: all that was read, in the export format. What is written and read again is the same game.

import { isChess960, fenOf, INITIAL_FEN } from "./position";
import type { Tag, TreeNode } from "./node";
import type { Game } from "./tree";

/** Columns of a line of moves; a comment stays whole, since a line break in it would be part of it. */
const WIDTH = 80;

const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

export interface WriteOptions {
    /** Adds those of the seven tags of the export format that are missing, with "?". */
    roster?: boolean;
}

/** The PGN of a game. */
export function writePgn(game: Game, options: WriteOptions = {}): string {
    const tags = tagsOf(game, options.roster ?? false).map(({ name, value }) => `[${name} "${escaped(value)}"]\n`);
    return `${tags.join("")}${tags.length > 0 ? "\n" : ""}${movesOf(game)}\n`;
}

function escaped(value: string): string {
    return value.replaceAll(/\s*\n\s*/g, " ").replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}

function tagsOf(game: Game, roster: boolean): Tag[] {
    const tags = [...game.tags];
    const has = (name: string) => tags.some((tag) => tag.name === name);
    if (roster) {
        const unknown = (name: string) => (name === "Result" ? game.result : name === "Date" ? "????.??.??" : "?");
        tags.unshift(...ROSTER.filter((name) => !has(name)).map((name) => ({ name, value: unknown(name) })));
        const rank = (tag: Tag) => (ROSTER.indexOf(tag.name) + ROSTER.length + 1) % (ROSTER.length + 1);
        const known = tags.filter((tag) => ROSTER.includes(tag.name)).sort((a, b) => rank(a) - rank(b));
        tags.splice(0, tags.length, ...known, ...tags.filter((tag) => !ROSTER.includes(tag.name)));
    }
    const fen = fenOf(game.start);
    if (fen !== INITIAL_FEN && !tags.some((tag) => tag.name.toLowerCase() === "fen")) {
        if (isChess960(game.start) && !has("Variant")) tags.push({ name: "Variant", value: "Chess960" });
        if (!has("SetUp")) tags.push({ name: "SetUp", value: "1" });
        tags.push({ name: "FEN", value: fen });
    }
    return tags;
}

/** What is still to be written, last first: a node with its side lines, or text. */
type Task = { kind: "node"; node: TreeNode; half: number; siblings: readonly TreeNode[] } | { kind: "text"; text: string };

function movesOf(game: Game): string {
    const lines = new Lines();
    const { turn, fullmoves } = game.start;
    // Half-moves since the beginning of move 0.
    const first = fullmoves * 2 + (turn === "white" ? 0 : 1);
    nagsAndComments(lines, game.root);
    const todo: Task[] = [{ kind: "text", text: game.result }];
    const [main, ...others] = game.root.children;
    if (main) todo.push({ kind: "node", node: main, half: first, siblings: others });
    for (let task = todo.pop(); task; task = todo.pop()) {
        if (task.kind === "text") lines.add(task.text);
        else writeNode(lines, task, todo);
    }
    return lines.text();
}

function writeNode(lines: Lines, { node, half, siblings }: Task & { kind: "node" }, todo: Task[]): void {
    for (const comment of node.before) lines.comment(comment);
    const number = Math.floor(half / 2);
    const before = half % 2 === 0 ? `${number}. ` : lines.isBroken ? `${number}... ` : "";
    lines.add(`${before}${node.san}`);
    lines.isBroken = false;
    nagsAndComments(lines, node);
    const [next, ...others] = node.children;
    if (next) todo.push({ kind: "node", node: next, half: half + 1, siblings: others });
    for (const other of [...siblings].reverse()) {
        todo.push({ kind: "text", text: ")" }, { kind: "node", node: other, half, siblings: [] }, { kind: "text", text: "(" });
    }
}

function nagsAndComments(lines: Lines, node: TreeNode): void {
    for (const nag of node.nags) lines.add(`$${nag}`);
    for (const comment of node.after) lines.comment(comment);
}

/** Words in lines of less than 80 columns. */
class Lines {
    /** After a comment or a bracket the number of a move of Black is written. */
    isBroken = true;
    private done: string[] = [];
    private line = "";
    /** Opening brackets of the next word. */
    private head = "";
    /** The last word, which may still get a closing bracket. */
    private last = "";

    add(word: string): void {
        if (word === "(") {
            this.isBroken = true;
            this.head += word;
        } else if (word === ")" && this.last !== "") {
            this.isBroken = true;
            this.last += word;
        } else {
            this.put();
            this.last = this.head + word;
            this.head = "";
        }
    }

    /** One with a closing brace in it can only stand to the end of a line. */
    comment(text: string): void {
        this.isBroken = true;
        if (!text.includes("}")) return this.add(`{${text}}`);
        for (const part of text.split("\n")) {
            this.add(`;${part}`);
            this.feed();
        }
    }

    text(): string {
        this.feed();
        return this.done.join("\n");
    }

    private put(): void {
        if (this.last === "") return;
        const [first = ""] = this.last.split("\n", 1);
        if (this.line !== "" && this.line.length + 1 + first.length >= WIDTH) this.end();
        this.line += this.line === "" ? this.last : ` ${this.last}`;
        this.last = "";
        const end = this.line.lastIndexOf("\n");
        if (end < 0) return;
        this.done.push(this.line.slice(0, end));
        this.line = this.line.slice(end + 1);
    }

    private end(): void {
        if (this.line !== "") this.done.push(this.line);
        this.line = "";
    }

    private feed(): void {
        this.put();
        this.end();
    }
}
