// What the user has chosen for every visit.

import { load, save } from "../store";

export interface Settings {
    /** The transposition table in MB. */
    hash: number;
    sound: boolean;
}

export const settings: Settings = { hash: 64, sound: false, ...load<Partial<Settings>>("settings") };

export function choose(choice: Partial<Settings>): void {
    Object.assign(settings, choice);
    save("settings", settings);
}
