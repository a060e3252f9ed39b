// What the engine does: it analyses what is looked at, answers in a game, or rests. Decided anew whenever the state has changed.

import { Engine, type Job, type Line } from "../engine";
import { MAX_ELO, type Match } from "./match";
import { matchShown, state } from "./state";

/** Milliseconds for a move of the engine where there is no clock. */
const NO_CLOCK_TIME = 1500;
/** The least and the most milliseconds before an answer that is there, so that nobody is answered before the hand has left the piece,
 *  and not always after the same time. The clock does not run in them. */
const WAIT = [350, 900] as const;

/** What the user has chosen for the engine. */
export interface Settings {
    threads: number;
    multipv: number;
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
        private readonly settings: () => Settings,
        private readonly onLines: () => void,
        private readonly onAnswer: (uci: string) => void,
    ) {}

    /** Has the engine do what the state asks for, unless it does so already. */
    update(): void {
        const task = this.reply() ?? this.analysis();
        const name = task ? `${state.gameNumber} ${task.name}` : "";
        if (name === this.doing) return;
        this.doing = name;
        state.lines = [];
        if (this.gameNumber !== state.gameNumber) this.engine.newGame();
        this.gameNumber = state.gameNumber;
        if (task) this.engine.start(task.job);
        else this.engine.cancel();
    }

    private analysis(): Task | null {
        const { game } = state;
        const { threads, multipv } = this.settings();
        // A hidden page does not search on for nobody.
        if (state.tab !== "analyse" || !state.analysing || game.end || document.hidden) return null;
        const onLine = (line: Line) => {
            state.lines[line.number - 1] = line;
            state.lines.length = Math.min(state.lines.length, multipv);
            this.onLines();
        };
        const options = { Threads: threads, UCI_LimitStrength: false, MultiPV: multipv };
        const job = { position: game.uci, go: "infinite", whiteToMove: game.turn === "white", options, onLine };
        return { name: `analysis ${threads} ${multipv} ${game.uci}`, job };
    }

    private reply(): Task | null {
        const match = matchShown();
        const { game } = state;
        if (!match || match.end || game.last.turn === match.person) return null;
        // The move is thought about at the end of the game, whatever is looked at.
        const { clock, elo } = match;
        const position = game.uciAt(game.played.length);
        const options = { Threads: this.settings().threads, UCI_LimitStrength: elo !== null, UCI_Elo: elo ?? MAX_ELO, MultiPV: 1 };
        const job: Job = {
            position,
            go: clock ? timesText(match) : `movetime ${NO_CLOCK_TIME}`,
            whiteToMove: game.last.turn === "white",
            options,
            onBegin: () => game.played.length > 0 && clock?.start(game.last.turn),
            onDone: ({ best }) => {
                clock?.stop();
                if (best) this.answerLater(best, match);
            },
        };
        return { name: `reply ${position}`, job };
    }

    private answerLater(best: string, match: Match): void {
        const { doing } = this;
        const [least, most] = WAIT;
        // In the meantime the person may have taken back or resigned.
        const answer = () => this.doing === doing && matchShown() === match && !match.end && this.onAnswer(best);
        setTimeout(answer, least + Math.random() * (most - least));
    }
}

function timesText({ clock }: Match): string {
    const time = (color: "white" | "black") => Math.ceil(clock!.time(color));
    const { increment } = clock!.control;
    return `wtime ${time("white")} btime ${time("black")} winc ${increment} binc ${increment}`;
}
