//! The switches: their values, and how the front end sets them.

use crate::search::node::techniques::Technique;
use std::sync::atomic::Ordering::Relaxed;

/// Declares the values that a switch can take.
macro_rules! playable {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name { $($(#[$value_doc])* $value),* }

        impl $name {
            const ALL: &'static [$name] = &[$($name::$value),*];
            const NAMES: &'static [&'static str] = &[$(stringify!($value)),*];
        }
    };
}

playable! {
    /// The use of a technique.
    Switch {
        /// Not used.
        Off,
        /// Used.
        On,
    }
}

playable! {
    /// The form of late-move reductions.
    Reductions {
        /// None.
        Off,
        /// micro-Max (H. G. Muller): one ply for every non-capture that is not a pawn move when at least five plies
        /// remain; re-searched at once when it beats alpha.
        MicroMax,
        /// Tord Romstad's outline: after four moves at full depth, one ply, when three plies remain; captures,
        /// promotions, checks and extended moves are exempt.
        Romstad,
        /// Fruit 2.1 (Fabien Letouzey): as `Romstad` from the third move on, but only moves whose history says that
        /// they seldom fail high; re-searched when they beat alpha.
        Fruit21,
        /// Fruit 2.0: the same condition, but the reduced score stands: no re-search.
        Fruit20,
        /// Ours: the logarithm of depth and move number, adjusted by history and kind of node.
        Tamarack,
    }
}

playable! {
    /// The checks that are searched a ply deeper.
    CheckExtension {
        /// None.
        Off,
        /// Every check.
        All,
        /// Checks that capture (Prophet 4).
        Captures,
        /// Checks that do not lose material.
        Safe,
    }
}

playable! {
    /// The treatment of nodes without a table move.
    NoTableMove {
        /// Nothing.
        Nothing,
        /// Internal iterative reduction: search a ply less deep now (Ed Schröder, 2020s).
        Reduce,
        /// Internal iterative deepening: search less deep first to find a move (since the 1970s).
        Deepen,
        /// micro-Max's self-deepening (H. G. Muller): as `Deepen`, and a node inside such a shallow search that finds
        /// a cut move goes on deepening it, while its parent stands still, to the depth that the parent will want in
        /// the end.
        SelfDeepen,
    }
}

/// Declares the switches: `name: Choice = default;`.
macro_rules! techniques {
    ($($(#[$doc:meta])* $name:ident: $choice:ident = $default:ident;)*) => {
        $(
            mod $name {
                pub static VALUE: AtomicUsize = AtomicUsize::new(DEFAULT);
                const DEFAULT: usize = crate::search::lab::switches::$choice::$default as usize;
                use std::sync::atomic::AtomicUsize;
            }

            $(#[$doc])*
            #[inline(always)]
            pub fn $name() -> $choice {
                $choice::ALL[$name::VALUE.load(Relaxed)]
            }
        )*

        /// All switches.
        pub static TECHNIQUES: &[Technique] = &[$(Technique {
            name: stringify!($name),
            values: $choice::NAMES,
            default: $choice::$default as usize,
            set: |index| $name::VALUE.store(index.min($choice::ALL.len() - 1), Relaxed),
        }),*];
    };
}

techniques! {
    /// Late-move reductions.
    reductions: Reductions = Tamarack;
    /// Reductions in the children of PV nodes; iCE (Thomas Petzke, 2010) made none there.
    reduce_below_pv: Switch = On;
    /// Null move (Beal 1989, Donninger 1993).
    null_move: Switch = On;
    /// Check extension; Prophet 4 (James Swafford) has measured it.
    check_extension: CheckExtension = Safe;
    /// A ply more for promotions and for pawns that reach the seventh rank.
    promotion_extension: Switch = Off;
    /// Nodes without a table move.
    no_table_move: NoTableMove = Reduce;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::default_network;
    use crate::search::one_thread::OneThread;
    use crate::search::request::Limits;
    use chess::positions::{KIWIPETE, POSITION_3};
    use chess::{Game, Position};

    /// A middlegame, and endings in which stalemate and mate are near.
    const POSITIONS: [&str; 4] =
        [KIWIPETE, "8/8/8/8/2K5/8/1k6/4Q3 w - - 4 80", "8/8/8/8/2K5/8/3k4/4Q3 b - - 5 80", POSITION_3];

    #[test]
    fn every_value_of_every_switch_finds_a_legal_line() {
        for technique in TECHNIQUES {
            for value in (0..technique.values.len()).chain([technique.default]) {
                (technique.set)(value);
                for fen in POSITIONS {
                    let mut position: Position = fen.parse().unwrap();
                    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
                    let mut engine = OneThread::new(1, &default_network()).unwrap();
                    let pv = engine.search(&Game::new(position), limits, None).pv;
                    assert!(!pv.is_empty(), "{} {}: {fen}", technique.name, technique.values[value]);
                    for mv in pv {
                        assert!(position.is_legal(mv), "{mv:?} is not legal in {position}");
                        position = position.after(mv);
                    }
                }
            }
        }
    }
}
