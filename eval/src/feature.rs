//! What a game tells the shared network code about its inputs.

/// The sparse inputs of one game, seen from both sides.
///
/// A *perspective* is 0 or 1: the side from which the board is looked at, not the side to move. A *view* is
/// what the input rows of a perspective depend on beside the piece and its square (in chess the bucket of the
/// own king and whether the board is mirrored); two positions with the same view of a perspective can be
/// turned into one another by adding and removing the rows of the pieces that differ.
///
/// A *plane* is the set of squares of one kind of piece as the perspective sees it. Row `base + plane * STRIDE
/// + square` belongs to a piece on `square` of `plane`, where `base` comes from the view.
pub trait FeatureSet: Send + Sync + Sized {
    /// The game's position.
    type Position;
    /// How a perspective looks at the board.
    type View: Copy;
    /// One bit set for each plane.
    type Planes: Copy + Default + AsRef<[u64]>;

    /// Name in the network file; a network of another name is refused.
    const ARCHITECTURE: &'static str;
    /// Rows for each plane.
    const STRIDE: usize;

    /// Reads the game-specific table of a network file, `None` when it makes no sense.
    fn from_table(table: &[u8; 64]) -> Option<Self>;
    /// The table that [`FeatureSet::from_table`] reads.
    fn table(&self) -> [u8; 64];
    /// Rows of the first layer.
    fn inputs(&self) -> usize;
    /// Number of different views of one perspective, for the refresh cache.
    fn views(&self) -> usize;

    /// The perspective of the side to move.
    fn side_to_move(position: &Self::Position) -> usize;
    /// Which output judges this position.
    fn output_bucket(&self, position: &Self::Position) -> usize;
    /// How `perspective` looks at this position.
    fn view(&self, position: &Self::Position, perspective: usize) -> Self::View;
    /// Number of the view, below [`FeatureSet::views`].
    fn view_index(&self, view: Self::View) -> usize;
    /// First row of the view.
    fn base(&self, view: Self::View) -> usize;
    /// All pieces as `perspective` sees them in `view`.
    fn planes(&self, position: &Self::Position, perspective: usize, view: Self::View) -> Self::Planes;
    /// The row of one piece, given as the game numbers pieces and squares.
    fn row(&self, view: Self::View, perspective: usize, piece: u8, square: u8) -> usize;
}

/// Inputs of a game where a perspective looks at every board in the same way: the row of a piece on a square depends
/// on nothing else.
pub trait OneView: FeatureSet<View = ()> {
    /// One set of squares for each kind of piece of both sides.
    fn pieces(position: &Self::Position) -> Self::Planes;
    /// The row of a piece, given as [`OneView::pieces`] numbers pieces and squares.
    fn row_of(perspective: usize, piece: usize, square: usize) -> usize;
}
