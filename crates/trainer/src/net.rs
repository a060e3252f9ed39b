//! A new network put in its place: the file that is built in, the record of how it was made, the bench count, and the row of
//! the table in docs/network.md.

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use nnue::Network;
use nnue::network::checksum;
use platform::files::with_suffix;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Arguments of `net`.
#[derive(Args, Clone, Debug)]
pub struct NetArguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Clone, Debug)]
enum Verb {
    /// Make a network the one that is built in.
    Install(InstallArguments),
}

/// Arguments of `net install`.
#[derive(Args, Clone, Debug)]
struct InstallArguments {
    /// The network; run.json beside it, if it is of this network, becomes part of the record
    file: PathBuf,
    /// Files of games that it learned from; what datagen wrote about them (NAME.json) becomes part of the record
    #[arg(long, num_args = 1..)]
    games: Vec<PathBuf>,
    /// The engine's sources
    #[arg(long, default_value = ".")]
    sources: PathBuf,
    /// Do not build the engine, and leave bench.txt unchanged
    #[arg(long)]
    no_bench: bool,
}

/// The job `net`.
pub fn run(arguments: &NetArguments) -> Result<()> {
    let Verb::Install(arguments) = &arguments.verb;
    let network = Network::load(&arguments.file).with_context(|| arguments.file.display().to_string())?;
    let bytes = network.to_bytes();
    let record = record(arguments, &network, &bytes)?;
    let nets = arguments.sources.join("nets");
    ensure!(nets.is_dir(), "{} has no folder nets: give --sources", arguments.sources.display());
    let mut files = vec![
        (nets.join("default.nnue"), bytes),
        (nets.join("default.json"), format!("{record:#}\n").into_bytes()),
    ];
    // Nothing is replaced before the engine has been built with the network.
    if !arguments.no_bench {
        let nodes = bench(&arguments.sources, &arguments.file)?;
        files.push((arguments.sources.join("bench.txt"), format!("{nodes}\n").into_bytes()));
        println!("bench {nodes}");
    }
    replace(&files)?;
    println!("{}", row(&record));
    Ok(())
}

/// The record of how the network was made, without a path of this machine.
fn record(arguments: &InstallArguments, network: &Network, bytes: &[u8]) -> Result<Value> {
    let checksum = format!("{:016x}", checksum(bytes));
    let shape = network.shape();
    let mut record = json!({
        "net": { "name": network.name(), "hidden": shape.hidden, "buckets": shape.buckets, "net_checksum": checksum },
    });
    let report = arguments.file.with_file_name("run.json");
    match read_json(&report)? {
        Some(run) if run["net_checksum"] == checksum => record["training"] = run,
        Some(_) => eprintln!("warning: {} is of another network and is left out", report.display()),
        None => {
            eprintln!("warning: no run.json beside the network: the record does not say how it was trained")
        }
    }
    let games = arguments.games.iter().map(|path| {
        let name = with_suffix(path, ".json");
        let about = read_json(&name)?.with_context(|| format!("no {}", name.display()))?;
        Ok(json!({ "file": file_name(path), "made": about }))
    });
    let games = games.collect::<Result<Vec<Value>>>()?;
    if !games.is_empty() {
        record["games"] = games.into();
    }
    strip_paths(&mut record);
    Ok(record)
}

/// The JSON of a file; none if there is no such file.
fn read_json(path: &Path) -> Result<Option<Value>> {
    if !path.exists() {
        return Ok(None);
    }
    let value = serde_json::from_slice(&fs::read(path)?);
    value.with_context(|| format!("{} is damaged", path.display())).map(Some)
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

/// Leaves of each text that is an absolute path the name of the file.
fn strip_paths(value: &mut Value) {
    match value {
        Value::String(text) if Path::new(text).is_absolute() => *text = file_name(Path::new(text)),
        Value::Array(items) => items.iter_mut().for_each(strip_paths),
        Value::Object(entries) => entries.values_mut().for_each(strip_paths),
        _ => {}
    }
}

/// Replaces files with these contents: all of them, or none if one cannot be written.
fn replace(files: &[(PathBuf, Vec<u8>)]) -> Result<()> {
    let part = |path: &Path| with_suffix(path, ".part");
    for (path, bytes) in files {
        fs::write(part(path), bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut old = Vec::new();
    for (path, _) in files {
        old.push((path, fs::read(path).ok()));
        let Err(error) = fs::rename(part(path), path) else { continue };
        for (path, bytes) in old {
            let _ = bytes.map(|bytes| fs::write(path, bytes));
        }
        return Err(error).with_context(|| format!("cannot replace {}", path.display()));
    }
    Ok(())
}

/// Builds the engine with a network and returns the nodes of its `bench`.
fn bench(sources: &Path, network: &Path) -> Result<u64> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(sources).args(["run", "--release", "--locked", "--bin", "tamarack", "--", "bench"]);
    command.env("EVALFILE", fs::canonicalize(network)?).stderr(Stdio::inherit());
    let output = command.output().context("cannot start cargo")?;
    ensure!(
        output.status.success(),
        "the engine cannot be built or its bench fails; the old network is still in its place"
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let nodes = text.lines().last().and_then(|line| line.split(' ').next()?.parse().ok());
    nodes.context("the bench ends without a number of nodes")
}

/// The row of docs/network.md's table, with what is known; matches have yet to be played.
fn row(record: &Value) -> String {
    let million = |value: &Value| format!("{:.1}M", value.as_f64().unwrap_or_default() / 1e6);
    let games = record["games"].as_array().map(Vec::as_slice).unwrap_or_default();
    let game_settings = |pointer: &str| -> Vec<Value> {
        let mut all: Vec<Value> = games.iter().filter_map(|game| game.pointer(pointer).cloned()).collect();
        all.dedup();
        all
    };
    let nodes: Vec<String> = game_settings("/made/settings/nodes").iter().map(Value::to_string).collect();
    let positions: u64 = games.iter().filter_map(|game| game["made"]["positions"].as_u64()).sum();
    let run = &record["training"];
    let schedule = &run["settings"]["schedule"];
    let start =
        run["started_from"]["name"].as_str().map_or("random weights".into(), |name| format!("from {name}"));
    let trained = || {
        format!(
            "{start}: {} records, {} samples, rate {} → {} | {} → {}",
            million(&run["records"]),
            million(&run["positions"]),
            schedule["rate"],
            schedule["final_rate"],
            schedule["wdl_weight"],
            schedule["final_wdl_weight"]
        )
    };
    // A mean of networks has no run of its own.
    let trained = if run.is_null() { "|".to_string() } else { trained() };
    format!(
        "| {} | | {} | {} | {trained} | | | |",
        record["net"]["name"].as_str().unwrap_or_default(),
        nodes.join(", "),
        million(&positions.into())
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch;
    use tamarack::eval::default_network;

    fn folder(name: &str) -> PathBuf {
        let folder = scratch::folder(name);
        fs::create_dir_all(folder.join("sources/nets")).unwrap();
        folder
    }

    #[test]
    fn an_installed_network_has_a_record_without_paths() {
        let folder = folder("record");
        let bytes = default_network().to_bytes();
        fs::write(folder.join("net.nnue"), &bytes).unwrap();
        let run_record = json!({
            "net_checksum": format!("{:016x}", checksum(&bytes)),
            "records": 1_500_000,
            "positions": 3_000_000,
            "started_from": { "name": "gen0" },
            "settings": {
                "data": ["/home/somebody/g.data"],
                "schedule": { "rate": 0.001, "final_rate": 1e-5, "wdl_weight": 0.0, "final_wdl_weight": 0.05 },
            },
        });
        fs::write(folder.join("run.json"), run_record.to_string()).unwrap();
        fs::write(folder.join("g.games.json"), r#"{"positions": 2000000, "settings": {"nodes": 60}}"#)
            .unwrap();
        let arguments = InstallArguments {
            file: folder.join("net.nnue"),
            games: vec![folder.join("g.games")],
            sources: folder.join("sources"),
            no_bench: true,
        };
        run(&NetArguments { verb: Verb::Install(arguments.clone()) }).unwrap();
        assert_eq!(fs::read(folder.join("sources/nets/default.nnue")).unwrap(), bytes);
        let text = fs::read_to_string(folder.join("sources/nets/default.json")).unwrap();
        assert!(text.contains("\"g.data\"") && !text.contains("somebody") && !text.contains("tamarack-net-"));
        let told = row(&serde_json::from_str(&text).unwrap());
        let cells = "| | 60 | 2.0M | from gen0: 1.5M records, 3.0M samples, rate 0.001 → 0.00001 | 0.0 → 0.05 | | | |";
        assert!(told.ends_with(cells), "{told}");
        // The report of another network says nothing about this one.
        fs::write(folder.join("run.json"), r#"{"net_checksum": "0"}"#).unwrap();
        let record = record(&arguments, &default_network(), &bytes).unwrap();
        assert!(record["training"].is_null());
        assert!(row(&record).ends_with("| | 60 | 2.0M | | | | | |"), "{}", row(&record));
    }

    #[test]
    fn a_network_whose_build_fails_replaces_nothing() {
        let folder = folder("build");
        fs::write(folder.join("net.nnue"), default_network().to_bytes()).unwrap();
        fs::write(folder.join("sources/nets/default.nnue"), "old network").unwrap();
        fs::write(folder.join("sources/Cargo.toml"), "this builds nothing").unwrap();
        let arguments = InstallArguments {
            file: folder.join("net.nnue"),
            games: Vec::new(),
            sources: folder.join("sources"),
            no_bench: false,
        };
        let error = run(&NetArguments { verb: Verb::Install(arguments) }).unwrap_err().to_string();
        assert!(error.contains("the old network is still in its place"), "{error}");
        let nets: Vec<_> = fs::read_dir(folder.join("sources/nets")).unwrap().collect();
        assert_eq!(nets.len(), 1);
        assert_eq!(fs::read(folder.join("sources/nets/default.nnue")).unwrap(), b"old network");
    }

    #[test]
    fn of_several_files_all_or_none_are_replaced() {
        let folder = folder("replace");
        let [one, two] = ["sources/one", "sources/nets"].map(|name| folder.join(name));
        fs::write(&one, "old").unwrap();
        // A file cannot take the place of a folder.
        assert!(replace(&[(one.clone(), b"new".to_vec()), (two, b"new".to_vec())]).is_err());
        assert_eq!(fs::read(&one).unwrap(), b"old");
        replace(&[(one.clone(), b"new".to_vec())]).unwrap();
        assert_eq!(fs::read(&one).unwrap(), b"new");
    }
}
