//! Options as data: what an engine can be told, in which range, and who takes it.

use crate::error::OptionError;
use crate::token::number;
use std::fmt;

/// An option as the GUI sees it. Its `Display` is the exact `option` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// Name; may hold blanks. Names are compared without regard to case.
    pub name: &'static str,
    /// Kind, default and range.
    pub kind: OptionKind,
}

/// Kinds of options, with what a GUI needs to draw them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// Setting at the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// Setting at the start.
        default: i64,
        /// Least value.
        min: i64,
        /// Greatest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// Setting at the start, one of `choices`.
        default: &'static str,
        /// All settings, compared without regard to case.
        choices: Vec<&'static str>,
    },
    /// Something to do.
    Button,
    /// Any text.
    String {
        /// Setting at the start; may be empty.
        default: String,
    },
}

/// A setting that was checked against its [`OptionKind`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// For [`OptionKind::Check`].
    Check(bool),
    /// For [`OptionKind::Spin`]; within the range.
    Spin(i64),
    /// For [`OptionKind::Combo`]; spelled as in the choices.
    Combo(&'static str),
    /// For [`OptionKind::Button`].
    Button,
    /// For [`OptionKind::String`]; `<empty>` was turned into an empty string.
    String(String),
}

/// Something the user should hear about a setting that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The number was outside the range, and the nearest one inside was taken.
    Clamped {
        /// The option.
        name: &'static str,
        /// What was given.
        given: String,
        /// What was taken.
        taken: i64,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Clamped { name, given, taken } => {
                write!(f, "option {name}: {given} is out of range, using {taken}")
            }
        }
    }
}

impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::String { default } if default.is_empty() => f.write_str("string default <empty>"),
            OptionKind::String { default } => write!(f, "string default {default}"),
        }
    }
}

impl OptionSpec {
    /// Reads `text` as a value of this option; `None` stands for a setting without `value`.
    ///
    /// # Errors
    /// When the text is not of the option's kind. A number out of range is no error: it is clamped, with a
    /// notice.
    pub fn read(&self, text: Option<&str>) -> Result<(Value, Option<Notice>), OptionError> {
        let given = text.unwrap_or_default().trim();
        let wrong = |expected: String| {
            Err(OptionError::Value { name: self.name.to_owned(), value: given.to_owned(), expected })
        };
        let value = match &self.kind {
            OptionKind::Check { .. } if given.eq_ignore_ascii_case("true") => Value::Check(true),
            OptionKind::Check { .. } if given.eq_ignore_ascii_case("false") => Value::Check(false),
            OptionKind::Check { .. } => return wrong("true or false".to_owned()),
            OptionKind::Spin { min, max, .. } => {
                let Some(wanted) = number(given) else {
                    return wrong(format!("a whole number from {min} to {max}"));
                };
                let taken = wanted.min(*max).max(*min);
                let notice = (taken != wanted).then(|| Notice::Clamped {
                    name: self.name,
                    given: given.to_owned(),
                    taken,
                });
                return Ok((Value::Spin(taken), notice));
            }
            OptionKind::Combo { choices, .. } => {
                match choices.iter().find(|choice| choice.eq_ignore_ascii_case(given)) {
                    Some(choice) => Value::Combo(choice),
                    None => return wrong(format!("one of {}", choices.join(", "))),
                }
            }
            OptionKind::Button => Value::Button,
            OptionKind::String { .. } if given.eq_ignore_ascii_case("<empty>") => {
                Value::String(String::new())
            }
            OptionKind::String { .. } => Value::String(given.to_owned()),
        };
        Ok((value, None))
    }

    /// What is wrong with the declaration, if anything.
    fn fault(&self) -> Option<&'static str> {
        let is_word = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
        let mut words = self.name.split(' ');
        if !words.all(|word| is_word(word) && word != "value" && word != "name" && word != "type") {
            return Some("a name is made of words, none of them a key word");
        }
        match &self.kind {
            OptionKind::Spin { default, min, max } if !(min <= default && default <= max) => {
                Some("the default is out of range")
            }
            OptionKind::Combo { default, choices } if !choices.contains(default) => {
                Some("the default is not among the choices")
            }
            _ => None,
        }
    }
}

/// What takes a value: it changes the target, or says why it cannot.
pub type Handler<T> = fn(&mut T, Value) -> Result<(), String>;

/// All options of an engine, in the order in which they are listed. `T` is what they change.
pub struct OptionTable<T> {
    entries: Vec<(OptionSpec, Handler<T>)>,
}

impl<T> Default for OptionTable<T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

impl<T> OptionTable<T> {
    /// A table without options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an option at the end; for building a table in one expression.
    #[must_use]
    pub fn with(mut self, name: &'static str, kind: OptionKind, handler: Handler<T>) -> Self {
        self.entries.push((OptionSpec { name, kind }, handler));
        self
    }

    /// The options, in their order.
    pub fn specs(&self) -> impl Iterator<Item = &OptionSpec> {
        self.entries.iter().map(|(spec, _)| spec)
    }

    /// The option named `name`, whatever its case.
    pub fn spec(&self, name: &str) -> Option<&OptionSpec> {
        self.specs().find(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option on `target`. `Ok` may hold a notice for the user.
    ///
    /// # Errors
    /// When there is no such option, the value is not of its kind, or the handler refuses it.
    pub fn set(
        &self,
        target: &mut T,
        name: &str,
        value: Option<&str>,
    ) -> Result<Option<Notice>, OptionError> {
        let Some((spec, handler)) =
            self.entries.iter().find(|(spec, _)| spec.name.eq_ignore_ascii_case(name))
        else {
            return Err(OptionError::Unknown(name.to_owned()));
        };
        let (value, notice) = spec.read(value)?;
        match handler(target, value) {
            Ok(()) => Ok(notice),
            Err(reason) => Err(OptionError::Refused { name: spec.name.to_owned(), reason }),
        }
    }

    /// Looks for mistakes in the declarations: names that are taken twice (whatever their case) or could
    /// not be read back, defaults out of range. For a test of the engine that declares them.
    ///
    /// # Errors
    /// The first mistake found.
    pub fn check(&self) -> Result<(), OptionError> {
        for (place, spec) in self.specs().enumerate() {
            let is_taken = self.specs().take(place).any(|other| other.name.eq_ignore_ascii_case(spec.name));
            let fault = if is_taken { Some("the name is taken") } else { spec.fault() };
            if let Some(fault) = fault {
                return Err(OptionError::Declaration { name: spec.name.to_owned(), fault });
            }
        }
        Ok(())
    }
}

impl<T> fmt::Display for OptionTable<T> {
    /// All `option` lines, with no line end after the last.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.specs().enumerate().try_for_each(|(place, spec)| {
            let separator = if place == 0 { "" } else { "\n" };
            write!(f, "{separator}{spec}")
        })
    }
}
