// The page: its views are tied to the state, and the engine to both.

import { playAnswer, setAnalysis } from "./app/actions";
import { listenKeys } from "./app/keys";
import { levels } from "./app/match";
import { breakOff } from "./app/opponent";
import { keepAlways, restore } from "./app/session";
import { changed, onChange, onPlayed, state } from "./app/state";
import { loadAddress } from "./app/texts";
import { Thinking } from "./app/thinking";
import { judgeMove } from "./app/training";
import { Board } from "./board/board";
import { $ } from "./dom";
import { Engine } from "./engine";
import { judge } from "./judge";
import { say } from "./messages";
import { listenEditor } from "./board/editor";
import { drawAnalysis, listenAnalysis, multipv } from "./panes/analysis";
import { drawFrame, listenFrame, showEngine, showProgress } from "./panes/frame";
import { chooseGame, listenGames } from "./panes/games";
import { listenMenu, MENU_KEYS } from "./panes/menu";
import { drawMoves, listenMoves } from "./panes/moves";
import { drawPlay, listenPlay } from "./panes/play";
import { drawPlayers, runClocks } from "./panes/players";
import { drawPuzzle, listenPuzzles } from "./panes/puzzles";
import { drawReport, listenReport } from "./panes/report";
import { listenSaved } from "./panes/saved";
import { listenSettings } from "./panes/settings";
import { listenTexts } from "./panes/texts";
import { canHaveThreads, offerThreads } from "./threads";
import "./style/index.css";

/** Something that is done at the next frame, once, however often it is asked for. */
function atNextFrame(action: () => void): () => void {
    let isDue = false;
    return () => {
        if (isDue) return;
        isDue = true;
        requestAnimationFrame(() => {
            isDue = false;
            action();
        });
    };
}

function start(): void {
    restore();
    const board = new Board();
    const engine = new Engine({
        onReady: (name, build) => {
            const { min, max } = engine.options.get("UCI_Elo") ?? levels;
            Object.assign(levels, { min, max });
            showEngine(name, build);
            drawPlay();
        },
        onProgress: (loaded, total) => {
            showProgress(loaded, total);
            drawAnalysis();
            drawPlay();
        },
        onSaid: say,
        onFailure: (why) => {
            state.failure = $("about").textContent = `The engine cannot be used: ${why}.`;
            say(state.failure);
            setAnalysis(false);
        },
    });
    const drawLines = atNextFrame(() => {
        drawAnalysis();
        board.drawArrows();
    });
    const choice = () => ({ threads: Number($<HTMLSelectElement>("threads").value || 1), multipv: multipv() });
    const thinking = new Thinking(engine, choice, { onLines: drawLines, onAnswer: playAnswer, onRefusal: breakOff, onQuestion: changed });
    const views = [() => thinking.update(), drawFrame, () => board.draw(), drawMoves, drawPlay, drawPlayers, drawAnalysis, drawPuzzle, drawReport];
    for (const view of views) onChange(view);
    keepAlways(onChange);

    listenFrame();
    listenAnalysis(changed);
    listenPlay();
    listenReport();
    listenMoves();
    listenTexts();
    listenEditor();
    listenSaved();
    listenGames();
    listenPuzzles();
    onPlayed((node) => judgeMove(engine, node));
    listenMenu();
    listenKeys(MENU_KEYS);
    listenSettings(changed);
    runClocks();
    // In a game they count from the next move on.
    if (canHaveThreads) offerThreads($<HTMLSelectElement>("threads"), () => state.tab === "play" || changed());
    document.addEventListener("visibilitychange", changed);
    state.judge = judge;
    loadAddress(chooseGame);
    addEventListener("hashchange", () => loadAddress(chooseGame));
    changed();
    if ("serviceWorker" in navigator && import.meta.env.PROD) void navigator.serviceWorker.register("./sw.js");
}

start();
