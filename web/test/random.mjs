// Random choices that are the same in every run.

/** Numbers from a seed (mulberry32). */
export function randomFrom(seed) {
    let state = seed;
    const next = () => {
        state = (state + 0x6d2b79f5) | 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
    const below = (count) => Math.floor(next() * count);
    return { below, chance: (part) => next() < part, pick: (list) => list[below(list.length)] };
}
