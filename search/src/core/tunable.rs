//! Numbers of a search that a tuner may change, declared by [`tunables!`](crate::tunables).

/// A parameter of a search, with its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tunable {
    /// Name of the parameter, that of its function.
    pub name: &'static str,
    /// Value of a normal build.
    pub default: i32,
    /// Smallest sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
    /// A change that can be felt: the tuner's last distance from the present value.
    pub step: i32,
}

/// Declares parameters: `name = value, least..=greatest, step;`, each with its documentation.
///
/// Every parameter becomes a function. In a normal build it returns a constant. With the cargo feature `tune` of
/// the crate that uses the macro, it returns the value that the calling thread holds: `install` changes them, and
/// `TUNABLES` lists all parameters. So searches with different values can run at the same time in several threads,
/// and one after the other in the same.
#[macro_export]
macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $min:literal..=$max:literal, $step:literal;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return held::SET.with(|set| set[held::Place::$name as usize].get());
                #[cfg(not(feature = "tune"))]
                $value
            }
        )*

        /// Every parameter, for a tuner.
        #[cfg(feature = "tune")]
        pub static TUNABLES: &[$crate::core::tunable::Tunable] = &[
            $($crate::core::tunable::Tunable {
                name: stringify!($name),
                default: $value,
                min: $min,
                max: $max,
                step: $step,
            },)*
        ];

        /// The values of a normal build, in the order of `TUNABLES`.
        #[cfg(feature = "tune")]
        pub fn defaults() -> Vec<i32> {
            TUNABLES.iter().map(|tunable| tunable.default).collect()
        }

        /// Makes these the calling thread's values, in the order of `TUNABLES`. Each is brought into its range;
        /// parameters without a value keep theirs.
        #[cfg(feature = "tune")]
        pub fn install(values: &[i32]) {
            held::SET.with(|set| {
                for ((cell, tunable), &value) in set.iter().zip(TUNABLES).zip(values) {
                    cell.set(value.clamp(tunable.min, tunable.max));
                }
            });
        }

        #[cfg(feature = "tune")]
        mod held {
            use std::cell::Cell;

            #[allow(non_camel_case_types)]
            pub(super) enum Place { $($name),* }

            thread_local! {
                pub(super) static SET: [Cell<i32>; [$(stringify!($name)),*].len()] =
                    const { [$(Cell::new($value)),*] };
            }
        }

        #[cfg(test)]
        #[test]
        fn defaults_lie_in_their_ranges() {
            $(assert!(($min..=$max).contains(&$value) && $step > 0, stringify!($name));)*
        }
    };
}
