//! Rule sets, chosen at compile time.
//!
//! Everything that depends on the variant reads the constants of a [`Rules`] type, so the code of the
//! normal game contains none of the others. [`Variant`] is the run-time name; [`with_rules!`] turns it
//! into a type once per command.
//!
//! [`with_rules!`]: crate::with_rules

use std::fmt;
use std::str::FromStr;

/// What distinguishes a variant of the game from international draughts.
pub trait Rules: Copy + Default + Send + Sync + 'static {
    /// The run-time name of these rules.
    const VARIANT: Variant;
    /// Killer draughts: a king whose last victim is a king stops right behind it.
    const KILLER: bool = false;
    /// Breakthrough: the first king wins.
    const BREAKTHROUGH: bool = false;
    /// Losing draughts: who has no move wins.
    const LOSING: bool = false;
    /// Frisian: captures along rows and columns too, by value; limited king moves.
    const FRISIAN: bool = false;
}

/// Moves by each side with three pieces, one of them a king at least, against one king that make a draw:
/// FMJD Annex 1, article 6.3.
pub const THREE_TO_ONE: u32 = 16;

/// The same in an older text of the federation; see [`crate::game::DrawRules`].
pub const THREE_TO_ONE_OLD: u32 = 10;

/// International draughts (FMJD Annex 1).
#[derive(Clone, Copy, Default, Debug)]
pub struct International;

/// Killer draughts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Killer;

/// Breakthrough draughts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Breakthrough;

/// Losing draughts (giveaway).
#[derive(Clone, Copy, Default, Debug)]
pub struct Losing;

/// Frisian draughts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Frisian;

impl Rules for International {
    const VARIANT: Variant = Variant::International;
}

impl Rules for Killer {
    const VARIANT: Variant = Variant::Killer;
    const KILLER: bool = true;
}

impl Rules for Breakthrough {
    const VARIANT: Variant = Variant::Breakthrough;
    const BREAKTHROUGH: bool = true;
}

impl Rules for Losing {
    const VARIANT: Variant = Variant::Losing;
    const LOSING: bool = true;
}

impl Rules for Frisian {
    const VARIANT: Variant = Variant::Frisian;
    const FRISIAN: bool = true;
}

/// The variants by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Variant {
    /// International draughts.
    #[default]
    International,
    /// Killer draughts.
    Killer,
    /// Breakthrough.
    Breakthrough,
    /// Losing draughts.
    Losing,
    /// Frisian draughts.
    Frisian,
}

impl Variant {
    /// All variants, the normal game first.
    pub const ALL: [Self; 5] =
        [Self::International, Self::Killer, Self::Breakthrough, Self::Losing, Self::Frisian];

    /// The name in the Hub protocol.
    pub const fn name(self) -> &'static str {
        match self {
            Self::International => "normal",
            Self::Killer => "killer",
            Self::Breakthrough => "bt",
            Self::Losing => "losing",
            Self::Frisian => "frisian",
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text names no variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown variant '{0}' (normal, killer, bt, losing or frisian)")]
pub struct UnknownVariant(String);

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Self, UnknownVariant> {
        Self::ALL
            .into_iter()
            .find(|variant| variant.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownVariant(text.to_owned()))
    }
}

/// `with_rules!(variant, R => expression)`: evaluates the expression with `R` naming the
/// [`Rules`](crate::rules::Rules) type of the variant.
#[macro_export]
macro_rules! with_rules {
    ($variant:expr, $rules:ident => $body:expr) => {
        match $variant {
            $crate::rules::Variant::International => {
                type $rules = $crate::rules::International;
                $body
            }
            $crate::rules::Variant::Killer => {
                type $rules = $crate::rules::Killer;
                $body
            }
            $crate::rules::Variant::Breakthrough => {
                type $rules = $crate::rules::Breakthrough;
                $body
            }
            $crate::rules::Variant::Losing => {
                type $rules = $crate::rules::Losing;
                $body
            }
            $crate::rules::Variant::Frisian => {
                type $rules = $crate::rules::Frisian;
                $body
            }
        }
    };
}
