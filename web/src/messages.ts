// Sentences for the user: shown beside what they speak of, or read out.

import { $ } from "./dom";

/** Where a sentence stands: the element that it follows. */
const PLACES = { moves: "typed", setup: "setup", text: "text", number: "form-960", link: "bar", editor: "editor-fen" };

export type Place = keyof typeof PLACES;

/** Shows a sentence, or takes the one that is shown away. */
export function say(text: string | null, place: Place = "moves", isGood = false): void {
    const box = $("message");
    box.hidden = text === null;
    box.classList.toggle("good", isGood);
    if (text === null) return box.replaceChildren();
    const before = $(PLACES[place]);
    if (before.nextElementSibling !== box) before.after(box);
    // Where it is the same sentence again, it is said again.
    box.textContent = "";
    box.textContent = text;
    if (!isGood) box.scrollIntoView({ block: "nearest" });
}

/** Has a sentence read out to those who hear the page. */
export function announce(text: string): void {
    $("live").textContent = text;
}
