//! Philox4x32-10, a counter-based generator: the numbers of a replicate hang on seed and replicate alone, whoever draws
//! them and in whatever order. (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3; SC 2011.)

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: usize = 10;

pub fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let first = u64::from(MULTIPLIERS[0]) * u64::from(counter[0]);
        let second = u64::from(MULTIPLIERS[1]) * u64::from(counter[2]);
        counter = [
            (second >> 32) as u32 ^ counter[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ counter[3] ^ key[1],
            first as u32,
        ];
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    counter
}

/// What the numbers are for, so that a bootstrap and a swap of one seed have nothing in common.
#[derive(Clone, Copy)]
pub enum Purpose {
    Bootstrap = 0,
    Swap = 1,
}

/// The numbers of one replicate: 64 bits each.
pub struct Numbers {
    key: [u32; 2],
    replicate: u32,
    purpose: u32,
}

impl Numbers {
    pub fn new(seed: u64, replicate: u32, purpose: Purpose) -> Self {
        Self { key: [seed as u32, (seed >> 32) as u32], replicate, purpose: purpose as u32 }
    }

    /// Two numbers a call: those of places `2 * pair` and `2 * pair + 1`.
    fn pair(&self, pair: u64) -> [u64; 2] {
        let high = (pair >> 32) as u32 | self.purpose << 24;
        let [a, b, c, d] = philox([pair as u32, high, self.replicate, 0], self.key);
        [u64::from(b) << 32 | u64::from(a), u64::from(d) << 32 | u64::from(c)]
    }

    /// The first `count` numbers, in order.
    pub fn take(&self, count: usize) -> impl Iterator<Item = u64> + '_ {
        (0..count.div_ceil(2) as u64).flat_map(|pair| self.pair(pair)).take(count)
    }
}

/// `0..count`, each as likely as any other to within `count` / 2^64.
pub fn below(number: u64, count: usize) -> usize {
    ((u128::from(number) * count as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_test_vectors() {
        // kat_vectors of Random123, philox4x32 with 10 rounds.
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox([u32::MAX; 4], [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(
            philox([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn all_places_are_drawn_about_as_often() {
        let mut counts = [0; 7];
        for replicate in 0..1000 {
            Numbers::new(5, replicate, Purpose::Bootstrap).take(70).for_each(|number| counts[below(number, 7)] += 1);
        }
        // 10,000 expected each, standard deviation 93.
        assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    }
}
