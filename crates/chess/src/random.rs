//! SplitMix64 (Steele, Lea and Flood 2014), a small pseudo-random number generator. It makes the Zobrist keys at compile
//! time, and it is public because an engine, its tests and its tools need random moves, openings and hashes anyway. The same
//! seed gives the same numbers in every version. Not for cryptography.

/// The increment of the state: 2^64 divided by the golden ratio, made odd.
const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The next 64 random bits of the generator with this state. Every state is a good seed.
///
/// ```
/// use tamarack_chess::random::splitmix64;
/// let mut state = 1_234_567;
/// assert_eq!(splitmix64(&mut state), 6_457_827_717_110_365_317);
/// ```
pub const fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(GOLDEN_GAMMA);
    mix(*state)
}

/// A hash of 64 bits: a bijection in which every bit of the input changes about half of the output's.
///
/// ```
/// use tamarack_chess::random::mix;
/// assert_eq!(mix(0), 0);
/// assert_ne!(mix(1) >> 32, mix(2) >> 32);
/// ```
pub const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}

/// A SplitMix64 generator.
///
/// ```
/// use tamarack_chess::Position;
/// use tamarack_chess::random::Random;
/// let mut random = Random::new(1);
/// let moves = Position::startpos().legal_moves();
/// let mv = moves[random.below(moves.len())];
/// assert!(Position::startpos().is_legal(mv));
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator for this seed.
    ///
    /// ```
    /// use tamarack_chess::random::Random;
    /// let (mut one, mut other) = (Random::new(7), Random::new(7));
    /// assert_eq!(one.bits(), other.bits());
    /// ```
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    ///
    /// ```
    /// use tamarack_chess::random::Random;
    /// assert_eq!(Random::new(1_234_567).bits(), 6_457_827_717_110_365_317);
    /// ```
    pub fn bits(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    /// A number below `bound`; 0 if `bound` is 0.
    ///
    /// ```
    /// use tamarack_chess::random::Random;
    /// assert!(Random::new(7).below(6) < 6);
    /// ```
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 (included) to 1 (excluded).
    ///
    /// ```
    /// use tamarack_chess::random::Random;
    /// assert!((0.0..1.0).contains(&Random::new(7).unit()));
    /// ```
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts a slice into random order (Fisher and Yates).
    ///
    /// ```
    /// use tamarack_chess::random::Random;
    /// let mut numbers = [1, 2, 3, 4, 5];
    /// Random::new(7).shuffle(&mut numbers);
    /// numbers.sort_unstable();
    /// assert_eq!(numbers, [1, 2, 3, 4, 5]);
    /// ```
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_numbers_come_out() {
        let mut state = 1_234_567;
        let numbers = [(); 3].map(|()| splitmix64(&mut state));
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }
}
