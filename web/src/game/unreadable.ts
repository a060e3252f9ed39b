// What is said when something cannot be used.

import type { Tag } from "./node";
import type { Game } from "./tree";

/** A game of a text. */
export interface Entry {
    /** From 1. */
    number: number;
    tags: readonly Tag[];
    /** "Morphy – Anderssen, 1-0, Paris 1858", "Game 2, 12 moves", "Position 3". */
    title: string;
    /** The game, a new one with each call.
     *  @throws Unreadable in a text so long that its games are read when they are asked for. */
    game(): Game;
}

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
