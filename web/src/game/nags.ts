// Numeric annotation glyphs: `$1` to `$255` of PGN, and the signs that people write for them.

/** Signs of the move, of the position, and others, as they are shown. */
const SIGNS: Record<number, readonly [sign: string, meaning: string]> = {
    1: ["!", "good move"],
    2: ["?", "mistake"],
    3: ["!!", "brilliant move"],
    4: ["??", "blunder"],
    5: ["!?", "interesting move"],
    6: ["?!", "dubious move"],
    7: ["□", "only move"],
    10: ["=", "equal"],
    13: ["∞", "unclear"],
    14: ["⩲", "White is slightly better"],
    15: ["⩱", "Black is slightly better"],
    16: ["±", "White is better"],
    17: ["∓", "Black is better"],
    18: ["+−", "White is winning"],
    19: ["−+", "Black is winning"],
    22: ["⨀", "zugzwang"],
    32: ["⟳", "development"],
    36: ["↑", "initiative"],
    40: ["→", "attack"],
    44: ["⯹", "compensation"],
    132: ["⇆", "counterplay"],
    138: ["⊕", "time trouble"],
    140: ["∆", "with the idea"],
    146: ["N", "novelty"],
};

/** The signs that say how good a move is, one at a time. */
export const MOVE_NAGS: readonly number[] = [1, 2, 3, 4, 5, 6, 7];

/** The signs that say who is better, one at a time. */
export const POSITION_NAGS: readonly number[] = [10, 13, 14, 15, 16, 17, 18, 19];

/** "!?" for 5, and "$77" for one without a sign. */
export function nagSign(nag: number): string {
    return SIGNS[nag]?.[0] ?? `$${nag}`;
}

/** The meaning of a glyph in words. */
export function nagMeaning(nag: number): string {
    return SIGNS[nag]?.[1] ?? `glyph ${nag}`;
}

const WRITTEN: Record<string, number> = {
    "=": 10, "+=": 14, "+/=": 14, "=+": 15, "=/+": 15, "+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18, "-+": 19, "Δ": 140,
    "!!!": 3, "???": 4,
};

/** Signs as they are written in texts, after hyphens and compatible characters have been made alike. */
const BY_SIGN = new Map<string, number>([
    ...Object.entries(SIGNS).map(([nag, [sign]]) => [sign.replaceAll("−", "-"), Number(nag)] as const),
    ...Object.entries(WRITTEN),
]);

/** The glyph of a sign that stands alone; no letters, which may be what is left of a move. */
export function nagOf(sign: string): number | undefined {
    return /^[A-Z]/.test(sign) ? undefined : BY_SIGN.get(sign);
}

const TAIL = /(?:[!?]+|\+\/[-=]|[-=]\/\+|\+[-=]|-\+|=\+|=|[□∞⩲⩱±∓⨀⟳↑→⯹⇆⊕∆Δ])$/u;

/** A word without the signs at its end, and their glyphs; null if there is a sign that says nothing. */
export function splitNags(word: string): { word: string; nags: number[] } | null {
    const nags: number[] = [];
    let rest = word;
    for (let match = TAIL.exec(rest); match; match = TAIL.exec(rest)) {
        const nag = BY_SIGN.get(match[0]);
        if (nag === undefined) return null;
        nags.unshift(nag);
        rest = rest.slice(0, match.index);
    }
    return { word: rest, nags };
}
