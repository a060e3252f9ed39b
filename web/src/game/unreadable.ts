// What is said when something cannot be used.

import type { Entry } from "./reader";

/** Something that the user gave cannot be used; the message is a sentence for the user, with the place and the word. */
export class Unreadable extends Error {
    override name = "Unreadable";

    /** @param others The games of the same text that can be read. */
    constructor(
        message: string,
        readonly others: readonly Entry[] = [],
    ) {
        super(message);
    }
}

/** A word of the user as it stands in a sentence: in quotation marks, without control characters, not longer than a line. */
export function quoted(word: string): string {
    const plain = [...word.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")];
    return `“${plain.length > 40 ? `${plain.slice(0, 40).join("")}…` : plain.join("")}”`;
}
