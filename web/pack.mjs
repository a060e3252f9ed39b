// Packs the network for the way to the browser: `node pack.mjs NETWORK FILE`. Its 16-bit weights are written as two planes, all low
// bytes and then all high bytes, the sign in the lowest bit (zigzag), and all of it is compressed by gzip: of 7.2 MB 3.8 are left,
// where gzip alone leaves 4.5. Every browser unpacks gzip; `unpack` in package/tamarack.js does the rest.

import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/** Header of a network's file, and inputs of the first layer (see crates/nnue/src/file.rs and architecture.rs). */
const HEADER = 64;
const INPUTS = 7 * 768;

/** The packed file, before gzip: magic, where the 16-bit numbers begin and how many they are, what stands before them, their two planes,
 *  and the rest. */
export function planes(file) {
    const hidden = file.readUInt32LE(16);
    const count = INPUTS * hidden;
    const head = Buffer.alloc(16);
    head.write("TAMAPACK", "latin1");
    head.writeUInt32LE(HEADER, 8);
    head.writeUInt32LE(count, 12);
    const [low, high] = [Buffer.alloc(count), Buffer.alloc(count)];
    for (let at = 0; at < count; at += 1) {
        const number = file.readInt16LE(HEADER + 2 * at);
        const zigzag = (number << 1) ^ (number >> 15);
        low[at] = zigzag & 255;
        high[at] = (zigzag >> 8) & 255;
    }
    return Buffer.concat([head, file.subarray(0, HEADER), low, high, file.subarray(HEADER + 2 * count)]);
}

if (import.meta.filename === process.argv[1]) {
    const [network, to] = process.argv.slice(2);
    const packed = gzipSync(planes(readFileSync(network)), { level: 9 });
    writeFileSync(to, packed);
    console.log(`${to}: ${packed.length} bytes`);
}
