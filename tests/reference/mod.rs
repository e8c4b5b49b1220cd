//! A second, slow and simple implementation of the rules on a plain array of squares, and a source of random
//! positions, for tests to compare with. Each test uses a part of it.
#![allow(dead_code, unused_imports)]

#[path = "../support/random.rs"]
mod random;

pub use random::Random;

use movegen::{Board, Color, File, Move, MoveFlag, Piece, PieceType, Rank, Square, Wing};

const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const JUMPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const PROMOTIONS: [PieceType; 4] = [PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen];

/// A position as an array.
#[derive(Clone, Debug)]
pub struct Plain {
    pub men: [Option<Piece>; 64],
    pub side: Color,
    pub castling: Vec<(Color, Square)>,
    pub en_passant: Option<Square>,
}

impl Plain {
    pub fn of(board: &Board) -> Self {
        let mut castling = Vec::new();
        for color in Color::ALL {
            for wing in Wing::ALL {
                castling.extend(board.castling().rook(color, wing).map(|rook| (color, rook)));
            }
        }
        Self {
            men: Square::ALL.map(|square| board.piece_on(square)),
            side: board.side_to_move(),
            castling,
            en_passant: board.en_passant(),
        }
    }

    fn king(&self, color: Color) -> Square {
        let king = Piece::new(color, PieceType::King);
        Square::ALL.into_iter().find(|square| self.men[square.index()] == Some(king)).expect("a king")
    }

    /// The squares a man attacks, walking each ray.
    pub fn reach(&self, piece: Piece, from: Square) -> Vec<Square> {
        let ahead = if piece.color() == Color::White { 1 } else { -1 };
        let (steps, far): (Vec<(i8, i8)>, bool) = match piece.kind() {
            PieceType::Pawn => (vec![(-1, ahead), (1, ahead)], false),
            PieceType::Knight => (JUMPS.to_vec(), false),
            PieceType::Bishop => (DIAGONAL.to_vec(), true),
            PieceType::Rook => (STRAIGHT.to_vec(), true),
            PieceType::Queen => ([STRAIGHT, DIAGONAL].concat(), true),
            PieceType::King => ([STRAIGHT, DIAGONAL].concat(), false),
        };
        let mut squares = Vec::new();
        for (df, dr) in steps {
            let mut square = from;
            while let Some(next) = square.try_offset(df, dr) {
                squares.push(next);
                square = next;
                if !far || self.men[next.index()].is_some() {
                    break;
                }
            }
        }
        squares
    }

    pub fn attackers(&self, target: Square, by: Color) -> Vec<Square> {
        Square::ALL
            .into_iter()
            .filter(|from| match self.men[from.index()] {
                Some(piece) if piece.color() == by => self.reach(piece, *from).contains(&target),
                _ => false,
            })
            .collect()
    }

    pub fn in_check(&self, color: Color) -> bool {
        !self.attackers(self.king(color), !color).is_empty()
    }

    fn man(&self, square: Square) -> Option<Piece> {
        self.men[square.index()]
    }

    fn pawn_moves(&self, from: Square, moves: &mut Vec<Move>) {
        let us = self.side;
        let ahead = if us == Color::White { 1 } else { -1 };
        let mut push = |to: Square, capture: bool| {
            if to.rank() == Rank::R8.relative(us) {
                for (code, _) in (0..).zip(PROMOTIONS) {
                    let flag = MoveFlag::from_code(8 + 4 * u8::from(capture) + code).expect("a flag");
                    moves.push(Move::new(from, to, flag));
                }
            } else {
                moves.push(Move::new(from, to, if capture { MoveFlag::Capture } else { MoveFlag::Quiet }));
            }
        };
        let one = from.try_offset(0, ahead).filter(|to| self.man(*to).is_none());
        if let Some(to) = one {
            push(to, false);
        }
        for df in [-1, 1] {
            if let Some(to) = from.try_offset(df, ahead)
                && self.man(to).is_some_and(|piece| piece.color() != us)
            {
                push(to, true);
            }
        }
        if one.is_some()
            && from.rank() == Rank::R2.relative(us)
            && let Some(to) = from.try_offset(0, 2 * ahead).filter(|to| self.man(*to).is_none())
        {
            moves.push(Move::new(from, to, MoveFlag::DoublePush));
        }
        for df in [-1, 1] {
            if let Some(to) = from.try_offset(df, ahead).filter(|to| self.en_passant == Some(*to)) {
                moves.push(Move::new(from, to, MoveFlag::EnPassant));
            }
        }
    }

    fn castling_moves(&self, moves: &mut Vec<Move>) {
        let us = self.side;
        let king = self.king(us);
        for &(_, rook) in self.castling.iter().filter(|(color, _)| *color == us) {
            let wing = Wing::of(king, rook);
            let span = |a: Square, b: Square| {
                let (low, high) = (a.min(b), a.max(b));
                Square::ALL.into_iter().filter(move |square| (low..=high).contains(square))
            };
            let free = span(king, wing.king_target(us))
                .chain(span(rook, wing.rook_target(us)))
                .all(|square| square == king || square == rook || self.man(square).is_none());
            let safe = span(king, wing.king_target(us)).all(|square| self.attackers(square, !us).is_empty());
            if free && safe {
                moves.push(Move::new(king, rook, MoveFlag::Castling));
            }
        }
    }

    /// Moves as the men go, whether or not the king is left in check.
    fn pseudo_legal(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in Square::ALL {
            let Some(piece) = self.man(from).filter(|piece| piece.color() == self.side) else { continue };
            if piece.kind() == PieceType::Pawn {
                self.pawn_moves(from, &mut moves);
                continue;
            }
            for to in self.reach(piece, from) {
                match self.man(to) {
                    Some(other) if other.color() == self.side => {}
                    Some(_) => moves.push(Move::new(from, to, MoveFlag::Capture)),
                    None => moves.push(Move::new(from, to, MoveFlag::Quiet)),
                }
            }
        }
        self.castling_moves(&mut moves);
        moves
    }

    /// The men after a move; rights and en passant are not kept.
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.en_passant = None;
        next.side = !self.side;
        let man = next.men[mv.from().index()].take();
        if mv.is_castling() {
            let wing = Wing::of(mv.from(), mv.to());
            let rook = next.men[mv.to().index()].take();
            next.men[wing.king_target(self.side).index()] = man;
            next.men[wing.rook_target(self.side).index()] = rook;
            return next;
        }
        if mv.is_en_passant() {
            next.men[Square::new(mv.to().file(), mv.from().rank()).index()] = None;
        }
        next.men[mv.to().index()] =
            mv.promotion().map_or(man, |kind| man.map(|piece| Piece::new(piece.color(), kind)));
        next
    }

    /// The legal moves in the order of their bits.
    pub fn legal(&self) -> Vec<Move> {
        let mut moves = self.pseudo_legal();
        moves.retain(|mv| !self.after(*mv).in_check(self.side));
        moves.sort();
        moves
    }
}

/// A starting position of one of the variants in turn, or one thrown together.
pub fn random_start(random: &mut Random) -> Board {
    match random.below(4) {
        0 => Board::startpos(),
        1 => Board::chess960(random.below(960) as u16),
        2 => Board::dfrc(random.below(960) as u16, random.below(960) as u16),
        _ => random_setup(random),
    }
}

/// A position with men on random squares; full of checks, pins and pawns near promotion.
pub fn random_setup(random: &mut Random) -> Board {
    loop {
        if let Ok(board) = Board::from_fen(&random_setup_fen(random)) {
            return board;
        }
    }
}

fn random_setup_fen(random: &mut Random) -> String {
    let mut men = [None; 64];
    let mut put = |random: &mut Random, piece: Piece| {
        let square = random.below(64);
        let edge = piece.kind() == PieceType::Pawn && !(8..56).contains(&square);
        if men[square].is_none() && !edge {
            men[square] = Some(piece);
        }
    };
    let castling = random.below(3) == 0;
    for color in Color::ALL {
        if !castling {
            put(random, Piece::new(color, PieceType::King));
        }
        for _ in 0..random.below(14) {
            let kind = PieceType::ALL[random.below(5)];
            put(random, Piece::new(color, kind));
        }
    }
    if castling {
        for rank in [0, 56] {
            let color = if rank == 0 { Color::White } else { Color::Black };
            let king = 1 + random.below(6);
            men[rank + king] = Some(Piece::new(color, PieceType::King));
            men[rank + random.below(king)] = Some(Piece::new(color, PieceType::Rook));
            men[rank + king + 1 + random.below(7 - king)] = Some(Piece::new(color, PieceType::Rook));
        }
    }
    let mut fen = String::new();
    for rank in (0..8).rev() {
        for file in 0..8 {
            fen.push(men[rank * 8 + file].map_or('1', Piece::to_char));
        }
        fen.push(if rank == 0 { ' ' } else { '/' });
    }
    let (side, passed) = if random.below(2) == 0 { ('w', '6') } else { ('b', '3') };
    let file = File::ALL[random.below(8)].to_char();
    format!("{fen}{side} {} {file}{passed} 0 1", if castling { "KQkq" } else { "-" })
}

/// Calls `visit` at every position of random games, until `positions` have been seen.
pub fn random_games(seed: u64, positions: usize, mut visit: impl FnMut(&mut Board, &mut Random)) {
    let mut random = Random(seed);
    let mut seen = 0;
    while seen < positions {
        let mut board = random_start(&mut random);
        for _ in 0..random.below(120) {
            visit(&mut board, &mut random);
            seen += 1;
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            board.make_move(mv, &mut movegen::NoObserver);
        }
    }
}
