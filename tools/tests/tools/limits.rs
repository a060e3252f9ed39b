//! Where the system gives few threads the tools work with those, or say so.
#![cfg(target_os = "linux")]

use crate::common::{TOOLS, engine, folder};
use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use testkit::limits::within_processes;

#[test]
fn no_limit_of_processes_ends_a_tool_with_a_panic() {
    let folder = folder("limits");
    // For users that have nothing else.
    set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
    let words = |line: &str| -> Vec<String> { line.split(' ').map(str::to_owned).collect() };
    let engines = ["first", "second"].map(|name| ["--engine".to_owned(), engine(name, "none")]).concat();
    for limit in [64, 1, 2, 3, 5, 8, 16] {
        let commands = [
            words(&format!("datagen -o {limit}.games --nodes 50 --positions 200 --threads 3")),
            words(&format!("data convert 64.games -o {limit}.data")),
            words(&format!("data shuffle 64.data -o {limit}.shuffled")),
            words(&format!("train 64.data -o {limit}.net --hidden 32 --buckets 1 --epochs 1 --threads 3")),
            [words("match --games 2 --tc 600 --max-moves 8"), engines.clone()].concat(),
            words("fuzz --engine /bin/false --sessions 1"),
        ];
        for command in commands {
            let Some(mut tools) = within_processes(limit, TOOLS) else {
                eprintln!("skipped: no limit of processes can be set");
                return;
            };
            let output = tools.current_dir(&folder).args(&command).output().unwrap();
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            let told = format!("{limit} processes, {command:?}: {} {said}", output.status);
            assert!(matches!(output.status.code(), Some(0 | 1)) && !said.contains("panicked"), "{told}");
            assert!(limit < 64 || command[0] == "fuzz" || output.status.success(), "{told}");
        }
    }
}
