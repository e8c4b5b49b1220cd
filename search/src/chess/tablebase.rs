//! Syzygy endgame tables: finding, probing, and what to do with damaged ones.
//!
//! The crate `shakmaty-syzygy` reads the tables; docs/tables.md says why this one. A file that turns out to be damaged
//! is told of once, and the search goes on as if it were not there.

mod file;
mod rank;

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use movegen::{Board, Color, PieceType};
use shakmaty::{Bitboard, ByColor, ByRole, CastlingMode, Chess, FromSetup, PositionError, Setup};
use shakmaty_syzygy::{MaybeRounded, Metric, ProbeError, SyzygyError, Tablebase};

use super::score::table_win;
use file::MappedFiles;
pub use rank::{Rank, Ranking};

/// Most men of any Syzygy table.
pub const MAX_MEN: u32 = 7;

/// Value of a position under the fifty-move rule, for the side to move, right after a capture or pawn move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// A loss.
    Loss,
    /// A loss that the fifty-move rule turns into a draw.
    BlessedLoss,
    /// A draw.
    Draw,
    /// A win that the fifty-move rule turns into a draw.
    CursedWin,
    /// A win.
    Win,
}

impl Wdl {
    /// The same from the other side.
    #[must_use]
    pub const fn flipped(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::BlessedLoss => Self::CursedWin,
            Self::Draw => Self::Draw,
            Self::CursedWin => Self::BlessedLoss,
            Self::Win => Self::Loss,
        }
    }

    /// The score of a position with this value, `ply` plies from the root. A win or loss that the fifty-move rule
    /// takes away counts a little more or less than a draw, and in full where the rule does not hold.
    #[must_use]
    pub fn score(self, ply: usize, fifty_moves: bool) -> i32 {
        match self {
            Self::Win => table_win(ply),
            Self::CursedWin if !fifty_moves => table_win(ply),
            Self::CursedWin => CURSED,
            Self::Draw => 0,
            Self::BlessedLoss if fifty_moves => -CURSED,
            Self::BlessedLoss | Self::Loss => -table_win(ply),
        }
    }
}

/// Score of a win that the fifty-move rule turns into a draw, in centipawns.
const CURSED: i32 = 2;

/// Plies to the next capture or pawn move that keeps the value: positive when winning, negative when losing, 0 for a
/// draw, 100 more where the fifty-move rule spoils a later phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dtz {
    /// The distance.
    pub plies: i32,
    /// It may be one more than said: some tables store full moves.
    pub rounded: bool,
}

/// How a search uses tables.
#[derive(Clone)]
pub struct TableUse {
    /// The tables.
    pub tables: Arc<Tables>,
    /// Least remaining depth at which positions with the most men are probed.
    pub probe_depth: i32,
    /// Most men of a position that is probed.
    pub probe_limit: u32,
    /// Whether the fifty-move rule holds.
    pub fifty_moves: bool,
}

impl TableUse {
    /// Most men of a position worth a probe.
    fn men(&self) -> u32 {
        self.probe_limit.min(self.tables.max_men())
    }

    /// Whether the position may be in the tables, whatever its clock.
    #[must_use]
    pub fn covers(&self, board: &Board) -> bool {
        board.occupied().count() <= self.men() && board.castling().is_empty()
    }

    /// Whether a node is to be probed: the value in the tables is exact only after a capture or pawn move.
    #[inline]
    #[must_use]
    pub fn is_due(&self, board: &Board, depth: i32) -> bool {
        let men = board.occupied().count();
        let limit = self.men();
        men <= limit
            && board.halfmove_clock() == 0
            // With fewer men than asked for the search is small anyway.
            && (men < limit || limit < self.probe_limit || depth >= self.probe_depth)
            && board.castling().is_empty()
    }
}

/// A set of tables.
pub struct Tables {
    base: Tablebase<Chess>,
    /// Materials whose tables cannot be used.
    broken: RwLock<HashSet<u64>>,
    /// Whether there are any, to ask without a lock.
    any_broken: AtomicBool,
    complaints: Mutex<Complaints>,
    has_complaints: AtomicBool,
}

/// Faults found while probing.
#[derive(Default)]
struct Complaints {
    known: HashSet<String>,
    unsaid: Vec<String>,
}

/// What a search for tables found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Number of win/draw/loss tables.
    pub wdl: usize,
    /// Number of distance tables.
    pub dtz: usize,
    /// Most men of a table.
    pub men: u32,
    /// Folders and files that cannot be used, with the reason.
    pub faults: Vec<String>,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.wdl, self.dtz) {
            (0, 0) => write!(f, "no Syzygy tables found")?,
            (wdl, dtz) => write!(f, "{wdl} WDL and {dtz} DTZ tables found, up to {} men", self.men)?,
        }
        if let Some(first) = self.faults.first() {
            write!(f, "; left out: {first}")?;
        }
        match self.faults.len() {
            0 | 1 => Ok(()),
            more => write!(f, " (and {} more)", more - 1),
        }
    }
}

/// The folders of a list: parts between semicolons, and on Unix between colons too, unless a part with colons is a
/// folder itself. Blanks at the ends of a name and empty parts do not count.
fn folders(list: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for part in list.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        if cfg!(unix) && part.contains(':') && !Path::new(part).is_dir() {
            folders.extend(part.split(':').map(str::trim).filter(|part| !part.is_empty()).map(PathBuf::from));
        } else {
            folders.push(PathBuf::from(part));
        }
    }
    folders
}

impl Tables {
    /// Looks for tables in a list of folders (see the option SyzygyPath). Where several folders have a file of the
    /// same name the first one counts. Files are opened when they are first needed.
    #[must_use]
    pub fn find(list: &str) -> (Self, Found) {
        let mut base = Tablebase::with_filesystem(Arc::new(MappedFiles));
        let mut found = Found::default();
        let mut names = HashSet::new();
        for folder in folders(list) {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    found.faults.push(format!("{}: {error}", folder.display()));
                    continue;
                }
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                let is_wdl = path.extension().is_some_and(|ending| ending == "rtbw");
                let is_dtz = path.extension().is_some_and(|ending| ending == "rtbz");
                let Some(name) = path.file_name().filter(|name| (is_wdl || is_dtz) && !names.contains(*name))
                else {
                    continue;
                };
                match file::check(&path, is_wdl).and_then(|()| base.add_file(&path)) {
                    Ok(()) => {
                        names.insert(name.to_owned());
                        found.wdl += usize::from(is_wdl);
                        found.dtz += usize::from(is_dtz);
                    }
                    Err(error) => found.faults.push(format!("{}: {error}", path.display())),
                }
            }
        }
        found.men = u32::try_from(base.max_pieces()).unwrap_or(0);
        let tables = Self {
            base,
            broken: RwLock::default(),
            any_broken: AtomicBool::new(false),
            complaints: Mutex::default(),
            has_complaints: AtomicBool::new(false),
        };
        (tables, found)
    }

    /// Most men of a table, 0 without tables.
    #[must_use]
    pub fn max_men(&self) -> u32 {
        u32::try_from(self.base.max_pieces()).unwrap_or(0)
    }

    /// Value of a position as if its half-move clock were 0. `None` where the tables do not know it.
    #[must_use]
    pub fn wdl(&self, board: &Board) -> Option<Wdl> {
        let position = self.position(board)?;
        match self.base.probe_wdl_after_zeroing(&position) {
            Ok(wdl) => Some(wdl.into()),
            Err(error) => {
                self.note(board, &error);
                None
            }
        }
    }

    /// Distance of a position to the next capture or pawn move. `None` where the tables do not know it.
    #[must_use]
    pub fn dtz(&self, board: &Board) -> Option<Dtz> {
        let position = self.position(board)?;
        match self.base.probe_dtz(&position) {
            Ok(dtz) => {
                Some(Dtz { plies: dtz.ignore_rounding().0, rounded: matches!(dtz, MaybeRounded::Rounded(_)) })
            }
            Err(error) => {
                self.note(board, &error);
                None
            }
        }
    }

    /// The position in the crate's terms; `None` if it cannot be in the tables.
    fn position(&self, board: &Board) -> Option<Chess> {
        if board.occupied().count() > self.max_men() || !board.castling().is_empty() {
            return None;
        }
        if self.any_broken.load(Ordering::Relaxed)
            && self.broken.read().unwrap_or_else(PoisonError::into_inner).contains(&material(board))
        {
            return None;
        }
        let set = |kind| Bitboard(board.pieces(kind).0);
        let roles = ByRole {
            pawn: set(PieceType::Pawn),
            knight: set(PieceType::Knight),
            bishop: set(PieceType::Bishop),
            rook: set(PieceType::Rook),
            queen: set(PieceType::Queen),
            king: set(PieceType::King),
        };
        let colors = ByColor {
            white: Bitboard(board.color(Color::White).0),
            black: Bitboard(board.color(Color::Black).0),
        };
        let mut setup = Setup::empty();
        setup.board = shakmaty::Board::try_from_bitboards(roles, colors).ok()?;
        setup.turn = shakmaty::Color::from_white(board.side_to_move() == Color::White);
        setup.ep_square =
            board.en_passant().and_then(|square| shakmaty::Square::try_from(square.index() as u32).ok());
        Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_too_much_material)
            .ok()
    }

    /// Remembers a fault, so that the table is not tried again and the user is told once.
    #[cold]
    fn note(&self, board: &Board, error: &SyzygyError) {
        let text = match error {
            SyzygyError::MissingTable { metric: Metric::Dtz, material } => {
                format!("Syzygy: there is no DTZ table of {material}, its win/draw/loss table alone is used")
            }
            SyzygyError::ProbeFailed { metric, material, error } => {
                self.broken.write().unwrap_or_else(PoisonError::into_inner).insert(self::material(board));
                self.any_broken.store(true, Ordering::Relaxed);
                let reason = match **error {
                    ProbeError::Read { ref error } => format!("cannot be read: {error}"),
                    ProbeError::Magic { .. } => "is no table".to_owned(),
                    ProbeError::CorruptedTable { .. } => "is damaged".to_owned(),
                };
                format!(
                    "Syzygy: the {metric} table of {material} {reason}; positions that need it are searched"
                )
            }
            // Some tables less are no fault.
            _ => return,
        };
        let mut complaints = self.complaints.lock().unwrap_or_else(PoisonError::into_inner);
        if complaints.known.insert(text.clone()) {
            complaints.unsaid.push(text);
            self.has_complaints.store(true, Ordering::Relaxed);
        }
    }

    /// Faults found since the last call, each told once.
    #[must_use]
    pub fn take_complaints(&self) -> Vec<String> {
        if !self.has_complaints.swap(false, Ordering::Relaxed) {
            return Vec::new();
        }
        std::mem::take(&mut self.complaints.lock().unwrap_or_else(PoisonError::into_inner).unsaid)
    }
}

/// A number for the men on the board, four bits for the count of each kind.
fn material(board: &Board) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for kind in PieceType::ALL {
            key = key << 4 | u64::from(board.colored(color, kind).count().min(15));
        }
    }
    key
}

impl From<shakmaty_syzygy::Wdl> for Wdl {
    fn from(wdl: shakmaty_syzygy::Wdl) -> Self {
        match wdl {
            shakmaty_syzygy::Wdl::Loss => Self::Loss,
            shakmaty_syzygy::Wdl::BlessedLoss => Self::BlessedLoss,
            shakmaty_syzygy::Wdl::Draw => Self::Draw,
            shakmaty_syzygy::Wdl::CursedWin => Self::CursedWin,
            shakmaty_syzygy::Wdl::Win => Self::Win,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_folders_are_split_with_care() {
        let names = |list: &str| folders(list).iter().map(|p| p.display().to_string()).collect::<Vec<_>>();
        assert_eq!(names("/tb/a;"), ["/tb/a"]);
        assert_eq!(names(";; ;"), [""; 0]);
        assert_eq!(names("/tb/a; /my tables/b ;"), ["/tb/a", "/my tables/b"]);
        if cfg!(unix) {
            assert_eq!(names("/tb/a:/tb/b::;c"), ["/tb/a", "/tb/b", "c"]);
        }
    }

    #[test]
    fn missing_folders_and_files_in_their_place_are_told() {
        let (tables, found) = Tables::find("/nowhere/tables;/dev/null");
        assert_eq!((tables.max_men(), found.wdl, found.faults.len()), (0, 0, 2));
        assert!(found.to_string().starts_with("no Syzygy tables found; left out: /nowhere/tables: "));
        assert!(found.to_string().ends_with("(and 1 more)"));
        assert_eq!(tables.wdl(&Board::startpos()), None);
    }

    #[test]
    fn values_have_their_scores() {
        let order = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];
        for fifty_moves in [true, false] {
            for pair in order.windows(2) {
                assert!(pair[0].score(3, fifty_moves) <= pair[1].score(3, fifty_moves));
            }
            for wdl in order {
                assert_eq!(wdl.flipped().score(3, fifty_moves), -wdl.score(3, fifty_moves));
            }
        }
        assert_eq!(Wdl::CursedWin.score(1, false), Wdl::Win.score(1, true));
        assert!(Wdl::CursedWin.score(1, true) < 10);
    }
}
