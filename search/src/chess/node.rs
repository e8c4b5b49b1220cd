//! Kinds of nodes, and what is known of one when its moves are to be searched.

use movegen::Move;

use crate::core::tt::Bound;

/// Kind of a node, resolved at compile time.
pub trait Node {
    /// The window is open: the node may lie on the principal variation.
    const PV: bool;
    /// The root.
    const ROOT: bool;
}

/// The root of the search.
pub struct Root;
/// A node on the principal variation.
pub struct Pv;
/// A node searched with a null window.
pub struct Null;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}
impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}
impl Node for Null {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What is known of a node when its moves are to be searched.
#[derive(Clone, Copy)]
pub(super) struct NodeState {
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    pub ply: usize,
    pub cut_node: bool,
    pub in_check: bool,
    /// The move before was a null move.
    pub after_null: bool,
    pub key: u64,
    pub hint: Option<Move>,
    pub table_score: Option<i32>,
    pub table_depth: i32,
    pub table_bound: Option<Bound>,
    pub raw_eval: i32,
    pub static_eval: i32,
    /// The static evaluation, or the table's score where that tells more.
    pub eval: i32,
    pub improving: bool,
    pub was_pv: bool,
    pub excluded: Option<Move>,
    /// The score is at least this, by the endgame tables.
    pub floor: i32,
    /// The score is at most this, by the endgame tables.
    pub ceiling: i32,
}
