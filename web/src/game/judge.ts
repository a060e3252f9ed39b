// The engine's judge of positions: crates/chess in a small module of WebAssembly, so that the page refuses what the engine refuses, in
// its words.

import type { Judge } from "./position";

interface Rules {
    memory: WebAssembly.Memory;
    /** The place for a FEN of so many bytes. */
    rules_buffer(length: number): number;
    /** Judges the FEN in the buffer; the length of the answer. */
    rules_judge(): number;
    /** The place of the answer: `+`, the position, and a line for each repair; or `-` and the reason. */
    rules_answer(): number;
}

/** The judge of a module (`rules.wasm`). */
export async function judgeOf(module: BufferSource): Promise<Judge> {
    const { instance } = await WebAssembly.instantiate(module);
    const rules = instance.exports as unknown as Rules;
    return (fen) => {
        const bytes = new TextEncoder().encode(fen);
        // Each call may make the memory larger, and its buffer another one.
        const place = rules.rules_buffer(bytes.length);
        new Uint8Array(rules.memory.buffer, place, bytes.length).set(bytes);
        const length = rules.rules_judge();
        const answer = new TextDecoder().decode(new Uint8Array(rules.memory.buffer, rules.rules_answer(), length));
        const [first = "", ...repairs] = answer.slice(1).split("\n");
        return answer.startsWith("+") ? { fen: first, repairs } : { refusal: first };
    };
}
