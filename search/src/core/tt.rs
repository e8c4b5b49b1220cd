//! The transposition table: what is known of positions, shared by all searching threads without locks.
//!
//! # Layout
//! A cluster is half a cache line of 32 bytes: three entries of one 64-bit word each, and a word with a
//! 21-bit check for each of them. The top bits of the key choose the cluster (multiply-high, so any number
//! of clusters will do), its low 21 bits go into the check.
//!
//! # Threads
//! Every word is an atomic, read and written relaxed: no thread waits and no value is torn within a word.
//! An entry and its check are two words, so a reader may see one of them new and one old. Hence the check
//! is the key mixed with a hash of the entry's word (after R. Hyatt and T. Mann, "A lock-less transposition
//! table implementation for parallel search", 2002): parts of different entries do not match, but for one
//! chance in two million, the same as for two keys with equal check bits. The checks of a cluster share a word, so
//! two threads that store into the same cluster at once may lose a check; the entry it belonged to then
//! reads as absent. No order between words is needed and none is asked for, which is why relaxed is enough:
//! whatever mixture is read either passes the check or is dropped, and what passes is only a hint that the
//! searcher must survive being wrong about (the move is tested before it is played).

use super::memory::ZeroedMemory;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// The static evaluation of an [`Entry`] that has none.
pub const NO_EVAL: i32 = i16::MIN as i32;

/// Entries in a cluster.
const WAYS: usize = 3;
/// Width of a check.
const CHECK_BITS: u32 = 21;
const CHECK_MASK: u64 = (1 << CHECK_BITS) - 1;
/// The generation counts modulo this.
const GENERATIONS: u8 = 32;
/// Stored depths are raised by this, so that a stored depth is never zero and a word of zero means an empty
/// entry.
const DEPTH_OFFSET: i32 = 8;
/// One search of age weighs as much as this many plies of depth when an entry is to be replaced.
const AGE_WEIGHT: i32 = 8;
/// An entry of this search is kept against a result for the same position that is this much shallower.
const DEPTH_MARGIN: i32 = 4;
/// The fill is estimated from this many clusters.
const SAMPLE: usize = 1000;

/// How an entry's score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The score is exact.
    Exact,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The move found best, in the game's own 16 bits; 0 for none.
    pub hint: u16,
    /// Score, with win distances counted from this position (see [`ScoreScale`]). Held to 16 bits.
    pub score: i32,
    /// Static evaluation, held to 16 bits, or [`NO_EVAL`].
    pub eval: i32,
    /// Depth of the search that gave the score, held to -7..=247 plies.
    pub depth: i32,
    /// Meaning of the score; `None` for an entry that holds a static evaluation only.
    pub bound: Option<Bound>,
    /// Whether the position is or was on a principal variation.
    pub pv: bool,
}

/// Fields of an entry's word, from the lowest bit: hint 16, score 16, eval 16, depth 8, bound 2, pv 1,
/// generation 5.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    fn pack(entry: Entry, generation: u8) -> Self {
        let half = |value: i32| u64::from(value.clamp(i16::MIN.into(), i16::MAX.into()) as i16 as u16);
        let depth = entry.depth.saturating_add(DEPTH_OFFSET).clamp(1, u8::MAX.into()) as u64;
        let bound = match entry.bound {
            None => 0,
            Some(Bound::Upper) => 1,
            Some(Bound::Lower) => 2,
            Some(Bound::Exact) => 3,
        };
        Self(
            u64::from(entry.hint)
                | half(entry.score) << 16
                | half(entry.eval) << 32
                | depth << 48
                | bound << 56
                | u64::from(entry.pv) << 58
                | u64::from(generation) << 59,
        )
    }

    fn unpack(self) -> Entry {
        Entry {
            hint: self.hint(),
            score: i32::from((self.0 >> 16) as u16 as i16),
            eval: i32::from((self.0 >> 32) as u16 as i16),
            depth: self.depth(),
            bound: match self.0 >> 56 & 3 {
                0 => None,
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                _ => Some(Bound::Exact),
            },
            pv: self.is_pv(),
        }
    }

    fn is_empty(self) -> bool {
        self.0 == 0
    }

    fn hint(self) -> u16 {
        self.0 as u16
    }

    fn with_hint(self, hint: u16) -> Self {
        Self(self.0 & !0xFFFF | u64::from(hint))
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8) - DEPTH_OFFSET
    }

    fn has_score(self) -> bool {
        self.0 >> 56 & 3 != 0
    }

    fn is_pv(self) -> bool {
        self.0 >> 58 & 1 != 0
    }

    /// Searches since this entry was stored.
    fn age(self, generation: u8) -> u8 {
        generation.wrapping_sub((self.0 >> 59) as u8) % GENERATIONS
    }

    /// How much the entry is worth keeping: deep, recent, with a score.
    fn worth(self, generation: u8) -> i32 {
        let score = if self.has_score() { 2 * i32::from(self.is_pv()) } else { -AGE_WEIGHT };
        self.depth() + score - AGE_WEIGHT * i32::from(self.age(generation))
    }

    /// The check of this word under `key`.
    #[inline]
    fn check(self, key: u64) -> u64 {
        // The multiplier is 2^64 divided by the golden ratio: the top bits of the product depend on every bit of the word.
        (key ^ (self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - CHECK_BITS))) & CHECK_MASK
    }
}

/// Half a cache line.
#[derive(Debug)]
#[repr(C, align(32))]
struct Cluster {
    words: [AtomicU64; WAYS],
    checks: AtomicU64,
}

impl Cluster {
    const fn new() -> Self {
        Self { words: [const { AtomicU64::new(0) }; WAYS], checks: AtomicU64::new(0) }
    }

    /// The entry of `key`, as its place and word.
    #[inline]
    fn find(&self, key: u64) -> Option<(usize, Word)> {
        let checks = self.checks.load(Ordering::Relaxed);
        self.words.iter().enumerate().find_map(|(way, word)| {
            let word = Word(word.load(Ordering::Relaxed));
            let check = checks >> (way as u32 * CHECK_BITS) & CHECK_MASK;
            (check == word.check(key) && !word.is_empty()).then_some((way, word))
        })
    }

    fn put(&self, way: usize, key: u64, word: Word) {
        let shift = way as u32 * CHECK_BITS;
        let checks = self.checks.load(Ordering::Relaxed) & !(CHECK_MASK << shift);
        self.words[way].store(word.0, Ordering::Relaxed);
        self.checks.store(checks | word.check(key) << shift, Ordering::Relaxed);
    }

    fn clear(&self) {
        for word in &self.words {
            word.store(0, Ordering::Relaxed);
        }
        self.checks.store(0, Ordering::Relaxed);
    }
}

/// The table of last resort, when the system has not even a mebibyte to give. It is only a cache, so tables
/// may share it.
static LAST_RESORT: [Cluster; 1] = [Cluster::new()];

/// The shared table. See the [module](self) for its layout and what threads may do with it.
pub struct TranspositionTable {
    clusters: *const Cluster,
    count: usize,
    /// Owns what `clusters` points to, unless that is [`LAST_RESORT`].
    _memory: Option<ZeroedMemory>,
    generation: AtomicU8,
}

// SAFETY: the pointer leads to memory that the table owns (or to a static) and that holds only atomics, so
// it may be used from and moved to any thread.
unsafe impl Send for TranspositionTable {}
// SAFETY: as above.
unsafe impl Sync for TranspositionTable {}

impl TranspositionTable {
    /// A table of `mib` mebibytes, at least one. When the system refuses so much, half of it, and so on:
    /// [`mebibytes`](Self::mebibytes) tells what was got. The memory is only touched as the table fills, so
    /// this takes no time.
    pub fn new(mib: usize) -> Self {
        let mut mib = mib.max(1);
        while mib > 0 {
            let bytes = mib.checked_mul(1 << 20);
            if let Some(mut memory) = bytes.and_then(ZeroedMemory::new) {
                return Self {
                    clusters: memory.as_mut_ptr().cast::<Cluster>().cast_const(),
                    count: (mib << 20) / size_of::<Cluster>(),
                    _memory: Some(memory),
                    generation: AtomicU8::new(0),
                };
            }
            mib /= 2;
        }
        Self::last_resort()
    }

    fn last_resort() -> Self {
        Self {
            clusters: LAST_RESORT.as_ptr(),
            count: LAST_RESORT.len(),
            _memory: None,
            generation: AtomicU8::new(0),
        }
    }

    /// Replaces the table by an empty one of `mib` mebibytes, under the rules of [`new`](Self::new). The old
    /// one is given back first. The same size as now clears the table with `threads` threads.
    pub fn resize(&mut self, mib: usize, threads: usize) {
        if mib.max(1) == self.mebibytes() {
            self.clear(threads);
        } else {
            *self = Self::last_resort();
            *self = Self::new(mib);
        }
    }

    /// Size in mebibytes; 0 when the system had none to give.
    pub fn mebibytes(&self) -> usize {
        (self.count * size_of::<Cluster>()) >> 20
    }

    /// Empties the table, with up to `threads` threads. No search may run: it would be harmless, but what it
    /// stores might survive.
    pub fn clear(&self, threads: usize) {
        // Below this a thread costs more than it saves.
        const SHARE: usize = (4 << 20) / size_of::<Cluster>();
        let clusters = self.clusters();
        let share = clusters.len().div_ceil(threads.max(1)).max(SHARE);
        std::thread::scope(|scope| {
            let mut parts = clusters.chunks(share);
            let own = parts.next();
            for part in parts {
                let work = move || part.iter().for_each(Cluster::clear);
                // A system out of threads still gets a clear table.
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    work();
                }
            }
            own.into_iter().flatten().for_each(Cluster::clear);
        });
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Begins a new search: what is stored so far becomes old and gives way first.
    pub fn age(&self) {
        let next = self.generation().wrapping_add(1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    /// Asks the processor to fetch the cluster of `key` while something else is computed.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let cluster: *const Cluster = self.cluster(key);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch has no effect on any value, and SSE is part of x86-64.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(cluster.cast());
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a prefetch has no effect on any value.
        unsafe {
            std::arch::asm!("prfm pldl1keep, [{}]", in(reg) cluster, options(nostack, readonly, preserves_flags));
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = cluster;
    }

    /// What is known of the position with this key. Every bit of a key must be well mixed: its top bits
    /// choose the cluster and its low ones tell entries apart. About one answer in a million belongs to
    /// another position, so the hint is to be tested before it is played.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).find(key).map(|(_, word)| word.unpack())
    }

    /// Stores `entry` for `key`. It replaces what is known of the same position, unless that was found by a
    /// much deeper search of this generation and the new score is not exact; an entry without hint keeps the
    /// old one. Otherwise it replaces the shallowest and oldest entry of the cluster, and one on the
    /// principal variation last.
    pub fn store(&self, key: u64, entry: Entry) {
        let cluster = self.cluster(key);
        let generation = self.generation();
        let mut word = Word::pack(entry, generation);
        let way = match cluster.find(key) {
            Some((way, old)) => {
                let is_worse = word.depth() + 2 * i32::from(entry.pv) + DEPTH_MARGIN <= old.depth()
                    || entry.bound.is_none();
                if old.has_score()
                    && old.age(generation) == 0
                    && is_worse
                    && entry.bound != Some(Bound::Exact)
                {
                    return;
                }
                if word.hint() == 0 {
                    word = word.with_hint(old.hint());
                }
                way
            }
            None => {
                let worth = |way: &usize| {
                    let word = Word(cluster.words[*way].load(Ordering::Relaxed));
                    if word.is_empty() { i32::MIN } else { word.worth(generation) }
                };
                (0..WAYS).min_by_key(worth).unwrap_or(0)
            }
        };
        cluster.put(way, key, word);
    }

    /// How much of the table this search's entries fill, in thousandths, estimated from its first clusters.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation();
        let sample = &self.clusters()[..self.count.min(SAMPLE)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.words)
            .map(|word| Word(word.load(Ordering::Relaxed)))
            .filter(|word| !word.is_empty() && word.age(generation) == 0)
            .count();
        (used * 1000 / (sample.len() * WAYS)) as u32
    }

    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    fn clusters(&self) -> &[Cluster] {
        // SAFETY: `clusters` points to `count` clusters for as long as the table lives; zeroed memory is a
        // valid cluster, and only atomics are in it, so shared references are right.
        unsafe { std::slice::from_raw_parts(self.clusters, self.count) }
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = ((u128::from(key) * self.count as u128) >> 64) as usize;
        // SAFETY: a key is below 2^64, so the index is below the count; see `clusters` for the rest.
        unsafe { &*self.clusters.add(index) }
    }
}

/// Tells won and lost scores, which count the distance to the end of the game, from all others.
///
/// A searcher counts that distance from the root, but the same position is reached at many distances from
/// many roots: the table must hold it counted from the position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreScale {
    /// Scores at or beyond this, on either side of zero, are distances.
    pub win_bound: i32,
}

impl ScoreScale {
    /// The score to store for a node `ply` half-moves from the root.
    #[inline]
    pub fn to_table(self, score: i32, ply: i32) -> i32 {
        if score >= self.win_bound {
            score.saturating_add(ply)
        } else if score <= -self.win_bound {
            score.saturating_sub(ply)
        } else {
            score
        }
    }

    /// The score that a stored one means at a node `ply` half-moves from the root.
    #[inline]
    pub fn from_table(self, score: i32, ply: i32) -> i32 {
        if score >= self.win_bound {
            score.saturating_sub(ply)
        } else if score <= -self.win_bound {
            score.saturating_add(ply)
        } else {
            score
        }
    }
}
