// Comments: their text, and the commands in them, such as `[%clk 0:03:00]`. A comment is kept as it was written; what is read out
// of it here is a view of it, and what is set changes the command alone.

/** A score of the engine, from White's view: centipawns, or moves to mate. */
export interface CommentScore {
    kind: "cp" | "mate";
    value: number;
    depth?: number;
}

/** A square or an arrow that is marked on the board: `[%csl Gd4]`, `[%cal Rg1f3]`. */
export interface Shape {
    /** G, R, Y, B and other letters. */
    brush: string;
    from: string;
    to?: string;
}

const COMMAND = /\[%([A-Za-z][\w-]*)(?:\s+([^\]]*))?\]/g;

/** The words of comments for a reader, without commands. */
export function textOf(comments: readonly string[]): string {
    return comments
        .map((one) => one.replaceAll(COMMAND, " ").replaceAll(/\s+/g, " ").trim())
        .filter((one) => one !== "")
        .join(" ");
}

/** The values of a command, in order. */
export function commandsOf(comments: readonly string[], name: string): string[] {
    return comments.flatMap((one) =>
        [...one.matchAll(COMMAND)].filter((match) => match[1] === name).map((match) => (match[2] ?? "").trim()),
    );
}

/** The evaluation that was written down: `[%eval 0.35]`, `[%eval #-3]`, `[%eval 0.35,24]`. */
export function scoreOf(comments: readonly string[]): CommentScore | null {
    const match = /^(#)?([+-]?\d+(?:\.\d+)?)(?:,(\d+))?$/.exec(commandsOf(comments, "eval").at(-1) ?? "");
    if (!match) return null;
    const value = match[1] ? Number(match[2]) : Math.round(Number(match[2]) * 100);
    return { kind: match[1] ? "mate" : "cp", value, ...(match[3] ? { depth: Number(match[3]) } : {}) };
}

/** The value of `[%eval]` for a score. */
export function scoreCommand({ kind, value, depth }: CommentScore): string {
    const score = kind === "mate" ? `#${value}` : (value / 100).toFixed(2);
    return depth === undefined ? score : `${score},${depth}`;
}

/** Seconds of `[%clk]` (left on the clock) or `[%emt]` (taken for the move). */
export function secondsOf(comments: readonly string[], name: "clk" | "emt"): number | null {
    const match = /^(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(commandsOf(comments, name).at(-1) ?? "");
    return match ? Number(match[1] ?? 0) * 3600 + Number(match[2]) * 60 + Number(match[3]) : null;
}

/** The value of `[%clk]` for seconds, to a tenth where there is one. */
export function clockCommand(seconds: number): string {
    const tenths = Math.max(0, Math.round(seconds * 10));
    const [whole, rest] = [Math.floor(tenths / 10), tenths % 10];
    const two = (number: number) => String(number).padStart(2, "0");
    const clock = `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
    return rest ? `${clock}.${rest}` : clock;
}

/** The squares and arrows that are marked. */
export function shapesOf(comments: readonly string[]): Shape[] {
    return [...commandsOf(comments, "csl"), ...commandsOf(comments, "cal")]
        .flatMap((value) => value.split(","))
        .flatMap((word) => {
            const match = /^\s*([A-Z])([a-h][1-8])([a-h][1-8])?\s*$/.exec(word);
            return match ? [{ brush: match[1]!, from: match[2]!, ...(match[3] ? { to: match[3] } : {}) }] : [];
        });
}

/** The comments with a command set to a value, in its place if it is there already, or taken out with `null`. */
export function withCommand(comments: readonly string[], name: string, value: string | null): string[] {
    let isSet = false;
    const changed = comments.flatMap((one) => {
        const next = one.replaceAll(COMMAND, (command, at: string) => {
            if (at !== name) return command;
            if (value === null || isSet) return "";
            isSet = true;
            return `[%${name} ${value}]`;
        });
        return next !== one && next.trim() === "" ? [] : [next];
    });
    if (isSet || value === null) return changed;
    const [first, ...rest] = changed;
    const command = `[%${name} ${value}]`;
    return first === undefined ? [` ${command} `] : [` ${command}${/^\s/.test(first) ? "" : " "}${first}`, ...rest];
}

/** The comments with other words, their commands kept. Words that a comment cannot hold are changed: a closing brace is written as a
 *  bracket. */
export function withText(comments: readonly string[], text: string): string[] {
    const commands = comments.flatMap((one) => [...one.matchAll(COMMAND)].map((match) => match[0]));
    const words = text.replaceAll(/\r\n?/g, "\n").replaceAll("}", ")").trim();
    const whole = [...commands, ...(words ? [words] : [])].join(" ");
    return whole === "" ? [] : [` ${whole} `];
}
