//! Options: their lines, their values, what is said about wrong ones.

use proptest::prelude::*;
use uci::error::OptionError;
use uci::option::{Notice, OptionKind, OptionSpec, OptionTable, Value};

#[derive(Debug, Default, PartialEq)]
struct Settings {
    hash: i64,
    ponder: bool,
    style: &'static str,
    path: String,
    cleared: u32,
}

fn table() -> OptionTable<Settings> {
    OptionTable::<Settings>::new()
        .with("Hash", OptionKind::Spin { default: 16, min: 1, max: 1024 }, |settings, value| {
            if let Value::Spin(mib) = value {
                settings.hash = mib;
            }
            Ok(())
        })
        .with("Ponder", OptionKind::Check { default: false }, |settings, value| {
            settings.ponder = value == Value::Check(true);
            Ok(())
        })
        .with(
            "Style",
            OptionKind::Combo { default: "Normal", choices: vec!["Solid", "Normal", "Risky"] },
            |settings, value| {
                if let Value::Combo(style) = value {
                    settings.style = style;
                }
                Ok(())
            },
        )
        .with("Table Path", OptionKind::String { default: String::new() }, |settings, value| match value {
            Value::String(path) if path.starts_with("/none") => Err(format!("{path} does not exist")),
            Value::String(path) => {
                settings.path = path;
                Ok(())
            }
            other => Err(format!("{other:?}")),
        })
        .with("Clear Hash", OptionKind::Button, |settings, value| {
            settings.cleared += u32::from(value == Value::Button);
            Ok(())
        })
}

#[test]
fn lines_are_spelled_exactly() {
    assert_eq!(
        table().to_string(),
        "option name Hash type spin default 16 min 1 max 1024\n\
         option name Ponder type check default false\n\
         option name Style type combo default Normal var Solid var Normal var Risky\n\
         option name Table Path type string default <empty>\n\
         option name Clear Hash type button"
    );
    let about = OptionSpec { name: "About", kind: OptionKind::String { default: "an engine".to_owned() } };
    assert_eq!(about.to_string(), "option name About type string default an engine");
    assert_eq!(table().check(), Ok(()));
    assert_eq!(table().spec("table PATH").map(|spec| spec.name), Some("Table Path"));
}

#[test]
fn values_are_set_whatever_their_case() {
    let mut settings = Settings::default();
    for (name, value) in [
        ("HASH", Some(" +64 ")),
        ("ponder", Some("TRUE")),
        ("Style", Some("risky")),
        ("table path", Some("/a b;/c")),
        ("clear hash", None),
        ("Clear Hash", Some("now")),
    ] {
        assert_eq!(table().set(&mut settings, name, value), Ok(None), "{name}");
    }
    let expected =
        Settings { hash: 64, ponder: true, style: "Risky", path: "/a b;/c".to_owned(), cleared: 2 };
    assert_eq!(settings, expected);
    for empty in [Some("<empty>"), Some("<EMPTY>"), Some(""), None] {
        settings.path = "x".to_owned();
        assert_eq!(table().set(&mut settings, "Table Path", empty), Ok(None));
        assert_eq!(settings.path, "");
    }
}

#[test]
fn numbers_out_of_range_are_clamped_with_a_notice() {
    let mut settings = Settings::default();
    for (given, taken) in [
        ("0", 1),
        ("-5", 1),
        ("999999999", 1024),
        ("99999999999999999999", 1024),
        ("-99999999999999999999", 1),
    ] {
        let notice = table().set(&mut settings, "Hash", Some(given)).unwrap().unwrap();
        assert_eq!(notice, Notice::Clamped { name: "Hash", given: given.to_owned(), taken });
        assert_eq!(notice.to_string(), format!("option Hash: {given} is out of range, using {taken}"));
        assert_eq!(settings.hash, taken);
    }
    assert_eq!(table().set(&mut settings, "Hash", Some("1024")), Ok(None));
}

#[test]
fn wrong_values_change_nothing_and_are_named() {
    let mut settings = Settings::default();
    for (name, value, message) in [
        ("Hsah", Some("1"), "no option named 'Hsah'"),
        ("Hash", Some("64MB"), "option Hash takes a whole number from 1 to 1024, not '64MB'"),
        ("Hash", None, "option Hash takes a whole number from 1 to 1024, not ''"),
        ("ponder", Some("yes"), "option Ponder takes true or false, not 'yes'"),
        ("ponder", None, "option Ponder takes true or false, not ''"),
        ("Style", Some("Wild"), "option Style takes one of Solid, Normal, Risky, not 'Wild'"),
        ("Table Path", Some("/none"), "option Table Path: /none does not exist"),
    ] {
        let error = table().set(&mut settings, name, value).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(settings, Settings::default());
    }
}

#[test]
fn wrong_declarations_are_found() {
    let spin = |default, min, max| OptionKind::Spin { default, min, max };
    let declared = |name, kind| {
        OptionTable::<()>::new()
            .with("Hash", OptionKind::Button, |(), _| Ok(()))
            .with(name, kind, |(), _| Ok(()))
    };
    for (name, kind) in [
        ("A", spin(0, 1, 2)),
        ("A", spin(3, 1, 2)),
        ("A", OptionKind::Combo { default: "x", choices: vec!["y"] }),
        ("hash", OptionKind::Button),
        ("", OptionKind::Button),
        ("A  B", OptionKind::Button),
        ("A value", OptionKind::Button),
    ] {
        let fault = declared(name, kind).check();
        assert!(
            matches!(fault, Err(OptionError::Declaration { name: culprit, .. }) if culprit == name),
            "{name}"
        );
    }
    assert_eq!(declared("A", spin(1, 1, 1)).check(), Ok(()));
}

proptest! {
    #[test]
    fn any_value_is_in_range_or_refused(text: String, min: i64, max: i64) {
        let spec = OptionSpec { name: "N", kind: OptionKind::Spin { default: min, min, max } };
        if min <= max && let Ok((Value::Spin(taken), _)) = spec.read(Some(&text)) {
            prop_assert!((min..=max).contains(&taken));
        }
    }

    #[test]
    fn numbers_in_range_are_taken_as_they_are(number: i64) {
        let spec = OptionSpec { name: "N", kind: OptionKind::Spin { default: 0, min: i64::MIN, max: i64::MAX } };
        prop_assert_eq!(spec.read(Some(&number.to_string())), Ok((Value::Spin(number), None)));
    }
}
