//! Numbers that tuning may move, declared beside the technique that uses them.

/// A declared number: what it is called and where it may go. Listed only in builds with the feature `tune`.
pub struct Tunable {
    /// Its name, as the UCI option spells it.
    pub name: &'static str,
    /// The value of the plain build.
    pub default: i32,
    /// The least value that makes sense.
    pub min: i32,
    /// The greatest value that makes sense.
    pub max: i32,
    /// How far tuning moves it at first.
    pub step: i32,
    /// Sets the value, clamped to the range.
    pub set: fn(i32),
}

/// Declares tunables: `name = value, min..=max, step n;` with a doc comment that says the unit.
///
/// Each becomes a function. In the plain build that is a `const fn`, so the optimiser sees a number; with the
/// feature `tune` it reads an atomic, and `TUNABLES` lists the declarations of the file.
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

        /// The tunables declared in this file.
        #[cfg(feature = "tune")]
        pub static TUNABLES: &[$crate::tunable::Tunable] = &[$($crate::tunable::Tunable {
            name: stringify!($name),
            default: $value,
            min: $min,
            max: $max,
            step: $step,
            set: |value| $name::VALUE.store(value.clamp($min, $max), std::sync::atomic::Ordering::Relaxed),
        }),*];
    };
}
