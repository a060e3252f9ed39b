// The clock of a game.

import type { Color } from "chessops/types";

export interface TimeControl {
    /** Milliseconds for the game. */
    base: number;
    /** Milliseconds for each move. */
    increment: number;
}

export class Clock {
    private left: Record<Color, number>;
    private running: Color | null = null;
    private since = 0;

    constructor(
        readonly control: TimeControl,
        left: Record<Color, number> = { white: control.base, black: control.base },
    ) {
        this.left = { ...left };
    }

    /** Milliseconds that a side has left. */
    time(color: Color): number {
        const spent = this.running === color ? performance.now() - this.since : 0;
        return Math.max(0, this.left[color] - spent);
    }

    /** Lets the time of this side run, and of no other. */
    start(color: Color): void {
        this.stop();
        this.running = color;
        this.since = performance.now();
    }

    /** The side has moved: its time stops, and it gets its increment. */
    moved(color: Color): void {
        this.stop();
        this.left[color] += this.control.increment;
    }

    stop(): void {
        if (this.running) this.left[this.running] = this.time(this.running);
        this.running = null;
    }

    get isRunning(): Color | null {
        return this.running;
    }
}

/** "3:07", or "9.4" below ten seconds. */
export function timeText(milliseconds: number): string {
    if (milliseconds < 10_000) return (Math.floor(milliseconds / 100) / 10).toFixed(1);
    const seconds = Math.floor(milliseconds / 1000);
    const minutes = Math.floor(seconds / 60);
    const two = (number: number) => String(number).padStart(2, "0");
    return minutes >= 60
        ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
        : `${minutes}:${two(seconds % 60)}`;
}
