// How many threads the engine may have.

import type { Build } from "./engine-files";
import { load, save } from "./store";

/** True if the build of the engine with threads is there (see vite.config.ts). */
declare const HAS_THREADS: boolean;

/** True if the engine can have several threads, which need shared memory; only pages that are cross-origin isolated have it. */
export const canHaveThreads = HAS_THREADS && self.crossOriginIsolated;

/** A sentence for the user, after the engine's name. */
export function threadsText(build: Build): string {
    if (build === "threads") return "with threads: this page is cross-origin isolated.";
    if (self.crossOriginIsolated || !HAS_THREADS) return "in one thread of this browser.";
    const later = navigator.serviceWorker?.controller ? " Load it again for several." : "";
    return `in one thread of this browser: this page is not cross-origin isolated.${later}`;
}

/** Offers as many threads as there are processors. At first half of them are chosen. */
export function offerThreads(list: HTMLSelectElement, onChange: () => void): void {
    const processors = navigator.hardwareConcurrency || 1;
    for (let threads = 1; threads <= processors; threads += 1) list.add(new Option(String(threads)));
    list.value = String(Math.min(load<number>("threads") ?? Math.max(1, processors >> 1), processors));
    list.onchange = () => {
        save("threads", Number(list.value));
        onChange();
    };
    list.labels[0]!.hidden = false;
}
