//! Chess and Chess960 rules: types, attacks, board, move generation, FEN, SAN, perft.
