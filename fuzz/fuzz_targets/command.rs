//! Any bytes as UCI input: lines are cut, commands are parsed, and what is understood means the same when it
//! is written out and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use uci::command::Command;
use uci::io::LineReader;

fuzz_target!(|bytes: &[u8]| {
    for line in LineReader::new(bytes) {
        let Ok(line) = line else { return };
        if let Ok(Some(command)) = Command::parse(&line) {
            assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
        }
    }
});
