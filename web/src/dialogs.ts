// Questions to the user, in a dialog of the page.

import { make } from "./dom";

/** Asks a question that is answered by yes or no; `no` is what Escape means. */
export function ask(question: string, yes: string, no: string): Promise<boolean> {
    const title = make("h2", "", question);
    title.id = "question";
    const [accept, refuse] = [make("button", "primary", yes), make("button", "", no)];
    [accept.value, refuse.value] = ["yes", "no"];
    const form = make("form", "row", accept, refuse);
    form.method = "dialog";
    const dialog = make("dialog", "question", title, form);
    dialog.setAttribute("aria-labelledby", title.id);
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((answer) => {
        dialog.onclose = () => {
            dialog.remove();
            answer(dialog.returnValue === "yes");
        };
    });
}

/** Asks for a text; `null` if the question is left. */
export function askText(title: string, text: string, yes: string): Promise<string | null> {
    const heading = make("h2", "", title);
    heading.id = "question";
    const box = make("textarea", "");
    box.value = text;
    box.rows = 5;
    box.setAttribute("aria-labelledby", heading.id);
    const [accept, refuse] = [make("button", "primary", yes), make("button", "", "Cancel")];
    [accept.value, refuse.value] = ["yes", "no"];
    const form = make("form", "row", accept, refuse);
    form.method = "dialog";
    const dialog = make("dialog", "question", heading, box, form);
    dialog.setAttribute("aria-labelledby", heading.id);
    document.body.append(dialog);
    box.onkeydown = (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) dialog.close("yes");
    };
    dialog.showModal();
    box.focus();
    return new Promise((answer) => {
        dialog.onclose = () => {
            dialog.remove();
            answer(dialog.returnValue === "yes" ? box.value : null);
        };
    });
}
