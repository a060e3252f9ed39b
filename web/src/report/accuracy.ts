// How well a side has played, by the chances of winning that its moves cost.

/** A move's accuracy in percent, by lichess's formula (lichess.org/page/accuracy), from the mover's chances before and after. */
export function moveAccuracy(before: number, after: number): number {
    const accuracy = 103.1668 * Math.exp(-0.04354 * Math.max(0, before - after)) - 3.1669;
    return Math.max(0, Math.min(100, accuracy));
}

/** The accuracy of a side: half of it the mean of its moves' accuracies and half their harmonic mean, in which a blunder weighs more.
 *  Null without moves. */
export function sideAccuracy(moves: readonly number[]): number | null {
    if (moves.length === 0) return null;
    const mean = moves.reduce((sum, one) => sum + one, 0) / moves.length;
    const harmonic = moves.length / moves.reduce((sum, one) => sum + 1 / Math.max(1, one), 0);
    return (mean + harmonic) / 2;
}
