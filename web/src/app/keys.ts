// The keys that work anywhere on the page.

import { $, isText } from "../dom";
import { flip, goBack, goBeside, hasBeside, goOn, goToEnd, goToStart, question, redo, removeFrom, setAnalysis, takeBack, undo } from "./actions";
import { state } from "./state";

const KEYS: Record<string, () => void> = {
    ArrowLeft: goBack,
    ArrowRight: goOn,
    Home: goToStart,
    End: goToEnd,
    Backspace: takeBack,
    f: flip,
    h: () => question("hint"),
};

/** Those of the analysis alone. */
const ANALYSIS_KEYS: Record<string, () => void> = {
    " ": () => setAnalysis(!state.analysing),
    Delete: () => removeFrom(state.game.at),
    x: () => question("threat"),
};

/** Listens to keys; `more` are those of the panes. */
export function listenKeys(more: Record<string, () => void>): void {
    document.addEventListener("keydown", (event) => {
        if (event.altKey || isText(event.target) || !$("promotion").hidden || document.querySelector("dialog[open]")) return;
        const action = event.ctrlKey || event.metaKey ? historyKey(event) : plainKey(event, more);
        if (!action) return;
        event.preventDefault();
        action();
    });
}

function historyKey({ key, shiftKey }: KeyboardEvent): (() => void) | undefined {
    const name = key.toLowerCase();
    if (name === "z") return shiftKey ? redo : undo;
    return name === "y" ? redo : undefined;
}

function plainKey({ key, target }: KeyboardEvent, more: Record<string, () => void>): (() => void) | undefined {
    const isOn = (selector: string) => target instanceof HTMLElement && target.matches(selector);
    // A slider has keys of its own, a button the space bar.
    if (isOn("input") || (key === " " && isOn("button, summary"))) return undefined;
    // Where there is nothing beside, they scroll.
    const step = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : null;
    if (step) return hasBeside() ? () => goBeside(step) : undefined;
    return KEYS[key] ?? (state.tab === "analyse" ? (ANALYSIS_KEYS[key] ?? more[key]) : undefined);
}
