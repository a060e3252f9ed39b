// The page: the board, the engine's analysis, games against it.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { DrawShape } from "chessground/draw";
import type { Key } from "chessground/types";
import "chessground/assets/chessground.base.css";
import "chessground/assets/chessground.cburnett.css";
import { chessgroundDests, chessgroundMove } from "chessops/compat";
import type { Color, Role } from "chessops/types";
import { opposite, parseSquare } from "chessops/util";
import { Clock, timeText, type TimeControl } from "./clock";
import { Engine, type Line } from "./engine";
import { type End, Game, Unusable, chess960 } from "./game";
import { describePosition, gaugeText, lineText, longMove, percent, scoreText, short } from "./text";
import { load, save } from "./store";
import { canHaveThreads, offerThreads, threadsText } from "./threads";
import "./style.css";

const $ = <E extends HTMLElement>(id: string): E => document.getElementById(id) as E;

/** Strengths above this are full strength. */
const MAX_ELO = 2900;
/** Milliseconds for a move of the engine where there is no clock. */
const NO_CLOCK_TIME = 1500;
/** The least milliseconds before its answer, so that nobody is answered before the hand has left the piece. */
const LEAST_TIME = 350;

interface Match {
    person: Color;
    elo: number | null;
    clock: Clock | null;
    end: End | null;
}

let game = new Game();
let match: Match | null = null;
let isPlaying = false; // the tab
let analysing = false;
let orientation: Color = "white";
let lines: Line[] = [];
let board: Api;

const engine = new Engine(
    showEngine,
    (why) => {
        $("about").textContent = `The engine cannot be used: ${why}.`;
        say(`The engine cannot be used: ${why}.`);
        setAnalysis(false);
    },
);

// ---- The board.

function drawBoard(): void {
    const position = game.position;
    const isOver = match?.end != null && isPlaying;
    const mayMove = isPlaying && match ? (isOver || !game.isAtEnd ? undefined : match.person) : ("both" as const);
    const turn = position.turn;
    const last = game.lastMove;
    board.set({
        fen: game.fen,
        orientation,
        turnColor: turn,
        check: position.isCheck(),
        lastMove: last ? (chessgroundMove(last.move) as Key[]) : [],
        movable: {
            color: isPlaying && !match ? undefined : mayMove,
            dests: chessgroundDests(position, { chess960: game.isChess960 }) as Map<Key, Key[]>,
        },
        premovable: { enabled: isPlaying && match !== null && !isOver },
    });
    $("board").setAttribute("aria-label", describePosition(position));
}

function drawArrows(): void {
    const show = analysing && !isPlaying;
    const shapes: DrawShape[] = !show
        ? []
        : lines.slice(0, 5).flatMap((line, at) => {
              const [from, to] = [line.moves[0]?.slice(0, 2), line.moves[0]?.slice(2, 4)];
              if (!from || !to) return [];
              return [{ orig: from as Key, dest: shownTarget(from, to) as Key, brush: at === 0 ? "best" : "other", modifiers: { lineWidth: at === 0 ? 11 : 9 - at } }];
          });
    board.setAutoShapes(shapes.reverse());
}

/** The square that a castling king goes to; the engine names the rook's. */
function shownTarget(from: string, to: string): string {
    const { board: pieces, turn } = game.position;
    const square = (name: string) => parseSquare(name) ?? 0;
    const castles = pieces.king.has(square(from)) && pieces[turn].has(square(to));
    return castles ? `${to > from ? "g" : "c"}${from[1]}` : to;
}

function onBoardMove(from: Key, to: Key): void {
    const [origin, target] = [parseSquare(from), parseSquare(to)];
    if (origin === undefined || target === undefined) return;
    const isPromotion = game.position.board.pawn.has(origin) && (target < 8 || target >= 56);
    if (!isPromotion) return move(() => game.play({ from: origin, to: target }));
    askPromotion(to, (role) => (role ? move(() => game.play({ from: origin, to: target, promotion: role })) : drawBoard()));
}

function askPromotion(at: Key, answer: (role: Role | null) => void): void {
    const box = $("promotion");
    const file = at.charCodeAt(0) - 97;
    const color = game.turn;
    box.style.left = `${(orientation === "white" ? file : 7 - file) * 12.5}%`;
    box.classList.toggle("below", color !== orientation);
    const closeOutside = (event: Event) => {
        if (!box.contains(event.target as Node)) close(null);
    };
    const close = (role: Role | null) => {
        document.removeEventListener("pointerdown", closeOutside, true);
        box.hidden = true;
        box.replaceChildren();
        answer(role);
    };
    for (const role of ["queen", "knight", "rook", "bishop"] as const) {
        const button = document.createElement("button");
        button.setAttribute("aria-label", role);
        button.innerHTML = `<piece class="${role} ${color}"></piece>`;
        button.onclick = () => close(role);
        box.append(button);
    }
    box.onkeydown = (event) => event.key === "Escape" && close(null);
    box.hidden = false;
    document.addEventListener("pointerdown", closeOutside, true);
    (box.firstElementChild as HTMLElement).focus();
}

/** Plays a move of the person. */
function move(play: () => ReturnType<Game["play"]>): void {
    const mover = game.turn;
    if (match && isPlaying && (match.end || !game.isAtEnd || mover !== match.person)) return drawBoard();
    const played = play();
    if (!played) return drawBoard();
    afterMove(mover);
}

function afterMove(mover: Color): void {
    const played = game.lastMove;
    if (match && isPlaying) {
        if (match.clock) match.clock.isRunning ? match.clock.moved(mover) : match.clock.start(opposite(mover));
        match.end = game.end;
        if (match.end) match.clock?.stop();
    }
    if (played) announce(`${mover === "white" ? "White" : "Black"}: ${longMove(played.san)}.${game.end ? ` ${endText(game.end)}` : ""}`);
    draw();
    search();
    if (match && isPlaying && !match.end && game.turn === match.person) board.playPremove();
}

// ---- The engine.

/** Has the engine do what the state asks for: think about its move, analyse, or nothing. */
function search(): void {
    lines = [];
    if (isPlaying) {
        if (match && !match.end && game.isAtEnd && game.turn !== match.person) return reply(match);
        engine.cancel();
    } else if (analysing && !game.end) {
        const turn = game.turn;
        engine.start({
            position: game.uci,
            go: "infinite",
            whiteToMove: turn === "white",
            options: { Threads: threads(), UCI_LimitStrength: false, MultiPV: Number($<HTMLSelectElement>("multipv").value) },
            onLine: (line) => {
                lines[line.number - 1] = line;
                lines.length = Math.min(lines.length, Number($<HTMLSelectElement>("multipv").value));
                drawSoon();
            },
        });
    } else {
        engine.cancel();
    }
    drawAnalysis();
}

function threads(): number {
    return Number($<HTMLSelectElement>("threads").value || 1);
}

function reply(to: Match): void {
    const { clock, elo } = to;
    const asked = performance.now();
    const times = clock && `wtime ${Math.ceil(clock.time("white"))} btime ${Math.ceil(clock.time("black"))} winc ${clock.control.increment} binc ${clock.control.increment}`;
    engine.start({
        position: game.uci,
        go: times ?? `movetime ${NO_CLOCK_TIME}`,
        whiteToMove: game.turn === "white",
        options: { Threads: threads(), UCI_LimitStrength: elo !== null, UCI_Elo: elo ?? MAX_ELO, MultiPV: 1 },
        onDone: ({ best }) => {
            const moves = game.played.length;
            const answer = () => {
                // In the meantime the person may have taken back or resigned.
                if (match !== to || to.end || !best || !isPlaying || game.played.length !== moves) return;
                game.ply = moves;
                const mover = game.turn;
                if (game.playUci(best)) afterMove(mover);
            };
            setTimeout(answer, Math.max(0, LEAST_TIME - (performance.now() - asked)));
        },
    });
    drawAnalysis();
}

function showEngine(name: string): void {
    $("about").textContent = `${name}, ${threadsText()}`;
    // The service worker isolates the page when it is loaded again.
    navigator.serviceWorker?.addEventListener("controllerchange", () => showEngine(name), { once: true });
}

function setAnalysis(on: boolean): void {
    analysing = on;
    $("analysis").setAttribute("aria-checked", String(on));
    search();
    draw();
}

let isDrawDue = false;

/** Draws the analysis at the next frame. */
function drawSoon(): void {
    if (isDrawDue) return;
    isDrawDue = true;
    requestAnimationFrame(() => {
        isDrawDue = false;
        drawAnalysis();
    });
}

function drawAnalysis(): void {
    const best = lines[0];
    const end = game.end;
    const wdl: [number, number, number] | null = best
        ? best.wdl
        : end && !isPlaying
          ? end.result === "1-0" ? [1000, 0, 0] : end.result === "0-1" ? [0, 0, 1000] : [0, 1000, 0]
          : null;
    const score = best ? scoreText(best.score) : end && !isPlaying ? end.result.replaceAll("1/2", "½") : "–";
    $("score").textContent = score;
    $("depth").textContent = best ? `depth ${best.depth}` : "";
    $("speed").textContent = best ? `${short(best.nodes)} nodes, ${short(best.speed)}/s` : "";
    const gauge = $("gauge");
    // Its place is kept.
    gauge.style.visibility = isPlaying ? "hidden" : "";
    gauge.classList.toggle("flipped", orientation === "black");
    if (wdl) {
        const white = (wdl[0] + wdl[1] / 2) / 10;
        gauge.style.setProperty("--white", `${white.toFixed(1)}%`);
        gauge.setAttribute("aria-label", `Evaluation ${score}`);
        gauge.classList.toggle("black-better", white < 50);
        (gauge.lastElementChild as HTMLElement).textContent = best ? gaugeText(best.score) : "";
    } else if (!analysing) {
        gauge.style.setProperty("--white", "50%");
        (gauge.lastElementChild as HTMLElement).textContent = "";
    }
    const chances = $("wdl");
    chances.hidden = !wdl;
    if (wdl) {
        chances.setAttribute("aria-label", `White wins ${percent(wdl[0])}, draw ${percent(wdl[1])}, Black wins ${percent(wdl[2])}`);
        [...chances.children].forEach((part, at) => {
            const share = wdl[at as 0 | 1 | 2];
            (part as HTMLElement).style.flexGrow = String(share);
            part.textContent = share >= 90 ? percent(share) : "";
        });
    }
    const list = $("lines");
    const wanted = analysing && !isPlaying && !end ? Number($<HTMLSelectElement>("multipv").value) : 0;
    while (list.children.length > wanted) list.lastElementChild?.remove();
    while (list.children.length < wanted) list.append(document.createElement("li"));
    [...list.children].forEach((item, at) => {
        const line = lines[at];
        if (!line) return void item.replaceChildren();
        const [number, moves] = [document.createElement("button"), document.createElement("span")];
        const { text, first } = lineText(game, line);
        number.className = "line-score";
        number.textContent = scoreText(line.score);
        number.title = `Play ${first}`;
        number.setAttribute("aria-label", `Play ${first}, ${scoreText(line.score)}`);
        number.onclick = () => move(() => (line.moves[0] ? game.playUci(line.moves[0]) : null));
        moves.textContent = text;
        item.replaceChildren(number, moves);
    });
    $("pane-analyse").classList.toggle("off", !analysing);
    drawArrows();
}

// ---- Games against the engine.

function levelText(elo: number): string {
    return elo > MAX_ELO ? "Full strength" : `${elo} Elo`;
}

function begin(): void {
    const value = (id: string) => $<HTMLSelectElement>(id).value;
    const elo = Number(value("level"));
    const from = value("from");
    const [minutes, seconds] = value("control").split("+").map(Number);
    const control: TimeControl | null = minutes ? { base: minutes * 60_000, increment: (seconds ?? 0) * 1000 } : null;
    if (from === "960") game = chess960(Math.floor(Math.random() * 960));
    else if (from === "here") game = Game.fromFen(game.fen);
    else game = new Game();
    if (game.end) return say("The game is over in this position already.");
    const wish = value("colour");
    const person: Color = wish === "random" ? (Math.random() < 0.5 ? "white" : "black") : (wish as Color);
    match = { person, elo: elo > MAX_ELO ? null : elo, clock: control && new Clock(control), end: null };
    orientation = person;
    save("setup", { level: elo, colour: wish, control: value("control") });
    engine.newGame();
    say(null);
    draw();
    search();
}

function endText({ result, why }: End): string {
    const winner = result === "1-0" ? "White wins" : result === "0-1" ? "Black wins" : "Draw";
    return result === "1/2-1/2" ? `${winner} by ${why}.` : `${winner}: ${why}.`;
}

function drawMatch(): void {
    $("pane-analyse").hidden = isPlaying;
    $("pane-play").hidden = !isPlaying;
    $("tab-analyse").setAttribute("aria-selected", String(!isPlaying));
    $("tab-play").setAttribute("aria-selected", String(isPlaying));
    $("setup").hidden = match !== null;
    $("playing").hidden = match === null;
    $<HTMLButtonElement>("resign").disabled = !match || match.end !== null;
    $("study").hidden = !match?.end;
    $("level-text").textContent = levelText(Number($<HTMLInputElement>("level").value));
    if (match) {
        const thinking = game.last.turn === match.person ? "Your move." : "Tamarack is thinking.";
        $("status").textContent = match.end ? endText(match.end) : thinking;
    }
    for (const [id, color] of [["player-top", opposite(orientation)], ["player-bottom", orientation]] as const) {
        const [name, clock] = [...$(id).children] as [HTMLElement, HTMLElement];
        const isEngine = match !== null && color !== match.person;
        name.textContent = match && isPlaying ? (isEngine ? `Tamarack, ${levelText(match.elo ?? MAX_ELO + 1).toLowerCase().replace("elo", "Elo")}` : "You") : (game.headers.get(color === "white" ? "White" : "Black") ?? (color === "white" ? "White" : "Black"));
        $(id).classList.toggle("turn", game.turn === color);
        clock.hidden = !match?.clock || !isPlaying;
        clock.dataset.color = color;
    }
    drawClocks();
}

function drawClocks(): void {
    const clock = match?.clock;
    if (!clock) return;
    for (const shown of document.querySelectorAll<HTMLElement>(".clock")) {
        const color = shown.dataset.color as Color;
        const time = clock.time(color);
        shown.textContent = timeText(time);
        shown.classList.toggle("low", time < 10_000);
    }
    const running = clock.isRunning;
    if (match && running && clock.time(running) === 0 && !match.end) {
        clock.stop();
        const rest = game.last.clone();
        const isDraw = rest.hasInsufficientMaterial(opposite(running));
        match.end = { result: isDraw ? "1/2-1/2" : running === "white" ? "0-1" : "1-0", why: isDraw ? "the winner's lack of material" : "time" };
        announce(endText(match.end));
        engine.cancel();
        draw();
    }
}

// ---- The moves.

function drawMoves(): void {
    const list = $("moves");
    const parts: HTMLElement[] = [];
    game.played.forEach((played, at) => {
        const number = game.moveNumber(at);
        if (at === 0 || number.endsWith(".")) {
            const label = document.createElement("span");
            label.className = "number";
            label.textContent = number;
            const pair = document.createElement("span");
            pair.className = "pair";
            pair.append(label);
            parts.push(pair);
        }
        const button = document.createElement("button");
        button.textContent = played.san;
        button.setAttribute("aria-label", `${number} ${longMove(played.san)}`);
        if (at === game.ply - 1) button.setAttribute("aria-current", "step");
        button.onclick = () => goTo(at + 1);
        parts.at(-1)!.append(button);
    });
    const end = match?.end ?? (game.isAtEnd ? game.end : null);
    if (end) {
        const result = document.createElement("span");
        result.className = "result";
        result.textContent = endText(end);
        parts.push(result);
    } else if (parts.length === 0) {
        const hint = document.createElement("span");
        hint.className = "hint";
        hint.textContent = isPlaying ? "The moves of the game will stand here." : "Move a piece, or paste a FEN or a PGN.";
        parts.push(hint);
    }
    list.replaceChildren(...parts);
    const current = list.querySelector<HTMLElement>("[aria-current]");
    if (current) list.scrollTop = Math.max(0, current.offsetTop - list.clientHeight / 2);
    else list.scrollTop = 0;
    $<HTMLButtonElement>("first").disabled = $<HTMLButtonElement>("previous").disabled = game.ply === 0;
    $<HTMLButtonElement>("last").disabled = $<HTMLButtonElement>("next").disabled = game.isAtEnd;
    $<HTMLButtonElement>("takeback").disabled = game.played.length === 0;
}

function goTo(ply: number): void {
    const wanted = Math.max(0, Math.min(game.played.length, ply));
    if (wanted === game.ply) return;
    game.ply = wanted;
    draw();
    if (!isPlaying) search();
}

function takeBack(): void {
    if (game.played.length === 0) return;
    if (match && isPlaying) {
        // Back to the person's turn.
        engine.cancel();
        game.takeBack(game.last.turn === match.person ? 2 : 1);
        match.end = null;
        if (match.clock && game.played.length === 0) match.clock.stop();
        else match.clock?.start(game.last.turn);
    } else {
        game.takeBack(Math.max(1, game.played.length - game.ply + 1));
    }
    draw();
    search();
}

// ---- Texts in and out.

function setGame(next: Game): void {
    game = next;
    match = null;
    isPlaying = false;
    say(null);
    engine.newGame();
    draw();
    search();
}

function loadText(text: string): void {
    try {
        setGame(Game.fromText(text));
        announce(game.played.length > 0 ? `A game of ${game.played.length} moves.` : "A position.");
    } catch (error) {
        if (!(error instanceof Unusable)) throw error;
        say(error.message);
    }
}

async function copy(text: string, what: string): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
        say(`${what} copied.`, true);
    } catch {
        // Without permission the text can be copied by hand.
        const box = $<HTMLTextAreaElement>("text");
        box.value = text;
        box.select();
    }
}

function pgn(): string {
    const headers: Record<string, string> = { Result: (match?.end ?? (game.isAtEnd ? game.end : null))?.result ?? game.headers.get("Result") ?? "*" };
    if (match) {
        const name = `Tamarack${match.elo ? ` (${match.elo} Elo)` : ""}`;
        headers.White = match.person === "white" ? "You" : name;
        headers.Black = match.person === "white" ? name : "You";
        headers.Date = new Date().toISOString().slice(0, 10).replaceAll("-", ".");
    }
    return game.pgn(headers);
}

/** Shows a sentence under the moves, or takes it away. */
function say(text: string | null, isGood = false): void {
    const box = $("message");
    box.hidden = text === null;
    box.textContent = text ?? "";
    box.classList.toggle("good", isGood);
}

function announce(text: string): void {
    $("live").textContent = text;
}

// ---- All together.

function draw(): void {
    drawBoard();
    drawMoves();
    drawMatch();
    drawAnalysis();
    save("game", { pgn: game.pgn({}), ply: game.ply });
}

function setTab(playing: boolean): void {
    if (playing === isPlaying) return;
    isPlaying = playing;
    say(null);
    if (!playing && match) {
        match.clock?.stop();
        match = match.end ? null : match;
    } else if (playing && match && game.isAtEnd && !match.end) {
        match.clock?.start(game.turn);
    }
    draw();
    search();
}

function listen(): void {
    const click = (id: string, action: () => void) => ($(id).onclick = action);
    click("tab-analyse", () => setTab(false));
    click("tab-play", () => setTab(true));
    document.querySelector<HTMLElement>("[role=tablist]")!.onkeydown = (event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        event.preventDefault();
        event.stopPropagation();
        setTab(event.key === "ArrowRight");
        $(isPlaying ? "tab-play" : "tab-analyse").focus();
    };
    click("first", () => goTo(0));
    click("previous", () => goTo(game.ply - 1));
    click("next", () => goTo(game.ply + 1));
    click("last", () => goTo(game.played.length));
    click("flip", flip);
    click("takeback", takeBack);
    click("analysis", () => setAnalysis(!analysing));
    click("theme", toggleTheme);
    click("load", () => loadText($<HTMLTextAreaElement>("text").value));
    click("copy-fen", () => void copy(game.fen, "FEN"));
    click("copy-pgn", () => void copy(pgn(), "PGN"));
    click("reset", () => setGame(new Game()));
    click("random-960", () => set960(Math.floor(Math.random() * 960)));
    click("resign", () => {
        if (!match || match.end) return;
        match.clock?.stop();
        match.end = { result: match.person === "white" ? "0-1" : "1-0", why: "resignation" };
        engine.cancel();
        draw();
    });
    click("again", () => {
        engine.cancel();
        match?.clock?.stop();
        match = null;
        draw();
    });
    click("study", () => {
        setTab(false);
        setAnalysis(true);
    });
    $("multipv").onchange = () => {
        save("multipv", $<HTMLSelectElement>("multipv").value);
        search();
    };
    if (canHaveThreads) offerThreads($<HTMLSelectElement>("threads"), () => isPlaying || search());
    $("level").oninput = drawMatch;
    $("setup").onsubmit = (event) => {
        event.preventDefault();
        begin();
    };
    $("form-960").onsubmit = (event) => {
        event.preventDefault();
        const text = $<HTMLInputElement>("number-960").value;
        const number = Number(text);
        if (text === "" || !Number.isInteger(number) || number < 0 || number > 959) return say("The number of a Chess960 position is 0 to 959.");
        set960(number);
    };
    $("type-form").onsubmit = (event) => {
        event.preventDefault();
        const box = $<HTMLInputElement>("typed");
        const text = box.value.trim();
        if (text === "") return;
        const ply = game.ply;
        move(() => game.playText(text));
        if (game.ply === ply) return say(`${text} cannot be played here.`);
        box.value = "";
        say(null);
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("paste", (event) => {
        const text = event.clipboardData?.getData("text") ?? "";
        if (isText(event.target) || text.trim() === "") return;
        event.preventDefault();
        loadText(text);
    });
    document.addEventListener("visibilitychange", () => {
        // A hidden page does not search on for nobody.
        if (!isPlaying && analysing) document.hidden ? engine.cancel() : search();
    });
    setInterval(drawClocks, 100);
    new ResizeObserver(() => board.redrawAll()).observe($("board"));
}

function set960(number: number): void {
    $<HTMLInputElement>("number-960").value = String(number);
    setGame(chess960(number));
}

function flip(): void {
    orientation = opposite(orientation);
    draw();
}

function isText(target: EventTarget | null): boolean {
    return target instanceof HTMLElement && target.matches("input:not([type=range]), textarea, select");
}

function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || isText(event.target) || !$("promotion").hidden) return;
    const onButton = event.target instanceof HTMLElement && event.target.matches("button, summary, input");
    const actions: Record<string, () => void> = {
        ArrowLeft: () => goTo(game.ply - 1),
        ArrowRight: () => goTo(game.ply + 1),
        Home: () => goTo(0),
        End: () => goTo(game.played.length),
        Backspace: takeBack,
        f: flip,
        ...(onButton || isPlaying ? {} : { " ": () => setAnalysis(!analysing) }),
    };
    const action = actions[event.key];
    if (!action || (onButton && event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    action();
}

function toggleTheme(): void {
    const isDark = document.documentElement.dataset.theme === "dark";
    setTheme(isDark ? "light" : "dark");
    save("theme", isDark ? "light" : "dark");
}

function setTheme(theme: string): void {
    document.documentElement.dataset.theme = theme;
}

function restore(): void {
    setTheme(load<string>("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    const setup = load<{ level: number; colour: string; control: string }>("setup");
    if (setup) {
        $<HTMLInputElement>("level").value = String(setup.level);
        $<HTMLSelectElement>("colour").value = setup.colour;
        $<HTMLSelectElement>("control").value = setup.control;
    }
    const multipv = load<string>("multipv");
    if (multipv) $<HTMLSelectElement>("multipv").value = multipv;
    const kept = load<{ pgn: string; ply: number }>("game");
    if (!kept) return;
    try {
        game = Game.fromPgn(kept.pgn);
        game.ply = Math.min(game.played.length, kept.ply);
    } catch {
        game = new Game();
    }
}

restore();
board = Chessground($("board"), {
    coordinates: true,
    coordinatesOnSquares: false,
    animation: { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180 },
    movable: { free: false, showDests: true, rookCastle: true, events: { after: onBoardMove } },
    highlight: { lastMove: true, check: true },
    draggable: { showGhost: true },
    drawable: {
        brushes: {
            green: { key: "g", color: "#3c7a4e", opacity: 0.9, lineWidth: 10 },
            red: { key: "r", color: "#a8433b", opacity: 0.9, lineWidth: 10 },
            blue: { key: "b", color: "#2f6690", opacity: 0.9, lineWidth: 10 },
            yellow: { key: "y", color: "#c2902f", opacity: 0.9, lineWidth: 10 },
            best: { key: "best", color: "#c2862a", opacity: 0.95, lineWidth: 11 },
            other: { key: "other", color: "#3d5a6c", opacity: 0.6, lineWidth: 8 },
        },
    },
});
listen();
draw();
if ("serviceWorker" in navigator && import.meta.env.PROD) void navigator.serviceWorker.register("./sw.js");
