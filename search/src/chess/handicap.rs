//! Limited playing strength (`UCI_LimitStrength`, `UCI_Elo`).
//!
//! A weaker player sees less far and judges worse: a handicap caps the nodes of a move and blurs the static
//! evaluation. The blur depends on the position and a seed only, so that a search stays reproducible.

/// Weakest level in Elo.
pub const MIN_ELO: u32 = 1000;
/// Strongest limited level in Elo; above it there is no limit.
pub const MAX_ELO: u32 = 2800;

/// How far the play is held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// Most nodes of one search.
    pub nodes: u64,
    /// Largest error put on a static evaluation, in centipawns.
    pub blur: i32,
}

impl Handicap {
    /// The handicap of a level between [`MIN_ELO`] and [`MAX_ELO`], clamped.
    #[must_use]
    pub fn from_elo(elo: u32) -> Self {
        let level = f64::from(elo.clamp(MIN_ELO, MAX_ELO) - MIN_ELO) / f64::from(MAX_ELO - MIN_ELO);
        let nodes = 120.0 * 500.0_f64.powf(level);
        let blur = 170.0 * (1.0 - level).powf(1.5);
        Self { nodes: nodes as u64, blur: blur as i32 }
    }

    /// Error for the position with this key, within `-blur..=blur`; small errors are likelier than large ones.
    #[inline]
    #[must_use]
    pub fn error(&self, key: u64) -> i32 {
        let mixed = (key ^ (key >> 29)).wrapping_mul(0x9E6C_63D0_876A_68DE);
        let span = i64::from(2 * self.blur + 1);
        let draw = |bits: u64| (((bits & 0xFFFF_FFFF) as i64 * span) >> 32) - i64::from(self.blur);
        ((draw(mixed) + draw(mixed >> 32)) / 2) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_from_weak_to_strong() {
        let (weak, strong) = (Handicap::from_elo(0), Handicap::from_elo(9_999));
        assert_eq!(weak, Handicap::from_elo(MIN_ELO));
        assert!(weak.nodes < strong.nodes && weak.blur > strong.blur && strong.blur == 0);
    }

    #[test]
    fn errors_stay_in_range_and_average_out() {
        let handicap = Handicap { nodes: 1, blur: 100 };
        let errors: Vec<i32> =
            (0..20_000u64).map(|n| handicap.error(n.wrapping_mul(0xA24B_AED4_963E_E407))).collect();
        assert!(errors.iter().all(|e| e.abs() <= 100));
        assert!(errors.iter().sum::<i32>().abs() < 20_000 * 3);
        assert!(errors.iter().any(|e| e.abs() > 60));
    }
}
