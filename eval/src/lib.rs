//! Evaluation: NNUE inference shared by both games and the chess evaluation.
