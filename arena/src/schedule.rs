//! Who plays whom, with which colours, from which opening.

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fixture {
    /// From 0.
    pub number: usize,
    /// From 0; both games of a pair, and the pairs of all pairings in the same round, have one opening.
    pub round: usize,
    /// The place of the two engines in the list of pairings.
    pub pairing: usize,
    pub white: usize,
    pub black: usize,
}

/// The order of all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Schedule {
    /// The engines that meet, the first having White first.
    pub pairings: Vec<(usize, usize)>,
    /// Games of each pairing.
    games: usize,
}

impl Schedule {
    /// All engines against each other, or the first against all others.
    pub fn new(engines: usize, games: usize, gauntlet: bool) -> Self {
        let rivals = |first: usize| (first + 1..engines).map(move |second| (first, second));
        let pairings = (0..if gauntlet { 1 } else { engines }).flat_map(rivals).collect();
        Self { pairings, games }
    }

    pub fn len(&self) -> usize {
        self.pairings.len() * self.games
    }

    /// The game with a number; `None` past the last one. Pairs are played one after the other, and a last
    /// single game at the very end.
    pub fn fixture(&self, number: usize) -> Option<Fixture> {
        let pairings = self.pairings.len();
        let in_pairs = 2 * pairings * (self.games / 2);
        let (round, pairing, swapped) = if number < in_pairs {
            let within = number % (2 * pairings);
            (number / (2 * pairings), within / 2, within % 2 == 1)
        } else if number < self.len() {
            (self.games / 2, number - in_pairs, false)
        } else {
            return None;
        };
        let &(first, second) = self.pairings.get(pairing)?;
        let (white, black) = if swapped { (second, first) } else { (first, second) };
        Some(Fixture { number, round, pairing, white, black })
    }
}

/// The numbers below `length` in a random order that depends on the seed alone (Fisher and Yates, with
/// SplitMix64 of S. Vigna).
pub(crate) fn shuffled(length: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    let mut state = seed;
    for place in (1..length).rev() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let random = z ^ (z >> 31);
        // The bias of the remainder is far below anything a match could show.
        order.swap(place, (random % (place as u64 + 1)) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(engines: usize, games: usize, gauntlet: bool) -> Vec<(usize, usize, usize)> {
        let schedule = Schedule::new(engines, games, gauntlet);
        let list: Vec<_> =
            (0..).map_while(|n| schedule.fixture(n)).map(|f| (f.round, f.white, f.black)).collect();
        assert_eq!(list.len(), schedule.len());
        list
    }

    #[test]
    fn colours_are_swapped_with_the_same_opening() {
        assert_eq!(games(2, 4, false), [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)]);
        assert_eq!(games(2, 3, false), [(0, 0, 1), (0, 1, 0), (1, 0, 1)]);
    }

    #[test]
    fn everybody_meets_everybody_or_the_first_one() {
        assert_eq!(games(3, 2, false), [(0, 0, 1), (0, 1, 0), (0, 0, 2), (0, 2, 0), (0, 1, 2), (0, 2, 1)]);
        assert_eq!(games(3, 1, true), [(0, 0, 1), (0, 0, 2)]);
    }

    #[test]
    fn shuffling_keeps_every_number_and_repeats() {
        let mut order = shuffled(100, 7);
        assert_eq!(order, shuffled(100, 7));
        assert_ne!(order, shuffled(100, 8));
        order.sort_unstable();
        assert_eq!(order, (0..100).collect::<Vec<_>>());
        assert!(shuffled(0, 1).is_empty());
    }
}
