//! A machine as the files of Linux describe it, recorded for tests.

use crate::topology::{DEVICES, SystemInfo, format_list, parse_list};
use std::collections::HashMap;

/// The files of a machine, and the processors that this process may use.
pub struct Recorded {
    files: HashMap<String, String>,
    allowed: Vec<usize>,
}

impl SystemInfo for Recorded {
    fn file(&self, path: &str) -> Option<String> {
        self.files.get(path.strip_prefix(DEVICES)?).map(|text| format!("{text}\n"))
    }

    fn allowed(&self) -> Option<Vec<usize>> {
        Some(self.allowed.clone())
    }

    fn count(&self) -> usize {
        1
    }
}

impl Recorded {
    /// A machine with the processors `online`, of which `allowed` may be used, listed by node; hyperthreads of one core
    /// are `siblings` numbers apart, 0 for none.
    ///
    /// # Panics
    /// If a list cannot be read.
    pub fn new(online: &str, allowed: &str, nodes: &[&str], siblings: usize) -> Recorded {
        let mut files = HashMap::new();
        let mut file = |path: String, text: &str| files.insert(path, text.to_string());
        file("/cpu/online".into(), online);
        let all: Vec<usize> = (0..nodes.len()).collect();
        file("/node/online".into(), &format_list(&all));
        file("/node/has_memory".into(), &format_list(&all));
        for (node, list) in nodes.iter().enumerate() {
            file(format!("/node/node{node}/cpulist"), list);
        }
        for processor in parse_list(online).unwrap().into_iter().filter(|_| siblings > 0) {
            let first = processor % siblings;
            let text = format!("{first},{}", first + siblings);
            file(format!("/cpu/cpu{processor}/topology/thread_siblings_list"), &text);
        }
        Recorded { files, allowed: parse_list(allowed).unwrap() }
    }

    /// A machine that has no files and names these processors.
    pub fn without_files(allowed: Vec<usize>) -> Recorded {
        Recorded { files: HashMap::new(), allowed }
    }
}
