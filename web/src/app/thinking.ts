// What the engine does: it analyses what is looked at, answers in a game or a question, or rests. Decided anew whenever the state has
// changed.

import { opposite } from "chessops/util";
import type { Engine, Job, Line } from "../engine";
import { fenOf, ROOT } from "../game";
import { isPersonsTurn, levels, type Match } from "./match";
import { settings } from "./settings";
import { matchShown, state } from "./state";

/** Milliseconds for a move of the engine where there is no clock, and for the answer to a question. */
const NO_CLOCK_TIME = 1500;
const QUESTION_TIME = 1000;
/** The least and the most milliseconds before an answer that is there, so that nobody is answered before the hand has left the piece,
 *  and not always after the same time. The clock does not run in them. */
const WAIT = [350, 900] as const;

/** What the user has chosen for the engine beside the settings. */
export interface Choice {
    threads: number;
    multipv: number;
}

/** Who hears of what the engine found. */
export interface Hearers {
    /** There are other lines in the position that is looked at. */
    onLines: () => void;
    onAnswer: (match: Match, uci: string, score: number | null) => void;
    /** The engine plays no move in the match, and says why. */
    onRefusal: (match: Match, why: string) => void;
    /** The answer to the question has come. */
    onQuestion: () => void;
}

interface Task {
    /** Two tasks of the same name are the same. */
    name: string;
    job: Job;
}

export class Thinking {
    private doing = "";
    private gameNumber = 0;

    constructor(
        private readonly engine: Engine,
        private readonly choice: () => Choice,
        private readonly hearers: Hearers,
    ) {}

    /** Has the engine do what the state asks for, unless it does so already. */
    update(): void {
        if (state.question && state.question.fen !== state.game.fen()) state.question = null;
        const task = this.reply() ?? this.question() ?? this.analysis();
        const name = task ? `${state.gameNumber} ${task.name}` : "";
        if (name === this.doing) return;
        this.doing = name;
        state.live = null;
        if (this.gameNumber !== state.gameNumber) this.engine.newGame();
        this.gameNumber = state.gameNumber;
        if (task) this.engine.start(task.job);
        else this.engine.cancel();
    }

    private options(more: Job["options"]): Job["options"] {
        return { Threads: this.choice().threads, Hash: settings.hash, ...more };
    }

    private analysis(): Task | null {
        const { game, tab, analysing } = state;
        const { threads, multipv } = this.choice();
        // A hidden page does not search on for nobody.
        if (tab !== "analyse" || !analysing || game.ending() || document.hidden) return null;
        const { at } = game;
        const position = game.uciPosition();
        const lines: Line[] = [];
        const onLine = (line: Line) => {
            lines[line.number - 1] = line;
            lines.length = Math.min(lines.length, multipv);
            if (lines.includes(undefined!)) return;
            state.live = { at, lines: [...lines] };
            // The most that was ever known of the position is remembered: that with the most nodes for each line.
            if (effort(lines) >= effort(game.lines.get(at) ?? [])) game.lines.set(at, [...lines]);
            this.hearers.onLines();
        };
        const options = this.options({ UCI_LimitStrength: false, MultiPV: multipv });
        const job = { position, go: "infinite", whiteToMove: game.turn() === "white", options, onLine };
        return { name: `analysis ${threads} ${settings.hash} ${multipv} ${position}`, job };
    }

    private reply(): Task | null {
        const match = matchShown();
        const { game } = state;
        if (!match || match.end || isPersonsTurn(match, game)) return null;
        // The move is thought about at the end of the match, whatever is looked at.
        const { clock, elo } = match;
        const position = game.uciPosition(match.at);
        const options = this.options({ UCI_LimitStrength: elo !== null, UCI_Elo: elo ?? levels.max, MultiPV: 1 });
        const found = { score: null as number | null };
        const job: Job = {
            position,
            go: clock ? timesText(match) : `movetime ${NO_CLOCK_TIME}`,
            // So scores are the engine's own view.
            whiteToMove: true,
            options,
            onBegin: () => match.at !== ROOT && clock?.start(opposite(match.person)),
            onLine: ({ score: { kind, value } }) => (found.score = kind === "cp" ? value : Math.sign(value) * 10_000),
            onDone: ({ best, said }) => {
                clock?.stop();
                if (best) this.answerLater(match, best, found.score);
                else this.hearers.onRefusal(match, said.join(" "));
            },
        };
        return { name: `reply ${position}`, job };
    }

    private answerLater(match: Match, best: string, score: number | null): void {
        const { doing } = this;
        const [least, most] = WAIT;
        // In the meantime the person may have taken back or resigned.
        const answer = () => this.doing === doing && matchShown() === match && !match.end && this.hearers.onAnswer(match, best, score);
        setTimeout(answer, least + Math.random() * (most - least));
    }

    private question(): Task | null {
        const asked = state.question;
        if (!asked || asked.uci) return null;
        const position = state.game.position().clone();
        if (asked.kind === "threat") {
            position.turn = opposite(position.turn);
            position.epSquare = undefined;
        }
        const job: Job = {
            position: `fen ${fenOf(position)}`,
            go: `movetime ${QUESTION_TIME}`,
            whiteToMove: true,
            options: this.options({ UCI_LimitStrength: false, MultiPV: 1 }),
            onDone: ({ best }) => {
                if (state.question !== asked) return;
                state.question = best ? { ...asked, uci: best } : null;
                this.hearers.onQuestion();
            },
        };
        return { name: `${asked.kind} ${asked.fen}`, job };
    }
}

function effort(lines: readonly Line[]): number {
    return lines.length > 0 ? lines[0]!.nodes / lines.length : 0;
}

function timesText({ clock }: Match): string {
    const time = (color: "white" | "black") => Math.ceil(clock!.time(color));
    const { increment } = clock!.control;
    return `wtime ${time("white")} btime ${time("black")} winc ${increment} binc ${increment}`;
}
