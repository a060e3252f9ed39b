// Puzzles on the board: a move is asked for, judged, and the answer shown.

import type { Engine, Score } from "../engine";
import { Game, ROOT, type TreeNode } from "../game";
import { announce, say } from "../messages";
import { keepSolved, type Puzzle, type Status, type Training } from "../puzzles";
import { chancesOf } from "../text";
import { setGame } from "./actions";
import { changed, state } from "./state";

/** Milliseconds for each of the two moves that are compared. */
const CHECK_TIME = 600;
/** Points of the chances that a move may be worse than the engine's. */
const TOLERANCE = 4;
/** Milliseconds after which a wrong move is taken back. */
const BACK_AFTER = 900;

/** The puzzle on the board; `null` if there is none. */
export function puzzleShown(): { training: Training; puzzle: Puzzle } | null {
    const { training, game } = state;
    if (!training || training.game !== game || state.tab !== "analyse") return null;
    return { training, puzzle: training.puzzles[training.at]! };
}

/** Sets puzzle number `at` up. */
export function train(puzzles: readonly Puzzle[], at = 0): void {
    const puzzle = puzzles[at];
    if (!puzzle) return say("There is no puzzle left: have a game looked through.");
    const game = Game.fromFen(puzzle.fen, state.judge);
    state.analysing = false;
    state.orientation = puzzle.mover;
    state.training = { puzzles, at, status: "ask", game };
    setGame(game);
}

export function nextPuzzle(): void {
    const { training } = state;
    if (training) train(training.puzzles, (training.at + 1) % training.puzzles.length);
}

export function leavePuzzles(): void {
    state.training = null;
    changed();
}

/** Shows the answer. */
export function showSolution(): void {
    const shown = puzzleShown();
    if (shown) reveal(shown.training, shown.puzzle, "shown");
}

/** Judges a move of the person at the beginning of a puzzle. */
export function judgeMove(engine: Engine, node: TreeNode): void {
    const shown = puzzleShown();
    if (!shown || shown.training.status !== "ask" || shown.training.game.parent(node.id) !== ROOT) return;
    const { training, puzzle } = shown;
    if (node.uci === puzzle.solution[0] || shown.training.game.ending(node.id)?.why === "checkmate") return solve(training, puzzle);
    training.status = "checking";
    changed();
    void isAsGood(engine, training.game, node, puzzle).then((isGood) => {
        if (puzzleShown()?.training !== training) return;
        if (isGood) return solve(training, puzzle);
        training.status = "wrong";
        announce("That is not the best move.");
        changed();
        setTimeout(() => takeWrongBack(training, node), BACK_AFTER);
    });
}

function takeWrongBack(training: Training, node: TreeNode): void {
    if (puzzleShown()?.training !== training || !training.game.has(node.id)) return;
    training.game.remove(node.id);
    training.game.toStart();
    training.status = "ask";
    changed();
}

function solve(training: Training, puzzle: Puzzle): void {
    void keepSolved(puzzle).catch(() => {});
    announce("Right.");
    reveal(training, puzzle, "solved");
}

/** Puts the better line into the game, as a side line if another move was played. */
function reveal(training: Training, { solution }: Puzzle, status: Status): void {
    const { game } = training;
    training.status = status;
    const at = game.at;
    game.toStart();
    for (const uci of solution) game.playUci(uci);
    if (status === "shown") game.goTo(game.root.children.find(({ uci }) => uci === solution[0])?.id ?? at);
    else game.goTo(at);
    changed();
}

/** True if the move leaves its side as many chances as the solution does, or almost. */
async function isAsGood(engine: Engine, game: Game, node: TreeNode, { solution, mover }: Puzzle): Promise<boolean> {
    const chances = async (uci: string) => {
        const score = await scoreAfter(engine, game, uci);
        return score && chancesOf(score)[mover === "white" ? 0 : 2] / 10;
    };
    const [best, own] = [await chances(solution[0]!), await chances(node.uci)];
    return best !== null && own !== null && own >= best - TOLERANCE;
}

/** The score, from White's view, when this move is played at the beginning. */
function scoreAfter(engine: Engine, game: Game, uci: string): Promise<Score | null> {
    const found = { score: null as Score | null };
    return new Promise((answer) =>
        engine.start({
            position: game.uciPosition(ROOT),
            go: `movetime ${CHECK_TIME} searchmoves ${uci}`,
            whiteToMove: game.turn(ROOT) === "white",
            options: { UCI_LimitStrength: false, MultiPV: 1 },
            onLine: (line) => (found.score = line.score),
            onDone: () => answer(found.score),
        }),
    );
}
