//! How often quiet moves have refuted: the order in which they are tried.

use crate::{Color, Move};

/// Values stay within this.
const MOST: i32 = 1 << 13;

/// Success of moves by side, start and end square.
pub(crate) struct History {
    table: Box<[[[i16; 64]; 64]; 2]>,
}

impl Default for History {
    fn default() -> Self {
        Self { table: Box::new([[[0; 64]; 64]; 2]) }
    }
}

impl History {
    pub(crate) fn clear(&mut self) {
        *self.table = [[[0; 64]; 64]; 2];
    }

    #[inline]
    pub(crate) fn get(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.table[color.index()][mv.from.bit()][mv.to.bit()])
    }

    /// Moves the value towards the sign of `bonus`, the less the nearer it is to its bound.
    #[inline]
    pub(crate) fn add(&mut self, color: Color, mv: Move, bonus: i32) {
        let value = &mut self.table[color.index()][mv.from.bit()][mv.to.bit()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / MOST) as i16;
    }
}
