// Texts that begin with a position: FEN, EPD, UCI's `position`, with or without moves behind them.

import { tokensOf } from "./lexer";
import { INITIAL_FEN } from "./position";
import { type RawGame, newGame, rawGames } from "./raw-games";
import { Unreadable } from "./unreadable";

const PLACEMENT = /^[pnbrqk1-8~]+(?:\/[pnbrqk\d~]*){2,}/i;

/** The games of a text that begins with a FEN, an EPD, or UCI's `position`; null if it does not. */
export function positionsIn(text: string): RawGame[] | null {
    const uci = /^(?:position\s+)?(startpos|fen\s+(?=\S*\/))/i.exec(text) ?? /^position\s+(?=\S*\/)/i.exec(text);
    const bare = unquoted(text.slice(uci?.[0].length ?? 0).trim());
    if (uci?.[1]?.toLowerCase() === "startpos") return [fromFen(INITIAL_FEN, bare)];
    if (/^moves\s/i.test(bare)) return [fromFen(INITIAL_FEN, bare)];
    const unlabelled = bare.replace(/^(?:fen|epd)\s*[:=]?\s*(?=\S*\/)/i, "");
    if (!PLACEMENT.test(unquoted(unlabelled))) return null;
    const lines = unlabelled.split("\n").map((line) => unquoted(line.trim())).filter((line) => line !== "");
    if (lines.length > 1 && lines.every((line) => PLACEMENT.test(line))) return lines.map(fromLine);
    return [fromLine(unquoted(unlabelled))];
}

const MARK = /["'`“”„«»‘’<>()]/;

/** A text without the quotation marks around it, or around its beginning. */
function unquoted(text: string): string {
    if (!MARK.test(text[0] ?? "")) return text;
    const inside = text.slice(1).split(MARK, 1)[0]!;
    const rest = text.slice(inside.length + 2);
    return `${inside.trim()} ${rest.replace(/^[\s,;.]+$/, "")}`.trim();
}

/** A FEN or EPD with what follows it: operations, or moves. */
function fromLine(line: string): RawGame {
    // Underscores stand for blanks in addresses.
    const text = /^\S+_[wb]_/.test(line) ? line.replaceAll("_", " ") : line;
    const fields = /^\S+(?:\s+[wb](?=\s|$))?(?:\s+(?:[KQA-H]{1,4}|[KQkqA-Ha-h]{1,4}|-)(?=\s|$))?(?:\s+(?:[a-h][36]|-)(?=\s|$))?(?:\s+(?:-?\d+|-)(?=[\s,;]|$)){0,2}/.exec(text);
    const fen = fields?.[0] ?? text;
    const behind = text.slice(fen.length).trim();
    if (/^;?\s*[a-z]\w*\s[^;]*(?:;|$)/i.test(behind) && behind.includes(";") && !/^moves\s/i.test(behind)) return fromEpd(fen, behind);
    const rest = behind.replace(/^[,;.]+\s*/, "");
    if (rest !== "" && !beginsMoves(rest)) return { ...newGame("position"), fen: `${fen} ${rest}` };
    return fromFen(fen, rest);
}

/** True for what can only be moves or a whole PGN, not more fields of a FEN. */
function beginsMoves(text: string): boolean {
    const [first] = tokensOf(text.replace(/^moves\b/i, "").slice(0, 200));
    if (/^moves\b/i.test(text)) return true;
    if (first?.kind === "word") return first.word !== null && first.word.standard?.kind !== "null";
    return first?.kind === "number" ? first.dots > 0 : first !== undefined && first.kind !== "fault" && first.kind !== "nag";
}

function fromFen(fen: string, rest: string): RawGame {
    const [game, another] = rest === "" ? [newGame("position")] : rawGames(tokensOf(rest.replace(/^moves\b/i, "")));
    if (game?.tags.some((tag) => tag.name.toLowerCase() === "fen")) {
        throw new Unreadable("This text has two positions: one before the tags and one in them.");
    }
    if (another) throw new Unreadable("After the moves from this position stands another game.");
    return { ...(game ?? newGame("position")), fen };
}

/** EPD: the counters are read, the other operations kept as a comment. */
function fromEpd(fen: string, operations: string): RawGame {
    const id = /(?:^|;)\s*id\s+"([^"]*)"/.exec(operations)?.[1];
    return {
        ...newGame("position"),
        fen: `${fen} ${operations}`,
        tags: id ? [{ name: "Event", value: id }] : [],
        comments: [` ${operations.replace(/^;\s*/, "")} `],
    };
}
