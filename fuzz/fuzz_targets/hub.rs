//! Any bytes as Hub input to a whole session, with searches that are stopped at once. Nothing may panic or
//! hang, and a game that was read must be one that is written and read again.
#![no_main]

use draughts::session::Session;
use draughts::{fen, pdn};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;
use uci::io::{LineReader, Writer};

thread_local! {
    static SESSION: RefCell<Session> = RefCell::new(session());
}

/// A session with a small table, which every input clears.
fn session() -> Session {
    let mut session = Session::new(Writer::new(std::io::sink()));
    let _ = session.line("set-param name=hash value=1");
    session
}

/// Threads and tables of any size can be asked for: that is the system's business, not the grammar's.
fn is_costly(line: &str) -> bool {
    ["threads", "hash", "tt-size"].iter().any(|name| line.to_ascii_lowercase().contains(name))
}

fuzz_target!(|bytes: &[u8]| {
    SESSION.with_borrow_mut(|session| {
        for line in LineReader::new(bytes) {
            let Ok(line) = line else { return };
            if let Ok(position) = fen::parse_any(&line) {
                assert_eq!(fen::parse_fen(&fen::to_fen(&position)), Ok(position));
                assert_eq!(fen::parse_hub(&fen::to_hub(&position)), Ok(position));
            }
            if is_costly(&line) {
                continue;
            }
            if session.line(&line).is_break() {
                break;
            }
            let _ = session.line("stop");
        }
        let _ = session.line("new-game");
    });
    let text = pdn::decode(bytes);
    for game in pdn::parse(&text).into_iter().flatten() {
        let again = pdn::parse(&game.to_string());
        assert!(matches!(again.as_slice(), [Ok(read)] if read.game.moves() == game.game.moves()));
    }
});
