//! Cells: one (area range, IoU threshold) pair each, and one bit of a 64-bit word: cell = range x thresholds + threshold.

pub const MAX_CELLS: usize = 64;

pub struct Cells {
    thresholds: Vec<f64>,
    ranges: Vec<(f64, f64)>,
    pub lowest: f64,
    /// The bits of one area range, at range 0.
    one_range: u64,
    /// The lowest bit of every area range.
    every_range: u64,
}

impl Cells {
    /// The caller has checked that there are 1 to 64.
    pub fn new(thresholds: &[f64], ranges: &[(f64, f64)]) -> Self {
        // As in pycocotools, a threshold of 1 still lets through what rounding keeps just below it.
        let thresholds: Vec<f64> = thresholds.iter().map(|t| t.min(1.0 - 1e-10)).collect();
        let count = thresholds.len();
        Self {
            lowest: thresholds.iter().copied().fold(f64::INFINITY, f64::min),
            one_range: u64::MAX >> (64 - count),
            every_range: (0..ranges.len()).fold(0, |bits, range| bits | 1 << (range * count)),
            ranges: ranges.to_vec(),
            thresholds,
        }
    }

    pub fn count(&self) -> usize {
        self.thresholds.len() * self.ranges.len()
    }

    pub fn all(&self) -> u64 {
        u64::MAX >> (64 - self.count())
    }

    /// Cells whose area range does not hold `area`.
    #[inline(always)]
    pub fn outside(&self, area: f64) -> u64 {
        let mut bits = 0;
        for (range, &(low, high)) in self.ranges.iter().enumerate() {
            bits |= u64::from(area < low || area > high) << (range * self.thresholds.len());
        }
        bits * self.one_range
    }

    /// Cells whose threshold `overlap` reaches.
    #[inline(always)]
    pub fn reached(&self, overlap: f64) -> u64 {
        let mut bits = 0;
        for (i, &threshold) in self.thresholds.iter().enumerate() {
            bits |= u64::from(overlap >= threshold) << i;
        }
        bits * self.every_range
    }
}
