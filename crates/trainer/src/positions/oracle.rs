//! The engine whose searches judge networks.

use anyhow::Result;
use arena::play::limits::Clock;
use arena::play::log::SharedLog;
use arena::play::player::{Failure, Patience, Player};
use arena::play::spec::EngineSpec;
use arena::play::think::EngineMove;
use arena::threads;
use chess::{Color, FenStyle, Position, Square};
use std::sync::atomic::{AtomicUsize, Ordering};

/// An engine that searches positions, several copies at once.
#[derive(Debug)]
pub struct Oracle {
    spec: EngineSpec,
    /// Its own name, options and limits.
    pub description: String,
}

impl Oracle {
    /// For this engine, which is started once to learn its name; it must offer `UCI_ShowWDL`.
    pub fn new(mut spec: EngineSpec) -> Result<Self> {
        spec.set_option("UCI_ShowWDL", "true");
        let log = SharedLog::default();
        let player = Player::start(&spec, Patience::default(), &log)
            .map_err(|failure| failure.told(&spec.name, &log))?;
        let named = EngineSpec { label: Some(player.identity().to_owned()), ..spec.clone() };
        let description = named.describe();
        player.quit();
        Ok(Self { spec, description })
    }

    /// Has the positions searched by `concurrency` copies of the engine, each as in a new game, and calls `each` with the index
    /// and the answer as they come; its error ends the work.
    pub fn search(
        &self,
        positions: &[Position],
        concurrency: usize,
        each: &(impl Fn(usize, EngineMove) -> Result<()> + Sync),
    ) -> Result<()> {
        let next = AtomicUsize::new(0);
        let work = || -> Result<()> {
            let log = SharedLog::default();
            let told = |failure: Failure| failure.told(&self.spec.name, &log);
            let mut player = None;
            let take = || {
                let index = next.fetch_add(1, Ordering::Relaxed);
                positions.get(index).map(|position| (index, position))
            };
            while let Some((index, position)) = take() {
                let player = match &mut player {
                    Some(player) => player,
                    none => none.insert(Player::start(&self.spec, Patience::default(), &log).map_err(told)?),
                };
                log.restart();
                each(index, self.answer(player, position).map_err(told)?)?;
            }
            player.into_iter().for_each(Player::quit);
            Ok(())
        };
        std::thread::scope(|scope| {
            for thread in threads::spawn_workers(scope, (0..concurrency.max(1)).map(|_| work))? {
                threads::join(thread)??;
            }
            Ok(())
        })
    }

    fn answer(&self, player: &mut Player, position: &Position) -> Result<EngineMove, Failure> {
        let is_chess960 = is_chess960(position);
        let style = if is_chess960 { FenStyle::Shredder } else { FenStyle::Standard };
        player.new_game(is_chess960)?;
        let clock = Clock::new(&self.spec.limits);
        let mut question = format!("position fen {}\n", position.fen(style));
        clock.append_go(&clock, &clock, &mut question);
        player.think(&question, None)
    }
}

/// True if a king or rook that may castle stands elsewhere than in standard chess.
fn is_chess960(position: &Position) -> bool {
    let fen = position.fen(FenStyle::Shredder);
    let rights = fen.split(' ').nth(2).unwrap_or_default();
    let is_usual = |right: char| match right {
        'A' | 'H' => position.king(Color::White) == Square::E1,
        'a' | 'h' => position.king(Color::Black) == Square::E8,
        right => right == '-',
    };
    !rights.chars().all(is_usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chess960_is_told_by_its_castling_rights() {
        let told = crate::data::game::STARTS.map(|fen| is_chess960(&fen.parse().unwrap()));
        assert_eq!(told, [false, false, true, false, false]);
        assert!(is_chess960(&"4k2r/8/8/8/8/8/8/R2K4 w A - 0 1".parse().unwrap()));
    }
}
