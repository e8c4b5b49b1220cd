//! Parameters of the engine as the Hub protocol declares and sets them.

use crate::bitbase::slice::MOST_PIECES;
use crate::game::DrawRules;
use crate::hub::Value;
use crate::rules::{THREE_TO_ONE, THREE_TO_ONE_OLD};
use crate::{Variant, hub};
use std::fmt::Write;
use uci::error::shown;

/// The settings that parameters change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Rules.
    pub variant: Variant,
    /// Searching threads.
    pub threads: usize,
    /// Table size in mebibytes.
    pub hash: usize,
    /// Whether the program may think in the opponent's time; the GUI decides when.
    pub ponder: bool,
    /// Playing strength, [`FULL_LEVEL`] for all of it.
    pub level: usize,
    /// Lines shown.
    pub lines: usize,
    /// Limit of the three-against-one rule, in moves by each side.
    pub three_to_one: u32,
    /// Network file, or `<material>`; empty for the network in the program.
    pub eval_file: String,
    /// Whether moves are played from the book.
    pub book: bool,
    /// Plies from the start of the game after which the book is not asked.
    pub book_ply: usize,
    /// Hundredths of a man that a book move may be worse than the best.
    pub book_margin: i32,
    /// The book; empty for the one in the program.
    pub book_file: String,
    /// Endgame tables with more pieces are not used; 0 for none at all.
    pub bb_size: u32,
    /// Folder of endgame tables; empty for those in the program only.
    pub bb_path: String,
}

/// No limit to the strength.
pub const FULL_LEVEL: usize = 10;

/// Nodes and blur of the evaluation for the levels below the full one.
const LEVELS: [(u64, i32); FULL_LEVEL - 1] = [
    (40, 250),
    (80, 200),
    (160, 160),
    (400, 120),
    (1000, 90),
    (3000, 60),
    (10_000, 40),
    (40_000, 25),
    (200_000, 10),
];

/// Entries of the table in a mebibyte: three in 32 bytes.
const ENTRIES_PER_MEBIBYTE: u64 = (1 << 20) / 32 * 3;

impl Default for Settings {
    fn default() -> Self {
        Self {
            variant: Variant::default(),
            threads: 1,
            hash: 64,
            ponder: false,
            level: FULL_LEVEL,
            lines: 1,
            three_to_one: THREE_TO_ONE,
            eval_file: String::new(),
            book: true,
            book_ply: 20,
            book_margin: 4,
            book_file: String::new(),
            bb_size: MOST_PIECES,
            bb_path: String::new(),
        }
    }
}

/// Why a parameter was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParamError {
    /// There is no such parameter.
    #[error("unknown parameter '{0}'")]
    Unknown(String),
    /// The value is not of its kind, or outside its range.
    #[error("parameter {name}: '{value}' is not {expected}")]
    Value {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        expected: String,
    },
}

enum Kind {
    Bool,
    Int(i64, i64),
    Choice(&'static [&'static str]),
    Text,
}

struct Spec {
    name: &'static str,
    kind: Kind,
    get: fn(&Settings) -> String,
    set: fn(&mut Settings, &str, i64),
}

/// The parameter that is a field of the settings.
macro_rules! field {
    (bool $name:literal, $field:ident) => {
        Spec {
            name: $name,
            kind: Kind::Bool,
            get: |settings| settings.$field.to_string(),
            set: |settings, _, number| settings.$field = number != 0,
        }
    };
    (number $name:literal, $field:ident, $least:expr, $most:expr) => {
        Spec {
            name: $name,
            kind: Kind::Int($least, $most),
            get: |settings| settings.$field.to_string(),
            set: |settings, _, number| settings.$field = number as _,
        }
    };
    (text $name:literal, $field:ident) => {
        Spec {
            name: $name,
            kind: Kind::Text,
            get: |settings| settings.$field.clone(),
            set: |settings, text, _| text.clone_into(&mut settings.$field),
        }
    };
}

const SPECS: &[Spec] = &[
    Spec {
        name: "variant",
        kind: Kind::Choice(&["normal", "killer", "bt", "losing", "frisian"]),
        get: |settings| settings.variant.to_string(),
        set: |settings, text, _| settings.variant = text.parse().unwrap_or_default(),
    },
    field!(number "threads", threads, 1, 1024),
    field!(number "hash", hash, 1, 1 << 20),
    Spec {
        name: "tt-size",
        kind: Kind::Int(16, 36),
        get: |settings| (settings.hash as u64 * ENTRIES_PER_MEBIBYTE).ilog2().to_string(),
        set: |settings, _, number| {
            settings.hash = (1u64 << number).div_ceil(ENTRIES_PER_MEBIBYTE) as usize;
        },
    },
    field!(bool "ponder", ponder),
    field!(number "level", level, 1, FULL_LEVEL as i64),
    field!(number "multi-pv", lines, 1, 64),
    Spec {
        name: "three-to-one-moves",
        kind: Kind::Choice(&["16", "10"]),
        get: |settings| settings.three_to_one.to_string(),
        set: |settings, text, _| {
            settings.three_to_one = if text == "10" { THREE_TO_ONE_OLD } else { THREE_TO_ONE };
        },
    },
    field!(text "eval-file", eval_file),
    field!(bool "book", book),
    field!(number "book-ply", book_ply, 0, 200),
    field!(number "book-margin", book_margin, 0, 100),
    field!(text "book-file", book_file),
    field!(number "bb-size", bb_size, 0, MOST_PIECES as i64),
    field!(text "bb-path", bb_path),
];

impl Settings {
    /// The lines that declare the parameters with their present values.
    pub fn declarations(&self) -> String {
        let mut text = String::new();
        for spec in SPECS {
            let value = (spec.get)(self);
            // Writing to a String cannot fail.
            let _ = write!(text, "param name={} value={} type=", spec.name, Value(&value));
            let _ = match spec.kind {
                Kind::Bool => writeln!(text, "bool"),
                Kind::Int(least, most) => writeln!(text, "int min={least} max={most}"),
                Kind::Text => writeln!(text, "string"),
                Kind::Choice(choices) => writeln!(text, "enum values={}", Value(&choices.join(" "))),
            };
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// When there is none of this name or the value does not fit; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        let spec = SPECS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| ParamError::Unknown(shown(name)))?;
        let error = |expected| ParamError::Value { name: spec.name, value: shown(value), expected };
        if matches!(spec.kind, Kind::Text) {
            (spec.set)(self, value.trim(), 0);
            return Ok(());
        }
        let value = value.trim().to_ascii_lowercase();
        let number = match spec.kind {
            Kind::Bool => match value.as_str() {
                "true" | "on" | "yes" | "1" => 1,
                "false" | "off" | "no" | "0" => 0,
                _ => return Err(error("true or false".to_owned())),
            },
            Kind::Int(least, most) => value
                .parse()
                .ok()
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| error(format!("a whole number from {least} to {most}")))?,
            Kind::Text => 0,
            Kind::Choice(choices) if choices.contains(&value.as_str()) => 0,
            Kind::Choice(choices) => return Err(error(format!("one of {}", choices.join(", ")))),
        };
        (spec.set)(self, &value, number);
        Ok(())
    }

    /// The draw rules in force.
    pub fn draws(&self) -> DrawRules {
        DrawRules { three_to_one: self.three_to_one, ..DrawRules::default() }
    }

    /// Nodes and blur that the level allows; `None` at full strength.
    pub fn handicap(&self) -> Option<(u64, i32)> {
        LEVELS.get(self.level.checked_sub(1)?).copied()
    }
}

/// `id ...`
pub fn identity() -> String {
    format!(
        "id name={} version={} author={} country=\"\"",
        hub::Value("Dyad Draughts"),
        hub::Value(env!("CARGO_PKG_VERSION")),
        hub::Value("The Dyad authors")
    )
}
