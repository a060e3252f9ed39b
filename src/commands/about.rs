//! `help`, `license` and `compiler`: texts about the program.

use crate::search::TECHNIQUES;
use nnue::kernels;

/// The text of `help`: every command in a line.
pub const HELP: &str = "\
uci                                   name, author and options
isready                               answers readyok
setoption name NAME [value VALUE]     sets an option
ucinewgame                            forgets the last game
position startpos|fen FEN [moves ...] sets up a position
go [LIMITS]                           searches; limits are wtime btime winc binc movestogo movetime depth nodes mate
                                      searchmoves infinite ponder
stop, ponderhit, quit                 end the search, the opponent's move was expected, end the program
go perft N, perft N [FEN]             counts sequences of legal moves
d                                     the board, FEN and key
eval [FEN]                            the evaluation and its parts
export_net [FILE]                     writes the network in use to a file
savehash FILE, loadhash FILE          writes the hash table to a file, reads it back in, also into another size
flip                                  exchanges the colours
bench [DEPTH [THREADS [HASH]]]        searches a fixed list of positions and counts the nodes
bench HASH THREADS LIMIT default|FILE depth|nodes|movetime
speedtest [THREADS[,THREADS...] [HASH [SECONDS | nodes NODES]]]
                                      measures the speed with so many threads, by default all processors for 120 s
genfens N seed S book FILE|None [plies N] [limit CP] [chess960|dfrc]
                                      random balanced openings, as OpenBench asks for them
wait                                  answers when the search is over; quit waits for it
compiler, license, help               the build, the licence, this text";

/// The text of `license`.
pub const LICENSE: &str = "\
Tamarack is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as
published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version. It comes
WITHOUT ANY WARRANTY. The whole text is in the file LICENSE beside the source, and at https://www.gnu.org/licenses/.";

/// The text of `compiler`: version, compiler, target, processor features of the build, the kernel of the evaluation in use, and
/// all kernels that this processor can run, best first.
pub fn compiler() -> String {
    let features =
        if COMPILED_IN.is_empty() { "baseline".to_string() } else { COMPILED_IN.replace(',', " ") };
    let mut extras = Vec::new();
    if cfg!(debug_assertions) {
        extras.push("debug assertions");
    }
    if !TECHNIQUES.is_empty() {
        extras.push("lab");
    }
    if cfg!(feature = "tune") {
        extras.push("tune");
    }
    if !env!("TAMARACK_PROFILE").is_empty() {
        extras.push("guided by a profile");
    }
    let extras = if extras.is_empty() { "none".to_string() } else { extras.join(", ") };
    let kernels: Vec<&str> = kernels::available().iter().map(|kernel| kernel.name()).collect();
    let kernels = kernels.join(" ");
    format!(
        "version:  Tamarack {}\ncompiler: {}\ntarget:   {}\nfeatures: {features}\nkernel:   {}\nkernels:  {kernels}\nextras:   {extras}",
        env!("CARGO_PKG_VERSION"),
        env!("TAMARACK_COMPILER"),
        env!("TAMARACK_TARGET"),
        kernels::best().name(),
    )
}

/// The processor features that the build requires, separated by commas.
const COMPILED_IN: &str = env!("TAMARACK_FEATURES");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_is_described() {
        let text = compiler();
        assert!(text.contains("compiler: rustc 1.") && text.contains(kernels::best().name()), "{text}");
    }
}
