//! Building a book by drop-out expansion (T. Lincke, *Strategies for the Automatic Construction of Opening
//! Books*, 2000): the leaf to expand next is the one whose line costs least, where every ply costs a little
//! and every move costs what it is worse than the best one. So good lines get deep and bad ones are still
//! answered.

use super::{Book, BookError};
use crate::rules::International;
use crate::search::score::WIN;
use crate::search::{Request, Shared, Worker, think};
use crate::{Color, Game, Move, Position, legal_moves};
use rayon::prelude::*;
use search::core::event::Silent;
use search::core::limit::Limits;
use std::collections::{HashMap, HashSet, VecDeque};

/// What a ply costs, in hundredths of a man that a worse move costs.
const PLY_COST: i64 = 5;
/// Leaves that are expanded together. It does not depend on the threads, so the book does not either.
const BATCH: usize = 16;
/// Table of a searching thread, in mebibytes.
const TABLE: usize = 4;

/// A position of the book that grows.
struct Node {
    position: Position,
    score: i32,
    /// Moves and the keys they lead to; empty until expanded.
    children: Vec<(Move, u64)>,
    cost: i64,
    ply: u32,
}

/// A book that grows.
pub struct Builder {
    nodes: HashMap<u64, Node>,
    /// Nodes after which a search begins no further iteration.
    search_nodes: u64,
}

/// The shape of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Positions.
    pub positions: usize,
    /// Those whose moves are all in the book.
    pub expanded: usize,
    /// Length of the longest line, in plies.
    pub longest: u32,
    /// Score of the start position, in hundredths of a man.
    pub score: i32,
}

impl Builder {
    /// Goes on from a book, which may be empty; positions are searched with `search_nodes` nodes.
    ///
    /// # Errors
    /// When the book holds what no line from the start leads to, or its scores do not fit together.
    pub fn new(book: &Book, search_nodes: u64) -> Result<Self, BookError> {
        let mut builder = Self { nodes: HashMap::new(), search_nodes };
        let start = Position::start();
        let mut queue = VecDeque::from([start]);
        while let Some(position) = queue.pop_front() {
            let Some(score) = book.score(&position) else { continue };
            if builder.nodes.contains_key(&position.key()) {
                continue;
            }
            let mut children = Vec::new();
            for (mv, _) in book.moves(&position) {
                let next = position.play::<International>(mv).fresh();
                children.push((mv, next.key()));
                queue.push_back(next);
            }
            builder.nodes.insert(position.key(), Node { position, score, children, cost: 0, ply: 0 });
        }
        let lost = book.len() - builder.nodes.len();
        if lost > 0 {
            return Err(BookError::Unreachable(lost, book.len()));
        }
        let wrong = builder.back_up();
        if wrong > 0 {
            return Err(BookError::Scores(wrong));
        }
        builder.reckon();
        if builder.nodes.is_empty() {
            let score = search(&mut Worker::default(), &Shared::new(TABLE, 1), &start, search_nodes);
            let node = Node { position: start, score, children: Vec::new(), cost: 0, ply: 0 };
            builder.nodes.insert(start.key(), node);
        }
        Ok(builder)
    }

    /// The book as it is now.
    pub fn book(&self) -> Book {
        let mut entries: Vec<(u64, i16)> =
            self.nodes.iter().map(|(&key, node)| (key, node.score.clamp(-WIN, WIN) as i16)).collect();
        entries.sort_unstable();
        Book { entries }
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        Shape {
            positions: self.nodes.len(),
            expanded: self.nodes.values().filter(|node| !node.children.is_empty()).count(),
            longest: self.nodes.values().map(|node| node.ply).max().unwrap_or(0),
            score: self.nodes.get(&Position::start().key()).map_or(0, |node| node.score),
        }
    }

    /// Expands the cheapest leaves, on the threads of the pool this is called in. `false` when there is no
    /// leaf left that could be expanded.
    pub fn grow(&mut self) -> bool {
        let mut leaves: Vec<(i64, u64)> = self
            .nodes
            .iter()
            // With kings a line could come back to where it was.
            .filter(|(_, node)| node.children.is_empty() && node.position.all_kings().is_empty())
            .map(|(&key, node)| (node.cost, key))
            .collect();
        leaves.sort_unstable();
        leaves.truncate(BATCH);
        let (mut found, mut known) = (Vec::new(), HashSet::new());
        let mut expanded = false;
        for (_, key) in leaves {
            let Some(node) = self.nodes.get_mut(&key) else { continue };
            let position = node.position;
            for mv in legal_moves::<International>(&position) {
                let next = position.play::<International>(mv).fresh();
                node.children.push((mv, next.key()));
                if known.insert(next.key()) {
                    found.push(next);
                }
            }
            expanded |= !node.children.is_empty();
            if node.children.is_empty() {
                // The game is over here: nothing makes it cheap again.
                node.cost = i64::MAX;
            }
        }
        found.retain(|position| !self.nodes.contains_key(&position.key()));
        let nodes = self.search_nodes;
        let scores: Vec<i32> = found
            .par_iter()
            .map_init(
                || (Worker::default(), Shared::new(TABLE, 1)),
                |(worker, shared), position| search(worker, shared, position, nodes),
            )
            .collect();
        for (position, score) in found.into_iter().zip(scores) {
            let node = Node { position, score, children: Vec::new(), cost: i64::MAX, ply: 0 };
            self.nodes.insert(position.key(), node);
        }
        self.back_up();
        self.reckon();
        expanded
    }

    /// Keys in an order in which every move leads forward: without kings, a move takes pieces or steps
    /// towards the other side.
    fn order(&self) -> Vec<u64> {
        let mut keys: Vec<(u32, u64)> =
            self.nodes.iter().map(|(&key, node)| (progress(&node.position), key)).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, key)| key).collect()
    }

    /// Gives every expanded position the score of its best move. Returns how many had another one.
    fn back_up(&mut self) -> usize {
        let mut changed = 0;
        for key in self.order().into_iter().rev() {
            let best = self.nodes.get(&key).and_then(|node| {
                node.children.iter().filter_map(|(_, child)| Some(-self.nodes.get(child)?.score)).max()
            });
            if let (Some(best), Some(node)) = (best, self.nodes.get_mut(&key)) {
                changed += usize::from(node.score != best);
                node.score = best;
            }
        }
        changed
    }

    /// Computes what the cheapest line to every position costs, and its length.
    fn reckon(&mut self) {
        for node in self.nodes.values_mut() {
            node.cost = i64::MAX;
        }
        if let Some(root) = self.nodes.get_mut(&Position::start().key()) {
            root.cost = 0;
        }
        for key in self.order() {
            let Some(node) = self.nodes.get(&key) else { continue };
            let (score, cost, ply) = (node.score, node.cost, node.ply + 1);
            for (_, child) in node.children.clone() {
                if let Some(child) = self.nodes.get_mut(&child) {
                    let worse = i64::from(score + child.score);
                    let through = cost.saturating_add(PLY_COST + worse);
                    if through < child.cost {
                        child.cost = through;
                        child.ply = ply;
                    }
                }
            }
        }
    }
}

/// Grows with every move that men make: pieces taken count for more than all steps together.
fn progress(position: &Position) -> u32 {
    let steps = |color: Color| -> usize {
        let rows = position.pieces(color).into_iter().map(|square| square.row());
        if color == Color::White { rows.map(|row| 9 - row).sum() } else { rows.sum() }
    };
    let pieces = position.pieces(Color::White).count() + position.pieces(Color::Black).count();
    (40 - pieces.min(40)) * 1000 + (steps(Color::White) + steps(Color::Black)) as u32
}

/// The score of a position for the side to move, by a search that knows nothing from before.
fn search(worker: &mut Worker, shared: &Shared, position: &Position, nodes: u64) -> i32 {
    worker.clear();
    shared.table.clear(1);
    let limits = Limits { soft_nodes: Some(nodes), nodes: Some(4 * nodes), ..Limits::default() };
    let game = Game::new(*position);
    if legal_moves::<International>(position).is_empty() {
        return -WIN;
    }
    think(worker, shared, &Request::new(game, limits), &Silent).score
}
