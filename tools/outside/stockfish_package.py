"""Tamarack behind the Python package `stockfish` (pip install stockfish==5.2): every question that it asks an engine.

    python tools/outside/stockfish_package.py target/release/tamarack
"""

import sys

from stockfish import Stockfish

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1"
IN_CHECK = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def main(path: str) -> None:
    engine = Stockfish(path, depth=8, parameters={"Threads": 2, "Hash": 32, "Minimum Thinking Time": 5})
    assert engine.get_perft(2)[0] == 400 and len(engine.get_perft(1)[1]) == 20
    assert abs(engine.get_static_eval()) < 2.0
    assert engine.benchmark(Stockfish.BenchmarkParameters(limit=3)).startswith("Nodes/second")
    assert engine.get_perft(3)[0] == 8902, "directly behind a benchmark"
    engine.make_moves_from_start(["e2e4", "e7e5"])
    assert engine.get_fen_position().startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/")
    assert "a   b   c" in engine.get_board_visual()
    assert engine.get_best_move() and engine.get_best_move_time(50) and engine.get_best_move(wtime=500, btime=500)
    assert engine.get_evaluation()["type"] == "cp" and sum(engine.get_wdl_stats()) == 1000
    assert len(engine.get_top_moves(3)) == 3 and engine.get_top_moves(2, verbose=True)[0]["WDL"]
    engine.set_fen_position(MATE_IN_ONE)
    assert engine.get_best_move() == "e1e8" and engine.get_evaluation() == {"type": "mate", "value": 1}
    assert engine.is_move_legal("e1e8") and not engine.is_move_legal("e1e9")
    engine.set_fen_position(IN_CHECK)
    assert engine.get_best_move() is None and engine.get_evaluation()["type"] == "mate"
    engine.set_elo_rating(1350)
    engine.set_skill_level(3)
    engine.resume_full_strength()
    engine.update_engine_parameters({"UCI_Chess960": True, "Move Overhead": 50, "MultiPV": 2, "Debug Log File": ""})
    engine.send_ucinewgame_command()
    engine.set_fen_position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    engine.flip()
    assert " b " in engine.get_fen_position()
    engine.send_quit_command()
    print("all answered")


if __name__ == "__main__":
    main(sys.argv[1])
