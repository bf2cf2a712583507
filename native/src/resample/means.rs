//! Means of several replicates at once, each in the order in which NumPy sums.

use super::walk::Values;
use super::weights::{LANES, Lanes};
use crate::sum::{self, BLOCK};

/// Values that are to be averaged lie by label, threshold, point; they are summed by threshold, point, label, as
/// `numpy.mean` over pycocotools' arrays goes.
pub struct Layout<'a> {
    pub values: &'a [Values],
    /// Thresholds that there are, and those that are asked for.
    pub width: usize,
    pub thresholds: &'a [usize],
    pub points: usize,
    pub labels: &'a [usize],
}

impl Layout<'_> {
    /// The mean over the labels that have positives, in each lane; NaN where none has.
    #[inline(always)]
    pub fn means(&self, positives: &[Lanes]) -> Values {
        let mut masks = Vec::with_capacity(self.labels.len());
        for &label in self.labels {
            masks.push(mask_of(&positives[label]));
        }
        let union = masks.iter().fold(0, |union, mask| union | mask);
        if masks.iter().all(|&mask| mask == 0 || mask == union) {
            self.alike(&masks, union)
        } else {
            self.apart(&masks)
        }
    }

    /// All lanes that have any label have the same.
    #[inline(always)]
    fn alike(&self, masks: &[u32], union: u32) -> Values {
        let mut labels = Vec::with_capacity(masks.len());
        for (&label, &mask) in self.labels.iter().zip(masks) {
            if mask != 0 {
                labels.push(label);
            }
        }
        let mut sum = Running::<LANES>::new(self.thresholds.len() * self.points * labels.len());
        for &threshold in self.thresholds {
            for point in 0..self.points {
                for &label in &labels {
                    sum.push(&self.values[(label * self.width + threshold) * self.points + point], 1);
                }
            }
        }
        let means = sum.mean();
        let mut found = [f64::NAN; LANES];
        for lane in 0..LANES {
            if union >> lane & 1 != 0 {
                found[lane] = means[lane];
            }
        }
        found
    }

    /// Each lane has labels of its own.
    #[inline(always)]
    fn apart(&self, masks: &[u32]) -> Values {
        let rows = self.thresholds.len() * self.points;
        let mut sums: [Running<1>; LANES] =
            std::array::from_fn(|lane| Running::new(rows * masks.iter().filter(|&mask| mask >> lane & 1 != 0).count()));
        for &threshold in self.thresholds {
            for point in 0..self.points {
                for (&label, &mask) in self.labels.iter().zip(masks) {
                    let row = &self.values[(label * self.width + threshold) * self.points + point];
                    for lane in 0..LANES {
                        sums[lane].push(&[row[lane]], (mask >> lane & 1) as usize);
                    }
                }
            }
        }
        sums.map(|sum| sum.mean()[0])
    }
}

/// The lanes in which a label is there, as bits.
#[inline(always)]
fn mask_of(positives: &Lanes) -> u32 {
    let mut mask = 0;
    for (lane, &count) in positives.iter().enumerate() {
        mask |= u32::from(count > 0) << lane;
    }
    mask
}

/// The blocks in which NumPy sums so many numbers, each with how many sums are joined when it is done.
fn blocks(count: usize, out: &mut Vec<(usize, usize)>) {
    if count <= BLOCK {
        out.push((count, 0));
        return;
    }
    let half = sum::half(count);
    blocks(half, out);
    blocks(count - half, out);
    if let Some(last) = out.last_mut() {
        last.1 += 1;
    }
}

/// `sum::mean` of numbers that come one by one, N side by side.
struct Running<const N: usize> {
    count: usize,
    blocks: Vec<(usize, usize)>,
    next: usize,
    /// Of the block that is being filled; what is behind its end is overwritten.
    size: usize,
    filled: usize,
    held: [[f64; N]; BLOCK],
    sums: Vec<[f64; N]>,
}

impl<const N: usize> Running<N> {
    fn new(count: usize) -> Self {
        let mut own = Vec::new();
        if count > 0 {
            blocks(count, &mut own);
        }
        let size = own.first().map_or(usize::MAX, |block| block.0);
        Self { count, blocks: own, next: 0, size, filled: 0, held: [[0.0; N]; BLOCK], sums: Vec::new() }
    }

    /// `times` is 1, or 0 for a number that does not count.
    #[inline(always)]
    fn push(&mut self, value: &[f64; N], times: usize) {
        self.held[self.filled % BLOCK] = *value;
        self.filled += times;
        if self.filled == self.size {
            self.close();
        }
    }

    #[inline(always)]
    fn close(&mut self) {
        let mut sum = block(&self.held[..self.filled]);
        for _ in 0..self.blocks[self.next].1 {
            if let Some(first) = self.sums.pop() {
                sum = plus(&first, &sum);
            }
        }
        self.sums.push(sum);
        self.next += 1;
        self.filled = 0;
        self.size = self.blocks.get(self.next).map_or(usize::MAX, |block| block.0);
    }

    /// NaN of nothing.
    #[inline(always)]
    fn mean(&self) -> [f64; N] {
        let mut mean = [f64::NAN; N];
        if let [sum] = self.sums[..] {
            for lane in 0..N {
                mean[lane] = sum[lane] / self.count as f64;
            }
        }
        mean
    }
}

#[inline(always)]
fn plus<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    let mut sum = *a;
    for lane in 0..N {
        sum[lane] += b[lane];
    }
    sum
}

/// At most `BLOCK` values, in eight interleaved partial sums where there are as many.
#[inline(always)]
fn block<const N: usize>(values: &[[f64; N]]) -> [f64; N] {
    let (full, rest) = values.split_at(if values.len() < 8 { 0 } else { values.len() - values.len() % 8 });
    let mut sum = [-0.0; N];
    if let Some((first, others)) = full.split_first_chunk::<8>() {
        let mut partial = *first;
        for eight in others.chunks_exact(8) {
            for own in 0..8 {
                partial[own] = plus(&partial[own], &eight[own]);
            }
        }
        let [a, b, c, d, e, f, g, h] = &partial;
        sum = plus(&plus(&plus(a, b), &plus(c, d)), &plus(&plus(e, f), &plus(g, h)));
    }
    for value in rest {
        sum = plus(&sum, value);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_is_summed_as_alone() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for count in (0..300).chain([1000, 1010, 2047, 8080]) {
            let values: Vec<Values> = (0..count).map(|_| std::array::from_fn(|_| next())).collect();
            let mut sum = Running::<LANES>::new(count);
            values.iter().for_each(|row| sum.push(row, 1));
            for lane in 0..LANES {
                let own: Vec<f64> = values.iter().map(|row| row[lane]).collect();
                assert_eq!(sum::mean(&own), (count > 0).then_some(sum.mean()[lane]), "{count} values");
            }
        }
    }
}
