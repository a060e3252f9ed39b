//! Large arrays on huge pages, where the system has them.

use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// A cache line of eight atomic 64-bit words, which are others in a model of what threads do with it.
#[repr(C, align(64))]
pub struct CacheLine<W = AtomicU64>(pub [W; 8]);

/// The size of a huge page in bytes. All memory of this file begins at a multiple of it.
const HUGE_PAGE: usize = 2 << 20;

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
    /// If the system has not enough memory, or the size exceeds the address space.
    pub fn zeroed(lines: usize) -> io::Result<Pages> {
        let bytes = lines.checked_mul(size_of::<CacheLine>()).and_then(|bytes| bytes.checked_add(HUGE_PAGE));
        let bytes = bytes.filter(|&bytes| bytes <= isize::MAX as usize);
        let bytes = bytes.ok_or_else(|| io::Error::other("it exceeds the address space"))?;
        let mapping = Mapping::new(bytes)?;
        let address = mapping.start.as_ptr() as usize;
        let pages = Pages { offset: address.next_multiple_of(HUGE_PAGE) - address, mapping, lines };
        prefer_huge_pages(&pages);
        Ok(pages)
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
    let mut vector = Vec::new();
    vector.try_reserve_exact(length).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    vector.resize(length, value);
    Ok(vector)
}

/// Collects `items` into a vector on huge pages where the system has them, for large tables with random access.
pub fn collect_on_huge_pages<T>(items: impl ExactSizeIterator<Item = T>) -> Vec<T> {
    let mut vector = Vec::with_capacity(items.len());
    // Before the first write, which decides the size of a page.
    prefer_huge_pages(vector.spare_capacity_mut());
    vector.extend(items);
    vector
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

/// An array on huge pages of its own, for tables of about that size with random access: one TLB entry covers all of it,
/// where small pages need hundreds.
pub struct HugeArray<T, const N: usize> {
    pages: Pages,
    elements: PhantomData<[T; N]>,
}

impl<T: Copy, const N: usize> HugeArray<T, N> {
    /// An array of `N` copies of `value`.
    ///
    /// # Errors
    /// If the system has not enough memory.
    pub fn filled(value: T) -> io::Result<HugeArray<T, N>> {
        const { assert!(align_of::<T>() <= align_of::<CacheLine>()) };
        let bytes = size_of::<[T; N]>().next_multiple_of(HUGE_PAGE);
        let pages = Pages::zeroed(bytes / size_of::<CacheLine>())?;
        for index in 0..N {
            // SAFETY: the pages are aligned for T and have room for N of them; what was there needs no drop.
            unsafe { pages.start().cast::<T>().add(index).write(value) }
        }
        Ok(HugeArray { pages, elements: PhantomData })
    }
}

impl<T, const N: usize> Deref for HugeArray<T, N> {
    type Target = [T; N];

    #[inline(always)]
    fn deref(&self) -> &[T; N] {
        // SAFETY: `filled` has written all N elements, which live as long as `self` and change only through `&mut self`.
        unsafe { &*self.pages.start().cast::<[T; N]>() }
    }
}

impl<T, const N: usize> DerefMut for HugeArray<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T; N] {
        // SAFETY: as for `deref`; and nobody else has a reference, since nothing but `self` leads to the memory.
        unsafe { &mut *self.pages.start().cast::<[T; N]>() }
    }
}

/// Memory from the system, released on drop.
struct Mapping {
    start: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a Mapping owns its memory, as a Box would; nothing about it belongs to one thread.
unsafe impl Send for Mapping {}
// SAFETY: through a shared Mapping the memory is reached only as atomics (see Pages) or not written at all (HugeArray).
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
    fn layout(bytes: usize) -> io::Result<std::alloc::Layout> {
        std::alloc::Layout::from_size_align(bytes, align_of::<usize>()).map_err(io::Error::other)
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

    #[test]
    fn pages_are_zero_aligned_and_writable_to_the_last_word() {
        for lines in [0, 1, 100, 40_000] {
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
    fn an_array_is_filled_with_its_value_and_keeps_writes() {
        let mut array = HugeArray::<[u16; 3], 1_000_003>::filled([1, 2, 3]).unwrap();
        assert!(array.iter().all(|&element| element == [1, 2, 3]));
        for index in [0, 500_000, 1_000_002] {
            array[index][1] = 7;
            assert_eq!(array[index], [1, 7, 3]);
        }
        assert_eq!(array.iter().filter(|&&element| element == [1, 2, 3]).count(), 1_000_000);
    }

    #[test]
    fn collected_items_are_complete() {
        for count in [0, 1, 5_000_000] {
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
