//! The processor: its features and the prefetch instruction.

use thiserror::Error;

/// The build uses instructions that this processor, or the operating system on it, does not have.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("this build needs processor features that are missing here: {}; use a build for a more general processor", .0.join(", "))]
pub struct MissingFeatures(pub Vec<&'static str>);

/// Checks that this processor has the features that the build was compiled for. Called first of all, so that a build for
/// another machine (`target-cpu=native` copied elsewhere) ends with a message and not with an illegal instruction, unless
/// the start-up code of the runtime itself uses the missing instructions.
///
/// # Errors
/// Names the missing features.
pub fn check() -> Result<(), MissingFeatures> {
    let missing = features::missing();
    if missing.is_empty() { Ok(()) } else { Err(MissingFeatures(missing)) }
}

/// True if Intel made this processor.
pub fn is_intel() -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let id = std::arch::x86_64::__cpuid(0);
        [id.ebx, id.edx, id.ecx].map(u32::to_le_bytes).as_flattened() == b"GenuineIntel"
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    false
}

/// Prefetches the cache line of `place`; this affects nothing but speed.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch reads and writes nothing and cannot fault; SSE, which has it, is part of every x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = place;
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod features {
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

    /// The registers that the operating system has to save for a feature to be usable, as bits of XCR0.
    #[derive(Clone, Copy)]
    enum Registers {
        Xmm = 0,
        Ymm = 0x06,
        Zmm = 0xE6,
    }

    /// A processor feature: its place in the result of CPUID, and whether the build was compiled for it.
    struct Feature {
        name: &'static str,
        compiled_in: bool,
        leaf: usize,
        bit: u32,
        registers: Registers,
    }

    macro_rules! features {
        ($($name:tt $leaf:ident $bit:literal $registers:ident;)*) => {
            [$(Feature {
                name: $name,
                compiled_in: cfg!(target_feature = $name),
                leaf: $leaf,
                bit: $bit,
                registers: Registers::$registers,
            }),*]
        };
    }

    // Indices into the result of `words`.
    const BASIC_C: usize = 0;
    const EXTENDED_B: usize = 1;
    const EXTENDED_C: usize = 2;
    const EXTENDED_1_A: usize = 3;
    const AMD_C: usize = 4;

    /// The features that the build was compiled for and the processor lacks. The standard macro `is_x86_feature_detected` is
    /// no help: for a feature that is compiled in, it returns true without a look at the processor.
    pub(super) fn missing() -> Vec<&'static str> {
        let words = words();
        let saved = saved_registers(words[BASIC_C]);
        let has = |feature: &Feature| {
            words[feature.leaf] >> feature.bit & 1 == 1
                && saved & feature.registers as u64 == feature.registers as u64
        };
        table()
            .iter()
            .filter(|feature| feature.compiled_in && !has(feature))
            .map(|feature| feature.name)
            .collect()
    }

    /// The feature words of CPUID; zero where the processor has no such leaf.
    fn words() -> [u32; 5] {
        let extended = (__cpuid(0).eax >= 7).then(|| __cpuid_count(7, 0));
        let extended_1 = extended.filter(|leaf| leaf.eax >= 1).map(|_| __cpuid_count(7, 1));
        let amd = (__cpuid(0x8000_0000).eax >= 0x8000_0001).then(|| __cpuid(0x8000_0001));
        [
            __cpuid(1).ecx,
            extended.map_or(0, |leaf| leaf.ebx),
            extended.map_or(0, |leaf| leaf.ecx),
            extended_1.map_or(0, |leaf| leaf.eax),
            amd.map_or(0, |leaf| leaf.ecx),
        ]
    }

    /// XCR0: the registers that the operating system saves; none when it does not say.
    fn saved_registers(basic_c: u32) -> u64 {
        const OSXSAVE: u32 = 1 << 27;
        if basic_c & OSXSAVE == 0 {
            return 0;
        }
        // SAFETY: OSXSAVE says that the processor has XGETBV and that the system has enabled it.
        unsafe { _xgetbv(0) }
    }

    #[rustfmt::skip]
    fn table() -> [Feature; 26] {
        features! {
            "sse3" BASIC_C 0 Xmm;          "ssse3" BASIC_C 9 Xmm;            "fma" BASIC_C 12 Ymm;
            "sse4.1" BASIC_C 19 Xmm;       "sse4.2" BASIC_C 20 Xmm;          "movbe" BASIC_C 22 Xmm;
            "popcnt" BASIC_C 23 Xmm;       "aes" BASIC_C 25 Xmm;             "avx" BASIC_C 28 Ymm;
            "f16c" BASIC_C 29 Ymm;         "lzcnt" AMD_C 5 Xmm;              "sse4a" AMD_C 6 Xmm;
            "bmi1" EXTENDED_B 3 Xmm;       "avx2" EXTENDED_B 5 Ymm;          "bmi2" EXTENDED_B 8 Xmm;
            "avx512f" EXTENDED_B 16 Zmm;   "avx512dq" EXTENDED_B 17 Zmm;     "adx" EXTENDED_B 19 Xmm;
            "avx512cd" EXTENDED_B 28 Zmm;  "avx512bw" EXTENDED_B 30 Zmm;     "avx512vl" EXTENDED_B 31 Zmm;
            "avx512vbmi" EXTENDED_C 1 Zmm; "avx512vbmi2" EXTENDED_C 6 Zmm;   "avx512vnni" EXTENDED_C 11 Zmm;
            "gfni" EXTENDED_C 8 Xmm;       "avxvnni" EXTENDED_1_A 4 Ymm;
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// Compares the bits above with the standard library, for features that the build was not compiled for.
        #[test]
        fn the_table_agrees_with_the_standard_library() {
            let words = words();
            let saved = saved_registers(words[BASIC_C]);
            let ours = |name: &str| {
                let table = table();
                let feature = table.iter().find(|feature| feature.name == name).expect(name);
                words[feature.leaf] >> feature.bit & 1 == 1
                    && saved & feature.registers as u64 == feature.registers as u64
            };
            macro_rules! compare {
                ($($name:tt)*) => { $(assert_eq!(ours($name), is_x86_feature_detected!($name), $name);)* };
            }
            compare!("sse3" "ssse3" "fma" "sse4.1" "sse4.2" "movbe" "popcnt" "aes" "avx" "f16c" "lzcnt" "sse4a" "bmi1");
            compare!("avx2" "bmi2" "avx512f" "avx512dq" "adx" "avx512cd" "avx512bw" "avx512vl" "avx512vbmi");
            compare!("avx512vbmi2" "avx512vnni" "gfni" "avxvnni");
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
mod features {
    /// Builds for other processors rely on their baseline only.
    pub(super) fn missing() -> Vec<&'static str> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_that_runs_the_tests_can_run_the_build() {
        assert_eq!(check(), Ok(()));
    }

    #[test]
    fn the_error_names_the_missing_features() {
        let error = MissingFeatures(vec!["avx2", "bmi2"]).to_string();
        assert!(error.contains("avx2, bmi2"), "{error}");
    }
}
