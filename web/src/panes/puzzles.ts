// The card of puzzles, above the moves while one is on the board.

import { setAnalysis } from "../app/actions";
import { changed, state } from "../app/state";
import { leavePuzzles, nextPuzzle, puzzleShown, showSolution, train } from "../app/training";
import { $ } from "../dom";
import { say } from "../messages";
import { keptPuzzles, type Puzzle, type Status } from "../puzzles";

const WORDS: Record<Status, (puzzle: Puzzle) => string> = {
    ask: ({ mover }) => `${mover === "white" ? "White" : "Black"} to move: what was better than the move of the game?`,
    checking: () => "Tamarack looks at your move.",
    wrong: () => "Not the best move: try again.",
    solved: () => "Right.",
    shown: () => "This was better.",
};

export function drawPuzzle(): void {
    const shown = puzzleShown();
    $("pane-puzzle").hidden = !shown;
    if (!shown) return;
    const { training, puzzle } = shown;
    const { status, at, puzzles } = training;
    const isOpen = status === "ask" || status === "checking" || status === "wrong";
    $("puzzle-number").textContent = `Puzzle ${at + 1} of ${puzzles.length}`;
    $("puzzle-title").textContent = puzzle.title;
    $("puzzle-status").textContent = WORDS[status](puzzle);
    $("puzzle-why").textContent = isOpen ? "" : (puzzle.why ?? "");
    for (const id of ["puzzle-hint", "puzzle-show"]) $(id).hidden = !isOpen;
    $("puzzle-study").hidden = isOpen;
    $("puzzle-next").classList.toggle("primary", !isOpen);
}

/** Marks the piece that is to move. */
function showPiece(): void {
    const shown = puzzleShown();
    if (!shown) return;
    state.question = { kind: "hint", fen: state.game.fen(), uci: shown.puzzle.solution[0]!.slice(0, 2) };
    changed();
}

/** Begins with the puzzles that are kept. */
async function begin(): Promise<void> {
    const puzzles = await keptPuzzles().catch(() => []);
    if (puzzles.length === 0) return say("There are no puzzles yet: have a game looked through, and its mistakes become some.");
    train(puzzles);
}

export function listenPuzzles(): void {
    $("puzzles").onclick = () => void begin();
    $("puzzle-hint").onclick = showPiece;
    $("puzzle-show").onclick = showSolution;
    $("puzzle-next").onclick = nextPuzzle;
    $("puzzle-leave").onclick = leavePuzzles;
    $("puzzle-study").onclick = () => {
        state.training = null;
        setAnalysis(true);
    };
}
