"""The whole of the Python package `stockfish` against the engine: argument 1 is the engine's path. Ends with status 77 without the package."""

import sys

try:
    from stockfish import Stockfish
except ImportError:
    sys.exit(77)

path = sys.argv[1]
engine = Stockfish(path=path, depth=8, parameters={"Threads": 2, "Hash": 32, "MultiPV": 1, "Move Overhead": 10})
assert engine.get_engine_parameters()["Threads"] == 2
engine.update_engine_parameters({"Ponder": True, "UCI_Chess960": False})
engine.reset_engine_parameters()

assert engine.get_fen_position() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
engine.make_moves_from_start(["e2e4", "e7e5"])
engine.make_moves_from_current_position(["g1f3"])
assert engine.get_fen_position() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"
assert "| r | n | b | q | k |" in engine.get_board_visual()
assert engine.get_board_visual(False).splitlines()[1].startswith("| R |")
assert engine.is_move_legal("b8c6") and not engine.is_move_legal("b8b6")
assert engine.get_what_is_on_square("f3") is Stockfish.Piece.WHITE_KNIGHT
assert engine.get_what_is_on_square("e3") is None
assert engine.will_move_be_a_capture("b8c6") is Stockfish.Capture.NO_CAPTURE
assert engine.is_fen_valid("8/8/8/4k3/8/8/4K3/8 w - - 0 1")
assert not engine.is_fen_valid("8/8/8/8/8/8/4K3/8 w - - 0 1")

assert engine.is_move_legal(engine.get_best_move())
assert engine.raw_stockfish_output(engine.get_best_move)[-1].startswith("bestmove ")
assert engine.is_move_legal(engine.get_best_move(wtime=1000, btime=1000))
assert engine.is_move_legal(engine.get_best_move_time(50))
evaluation = engine.get_evaluation()
assert evaluation["type"] == "cp" and abs(evaluation["value"]) < 200, evaluation
assert abs(engine.get_static_eval()) < 2
wins, draws, losses = engine.get_wdl_stats()
assert wins + draws + losses == 1000 and engine.does_current_engine_version_have_wdl_option()
top = engine.get_top_moves(3, verbose=True)
assert len(top) == 3 and all(engine.is_move_legal(line["Move"]) for line in top), top
assert len(engine.get_top_moves(2, num_nodes=2000)) == 2
engine.set_num_nodes(3000)
engine.set_turn_perspective(False)
assert not engine.get_turn_perspective() and engine.get_num_nodes() == 3000 and engine.get_depth() == 8

engine.set_fen_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
nodes, moves = engine.get_perft(2)
assert (nodes, moves["e1g1"], len(moves)) == (66, 3, 15), (nodes, moves)
engine.flip()
assert engine.get_fen_position().split()[1] == "b"
engine.set_fen_position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
assert engine.get_evaluation() == {"type": "mate", "value": 1}
assert engine.get_best_move() == "a1a8"
engine.set_fen_position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
assert engine.get_best_move() is None

engine.set_fen_position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
engine.set_skill_level(3)
assert engine.is_move_legal(engine.get_best_move())
engine.set_elo_rating(1500)
assert engine.is_move_legal(engine.get_best_move())
engine.resume_full_strength()
engine.send_ucinewgame_command()
assert engine.benchmark(Stockfish.BenchmarkParameters(limit=2)).startswith("Nodes/second")
engine.send_quit_command()
print("done")
