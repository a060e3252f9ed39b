// The page's elements, by name and new ones.

/** The element of index.html with this id. */
export const $ = <E extends HTMLElement = HTMLElement>(id: string): E => document.getElementById(id) as E;

/** A new element with classes and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    className = "",
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
}

/** True if keys that are pressed there write text. */
export function isText(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && target.matches("input:not([type=range], [type=checkbox]), textarea, select");
}
