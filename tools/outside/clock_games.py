#!/usr/bin/env python3
"""Games on the clock between two UCI engines through python-chess: a referee that shares no code with Tamarack's tools.

    pip install chess
    python3 tools/outside/clock_games.py --engine target/release/tamarack --opponent OTHER --tc 2+0.02 --games 100 \
        --book openings.epd --option Threads=2 --ponder

Clocks are this program's own (monotonic, from before `position ... go` is sent until the move is read). While a move is awaited, a
second thread looks every 2 ms how late it wakes, so that a loss on time can be told from a machine that stood still. Faults (a loss
on time, a crash, an illegal move, a line of analysis that python-chess cannot read or play) are printed with the game and counted;
the exit code is 1 if there was one.
"""

import argparse
import logging
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import chess
import chess.engine

FAULTS = []
LOCK = threading.Lock()


def fault(text):
    with LOCK:
        FAULTS.append(text)
        print("FAULT", text, flush=True)


class EngineComplaints(logging.Handler):
    """What python-chess logs as wrong about an engine's output is a fault."""

    def emit(self, record):
        if record.levelno >= logging.WARNING and "stderr" not in record.getMessage():
            fault(record.getMessage())


class Heartbeat(threading.Thread):
    """The longest delay of a wake-up since it was last asked for, in seconds."""

    def __init__(self):
        super().__init__(daemon=True)
        self.latest = 0.0
        self.start()

    def run(self):
        while True:
            before = time.monotonic()
            time.sleep(0.002)
            self.latest = max(self.latest, time.monotonic() - before - 0.002)

    def take(self):
        latest, self.latest = self.latest, 0.0
        return latest


class Clock:
    """One side's clock, `[moves/]seconds[+increment]`."""

    def __init__(self, control):
        control, _, increment = control.partition("+")
        moves, slash, seconds = control.rpartition("/")
        self.period = int(moves) if slash else None
        self.base, self.increment = float(seconds), float(increment or 0)
        self.left, self.moves_to_go = self.base, self.period

    def press(self, used):
        """Counts a move of so many seconds; false if they were too many."""
        self.left -= used
        in_time = self.left >= 0
        self.left += self.increment
        if self.moves_to_go is not None:
            self.moves_to_go -= 1
            if self.moves_to_go == 0:
                self.left += self.base
                self.moves_to_go = self.period
        return in_time


def play(number, fen, engines, arguments, heartbeat):
    """The result of one game for White: 1, 0.5 or 0."""
    board = chess.Board(fen)
    clocks = {chess.WHITE: Clock(arguments.tc), chess.BLACK: Clock(arguments.tc)}
    game = object()
    while board.outcome(claim_draw=True) is None:
        side = board.turn
        white, black = clocks[chess.WHITE], clocks[chess.BLACK]
        limit = chess.engine.Limit(
            white_clock=white.left, black_clock=black.left, white_inc=white.increment, black_inc=black.increment,
            remaining_moves=clocks[side].moves_to_go)
        name, engine = engines[side]
        heartbeat.take()
        left, before = clocks[side].left, time.monotonic()
        try:
            played = engine.play(board, limit, game=game, ponder=arguments.ponder, info=chess.engine.INFO_ALL)
        except chess.engine.EngineError as error:
            fault(f"game {number}: {name}: {error}, in {board.fen()}")
            raise
        used = time.monotonic() - before
        if not clocks[side].press(used):
            fault(f"game {number}: {name} used {1000 * used:.1f} ms of {1000 * left:.1f} ms; a wake-up of this program was "
                  f"{1000 * heartbeat.take():.1f} ms late meanwhile; in {board.fen()}")
            return 0.0 if side == chess.WHITE else 1.0
        board.push(played.move)
    winner = board.outcome(claim_draw=True).winner
    return 0.5 if winner is None else float(winner)


def start(path, options):
    engine = chess.engine.SimpleEngine.popen_uci(path, timeout=60)
    engine.configure(options)
    return engine


def play_pairs(openings, arguments, options):
    """Plays each opening twice; the score of the first engine from each pair."""
    heartbeat, score, games = Heartbeat(), 0.0, 0
    first, second = (start(path, options) for path in (arguments.engine, arguments.opponent))
    for number, fen in openings:
        for swapped in (False, True):
            sides = {chess.WHITE: ("first", first), chess.BLACK: ("second", second)}
            if swapped:
                sides = {chess.WHITE: sides[chess.BLACK], chess.BLACK: sides[chess.WHITE]}
            try:
                result = play(2 * number + swapped, fen, sides, arguments, heartbeat)
            except chess.engine.EngineError:
                # A crash or an illegal move: counted, and both begin anew.
                for engine in (first, second):
                    engine.close()
                first, second = (start(path, options) for path in (arguments.engine, arguments.opponent))
                continue
            score += 1.0 - result if swapped else result
            games += 1
            print(f"game {2 * number + swapped}: {result}", flush=True)
    first.quit()
    second.quit()
    return score, games


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--opponent", required=True)
    parser.add_argument("--tc", default="2+0.02", help="[moves/]seconds[+increment]")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--book", help="EPD, one opening a line; the usual array without it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of both engines")
    parser.add_argument("--ponder", action="store_true")
    arguments = parser.parse_args()

    logging.getLogger("chess.engine").addHandler(EngineComplaints())
    openings = [chess.STARTING_FEN]
    if arguments.book:
        with open(arguments.book) as book:
            lines = [line.split(";")[0].strip() for line in book if line.strip()]
        random.Random(arguments.seed).shuffle(lines)
        # An EPD has four fields before its operations, a FEN six.
        openings = [" ".join(line.split()[:4]) + " 0 1" for line in lines]
    pairs = (arguments.games + 1) // 2
    numbered = [(number, openings[number % len(openings)]) for number in range(pairs)]
    shares = [numbered[worker::arguments.concurrency] for worker in range(arguments.concurrency)]
    options = dict(option.split("=", 1) for option in arguments.option)
    with ThreadPoolExecutor(arguments.concurrency) as pool:
        jobs = [pool.submit(play_pairs, share, arguments, options) for share in shares]
        scores = [job.result() for job in jobs]
    score, games = (sum(column) for column in zip(*scores))
    print(f"{games} games, {score:g} points of the first engine, {len(FAULTS)} faults")
    sys.exit(1 if FAULTS else 0)


if __name__ == "__main__":
    main()
