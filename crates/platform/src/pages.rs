//! Large arrays on huge pages, where the system has them.

use std::alloc::{Layout, handle_alloc_error};
use std::io;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A cache line of eight atomic 64-bit words, which are others in a model of what threads do with it.
#[repr(C, align(64))]
pub struct CacheLine<W = AtomicU64>(pub [W; 8]);

/// The size of a huge page in bytes. All memory of this file begins at a multiple of it.
const HUGE_PAGE: usize = 2 << 20;

/// Bytes of the address space that every large allocation has to leave: those that come after it may be small ones that nobody
/// can refuse, of other threads too.
const RESERVE: usize = 4 << 20;

/// The smallest allocation, in bytes, that is refused rather than take the reserve.
const LARGE: usize = 64 << 10;

/// Returns what was allocated, if it has left the reserve. Elsewhere than on Unix the address space ends nowhere near.
fn leaving_reserve<T>(allocated: T) -> io::Result<T> {
    if cfg!(all(unix, not(miri))) {
        Mapping::new(RESERVE)?;
    }
    Ok(allocated)
}

/// A fixed number of cache lines, all zero at first. The system zeroes a page when it is first touched.
pub struct Pages {
    mapping: Mapping,
    /// The bytes from the start of the mapping to the first line, so that the lines begin on a huge page.
    offset: usize,
    lines: usize,
}

impl Pages {
    /// Allocates `lines` cache lines.
    ///
    /// # Errors
    /// If the system has not enough memory for them and the reserve, or the size exceeds the address space.
    pub fn zeroed(lines: usize) -> io::Result<Pages> {
        let bytes = lines.checked_mul(size_of::<CacheLine>()).and_then(|bytes| bytes.checked_add(HUGE_PAGE));
        let bytes = bytes.filter(|&bytes| bytes <= isize::MAX as usize);
        let bytes = bytes.ok_or_else(|| io::Error::other("it exceeds the address space"))?;
        let mapping = Mapping::new(bytes)?;
        let address = mapping.start.as_ptr() as usize;
        let pages = Pages { offset: address.next_multiple_of(HUGE_PAGE) - address, mapping, lines };
        prefer_huge_pages(&pages);
        leaving_reserve(pages)
    }

    /// Has the pages spread over these NUMA nodes, those that somebody has touched as well. Where the system does not do so, each
    /// page comes from the node of the thread that touches it first.
    pub fn spread(&self, nodes: &[usize]) {
        #[cfg(all(target_os = "linux", not(miri)))]
        {
            /// Pages of other nodes move (linux/mempolicy.h).
            const MPOL_MF_MOVE: libc::c_uint = 1 << 1;
            let mut mask = [0_u64; 16];
            for &node in nodes.iter().filter(|&&node| node < 64 * 16) {
                mask[node / 64] |= 1 << (node % 64);
            }
            let (start, bytes) = (self.start(), size_of_val(&**self) / HUGE_PAGE * HUGE_PAGE);
            let bits = 64 * mask.len();
            // SAFETY: the range lies inside the mapping and begins on a page; the call reads the mask and changes no content.
            unsafe {
                libc::syscall(
                    libc::SYS_mbind,
                    start,
                    bytes,
                    libc::MPOL_INTERLEAVE,
                    mask.as_ptr(),
                    bits,
                    MPOL_MF_MOVE,
                );
            }
        }
        #[cfg(not(all(target_os = "linux", not(miri))))]
        let _ = nodes;
    }

    /// The address of the first line.
    #[inline(always)]
    fn start(&self) -> *mut u8 {
        // SAFETY: the offset lies within the mapping, which is HUGE_PAGE bytes larger than the lines.
        unsafe { self.mapping.start.as_ptr().add(self.offset) }
    }
}

/// Advises the system to use huge pages for memory that fills at least one. Where it does not (old kernel, switched off by
/// the administrator), small pages work as well, with more TLB misses.
fn prefer_huge_pages<T>(memory: &[T]) {
    #[cfg(all(target_os = "linux", not(miri)))]
    {
        let range = memory.as_ptr_range();
        let start = (range.start as usize).next_multiple_of(HUGE_PAGE);
        let length = (range.end as usize).saturating_sub(start) / HUGE_PAGE * HUGE_PAGE;
        if length > 0 {
            // SAFETY: the range lies inside `memory` and begins on a page, and the advice changes no content.
            unsafe {
                libc::madvise(start as *mut libc::c_void, length, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = memory;
}

/// A vector of `length` copies of `value`.
///
/// # Errors
/// If the system has not enough memory, where `vec!` would abort the program.
pub fn try_vec<T: Clone>(value: T, length: usize) -> io::Result<Vec<T>> {
    let mut vector = try_with_capacity(length)?;
    vector.resize(length, value);
    Ok(vector)
}

/// An empty vector with room for `length` elements.
///
/// # Errors
/// If the system has not enough memory, where `Vec::with_capacity` would abort the program.
pub fn try_with_capacity<T>(length: usize) -> io::Result<Vec<T>> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(length).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    if length.saturating_mul(size_of::<T>()) < LARGE { Ok(vector) } else { leaving_reserve(vector) }
}

/// Checks that the system has `bytes` of memory now, before allocations that would abort the program without it.
///
/// # Errors
/// If it has not.
pub fn check_room(bytes: usize) -> io::Result<()> {
    Pages::zeroed(bytes.div_ceil(size_of::<CacheLine>())).map(drop)
}

/// Has freed memory given back to the system at once: the C library of Linux would keep the more of it, the larger the pieces
/// were that had been freed. All threads share one heap, since each heap of its own would take 64 MB of the address space and
/// threads of a search allocate little. Where the library has no such call, nothing happens.
pub fn give_back_early() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: the calls set numbers of the allocator.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 128 << 10);
        libc::mallopt(libc::M_TRIM_THRESHOLD, 32 << 10);
        libc::mallopt(libc::M_TOP_PAD, 16 << 10);
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Gives freed memory back to the system, for after much of it was freed: the C library of Linux keeps what threads that have
/// ended had allocated. Where it has no such call, nothing happens.
pub fn give_back_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
    // SAFETY: the call concerns only memory that is not allocated.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Collects `items` into a vector on huge pages where the system has them, for large tables with random access.
///
/// # Errors
/// If the system has not enough memory.
pub fn try_collect_on_huge_pages<T>(items: impl ExactSizeIterator<Item = T>) -> io::Result<Vec<T>> {
    let mut vector = try_with_capacity(items.len())?;
    // Before the first write, which decides the size of a page.
    prefer_huge_pages(vector.spare_capacity_mut());
    vector.extend(items);
    Ok(vector)
}

/// [`try_collect_on_huge_pages`] for programs that cannot go on without the memory, which are aborted.
pub fn collect_on_huge_pages<T>(items: impl ExactSizeIterator<Item = T>) -> Vec<T> {
    let layout = Layout::array::<T>(items.len()).unwrap_or(Layout::new::<T>());
    try_collect_on_huge_pages(items).unwrap_or_else(|_| handle_alloc_error(layout))
}

impl Deref for Pages {
    type Target = [CacheLine];

    #[inline(always)]
    fn deref(&self) -> &[CacheLine] {
        // SAFETY: the mapping holds `lines` lines behind `offset`, which is less than the HUGE_PAGE bytes that `zeroed` asked
        // for on top; the start is aligned to HUGE_PAGE; the memory was zeroed, which is a valid CacheLine, lives as long as
        // `self`, and is only ever written through the atomics.
        unsafe { std::slice::from_raw_parts(self.start().cast::<CacheLine>(), self.lines) }
    }
}

/// Memory on huge pages for several tables of one owner: a table of its own would fill up its last huge page with nothing.
/// The memory goes back to the system when the arena and all its tables are dropped.
pub struct HugeArena {
    pages: Arc<Pages>,
    /// Bytes given away.
    used: usize,
}

impl HugeArena {
    /// An arena of at least `bytes`, a whole number of huge pages.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn new(bytes: usize) -> io::Result<HugeArena> {
        let bytes = bytes.checked_next_multiple_of(HUGE_PAGE).unwrap_or(usize::MAX);
        Ok(HugeArena { pages: Arc::new(Pages::zeroed(bytes / size_of::<CacheLine>())?), used: 0 })
    }

    /// A table of `N` copies of `value`, written by the calling thread.
    ///
    /// # Errors
    /// If there is no room left in the arena.
    pub fn array<T: Copy, const N: usize>(&mut self, value: T) -> io::Result<HugeBox<[T; N]>> {
        Ok(HugeBox { start: self.fill(value, N)?.cast(), _pages: Arc::clone(&self.pages) })
    }

    /// A table of `length` copies of `value`, written by the calling thread.
    ///
    /// # Errors
    /// If there is no room left in the arena.
    pub fn slice<T: Copy>(&mut self, value: T, length: usize) -> io::Result<HugeBox<[T]>> {
        let start = NonNull::slice_from_raw_parts(self.fill(value, length)?, length);
        Ok(HugeBox { start, _pages: Arc::clone(&self.pages) })
    }

    /// Bytes that a table of that many takes in an arena, where each begins on a cache line.
    pub const fn room_for(bytes: usize) -> usize {
        bytes.next_multiple_of(size_of::<CacheLine>())
    }

    /// Gives away the next room for `length` copies of `value`, which are written.
    fn fill<T: Copy>(&mut self, value: T, length: usize) -> io::Result<NonNull<T>> {
        const { assert!(align_of::<T>() <= align_of::<CacheLine>()) };
        let bytes = length.checked_mul(size_of::<T>()).and_then(|bytes| bytes.checked_add(self.used));
        let end = bytes.filter(|&end| end <= size_of_val(&**self.pages)).ok_or(io::ErrorKind::OutOfMemory)?;
        // SAFETY: the room from `used` to `end` lies inside the pages, was never given away, and is aligned for T since `used`
        // is a multiple of a cache line; what was there needs no drop.
        let start = unsafe {
            let start = self.pages.start().add(self.used).cast::<T>();
            for index in 0..length {
                start.add(index).write(value);
            }
            start
        };
        self.used = HugeArena::room_for(end);
        NonNull::new(start).ok_or_else(|| io::Error::other("the system mapped address zero"))
    }
}

/// A table in a [`HugeArena`], to which nothing else leads.
pub struct HugeBox<T: ?Sized> {
    start: NonNull<T>,
    _pages: Arc<Pages>,
}

// SAFETY: a HugeBox owns its table, as a Box would, and the pages live as long as it does.
unsafe impl<T: ?Sized + Send> Send for HugeBox<T> {}
// SAFETY: as for Send; a shared HugeBox gives only shared references to its table.
unsafe impl<T: ?Sized + Sync> Sync for HugeBox<T> {}

impl<T: ?Sized> Deref for HugeBox<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the arena has written the whole table, which lives as long as `self` and changes only through `&mut self`.
        unsafe { self.start.as_ref() }
    }
}

impl<T: ?Sized> DerefMut for HugeBox<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as for `deref`; and nobody else has a reference, since nothing but `self` leads to the table.
        unsafe { self.start.as_mut() }
    }
}

/// Memory from the system, released on drop.
struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a Mapping owns its memory, as a Box would; nothing about it belongs to one thread.
unsafe impl Send for Mapping {}
// SAFETY: through a shared Mapping the memory is reached only as atomics (see Pages) or by the one owner of each part (HugeBox).
unsafe impl Sync for Mapping {}

#[cfg(all(unix, not(miri)))]
impl Mapping {
    fn new(bytes: usize) -> io::Result<Mapping> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new anonymous private mapping at an address of the system's choice touches no memory of ours.
        let start = unsafe {
            libc::mmap(std::ptr::null_mut(), bytes, protection, libc::MAP_PRIVATE | libc::MAP_ANON, -1, 0)
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        match NonNull::new(start.cast()) {
            Some(start) => Ok(Mapping { start, bytes }),
            None => Err(io::Error::other("the system mapped address zero")),
        }
    }
}

#[cfg(all(unix, not(miri)))]
impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: exactly the range that `new` mapped; no reference into it outlives `self`.
        unsafe {
            libc::munmap(self.start.as_ptr().cast(), self.bytes);
        }
    }
}

/// The memory of systems without `mmap`. With no more than their own alignment, allocators return lazily zeroed pages for
/// large sizes.
#[cfg(not(all(unix, not(miri))))]
impl Mapping {
    fn layout(bytes: usize) -> io::Result<Layout> {
        Layout::from_size_align(bytes, align_of::<usize>()).map_err(io::Error::other)
    }

    fn new(bytes: usize) -> io::Result<Mapping> {
        // SAFETY: the size is not zero, because `Pages::zeroed` asks for at least HUGE_PAGE bytes.
        let start = unsafe { std::alloc::alloc_zeroed(Mapping::layout(bytes)?) };
        let start = NonNull::new(start).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(Mapping { start, bytes })
    }
}

#[cfg(not(all(unix, not(miri))))]
impl Drop for Mapping {
    fn drop(&mut self) {
        if let Ok(layout) = Mapping::layout(self.bytes) {
            // SAFETY: allocated in `new` with the same layout; no reference into it outlives `self`.
            unsafe { std::alloc::dealloc(self.start.as_ptr(), layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    /// Large enough for several huge pages, except under Miri, which takes a microsecond for a step.
    const MANY: usize = if cfg!(miri) { 1_000 } else { 1_000_000 };

    #[test]
    fn pages_are_zero_aligned_and_writable_to_the_last_word() {
        for lines in [0, 1, 100, MANY / 25] {
            let pages = Pages::zeroed(lines).expect("a small size");
            assert_eq!(pages.len(), lines);
            assert_eq!(pages.as_ptr() as usize % HUGE_PAGE, 0);
            assert!(pages.iter().all(|line| line.0.iter().all(|word| word.load(Relaxed) == 0)));
            if let Some(last) = pages.last() {
                last.0[7].store(u64::MAX, Relaxed);
                assert_eq!(last.0[7].load(Relaxed), u64::MAX);
            }
        }
    }

    #[test]
    fn tables_of_an_arena_keep_their_own_values() {
        let mut arena = HugeArena::new(7 * MANY).unwrap();
        let mut array = arena.array::<[u16; 3], { MANY + 3 }>([1, 2, 3]).unwrap();
        let mut slice = arena.slice(9_u64, 1_001).unwrap();
        assert!(arena.array::<u8, { 2 * HUGE_PAGE }>(0).is_err() && arena.slice(0_u64, usize::MAX).is_err());
        drop(arena);
        for index in [0, MANY / 2, MANY + 2] {
            array[index][1] = 7;
            slice[index % 1_001] = 8;
        }
        assert_eq!(array.iter().filter(|&&element| element == [1, 2, 3]).count(), MANY);
        assert_eq!(array.iter().filter(|&&element| element == [1, 7, 3]).count(), 3);
        assert_eq!(slice.iter().filter(|&&element| element == 9).count(), 998);
    }

    #[test]
    fn collected_items_are_complete() {
        for count in [0, 1, 5 * MANY] {
            let vector = collect_on_huge_pages(0..count);
            assert!(vector.iter().copied().eq(0..count));
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri gives up where a system says no")]
    fn impossible_sizes_are_errors() {
        for lines in [usize::MAX, usize::MAX / 64, isize::MAX as usize / 64, 1 << 55] {
            assert!(Pages::zeroed(lines).is_err(), "{lines} lines");
        }
    }
}
