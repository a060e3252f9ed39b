//! The logical processors that this process may use, and binding threads to some of them.
//!
//! Linux numbers them from 0. Windows has groups of at most 64, and a thread runs within one group at a time; here the processor
//! with bit `b` of group `g` has the number `64 g + b`. Other systems say and do nothing.

pub use system::{allowed, bind, nodes};

#[cfg(all(target_os = "linux", not(miri)))]
mod system {
    /// Words of a mask, enough for 16,384 processors.
    const WORDS: usize = (1 << 14) / 64;

    /// The numbers of the processors that this process may use.
    pub fn allowed() -> Option<Vec<usize>> {
        let mut mask = [0_u64; WORDS];
        // SAFETY: the call writes at most the bytes that it is told of; a mask is an array of bits.
        let result = unsafe { libc::sched_getaffinity(0, size_of_val(&mask), mask.as_mut_ptr().cast()) };
        let is_set = |&processor: &usize| mask[processor / 64] >> (processor % 64) & 1 == 1;
        (result == 0).then(|| (0..WORDS * 64).filter(is_set).collect())
    }

    /// Nothing: Linux describes its nodes in files.
    pub fn nodes() -> Option<Vec<Vec<usize>>> {
        None
    }

    /// Binds the calling thread to processors; false if the system refuses.
    pub fn bind(processors: &[usize]) -> bool {
        let mut mask = [0_u64; WORDS];
        for &processor in processors.iter().filter(|&&processor| processor < WORDS * 64) {
            mask[processor / 64] |= 1 << (processor % 64);
        }
        // SAFETY: the call only reads the bytes that it is told of.
        unsafe { libc::sched_setaffinity(0, size_of_val(&mask), mask.as_ptr().cast()) == 0 }
    }
}

#[cfg(all(windows, not(miri)))]
mod system {
    use super::groups;
    use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
    use windows_sys::Win32::System::Threading::{
        GetActiveProcessorCount, GetActiveProcessorGroupCount, GetCurrentProcess, GetCurrentThread,
        GetNumaHighestNodeNumber, GetNumaNodeProcessorMaskEx, GetProcessAffinityMask,
        GetProcessGroupAffinity, SetThreadGroupAffinity,
    };

    const NOWHERE: GROUP_AFFINITY = GROUP_AFFINITY { Mask: 0, Group: 0, Reserved: [0; 3] };

    /// The numbers of the processors that this process may use: those of all groups, unless its affinity was set, which only
    /// a process in one group can have.
    pub fn allowed() -> Option<Vec<usize>> {
        let (mut own, mut whole, mut group, mut count) = (0, 0, 0, 1);
        // SAFETY: the calls write the numbers that they are given, of the last at most `count`; the handle is always valid.
        let is_limited = unsafe {
            GetProcessAffinityMask(GetCurrentProcess(), &mut own, &mut whole) != 0
                && own != whole
                && GetProcessGroupAffinity(GetCurrentProcess(), &mut count, &mut group) != 0
        };
        Some(if is_limited { groups::numbers(group, own as u64) } else { all() })
    }

    /// The processors of all groups.
    fn all() -> Vec<usize> {
        // SAFETY: the calls have no conditions.
        let (count, of) = unsafe { (GetActiveProcessorGroupCount(), |group| GetActiveProcessorCount(group)) };
        (0..count).flat_map(|group| groups::numbers(group, groups::first(of(group)))).collect()
    }

    /// The NUMA nodes. Where a node is larger than a group, the rest of it is a node of its own.
    pub fn nodes() -> Option<Vec<Vec<usize>>> {
        let mut highest = 0;
        // SAFETY: the call writes the number that it is given.
        if unsafe { GetNumaHighestNodeNumber(&mut highest) } == 0 {
            return None;
        }
        let of_node = |node: u32| {
            let mut place = NOWHERE;
            // SAFETY: the call writes the structure that it is given.
            let is_known = unsafe { GetNumaNodeProcessorMaskEx(u16::try_from(node).ok()?, &mut place) } != 0;
            is_known.then(|| groups::numbers(place.Group, place.Mask as u64))
        };
        Some(groups::with_rest((0..=highest).filter_map(of_node).collect(), &all()))
    }

    /// Binds the calling thread to processors of one group, that of the first; false if the system refuses.
    pub fn bind(processors: &[usize]) -> bool {
        let Some((group, mask)) = groups::group_and_mask(processors) else { return false };
        let place = GROUP_AFFINITY { Mask: mask as usize, Group: group, ..NOWHERE };
        // SAFETY: the call only reads the structure; the handle of the own thread is always valid.
        unsafe { SetThreadGroupAffinity(GetCurrentThread(), &place, std::ptr::null_mut()) != 0 }
    }
}

#[cfg(not(any(all(target_os = "linux", not(miri)), all(windows, not(miri)))))]
mod system {
    /// Nothing: the system does not say.
    pub fn allowed() -> Option<Vec<usize>> {
        None
    }

    /// Nothing: the system does not say.
    pub fn nodes() -> Option<Vec<Vec<usize>>> {
        None
    }

    /// False: the system does not bind threads.
    pub fn bind(_processors: &[usize]) -> bool {
        false
    }
}

/// Arithmetic of Windows's processor groups.
#[cfg(any(windows, test))]
mod groups {
    /// Processors of a group.
    const GROUP: usize = 64;

    /// The numbers of the processors whose bits a mask of a group has.
    pub fn numbers(group: u16, mask: u64) -> Vec<usize> {
        (0..GROUP).filter(|bit| mask >> bit & 1 == 1).map(|bit| usize::from(group) * GROUP + bit).collect()
    }

    /// The mask of the first processors of a group.
    pub fn first(count: u32) -> u64 {
        u64::MAX.checked_shr(u64::BITS.saturating_sub(count)).unwrap_or(0)
    }

    /// The group of the first processor, and the mask of all that are in it.
    pub fn group_and_mask(processors: &[usize]) -> Option<(u16, u64)> {
        let group = processors.first()? / GROUP;
        let bits =
            processors.iter().filter(|&&number| number / GROUP == group).map(|number| 1 << (number % GROUP));
        Some((u16::try_from(group).ok()?, bits.sum()))
    }

    /// The nodes, and behind them one for the processors of each group that are in none.
    pub fn with_rest(mut nodes: Vec<Vec<usize>>, all: &[usize]) -> Vec<Vec<usize>> {
        let rest: Vec<usize> =
            all.iter().copied().filter(|number| !nodes.iter().any(|node| node.contains(number))).collect();
        nodes.extend(rest.chunk_by(|a, b| a / GROUP == b / GROUP).map(<[usize]>::to_vec));
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_can_be_bound() {
        let last = *allowed().unwrap().last().unwrap();
        let bound = std::thread::spawn(move || (bind(&[last]), allowed())).join().unwrap();
        assert_eq!(bound, (true, Some(vec![last])));
        assert!(!bind(&[]));
    }

    #[test]
    fn groups_of_windows_have_64_numbers_each() {
        assert_eq!(groups::numbers(1, 0b1001), [64, 67]);
        assert_eq!([0, 1, 48, 64].map(groups::first), [0, 1, (1 << 48) - 1, u64::MAX]);
        assert_eq!(groups::group_and_mask(&[64, 66, 5]), Some((1, 0b101)));
        assert_eq!(groups::group_and_mask(&[]), None);
    }

    #[test]
    fn a_node_of_windows_larger_than_a_group_is_split() {
        // 96 processors in one NUMA node, as the system reports them: two groups of 48, the node names the first.
        let all: Vec<usize> = (0..48).chain(64..112).collect();
        let nodes = groups::with_rest(vec![(0..48).collect()], &all);
        assert_eq!(nodes, [(0..48).collect::<Vec<_>>(), (64..112).collect()]);
        assert_eq!(groups::with_rest(nodes.clone(), &all), nodes);
    }
}
