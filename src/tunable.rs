//! Tunables: numbers that tuning may move, declared beside the technique that uses them.

/// A declared number and its range. Listed only in builds with the feature `tune`.
pub struct Tunable {
    /// The name, as the UCI option spells it.
    pub name: &'static str,
    /// The value of the plain build.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// The first step of tuning.
    pub step: i32,
    /// Sets the value, clamped to the range.
    pub set: fn(i32),
}

#[cfg(feature = "tune")]
inventory::collect!(Tunable);

/// All tunables of the engine, by name.
#[cfg(feature = "tune")]
pub fn all() -> Vec<&'static Tunable> {
    let mut tunables: Vec<&'static Tunable> = inventory::iter::<Tunable>.into_iter().collect();
    tunables.sort_by_key(|tunable| tunable.name);
    tunables
}

/// Declares tunables: `name = value, min..=max, step n;` with a doc comment that says the unit.
///
/// Each becomes a function. In the plain build that is a `const fn`, so the optimiser sees a number; with the
/// feature `tune` it reads an atomic, and `all` lists it.
#[macro_export]
macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal ..= $max:literal, step $step:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub const fn $name() -> i32 {
                $value
            }

            #[cfg(feature = "tune")]
            mod $name {
                pub static VALUE: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new($value);
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub fn $name() -> i32 {
                $name::VALUE.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        $(
            #[cfg(feature = "tune")]
            inventory::submit! {
                $crate::tunable::Tunable {
                    name: stringify!($name),
                    default: $value,
                    min: $min,
                    max: $max,
                    step: $step,
                    set: |value| $name::VALUE.store(value.clamp($min, $max), std::sync::atomic::Ordering::Relaxed),
                }
            }
        )*
    };
}
