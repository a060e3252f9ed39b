//! The processors of the machine: which may be used, to which NUMA node each belongs, and which share a core.
//!
//! Read from the files of Linux, or what Windows says, through a small trait, so that tests can read recorded machines. Where
//! there is neither all processors are one node.

/// Processors above this number are not known to any system.
const MAX_PROCESSOR: usize = 1 << 14;

/// The folder of Linux that describes the hardware.
pub(crate) const DEVICES: &str = "/sys/devices/system";

/// The facts that a system tells about itself.
pub trait SystemInfo {
    /// The text of a file under `/sys`; `None` if there is no such file.
    fn file(&self, path: &str) -> Option<String>;

    /// The numbers of the logical processors that this process may use; `None` if the system does not say.
    fn allowed(&self) -> Option<Vec<usize>>;

    /// The processors by NUMA node, for systems that have no files about them.
    fn nodes(&self) -> Option<Vec<Vec<usize>>> {
        None
    }

    /// The number of logical processors, for systems that say no more.
    fn count(&self) -> usize;
}

/// The logical processors of a machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Topology {
    /// Their numbers by NUMA node, at least one node; nodes without processors are left out.
    pub nodes: Vec<Vec<usize>>,
    /// The number of physical cores that they belong to.
    pub cores: usize,
}

impl Topology {
    /// The processors that are online, of these only the ones that this process may use if it respects its limits.
    pub fn read(system: &dyn SystemInfo, respect_limits: bool) -> Topology {
        let list = |path: &str| system.file(&format!("{DEVICES}/{path}")).and_then(|text| parse_list(&text));
        let allowed = system.allowed().filter(|_| respect_limits);
        let online = list("cpu/online").or_else(|| system.allowed());
        let mut usable = online.unwrap_or_else(|| (0..system.count()).collect());
        if let Some(allowed) = allowed {
            usable.retain(|processor| allowed.contains(processor));
        }
        let of_node = |node: usize| list(&format!("node/node{node}/cpulist")).unwrap_or_default();
        let from_files = || list("node/online").unwrap_or_default().into_iter().map(of_node).collect();
        let mut nodes: Vec<Vec<usize>> = system.nodes().unwrap_or_else(from_files);
        nodes.iter_mut().for_each(|processors| processors.retain(|processor| usable.contains(processor)));
        nodes.retain(|processors| !processors.is_empty());
        // A kernel without NUMA, or one that hides its nodes.
        if nodes.iter().map(Vec::len).sum::<usize>() < usable.len() {
            nodes = vec![usable.clone()];
        }
        if nodes.is_empty() {
            nodes.push(vec![0]);
        }
        let first_of_core = |&processor: &usize| {
            list(&format!("cpu/cpu{processor}/topology/thread_siblings_list"))
                .and_then(|siblings| siblings.first().copied())
                .unwrap_or(processor)
        };
        let mut cores: Vec<usize> = nodes.iter().flatten().map(first_of_core).collect();
        cores.sort_unstable();
        cores.dedup();
        Topology { cores: cores.len(), nodes }
    }

    /// The number of logical processors.
    pub fn processors(&self) -> usize {
        self.nodes.iter().map(Vec::len).sum()
    }
}

/// The NUMA nodes that have memory.
pub fn memory_nodes(system: &dyn SystemInfo) -> Vec<usize> {
    let text = system.file(&format!("{DEVICES}/node/has_memory"));
    text.and_then(|text| parse_list(&text)).unwrap_or_default()
}

/// The numbers of a list such as `0-3,8`, in rising order; `None` if it is none, or longer than a
/// list of all processors. An empty text is an empty list.
pub fn parse_list(text: &str) -> Option<Vec<usize>> {
    let mut numbers = Vec::new();
    for range in text.trim().split(',').filter(|_| !text.trim().is_empty()) {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last) = (first.trim().parse::<usize>().ok()?, last.trim().parse::<usize>().ok()?);
        // Each number once at most, so that no text makes a list that is longer than that of all processors.
        if first > last || last > MAX_PROCESSOR || numbers.len() + (last - first) > MAX_PROCESSOR {
            return None;
        }
        numbers.extend(first..=last);
    }
    numbers.sort_unstable();
    numbers.dedup();
    Some(numbers)
}

/// The list that [`parse_list`] reads, for numbers in rising order.
pub fn format_list(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let shown = runs.map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    shown.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::Recorded;

    /// The nodes as a policy would write them, and the number of cores.
    fn shown(system: &Recorded, respect_limits: bool) -> (String, usize) {
        let Topology { nodes, cores } = Topology::read(system, respect_limits);
        (nodes.iter().map(|node| format_list(node)).collect::<Vec<_>>().join(":"), cores)
    }

    #[test]
    fn recorded_machines_are_read() {
        let desktop = Recorded::new("0-15", "0-15", &["0-15"], 8);
        assert_eq!(shown(&desktop, true), ("0-15".into(), 8));
        let two_sockets = Recorded::new("0-127", "0-127", &["0-31,64-95", "32-63,96-127"], 64);
        assert_eq!(shown(&two_sockets, true), ("0-31,64-95:32-63,96-127".into(), 64));
        let sub_numa = Recorded::new("0-63", "0-63", &["0-15", "16-31", "32-47", "48-63"], 0);
        assert_eq!(shown(&sub_numa, true), ("0-15:16-31:32-47:48-63".into(), 64));
        let memory_only = Recorded::new("0-7", "0-7", &["0-7", ""], 0);
        assert_eq!(shown(&memory_only, true), ("0-7".into(), 8));
    }

    #[test]
    fn processors_that_are_offline_or_forbidden_are_left_out() {
        let offline = Recorded::new("0-5,8-11", "0-11", &["0-5", "6-11"], 0);
        assert_eq!(shown(&offline, true), ("0-5:8-11".into(), 10));
        let container = Recorded::new("0-127", "4-7,36", &["0-31,64-95", "32-63,96-127"], 64);
        assert_eq!(shown(&container, true), ("4-7:36".into(), 5));
        assert_eq!(shown(&container, false).1, 64);
        let one_node = Recorded::new("0-127", "40-47", &["0-31,64-95", "32-63,96-127"], 64);
        assert_eq!(shown(&one_node, true), ("40-47".into(), 8));
    }

    /// Windows with 96 processors in two groups, of which a node each.
    struct TwoGroups;

    impl SystemInfo for TwoGroups {
        fn file(&self, _path: &str) -> Option<String> {
            None
        }

        fn allowed(&self) -> Option<Vec<usize>> {
            Some((0..48).chain(64..112).collect())
        }

        fn nodes(&self) -> Option<Vec<Vec<usize>>> {
            Some(vec![(0..48).collect(), (64..112).collect()])
        }

        fn count(&self) -> usize {
            48
        }
    }

    #[test]
    fn processor_groups_of_windows_are_nodes() {
        let Topology { nodes, cores } = Topology::read(&TwoGroups, true);
        assert_eq!((nodes.iter().map(Vec::len).collect::<Vec<_>>(), cores), (vec![48, 48], 96));
    }

    #[test]
    fn a_system_that_says_nothing_is_one_node() {
        let silent = Recorded::without_files(vec![0, 1, 2]);
        assert_eq!(shown(&silent, true), ("0-2".into(), 3));
    }

    #[test]
    fn lists_are_read_and_written() {
        for (text, list) in [("0-2,5", Some(vec![0, 1, 2, 5])), ("", Some(vec![])), ("3", Some(vec![3]))] {
            assert_eq!(parse_list(text), list);
            assert_eq!(format_list(&list.unwrap()), text);
        }
        assert_eq!(parse_list("0-16384").map(|list| list.len()), Some(16_385));
        assert_eq!(parse_list(&"0-16384,".repeat(100_000)), None);
        for wrong in
            ["0-16384,7", "a", "1-", "-1", "2-1", "0-99999999999", ",", "1,,2", "99999999999999999999"]
        {
            assert_eq!(parse_list(wrong), None, "{wrong}");
        }
    }
}
