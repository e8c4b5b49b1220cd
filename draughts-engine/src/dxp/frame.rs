//! A stream of bytes cut into messages.

use super::{DxpError, LONGEST, Message};

/// Collects bytes until a NUL ends a message. What is too long is dropped up to its NUL, so that a flood
/// without one takes no memory.
#[derive(Debug, Default)]
pub struct Frames {
    bytes: Vec<u8>,
    is_too_long: bool,
}

impl Frames {
    /// Takes bytes as they arrive, cut anywhere; hands out each message, or what is wrong with it, in turn.
    pub fn push(&mut self, bytes: &[u8], mut each: impl FnMut(Result<Message, DxpError>)) {
        let mut parts = bytes.split(|&byte| byte == 0).peekable();
        while let Some(part) = parts.next() {
            let room = LONGEST.saturating_sub(self.bytes.len());
            self.is_too_long |= part.len() > room;
            self.bytes.extend(part.iter().take(room));
            // The last part has no NUL behind it yet.
            if parts.peek().is_some() {
                let whole = std::mem::take(&mut self.bytes);
                each(match std::mem::take(&mut self.is_too_long) {
                    true => Err(DxpError::TooLong),
                    false => Message::parse(&whole),
                });
            }
        }
    }
}
