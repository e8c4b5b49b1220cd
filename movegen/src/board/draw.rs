//! Draws by repetition, by the fifty-move rule and by lack of material.

mod cuckoo;

use super::{Board, zobrist};
use crate::attacks::between;
use crate::types::{Bitboard, PieceType};

/// The fifty-move rule in plies.
const FIFTY_MOVES: u16 = 100;

impl Board {
    /// How many plies back positions may still equal this one.
    fn reversible_plies(&self) -> usize {
        usize::from(self.state.halfmove.min(self.state.plies_since_null)).min(self.history.len())
    }

    /// The key of the position some plies ago.
    fn past_key(&self, plies: usize) -> u64 {
        self.history[self.history.len() - plies].state.keys.key
    }

    /// How often this position has occurred before in the game.
    pub fn repetition_count(&self) -> u32 {
        let key = self.key();
        (4..=self.reversible_plies()).step_by(2).map(|plies| u32::from(self.past_key(plies) == key)).sum()
    }

    /// Whether a search may call this position a draw by repetition: it has occurred once before within the
    /// search, that is after the root `ply_from_root` plies ago, or twice at all.
    pub fn is_repetition(&self, ply_from_root: usize) -> bool {
        let key = self.key();
        let mut seen = false;
        for plies in (4..=self.reversible_plies()).step_by(2) {
            if self.past_key(plies) == key {
                if seen || plies < ply_from_root {
                    return true;
                }
                seen = true;
            }
        }
        false
    }

    /// Whether the side to move has a move after which [`Board::is_repetition`] (one ply deeper) holds.
    ///
    /// The difference of two keys an odd number of plies apart is looked up among those of all single
    /// reversible moves. Source: M. van Kervinck, "The design and implementation of the Rookie 2.0 chess
    /// playing program" (2002), with a cuckoo hash table.
    pub fn has_upcoming_repetition(&self, ply_from_root: usize) -> bool {
        let key = self.key();
        let occupied = self.occupied();
        let own = self.color(self.side_to_move());
        for plies in (3..=self.reversible_plies()).step_by(2) {
            let Some((a, b)) = cuckoo::find(key ^ self.past_key(plies)) else { continue };
            let squares = a.bb() | b.bb();
            if (between(a, b) & occupied).any() || (squares & own).is_empty() {
                continue;
            }
            // The earlier position must then repeat within the search, or have occurred twice.
            if plies < ply_from_root || self.occurred_before(plies) {
                return true;
            }
        }
        false
    }

    /// Whether the position `plies` ago had itself occurred earlier.
    fn occurred_before(&self, plies: usize) -> bool {
        let index = self.history.len() - plies;
        let state = &self.history[index].state;
        let reach = usize::from(state.halfmove.min(state.plies_since_null)).min(index);
        (4..=reach).step_by(2).any(|back| self.history[index - back].state.keys.key == state.keys.key)
    }

    /// Whether fifty moves have passed without a capture or pawn move and the last of them is not mate.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.state.halfmove >= FIFTY_MOVES && !self.is_checkmate()
    }

    /// Whether the material alone rules out mate by any series of legal moves: nothing but the kings, one
    /// knight, or bishops that all stand on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let heavy =
            self.pieces(PieceType::Pawn) | self.pieces(PieceType::Rook) | self.pieces(PieceType::Queen);
        if heavy.any() {
            return false;
        }
        let (knights, bishops) = (self.pieces(PieceType::Knight), self.pieces(PieceType::Bishop));
        if knights.any() {
            return bishops.is_empty() && !knights.more_than_one();
        }
        (bishops & Bitboard::LIGHT_SQUARES).is_empty() || (bishops & Bitboard::DARK_SQUARES).is_empty()
    }

    /// Whether a search may score this position as a draw: fifty moves, material or repetition.
    pub fn is_draw(&self, ply_from_root: usize) -> bool {
        self.is_fifty_move_draw() || self.is_insufficient_material() || self.is_repetition(ply_from_root)
    }
}
