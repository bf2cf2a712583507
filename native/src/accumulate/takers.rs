//! Which detections need an order, and where among those all others stand.

use super::{CellBits, Request, weight_of};
use crate::matches::Matches;
use crate::parallel;
use crate::tables::detections::descending;
use std::ops::Range;

/// Detections that took some ground truth, by label, descending score, image, rank. All others count only as so many
/// before or behind one of these, so these alone need an order.
pub struct Takers {
    /// Those of label l are `offsets[l]..offsets[l + 1]`.
    pub offsets: Vec<usize>,
    keys: Vec<u64>,
    pub rows: Vec<u32>,
    guides: Vec<Guide>,
}

/// A coarse index into ascending keys: the keys' range is cut into slots, about two for each key.
struct Guide {
    least: u64,
    most: u64,
    shift: u32,
    /// Keys before each slot, and all of them.
    before: Vec<u32>,
}

impl Guide {
    fn new(keys: &[u64]) -> Self {
        let (least, most) = (keys.first().copied().unwrap_or(0), keys.last().copied().unwrap_or(0));
        let slots = (2 * keys.len()).next_power_of_two();
        let shift = (64 - (most - least).leading_zeros()).saturating_sub(slots.trailing_zeros());
        let mut before = vec![0; slots + 1];
        keys.iter().for_each(|key| before[((key - least) >> shift) as usize + 1] += 1);
        for slot in 0..slots {
            before[slot + 1] += before[slot];
        }
        Self { least, most, shift, before }
    }

    /// How many of `keys` are less than `key`.
    #[inline(always)]
    fn less(&self, keys: &[u64], key: u64) -> usize {
        if key <= self.least {
            return 0;
        }
        if key > self.most {
            return keys.len();
        }
        let slot = ((key - self.least) >> self.shift) as usize;
        let (from, to) = (self.before[slot] as usize, self.before[slot + 1] as usize);
        from + keys[from..to].partition_point(|&other| other < key)
    }
}

/// `0..count` in `parts` ranges.
pub fn spans(count: usize, parts: usize) -> Vec<Range<usize>> {
    (0..parts).map(|part| count * part / parts..count * (part + 1) / parts).collect()
}

impl Takers {
    pub fn find(matches: &Matches, request: &Request, cells: &CellBits, threads: usize) -> Self {
        let rows = &matches.detections;
        let most = request.limits[request.limits.len() - 1];
        let parts = parallel::map(spans(rows.label.len(), threads), threads, |span| {
            let takes = |&row: &usize| !cells.plain(rows.matched[row], rows.ignored[row]) && rows.rank[row] < most;
            let key = |row: usize| {
                u128::from(rows.label[row]) << 96 | u128::from(descending(rows.score[row])) << 32 | row as u128
            };
            span.filter(takes).map(key).collect::<Vec<u128>>()
        });
        let mut order: Vec<u128> = parts.concat();
        order.sort_unstable();
        let labels = 0..=request.num_labels as u128;
        let offsets: Vec<usize> = labels.map(|label| order.partition_point(|key| key >> 96 < label)).collect();
        let keys: Vec<u64> = order.iter().map(|key| (key >> 32) as u64).collect();
        let guides = offsets.windows(2).map(|span| Guide::new(&keys[span[0]..span[1]])).collect();
        Self { offsets, keys, rows: order.iter().map(|&key| key as u32).collect(), guides }
    }

    /// How many of the label's takers stand before a row: the row's place among the gaps between them.
    #[inline(always)]
    pub fn before(&self, label: usize, key: u64, row: u32) -> usize {
        let (from, to) = (self.offsets[label], self.offsets[label + 1]);
        let keys = &self.keys[from..to];
        let mut before = self.guides[label].less(keys, key);
        while before < keys.len() && keys[before] == key && self.rows[from + before] < row {
            before += 1;
        }
        before
    }

    /// Where the gaps of a label begin among all gaps: each label has one more than takers.
    pub fn gap(&self, label: usize) -> usize {
        self.offsets[label] + label
    }

    /// Per gap and area range, the weight of the detections there that took nothing and count as false positives.
    pub fn count_others(
        &self,
        matches: &Matches,
        request: &Request,
        cells: &CellBits,
        limit: u32,
        threads: usize,
    ) -> Vec<u64> {
        let rows = &matches.detections;
        let size = (self.rows.len() + request.num_labels) * cells.areas;
        let parts = parallel::map(spans(rows.label.len(), threads), threads, |span| {
            let mut counts = vec![0u64; size];
            for row in span {
                let (matched, ignored) = (rows.matched[row], rows.ignored[row]);
                if rows.rank[row] >= limit || !cells.plain(matched, ignored) {
                    continue;
                }
                let label = rows.label[row] as usize;
                let gap = self.gap(label) + self.before(label, descending(rows.score[row]), row as u32);
                let weight = weight_of(request.detection_weights, rows.image[row]);
                for (area, count) in counts[gap * cells.areas..][..cells.areas].iter_mut().enumerate() {
                    *count += weight * (!(ignored >> (area * cells.thresholds)) & 1);
                }
            }
            counts
        });
        let add = |mut sum: Vec<u64>, part: Vec<u64>| {
            sum.iter_mut().zip(part).for_each(|(sum, count)| *sum += count);
            sum
        };
        parts.into_iter().reduce(add).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_finds_what_a_search_finds() {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for round in 0..200usize {
            // Keys far apart, close together, all equal, and hardly any.
            let shift = [0, 40, 63, 20][round % 4];
            let mut keys: Vec<u64> = (0..next() as usize % 50).map(|_| next() >> shift).collect();
            keys.sort_unstable();
            let guide = Guide::new(&keys);
            let near: Vec<u64> = keys.iter().flat_map(|&key| [key.wrapping_sub(1), key, key.wrapping_add(1)]).collect();
            for key in near.into_iter().chain([0, u64::MAX, next(), next() >> shift]) {
                assert_eq!(guide.less(&keys, key), keys.partition_point(|&other| other < key), "{key} in {keys:?}");
            }
        }
    }
}
