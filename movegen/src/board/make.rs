//! Playing moves and taking them back.

use super::zobrist::{self, Keys};
use super::{Board, Past};
use crate::observer::{MoveObserver, NoObserver};
use crate::position::{Recorder, Side, for_side, passed_pawn};
use crate::types::{Move, Piece, PieceType, Square, Wing};

/// The move cannot be played in this position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("illegal move")]
pub struct IllegalMove;

/// Keeps mailbox and keys in step with the men, and passes all on.
struct BoardRecorder<'a, O> {
    mailbox: &'a mut [Option<Piece>; Square::NUM],
    keys: &'a mut Keys,
    captured: Option<Piece>,
    observer: &'a mut O,
}

impl<O: MoveObserver> Recorder for BoardRecorder<'_, O> {
    #[inline(always)]
    fn take(&mut self, square: Square) {
        self.captured = self.mailbox[square.index()];
        if let Some(piece) = self.captured {
            self.remove(piece, square);
        }
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = None;
        self.keys.toggle(piece, square);
        self.observer.piece_removed(piece, square);
    }

    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.mailbox[square.index()] = Some(piece);
        self.keys.toggle(piece, square);
        self.observer.piece_added(piece, square);
    }

    #[inline(always)]
    fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        self.mailbox[from.index()] = None;
        self.mailbox[to.index()] = Some(piece);
        self.keys.shift(piece, from, to);
        self.observer.piece_moved(piece, from, to);
    }
}

impl Board {
    /// Plays a legal move and tells the observer what changes on the board. A move that is not legal here
    /// leaves the board in a state without meaning; see [`Board::try_move`].
    pub fn make_move<O: MoveObserver>(&mut self, mv: Move, observer: &mut O) {
        debug_assert!(self.is_legal(mv), "illegal move {mv:?} in {}", self.fen());
        for_side!(self.position.side, S => self.make::<S, O>(mv, observer));
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// [`IllegalMove`], and the board is as before.
    pub fn try_move(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove);
        }
        self.make_move(mv, &mut NoObserver);
        Ok(())
    }

    fn make<S: Side, O: MoveObserver>(&mut self, mv: Move, observer: &mut O) {
        let past = Past { position: self.position, state: self.state };
        self.history.push(past);
        let kind = self.mailbox[mv.from().index()].map_or(PieceType::Pawn, Piece::kind);
        let mut recorder = BoardRecorder {
            mailbox: &mut self.mailbox,
            keys: &mut self.state.keys,
            captured: None,
            observer: &mut *observer,
        };
        self.position.apply::<S, _>(mv.from(), mv.to(), mv.flag(), kind, &mut recorder);
        let captured = recorder.captured;
        if self.position.en_passant.is_some() {
            self.position.drop_illegal_en_passant::<S::Opponent>();
        }
        self.state.keys.key ^= zobrist::black_to_move()
            ^ zobrist::en_passant(past.position.en_passant)
            ^ zobrist::en_passant(self.position.en_passant)
            ^ zobrist::castling(past.position.castling ^ self.position.castling);
        observer.key_known(self.state.keys.key);
        self.state.captured = captured;
        self.state.last_move = Some(mv);
        self.state.halfmove = if kind == PieceType::Pawn || captured.is_some() {
            0
        } else {
            self.state.halfmove.saturating_add(1)
        };
        self.state.plies_since_null = self.state.plies_since_null.saturating_add(1);
        self.ply = self.ply.saturating_add(1);
        self.state.lines = self.position.king_lines::<S::Opponent>();
        self.state.blockers[S::Opponent::COLOR.index()] = self.state.lines.blockers;
        self.state.blockers[S::COLOR.index()] = self.position.blockers(S::COLOR);
    }

    /// Passes the turn. The side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check(), "null move in check");
        self.history.push(Past { position: self.position, state: self.state });
        self.state.keys.key = self.key_after_null();
        self.position.en_passant = None;
        self.position.side = !self.position.side;
        self.state.captured = None;
        self.state.last_move = None;
        self.state.halfmove = self.state.halfmove.saturating_add(1);
        self.state.plies_since_null = 0;
        self.ply = self.ply.saturating_add(1);
        self.state.lines = for_side!(self.position.side, S => self.position.king_lines::<S>());
    }

    /// Takes back the last move; does nothing at the first position.
    pub fn unmake_move(&mut self) {
        let Some(past) = self.history.pop() else { return };
        if let Some(mv) = self.state.last_move {
            self.unmake_men(mv, past.position.side);
        }
        self.position = past.position;
        self.state = past.state;
        // The history is never longer than the count of plies, unless that count has hit its ceiling.
        self.ply = self.ply.saturating_sub(1);
    }

    /// Takes back a null move.
    pub fn unmake_null(&mut self) {
        self.unmake_move();
    }

    /// Restores the mailbox.
    fn unmake_men(&mut self, mv: Move, us: crate::Color) {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            let wing = Wing::of(from, to);
            self.mailbox[wing.king_target(us).index()] = None;
            self.mailbox[wing.rook_target(us).index()] = None;
            self.mailbox[from.index()] = Some(Piece::new(us, PieceType::King));
            self.mailbox[to.index()] = Some(Piece::new(us, PieceType::Rook));
            return;
        }
        self.mailbox[from.index()] =
            if mv.is_promotion() { Some(Piece::new(us, PieceType::Pawn)) } else { self.mailbox[to.index()] };
        if mv.is_en_passant() {
            self.mailbox[to.index()] = None;
            self.mailbox[passed_pawn(to).index()] = self.state.captured;
        } else {
            self.mailbox[to.index()] = self.state.captured;
        }
    }

    /// The key after a null move.
    #[inline]
    pub fn key_after_null(&self) -> u64 {
        self.key() ^ zobrist::black_to_move() ^ zobrist::en_passant(self.position.en_passant)
    }
}
