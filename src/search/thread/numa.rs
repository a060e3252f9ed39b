//! NUMA: the nodes that threads are bound to, and a copy of the network for each.
//!
//! A bound thread makes and first touches its own memory, so that the system places it on the thread's node; the weights, which
//! all read and nobody writes, are copied to each node by the first of its threads; the table belongs to all and is spread.

use nnue::Network;
use parking_lot::Mutex;
use platform::topology::{SystemInfo, Topology, format_list, parse_list};
use std::collections::HashSet;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// The use of NUMA nodes, by Stockfish's names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum NumaPolicy {
    /// As `System`, but only if the threads might not all be kept on one node by the system.
    #[default]
    Auto,
    /// Threads are not bound.
    None,
    /// The system's nodes, with the processors that this process may use.
    System,
    /// The system's nodes, with all processors.
    Hardware,
    /// These processors by node.
    Nodes(Vec<Vec<usize>>),
}

/// The text is no policy.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not auto, none, system, hardware, or processors by node such as 0-15,128-143:16-31")]
pub struct NumaPolicyError(String);

impl FromStr for NumaPolicy {
    type Err = NumaPolicyError;

    fn from_str(text: &str) -> Result<NumaPolicy, NumaPolicyError> {
        match text.trim().to_ascii_lowercase().as_str() {
            "auto" => return Ok(NumaPolicy::Auto),
            "none" => return Ok(NumaPolicy::None),
            "system" => return Ok(NumaPolicy::System),
            "hardware" => return Ok(NumaPolicy::Hardware),
            _ => {}
        }
        let mut seen = HashSet::new();
        // The first number that comes twice ends it, so that no text is read into more than the processors of a machine.
        let mut node = |list: &str| {
            let list = parse_list(list).filter(|list| !list.is_empty())?;
            list.iter().all(|&processor| seen.insert(processor)).then_some(list)
        };
        let nodes: Option<Vec<Vec<usize>>> = text.split(':').map(&mut node).collect();
        nodes.map(NumaPolicy::Nodes).ok_or_else(|| NumaPolicyError(text.to_string()))
    }
}

/// A node that threads are bound to.
pub struct NumaNode {
    /// Its logical processors.
    pub processors: Vec<usize>,
    /// True if there are others, so that it needs a copy of the network.
    is_one_of_several: bool,
    /// The last network and its copy on this node.
    network: Mutex<Option<(Arc<Network>, Arc<Network>)>>,
}

impl NumaNode {
    /// The node's copy of `original`, made by the calling thread if there is none yet and the memory for it.
    pub fn network(&self, original: &Arc<Network>) -> Arc<Network> {
        if !self.is_one_of_several {
            return Arc::clone(original);
        }
        let mut known = self.network.lock();
        match &*known {
            Some((same, copy)) if Arc::ptr_eq(same, original) => Arc::clone(copy),
            _ => {
                // Without memory for a copy the threads read the original from the other node, which is slower.
                let copy = original.copy().map_or_else(|_| Arc::clone(original), Arc::new);
                *known = Some((Arc::clone(original), Arc::clone(&copy)));
                copy
            }
        }
    }
}

/// The nodes of a machine under a policy.
pub struct Numa {
    policy: NumaPolicy,
    nodes: Vec<Arc<NumaNode>>,
    /// True if one node's processors are not those that threads have anyway.
    is_other_set: bool,
}

impl Numa {
    /// The nodes of `system` under a policy.
    pub fn new(policy: NumaPolicy, system: &dyn SystemInfo) -> Numa {
        let own = || Topology::read(system, true).nodes;
        let lists = match &policy {
            NumaPolicy::Auto | NumaPolicy::System => own(),
            NumaPolicy::Hardware => Topology::read(system, false).nodes,
            NumaPolicy::None => vec![own().concat()],
            NumaPolicy::Nodes(nodes) => nodes.clone(),
        };
        let is_other_set = policy != NumaPolicy::None && lists.concat() != own().concat();
        let is_one_of_several = lists.len() > 1;
        let node =
            |processors| Arc::new(NumaNode { processors, is_one_of_several, network: Mutex::default() });
        Numa { policy, nodes: lists.into_iter().map(node).collect(), is_other_set }
    }

    /// The policy.
    pub fn policy(&self) -> &NumaPolicy {
        &self.policy
    }

    /// Assigns `threads` threads to nodes, balancing by load; `None` for threads that are not bound.
    pub fn assign_nodes(&self, threads: usize) -> Vec<Option<Arc<NumaNode>>> {
        if !self.binds(threads) {
            return vec![None; threads];
        }
        let mut taken = vec![0_usize; self.nodes.len()];
        let next = |_| {
            let fill = |&node: &usize| (taken[node] * 1_000_000) / self.nodes[node].processors.len().max(1);
            let node = (0..self.nodes.len()).min_by_key(fill)?;
            taken[node] += 1;
            Some(Arc::clone(&self.nodes[node]))
        };
        (0..threads).map(next).collect()
    }

    /// True if `threads` threads are bound: under `auto` only from half of a node on, since the system keeps fewer together.
    pub fn binds(&self, threads: usize) -> bool {
        let several = self.nodes.len() > 1;
        let largest = self.nodes.iter().map(|node| node.processors.len()).max().unwrap_or(0);
        match self.policy {
            NumaPolicy::None => false,
            NumaPolicy::Auto => several && 2 * threads > largest,
            NumaPolicy::System => several,
            NumaPolicy::Hardware | NumaPolicy::Nodes(_) => several || self.is_other_set,
        }
    }

    /// True if memory that all threads use is to be spread over all nodes.
    pub fn spreads_memory(&self) -> bool {
        self.nodes.len() > 1
    }

    /// The nodes in words, and how many of `threads` threads are bound.
    pub fn describe(&self, threads: usize, bound: usize) -> String {
        let lists: Vec<String> = self.nodes.iter().map(|node| format_list(&node.processors)).collect();
        let binding = match bound {
            0 if self.binds(threads) => "threads not bound: the system refuses it".to_string(),
            0 => "threads not bound".to_string(),
            _ if bound == threads => "threads bound".to_string(),
            _ => format!("{bound} of {threads} threads bound: the system refuses the others"),
        };
        format!("{} ({}), {binding}", self.nodes.len(), lists.join(":"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::default_network;
    use platform::recorded::Recorded;

    fn two_sockets() -> Recorded {
        Recorded::new("0-127", "0-127", &["0-31,64-95", "32-63,96-127"], 64)
    }

    /// Threads on each node.
    fn counts(numa: &Numa, threads: usize) -> Vec<usize> {
        let numa_nodes = numa.assign_nodes(threads);
        let on = |node: &Arc<NumaNode>| {
            numa_nodes.iter().flatten().filter(|numa_node| Arc::ptr_eq(numa_node, node)).count()
        };
        numa.nodes.iter().map(on).collect()
    }

    #[test]
    fn threads_go_to_the_nodes_in_turn() {
        let numa = Numa::new(NumaPolicy::Auto, &two_sockets());
        assert_eq!(counts(&numa, 128), [64, 64]);
        assert_eq!(counts(&numa, 41), [21, 20]);
        assert_eq!(counts(&numa, 32), [0, 0], "the system keeps them together");
        let numa = Numa::new("0-5:8-9".parse().unwrap(), &two_sockets());
        assert_eq!(counts(&numa, 8), [6, 2]);
        assert_eq!(numa.describe(8, 8), "2 (0-5:8-9), threads bound");
        assert_eq!(numa.describe(8, 0), "2 (0-5:8-9), threads not bound: the system refuses it");
        assert_eq!(numa.describe(8, 6), "2 (0-5:8-9), 6 of 8 threads bound: the system refuses the others");
        let sub_numa = Recorded::new("0-63", "0-63", &["0-15", "16-31", "32-47", "48-63"], 0);
        assert_eq!(counts(&Numa::new(NumaPolicy::System, &sub_numa), 6), [2, 2, 1, 1]);
    }

    #[test]
    fn one_node_binds_nobody_unless_told_to() {
        let desktop = Recorded::new("0-15", "0-15", &["0-15"], 8);
        for policy in [NumaPolicy::Auto, NumaPolicy::System, NumaPolicy::Hardware, NumaPolicy::None] {
            assert!(!Numa::new(policy, &desktop).binds(16));
        }
        assert!(!Numa::new(NumaPolicy::None, &two_sockets()).binds(128));
        assert_eq!(counts(&Numa::new("4-7".parse().unwrap(), &desktop), 2), [2]);
        let container = Recorded::new("0-127", "4-7", &["0-31,64-95", "32-63,96-127"], 64);
        assert!(!Numa::new(NumaPolicy::System, &container).binds(4));
        assert!(Numa::new(NumaPolicy::Hardware, &container).binds(4));
    }

    #[test]
    fn policies_are_read() {
        let nodes = vec![(0..16).chain(128..144).collect(), (16..32).collect()];
        assert_eq!("0-15,128-143:16-31".parse(), Ok(NumaPolicy::Nodes(nodes)));
        assert_eq!(" Hardware".parse(), Ok(NumaPolicy::Hardware));
        // Gigabytes, if each of them were read.
        let many = ["0-16384,".repeat(100_000), "0-16384:".repeat(100_000)];
        assert!(many.iter().all(|many| many.trim_end_matches([',', ':']).parse::<NumaPolicy>().is_err()));
        for wrong in ["", ":", "0-3:", "0-3:2", "all", "0-99999999"] {
            assert!(wrong.parse::<NumaPolicy>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_of_several_nodes_has_one_copy_of_the_network() {
        let original = default_network();
        let numa = Numa::new(NumaPolicy::System, &two_sockets());
        let copies: Vec<Arc<Network>> = numa.nodes.iter().map(|node| node.network(&original)).collect();
        assert!(!Arc::ptr_eq(&copies[0], &copies[1]) && *copies[0] == *original);
        assert!(Arc::ptr_eq(&copies[0], &numa.nodes[0].network(&original)));
        let one = Numa::new("0-1".parse().unwrap(), &two_sockets());
        assert!(Arc::ptr_eq(&one.nodes[0].network(&original), &original));
    }
}
