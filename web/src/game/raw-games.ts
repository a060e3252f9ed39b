// The tokens of a text, game by game.

import type { Token } from "./lexer";
import type { Result, Tag } from "./node";
import { Unreadable, quoted } from "./unreadable";

/** A game as it stands in a text: its tokens, not yet played. */
export interface RawGame {
    tags: Tag[];
    /** Comments before the tags. */
    comments: string[];
    tokens: Token[];
    result: Result | null;
    /** A FEN that stands before the moves instead of a tag. */
    fen?: string;
    /** What the list calls it. */
    kind: "game" | "position";
}

export function newGame(kind: RawGame["kind"] = "game"): RawGame {
    return { tags: [], comments: [], tokens: [], result: null, kind };
}

/** The games of a text. What stands between a result and tags belongs to the game of the tags.
 *  @throws Unreadable for what follows a result and is no game. */
export function rawGames(tokens: readonly Token[]): RawGame[] {
    const games: RawGame[] = [];
    let game = newGame();
    let depth = 0;
    /** Comments after a result, until it is clear to which game they belong. */
    let waiting: string[] = [];
    const isBegun = () => game.tags.length > 0 || game.tokens.length > 0 || game.result !== null;
    const begin = () => {
        games.push(game);
        game = newGame();
        game.comments = waiting;
        [waiting, depth] = [[], 0];
    };
    for (const token of tokens) {
        if (token.kind === "tag") {
            const isRepeated = token.afterBlank && game.tags.some((tag) => tag.name === token.tag.name);
            const hasMoves = game.tokens.some((one) => one.kind !== "comment");
            if (game.result !== null || hasMoves || isRepeated) begin();
            game.comments.push(...textsOf(game.tokens));
            game.tokens = [];
            game.tags.push(token.tag);
        } else if (game.result !== null && token.kind === "comment") {
            waiting.push(token.text);
        } else if (game.result !== null) {
            if (token.kind === "word" && token.text === ".") continue;
            if (token.kind !== "number" && !(token.kind === "word" && token.word)) throw afterResult(game, token);
            begin();
            game.tokens.push(token);
        } else if (token.kind === "result" && depth === 0) {
            game.result = token.result;
        } else {
            depth += token.kind === "open" ? 1 : token.kind === "close" ? -1 : 0;
            game.tokens.push(token);
        }
    }
    game.tokens.push(...waiting.map((text) => ({ kind: "comment", text }) as const));
    if (isBegun()) games.push(game);
    return games;
}

function textsOf(tokens: readonly Token[]): string[] {
    return tokens.flatMap((token) => (token.kind === "comment" ? [token.text] : []));
}

function afterResult(game: RawGame, token: Token): Unreadable {
    const word = "text" in token ? token.text : token.kind === "open" ? "(" : ")";
    return new Unreadable(`After the result ${game.result} stands ${quoted(word)}, which is neither a move nor another game.`);
}
