//! The whole loop by the commands of the README: games, records, training, and a net that has learned something.

use crate::common::{TOOLS, folder, wait_until};
use chess::{Color, PieceType, Position};
use nnue::network::Network;
use std::path::Path;
use std::process::{Command, Stdio};

fn tools(folder: &Path, line: &str) -> String {
    let output = Command::new(TOOLS).current_dir(folder).args(line.split(' ')).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{line}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Plays the move after which the net likes the position best; some plies in, counts the pieces.
fn material_after_game(nets: [&Network; 2], start: Position) -> i32 {
    let mut position = start;
    for _ in 0..60 {
        let net = nets[position.side_to_move().index()];
        let value = |mv: &chess::Move| net.evaluate(&position.after(*mv));
        match position.legal_moves().into_iter().min_by_key(value) {
            Some(mv) => position = position.after(mv),
            None if position.in_check() => {
                return if position.side_to_move() == Color::White { -100 } else { 100 };
            }
            None => return 0,
        }
    }
    let values = [1, 3, 3, 5, 9, 0];
    let total = |color| -> i32 {
        PieceType::ALL
            .iter()
            .map(|&kind| values[kind.index()] * position.pieces(color, kind).count() as i32)
            .sum()
    };
    total(Color::White) - total(Color::Black)
}

#[test]
fn a_net_trained_on_a_few_games_beats_an_untrained_one() {
    let folder = folder("learning");
    // So few games must show lopsided positions too, or a queen's worth is never seen. One thread everywhere: with more,
    // games come in another order each time, and so does the net.
    tools(
        &folder,
        "datagen --output games --positions 70000 --nodes 50 --opening-nodes 300 --hash 1 --threads 1 --seed 3 \
         --opening-limit 600 --win-score 2000 --chess960 0 --double-chess960 0",
    );
    assert!(tools(&folder, "data check games").contains("all legal"));
    assert!(tools(&folder, "data count games").contains("positions"));
    tools(&folder, "data convert games --output lessons --validation held-out --hold-out 10");
    let train = "train lessons --validation held-out --hidden 32 --buckets 1 --batch 512 --threads 1";
    tools(&folder, &format!("{train} --epochs 40 --rate 0.004 --output trained"));
    tools(&folder, &format!("{train} --epochs 1 --rate 0.000001 --output untrained"));
    let net = |name: &str| Network::load(&folder.join(name).join("net.nnue")).unwrap();
    let (trained, untrained) = (net("trained"), net("untrained"));
    let queen_up = |net: &Network| {
        net.evaluate(&"rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse().unwrap())
    };
    // 204 to 290 with five seeds; nothing without training.
    assert!(queen_up(&trained) > 100, "{}", queen_up(&trained));
    let mut points = 0;
    for mv in Position::startpos().legal_moves() {
        let start = Position::startpos().after(mv);
        points += material_after_game([&trained, &untrained], start).signum();
        points -= material_after_game([&untrained, &trained], start).signum();
    }
    assert!(points > 25, "{points} of 40");
    let _ = std::fs::remove_dir_all(folder);
}

/// Runs the command until the file is there, and kills it.
fn kill_when_there(folder: &Path, line: &str, file: &str) {
    let mut child =
        Command::new(TOOLS).current_dir(folder).args(line.split(' ')).stdout(Stdio::null()).spawn().unwrap();
    wait_until(&mut child, || folder.join(file).exists());
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_folder_is_filled_by_several_networks_and_goes_on_after_a_kill() {
    let folder = folder("corpus");
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../nets/default.nnue");
    tools(&folder, &format!("average {network} {network} -o other.nnue --name other"));
    let options = "--nodes 30 --opening-nodes 50 --hash 1 --positions 100";
    std::fs::write(folder.join("plan"), format!("{options}\n{options} --network other.nnue\n")).unwrap();
    std::fs::create_dir(folder.join("games")).unwrap();
    let datagen = "datagen -o games --plan plan --threads 2";
    kill_when_there(&folder, datagen, "games/0002.games");
    kill_when_there(&folder, datagen, "games/0005.games");
    let told = tools(&folder, "data check games");
    assert!(told.matches("all legal").count() >= 5 && told.contains("0005"), "{told}");
    let players = told.lines().find(|line| line.starts_with("players: ")).unwrap();
    assert!(players.contains("other ") && players.contains("gen"), "{players}");
    let _ = std::fs::remove_dir_all(folder);
}
