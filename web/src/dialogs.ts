// Questions to the user, in a dialog of the page.

import { make } from "./dom";

/** Asks a question that is answered by yes or no; `no` is what Escape means. */
export function ask(question: string, yes: string, no: string): Promise<boolean> {
    return open(question, yes, no);
}

/** Asks for a text of one line or of several; `null` if the question is left. */
export function askText(title: string, text: string, yes: string, size: "line" | "lines" = "lines"): Promise<string | null> {
    const box = make(size === "line" ? "input" : "textarea");
    box.value = text;
    if (box instanceof HTMLTextAreaElement) box.rows = 5;
    box.setAttribute("aria-label", title);
    const answer = open(title, yes, "Cancel", box);
    box.onkeydown = (event) => {
        const isDone = event.key === "Enter" && (size === "line" || event.ctrlKey || event.metaKey);
        if (!isDone) return;
        event.preventDefault();
        box.closest("dialog")!.close("yes");
    };
    box.focus();
    box.select();
    return answer.then((isYes) => (isYes ? box.value : null));
}

/** Shows a question, and says whether it was answered by yes. */
function open(title: string, yes: string, no: string, ...content: HTMLElement[]): Promise<boolean> {
    const heading = make("h2", "", title);
    heading.id = "question";
    const [accept, refuse] = [make("button", "primary", yes), make("button", "", no)];
    [accept.value, refuse.value] = ["yes", "no"];
    const form = make("form", "row", accept, refuse);
    form.method = "dialog";
    const dialog = make("dialog", "question", heading, ...content, form);
    dialog.setAttribute("aria-labelledby", heading.id);
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((answer) => {
        dialog.onclose = () => {
            dialog.remove();
            answer(dialog.returnValue === "yes");
        };
    });
}
