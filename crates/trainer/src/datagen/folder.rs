//! A folder of numbered files of games, each of one player and setting.

use super::{DatagenState, FileOptions, player};
use anyhow::{Context, ensure};
use clap::Parser;
use std::path::{Path, PathBuf};

/// Positions of a file, if the plan does not say how many.
const POSITIONS: u64 = 4_000_000;

/// What the files of a folder hold, in turn.
pub struct FilePlan(Vec<FileOptions>);

impl FilePlan {
    /// All files alike.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn of(options: &FileOptions) -> anyhow::Result<FilePlan> {
        options.check()?;
        Ok(FilePlan(vec![options.clone()]))
    }

    /// Reads a plan: each line has the options of `tools datagen` for one file, separated by blanks.
    ///
    /// # Errors
    /// With the line, if one cannot be read, or its book, or its network.
    pub fn read(path: &Path) -> anyhow::Result<FilePlan> {
        #[derive(Parser)]
        #[command(no_binary_name = true)]
        struct PlanLine {
            #[command(flatten)]
            options: FileOptions,
        }
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut plan = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let words = line.split('#').next().unwrap_or_default();
            if words.trim().is_empty() {
                continue;
            }
            let place = || format!("{}, line {}", path.display(), index + 1);
            let line = PlanLine::try_parse_from(words.split_whitespace()).with_context(place)?;
            line.options.check().with_context(place)?;
            plan.push(line.options);
        }
        ensure!(!plan.is_empty(), "{} has no line of options", path.display());
        Ok(FilePlan(plan))
    }

    /// The options of the file of a number, from 1. Each number has a seed of its own.
    pub fn options(&self, number: u64) -> FileOptions {
        let turn = (number - 1) % self.0.len() as u64;
        let mut options = self.0[turn as usize].clone();
        options.settings.seed = options.settings.seed.wrapping_add(number << 16);
        if options.positions == 0 {
            options.positions = POSITIONS;
        }
        options
    }

    /// The number to begin with: the greatest that is there, if its file is by the same player and settings or has just been
    /// begun, else the next.
    ///
    /// # Errors
    /// If the folder or what is known about the file cannot be read.
    pub fn first_number(&self, folder: &Path) -> anyhow::Result<u64> {
        let Some((number, path)) = files(folder)?.pop() else { return Ok(1) };
        let options = self.options(number);
        let goes_on = match DatagenState::read(&path)? {
            Some(state) => {
                let network = options.load_network()?;
                state.players == [player(&network)]
                    && state.settings == serde_json::to_value(&options.settings)?
            }
            None => std::fs::metadata(&path)?.len() == 0,
        };
        Ok(if goes_on { number } else { number + 1 })
    }
}

/// The file of a number, there or not.
///
/// # Errors
/// If the folder cannot be read.
pub fn path(folder: &Path, number: u64) -> anyhow::Result<PathBuf> {
    let known = files(folder)?.into_iter().find(|file| file.0 == number);
    Ok(known.map_or_else(|| folder.join(format!("{number:04}.games")), |file| file.1))
}

/// The files whose names begin with a number from 1 on, of at most nine digits, in its order.
fn files(folder: &Path) -> anyhow::Result<Vec<(u64, PathBuf)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
        if name.ends_with(".games")
            && digits.len() <= 9
            && let Ok(number @ 1..) = digits.parse()
        {
            files.push((number, path));
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch;
    use std::fs;
    use tamarack::eval::default_network;

    fn plan(path: &Path, text: &str) -> anyhow::Result<FilePlan> {
        fs::write(path, text).unwrap();
        FilePlan::read(path)
    }

    #[test]
    fn lines_of_a_plan_take_turns() {
        let path = scratch::folder("turns").join("plan");
        let plan = plan(&path, "# two kinds\n--nodes 450 --positions 10 # short\n\n--nodes 2000 --seed 7\n")
            .unwrap();
        let nodes = |number| plan.options(number).settings.effort.nodes;
        assert_eq!([1, 2, 3, 4].map(nodes), [450, 2000, 450, 2000]);
        assert_eq!([1, 2].map(|number| plan.options(number).positions), [10, POSITIONS]);
        assert_ne!(plan.options(1).settings.seed, plan.options(3).settings.seed);
    }

    #[test]
    fn what_is_wrong_in_a_plan_is_told_with_its_line_before_a_game() {
        let folder = scratch::folder("wrong");
        fs::write(folder.join("no.nnue"), "no network").unwrap();
        let network = format!("--network {}", folder.join("no.nnue").display());
        let lines = ["--nods 450", "--nodes x", "--book none.epd", &network, "--only-branches", "450"];
        for line in lines {
            let error = plan(&folder.join("plan"), &format!("--nodes 450\n{line}\n")).err().unwrap();
            assert!(format!("{error:#}").contains("plan, line 2: "), "{line}: {error:#}");
        }
        assert!(plan(&folder.join("plan"), "# nothing\n").is_err());
    }

    #[test]
    fn the_newest_file_is_continued_by_its_own_player_and_settings_alone() {
        let folder = scratch::folder("newest");
        let plan = |text| plan(&folder.join("plan"), text).unwrap();
        let same = plan("--nodes 450\n");
        assert_eq!(same.first_number(&folder).unwrap(), 1);
        assert_eq!(path(&folder, 1).unwrap(), folder.join("0001.games"));
        fs::write(folder.join("0.games"), "games").unwrap();
        assert_eq!(same.first_number(&folder).unwrap(), 1);
        let games = folder.join("7-gen1.games");
        fs::write(&games, "").unwrap();
        assert_eq!(same.first_number(&folder).unwrap(), 7, "just begun");
        fs::write(&games, "games").unwrap();
        assert_eq!(same.first_number(&folder).unwrap(), 8, "nothing is known of them");
        let mut state = DatagenState::default();
        state.begin(&default_network(), &same.options(7).settings).unwrap();
        state.write(&games).unwrap();
        assert_eq!(same.first_number(&folder).unwrap(), 7);
        assert_eq!(path(&folder, 7).unwrap(), games);
        assert_eq!(plan("--nodes 451\n").first_number(&folder).unwrap(), 8);
        state.players = vec!["another 0".to_string()];
        state.write(&games).unwrap();
        assert_eq!(same.first_number(&folder).unwrap(), 8);
    }
}
