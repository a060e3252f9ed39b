// The keys that work anywhere on the page.

import { $, isText } from "../dom";
import { flip, goTo, setAnalysis, takeBack } from "./actions";
import { state } from "./state";

const KEYS: Record<string, () => void> = {
    ArrowLeft: () => goTo(state.game.ply - 1),
    ArrowRight: () => goTo(state.game.ply + 1),
    Home: () => goTo(0),
    End: () => goTo(state.game.played.length),
    Backspace: takeBack,
    f: flip,
    " ": () => setAnalysis(!state.analysing),
};

export function listenKeys(): void {
    document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || isText(event.target)) return;
        if (!$("promotion").hidden || document.querySelector("dialog[open]")) return;
        const isOn = (selector: string) => event.target instanceof HTMLElement && event.target.matches(selector);
        // A slider has keys of its own, a button the space bar.
        if (isOn("input") || (event.key === " " && (isOn("button, summary") || state.tab !== "analyse"))) return;
        const action = KEYS[event.key];
        if (!action) return;
        event.preventDefault();
        action();
    });
}
