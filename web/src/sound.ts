// Sounds of moves, made by the browser; off until they are wanted.

export type Sound = "move" | "capture" | "check" | "end";

/** Hertz and seconds of the tones of a sound, one after the other. */
const TONES: Record<Sound, [hertz: number, seconds: number][]> = {
    move: [[190, 0.07]],
    capture: [[260, 0.05], [150, 0.09]],
    check: [[520, 0.08], [660, 0.12]],
    end: [[392, 0.14], [330, 0.14], [262, 0.3]],
};

const audio: { context: AudioContext | null } = { context: null };

/** Plays a sound; browsers allow it only after the user has done something on the page. */
export function play(sound: Sound): void {
    audio.context ??= new AudioContext();
    const { context } = audio;
    void context.resume();
    let at = context.currentTime + 0.01;
    for (const [hertz, seconds] of TONES[sound]) {
        const [tone, volume] = [context.createOscillator(), context.createGain()];
        tone.type = "triangle";
        tone.frequency.value = hertz;
        volume.gain.setValueAtTime(0.25, at);
        volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
        tone.connect(volume).connect(context.destination);
        tone.start(at);
        tone.stop(at + seconds);
        at += seconds * 0.8;
    }
}

/** The sound of a move in SAN. */
export function soundOf(san: string, isEnd: boolean): Sound {
    if (isEnd || san.includes("#")) return "end";
    if (san.includes("+")) return "check";
    return san.includes("x") ? "capture" : "move";
}
