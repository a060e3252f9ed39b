// The frame of the page: tabs, theme, and what is said of the engine.

import { setTab } from "../app/actions";
import { state, type Tab } from "../app/state";
import { $ } from "../dom";
import type { Build } from "../engine-files";
import { load, save } from "../store";
import { threadsText } from "../threads";

const TABS: Tab[] = ["analyse", "report", "play"];

export function drawFrame(): void {
    for (const tab of TABS) {
        const isShown = tab === state.tab;
        $(`pane-${tab}`).hidden = !isShown;
        $(`tab-${tab}`).setAttribute("aria-selected", String(isShown));
        $(`tab-${tab}`).tabIndex = isShown ? 0 : -1;
    }
}

function setTheme(theme: string): void {
    document.documentElement.dataset.theme = theme;
}

/** Says how much of the engine has come. */
export function showProgress(loaded: number, total: number): void {
    const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
    state.loading = `${megabytes(loaded)} of ${megabytes(total)} MB`;
    $("about").textContent = `Loading the engine: ${state.loading}…`;
}

/** Says which engine runs, and with how many threads it can. */
export function showEngine(name: string, build: Build): void {
    state.loading = null;
    $("about").textContent = $("about-settings").textContent = `${name}, ${threadsText(build)}`;
    // The service worker isolates the page when it is loaded again.
    navigator.serviceWorker?.addEventListener("controllerchange", () => showEngine(name, build), { once: true });
}

export function listenFrame(): void {
    setTheme(load<string>("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    $("theme").onclick = () => {
        const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
        setTheme(theme);
        save("theme", theme);
    };
    for (const tab of TABS) $(`tab-${tab}`).onclick = () => setTab(tab);
    document.querySelector<HTMLElement>("[role=tablist]")!.onkeydown = (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        const next = TABS[Math.max(0, Math.min(TABS.length - 1, TABS.indexOf(state.tab) + step))]!;
        setTab(next);
        $(`tab-${next}`).focus();
    };
}
