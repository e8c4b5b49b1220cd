//! Adding and subtracting rows, the same for every instruction set but for its registers.

/// The functions `load`, `store`, `update` and `accumulate` of an instruction set: its features, its register of
/// 16-bit values, how many values that holds, how many registers `accumulate` holds across its rows, and the
/// intrinsics for loading, storing, zero, wrapping addition and subtraction.
macro_rules! rows {
    (
        features: $features:literal,
        register: $register:ty,
        lanes: $lanes:literal,
        held: $held:literal,
        load: $load:ident,
        store: $store:ident,
        zero: $zero:expr,
        add: $add:ident,
        sub: $sub:ident $(,)?
    ) => {
        const LANES: usize = $lanes;

        #[inline]
        #[target_feature(enable = $features)]
        fn load<const H: usize>(values: &[i16; H], at: usize) -> $register {
            debug_assert!(at + LANES <= H);
            // SAFETY: callers stay below H, a multiple of LANES; the load needs the alignment of i16 at most.
            unsafe { $load(values.as_ptr().add(at).cast()) }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store<const H: usize>(values: &mut [i16; H], at: usize, register: $register) {
            debug_assert!(at + LANES <= H);
            // SAFETY: as for `load`.
            unsafe { $store(values.as_mut_ptr().add(at).cast(), register) }
        }

        #[inline]
        #[target_feature(enable = $features)]
        pub fn update<const H: usize, const A: usize, const R: usize>(
            target: &mut [i16; H],
            source: &[i16; H],
            added: [&[i16; H]; A],
            removed: [&[i16; H]; R],
        ) {
            for at in (0..H).step_by(LANES) {
                let mut value = load(source, at);
                for row in added {
                    value = $add(value, load(row, at));
                }
                for row in removed {
                    value = $sub(value, load(row, at));
                }
                store(target, at, value);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        pub fn accumulate<const H: usize>(values: &mut [i16; H], added: &[&[i16; H]], removed: &[&[i16; H]]) {
            const HELD: usize = $held;
            for start in (0..H).step_by(LANES * HELD) {
                let held = HELD.min((H - start) / LANES);
                let mut registers = [$zero; HELD];
                for (i, register) in registers[..held].iter_mut().enumerate() {
                    *register = load(values, start + i * LANES);
                }
                for row in added {
                    for (i, register) in registers[..held].iter_mut().enumerate() {
                        *register = $add(*register, load(row, start + i * LANES));
                    }
                }
                for row in removed {
                    for (i, register) in registers[..held].iter_mut().enumerate() {
                        *register = $sub(*register, load(row, start + i * LANES));
                    }
                }
                for (i, register) in registers[..held].iter().enumerate() {
                    store(values, start + i * LANES, *register);
                }
            }
        }
    };
}

pub(super) use rows;
