// A game: where it began, its moves, and the position that is looked at.

import { Chess, normalizeMove } from "chessops/chess";
import { INITIAL_FEN, makeFen, parseFen } from "chessops/fen";
import { defaultHeaders, makePgn, parsePgn, Node as PgnNode, ChildNode, startingPosition } from "chessops/pgn";
import { makeSanAndPlay, parseSan } from "chessops/san";
import type { Color, Move, NormalMove } from "chessops/types";
import { makeUci, parseUci } from "chessops/util";

export interface Played {
    move: NormalMove;
    san: string;
    uci: string;
    after: Chess;
}

export interface End {
    result: "1-0" | "0-1" | "1/2-1/2";
    why: string;
}

/** Something that the user gave cannot be used; the message is a sentence for the user. */
export class Unusable extends Error {}

const FEN_FAULTS: Record<string, string> = {
    ERR_FEN: "This FEN has more parts than a FEN can have.",
    ERR_BOARD: "The board of this FEN is not eight ranks of eight squares.",
    ERR_TURN: "This FEN does not say whose turn it is: after the board there must be w or b.",
    ERR_CASTLING: "The castling rights of this FEN cannot be read.",
    ERR_EP_SQUARE: "The en-passant square of this FEN cannot be read.",
    ERR_HALFMOVES: "The halfmove count of this FEN is not a number.",
    ERR_FULLMOVES: "The move number of this FEN is not a number.",
    ERR_EMPTY: "This FEN has no pieces.",
    ERR_KINGS: "Each side needs exactly one king.",
    ERR_OPPOSITE_CHECK: "The side that has just moved stands in check: this position cannot arise.",
    ERR_PAWNS_ON_BACKRANK: "There is a pawn on the first or the last rank.",
};

function sentence(error: Error): Unusable {
    return new Unusable(FEN_FAULTS[error.message] ?? "This FEN cannot be read.");
}

export class Game {
    start: Chess;
    played: Played[] = [];
    /** The number of moves before the position that is looked at. */
    ply = 0;
    headers = new Map<string, string>();

    constructor(start: Chess = Chess.default()) {
        this.start = start;
    }

    static fromFen(text: string): Game {
        const position = parseFen(text.trim()).chain((setup) => Chess.fromSetup(setup));
        if (position.isErr) throw sentence(position.error);
        return new Game(position.value);
    }

    static fromPgn(text: string): Game {
        const [pgn] = parsePgn(text, () => new Map());
        if (!pgn) throw new Unusable("There is no game in this text.");
        const variant = pgn.headers.get("Variant")?.toLowerCase();
        if (variant && !/^(standard|normal|chess|from position|fischer.*|chess ?960)$/.test(variant)) {
            throw new Unusable(`This is a game of ${pgn.headers.get("Variant")}; only chess and Chess960 are played here.`);
        }
        const start = startingPosition(pgn.headers);
        if (start.isErr) throw sentence(start.error);
        const game = new Game(start.value as Chess);
        game.headers = pgn.headers;
        for (const { san } of pgn.moves.mainline()) {
            const move = parseSan(game.last, san);
            if (!move) throw new Unusable(`Move ${game.moveNumber(game.played.length)} ${san} cannot be played there.`);
            game.play(move);
        }
        if (game.played.length === 0 && pgn.headers.size === 0) {
            throw new Unusable("This is neither a FEN nor the moves of a game.");
        }
        game.ply = 0;
        return game;
    }

    /** A game from either kind of text. */
    static fromText(text: string): Game {
        const trimmed = text.trim();
        if (trimmed === "") throw new Unusable("Paste a FEN or a PGN first.");
        const board = trimmed.split(/\s/)[0] ?? "";
        return board.includes("/") && !trimmed.startsWith("[") && !/^\d+\./.test(board)
            ? Game.fromFen(trimmed)
            : Game.fromPgn(trimmed);
    }

    /** The position after all moves. */
    get last(): Chess {
        return this.played.at(-1)?.after ?? this.start;
    }

    /** The position that is looked at. */
    get position(): Chess {
        return this.played[this.ply - 1]?.after ?? this.start;
    }

    get lastMove(): Played | undefined {
        return this.played[this.ply - 1];
    }

    get turn(): Color {
        return this.position.turn;
    }

    get fen(): string {
        return makeFen(this.position.toSetup());
    }

    get isAtEnd(): boolean {
        return this.ply === this.played.length;
    }

    /** Plays a legal move in the position that is looked at; other moves from there on are dropped. */
    play(move: Move): Played | null {
        const before = this.position;
        const normal = normalizeMove(before, move) as NormalMove;
        if (!before.isLegal(normal)) return null;
        const next = this.played[this.ply];
        const uci = makeUci(normal);
        if (next?.uci === uci) {
            this.ply += 1;
            return next;
        }
        const after = before.clone();
        const san = makeSanAndPlay(after, normal);
        const played = { move: normal, san, uci, after };
        this.played = [...this.played.slice(0, this.ply), played];
        this.ply += 1;
        return played;
    }

    playUci(uci: string): Played | null {
        const move = parseUci(uci);
        return move ? this.play(move) : null;
    }

    /** A move as a person types it: SAN, sloppily, or from square to square. */
    playText(text: string): Played | null {
        const typed = text.trim();
        const tries = [typed, typed.replace(/^[nbrqk]/, (letter) => letter.toUpperCase()), typed.replace(/0/g, "O")];
        for (const one of tries) {
            const move = parseSan(this.position, one);
            if (move) return this.play(move);
        }
        return this.playUci(typed.toLowerCase());
    }

    takeBack(plies: number): void {
        this.played = this.played.slice(0, Math.max(0, this.played.length - plies));
        this.ply = this.played.length;
    }

    /** The arguments of UCI's `position` for the position that is looked at. */
    get uci(): string {
        return this.uciAt(this.ply);
    }

    /** The same for the position after so many moves. */
    uciAt(ply: number): string {
        const moves = this.played.slice(0, ply).map((one) => one.uci);
        const fen = makeFen(this.start.toSetup());
        const start = fen === INITIAL_FEN ? "startpos" : `fen ${fen}`;
        return moves.length > 0 ? `${start} moves ${moves.join(" ")}` : start;
    }

    /** "12." or "12…" of the move number `index`. */
    moveNumber(index: number): string {
        const first = this.start.turn === "white" ? 0 : 1;
        const number = this.start.fullmoves + Math.floor((index + first) / 2);
        return (index + first) % 2 === 0 ? `${number}.` : `${number}…`;
    }

    /** The end of the game in the position that is looked at, if it is one. */
    get end(): End | null {
        const position = this.position;
        if (position.isCheckmate()) {
            return { result: position.turn === "white" ? "0-1" : "1-0", why: "checkmate" };
        }
        const draw = (why: string): End => ({ result: "1/2-1/2", why });
        if (position.isStalemate()) return draw("stalemate");
        if (position.isInsufficientMaterial()) return draw("insufficient material");
        if (this.repetitions() >= 3) return draw("threefold repetition");
        if (position.halfmoves >= 100) return draw("the fifty-move rule");
        return null;
    }

    private repetitions(): number {
        const key = (position: Chess) => makeFen(position.toSetup(), { epd: true });
        const here = key(this.position);
        return [this.start, ...this.played.slice(0, this.ply).map((one) => one.after)].filter((one) => key(one) === here)
            .length;
    }

    pgn(headers: Record<string, string>): string {
        const all = new Map([...defaultHeaders(), ...this.headers, ...Object.entries(headers)]);
        const fen = makeFen(this.start.toSetup());
        if (fen !== INITIAL_FEN) {
            all.set("SetUp", "1");
            all.set("FEN", fen);
            if (this.isChess960) all.set("Variant", "Chess960");
        }
        const moves = new PgnNode<{ san: string }>();
        let end: PgnNode<{ san: string }> = moves;
        for (const { san } of this.played) {
            const child = new ChildNode({ san });
            end.children.push(child);
            end = child;
        }
        return makePgn({ headers: all, moves });
    }

    /** True if a king or rook that may castle stands elsewhere than in chess. */
    get isChess960(): boolean {
        const { castlingRights } = this.start.castles;
        for (const square of castlingRights) {
            if (![0, 7, 56, 63].includes(square)) return true;
            const king = this.start.board.kingOf(square < 8 ? "white" : "black");
            if (king !== (square < 8 ? 4 : 60)) return true;
        }
        return false;
    }
}

/** The starting position of this number of Chess960 (Scharnagl's), 0 to 959; 518 is that of chess. */
export function chess960(number: number): Game {
    const rank: (string | null)[] = Array(8).fill(null);
    const empty = () => rank.flatMap((piece, file) => (piece ? [] : [file]));
    let rest = number;
    const take = (of: number) => {
        const digit = rest % of;
        rest = Math.floor(rest / of);
        return digit;
    };
    rank[2 * take(4) + 1] = "b";
    rank[2 * take(4)] = "b";
    rank[empty()[take(6)]!] = "q";
    const pairs = [
        [0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4],
    ];
    const free = empty();
    for (const at of pairs[rest]!) rank[free[at]!] = "n";
    const [left, king, right] = empty();
    rank[left!] = "r";
    rank[king!] = "k";
    rank[right!] = "r";
    const files = [left!, right!].map((file) => "abcdefgh"[file]!);
    const back = rank.join("");
    const rights = files.map((file) => file.toUpperCase()).reverse().join("") + [...files].reverse().join("");
    return Game.fromFen(`${back}/pppppppp/8/8/8/8/PPPPPPPP/${back.toUpperCase()} w ${rights} - 0 1`);
}
