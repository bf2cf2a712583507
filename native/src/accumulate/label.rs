//! One label's sums: true positives in order, precision at recall points, recall.

use super::takers::Takers;
use super::{ABSENT, CellBits, Request, weight_of};
use crate::matches::Matches;

/// The sums of one label.
pub struct LabelSums {
    pub precision: Vec<f64>,
    pub scores: Vec<f64>,
    pub recall: Vec<f64>,
    pub average_precision: Vec<f64>,
}

impl LabelSums {
    pub fn new(request: &Request, thresholds: usize, kept: usize) -> Self {
        let slots = request.num_areas * kept * thresholds;
        let points = request.recall_points.len();
        Self {
            precision: vec![ABSENT; slots * points],
            scores: vec![ABSENT; if request.scores { slots * points } else { 0 }],
            recall: vec![ABSENT; request.num_areas * request.limits.len() * thresholds],
            average_precision: vec![ABSENT; if request.every_point { slots } else { 0 }],
        }
    }
}

/// One label.
pub struct Walk<'a> {
    pub matches: &'a Matches,
    pub request: &'a Request<'a>,
    pub cells: &'a CellBits,
    pub takers: &'a Takers,
    /// By area range.
    pub positives: &'a [u64],
    pub label: usize,
}

/// True positives side by side: one detection, as often as its image counts.
///
/// Precision never falls from one copy to the next, so the envelope is level over all of them, and what stands behind the
/// last says everything.
struct Hit {
    /// True positives up to and with these.
    found: u64,
    precision: f64,
    row: u32,
}

impl Walk<'_> {
    fn rows(&self) -> &[u32] {
        &self.takers.rows[self.takers.offsets[self.label]..self.takers.offsets[self.label + 1]]
    }

    fn weight(&self, row: usize) -> u64 {
        weight_of(self.request.detection_weights, self.matches.detections.image[row])
    }

    /// Recall at each limit: true positives over positives.
    pub fn recalls(&self, recall: &mut [f64]) {
        let (limits, num_cells) = (self.request.limits, self.matches.num_cells);
        let detections = &self.matches.detections;
        let mut found = vec![0u64; limits.len() * num_cells];
        for row in self.rows().iter().map(|&row| row as usize) {
            let weight = self.weight(row);
            let from = limits.partition_point(|&limit| limit <= detections.rank[row]);
            for cell in bits(detections.matched[row] & !detections.ignored[row]) {
                (from..limits.len()).for_each(|limit| found[limit * num_cells + cell] += weight);
            }
        }
        for area in (0..self.cells.areas).filter(|&area| self.positives[area] > 0) {
            for limit in 0..limits.len() {
                for threshold in 0..self.cells.thresholds {
                    let cell = limit * num_cells + area * self.cells.thresholds + threshold;
                    let slot = (area * limits.len() + limit) * self.cells.thresholds + threshold;
                    recall[slot] = found[cell] as f64 / self.positives[area] as f64;
                }
            }
        }
    }

    /// Precision at recall points, at one limit, which is the `place`-th of `kept`.
    pub fn curves(
        &self,
        limit: u32,
        others: &[u64],
        first_row: Option<u32>,
        place: usize,
        kept: usize,
        sums: &mut LabelSums,
    ) {
        let hits = self.hits(limit, others);
        for area in (0..self.cells.areas).filter(|&area| self.positives[area] > 0) {
            for threshold in 0..self.cells.thresholds {
                let slot = (area * kept + place) * self.cells.thresholds + threshold;
                self.sample(&hits[area * self.cells.thresholds + threshold], first_row, area, slot, sums);
            }
        }
    }

    /// Every true positive of every cell, among detections of a rank below `limit`.
    fn hits(&self, limit: u32, others: &[u64]) -> Vec<Vec<Hit>> {
        let detections = &self.matches.detections;
        let areas = self.cells.areas;
        let mut hits: Vec<Vec<Hit>> = (0..self.matches.num_cells).map(|_| Vec::new()).collect();
        // Detections that count so far: takers by cell, others by area range.
        let mut taking = vec![0u64; self.matches.num_cells];
        let mut other = vec![0u64; areas];
        let gaps = others[self.takers.gap(self.label) * areas..].chunks_exact(areas);
        for (row, gap) in self.rows().iter().map(|&row| row as usize).zip(gaps) {
            other.iter_mut().zip(gap).for_each(|(sum, count)| *sum += count);
            let weight = self.weight(row);
            if detections.rank[row] >= limit || weight == 0 {
                continue;
            }
            for cell in bits(!detections.ignored[row] & self.cells.all) {
                taking[cell] += weight;
                if detections.matched[row] >> cell & 1 != 0 {
                    let counted = other[cell / self.cells.thresholds] + taking[cell];
                    self.add_hit(&mut hits[cell], counted, weight, row);
                }
            }
        }
        hits
    }

    /// `counted` detections count up to and with these `weight` true positives.
    #[inline(always)]
    fn add_hit(&self, hits: &mut Vec<Hit>, counted: u64, weight: u64, row: usize) {
        let found = hits.last().map_or(0, |hit| hit.found) + weight;
        let divisor = if self.request.spaced { counted as f64 + f64::EPSILON } else { counted as f64 };
        hits.push(Hit { found, precision: found as f64 / divisor, row: row as u32 });
    }

    /// The precision envelope of one cell at the recall points, and the area under it.
    fn sample(&self, own: &[Hit], first_row: Option<u32>, area: usize, slot: usize, sums: &mut LabelSums) {
        let positives = self.positives[area] as f64;
        let recall = |hit: usize| own[hit].found as f64 / positives;
        let mut envelope: Vec<f64> = own.iter().map(|hit| hit.precision).collect();
        for i in (1..envelope.len()).rev() {
            envelope[i - 1] = envelope[i - 1].max(envelope[i]);
        }
        let points = self.request.recall_points;
        let precision = &mut sums.precision[slot * points.len()..][..points.len()];
        let mut scores = sums.scores.get_mut(slot * points.len()..).filter(|scores| !scores.is_empty());
        let mut hit = 0;
        for (i, &point) in points.iter().enumerate() {
            while hit < own.len() && recall(hit) < point {
                hit += 1;
            }
            precision[i] = envelope.get(hit).copied().unwrap_or(0.0);
            if let Some(scores) = &mut scores {
                // Recall 0 is reached by the very first detection, hit or not; what is never reached stays 0.
                let reached = if point <= 0.0 { first_row } else { own.get(hit).map(|hit| hit.row) };
                scores[i] = reached.map_or(0.0, |row| self.matches.detections.score[row as usize]);
            }
        }
        if self.request.every_point {
            sums.average_precision[slot] = area_under(&envelope, recall);
        }
    }
}

/// Positions of the bits that are set, from the lowest.
#[inline(always)]
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros() as usize;
        let found = (word != 0).then_some(lowest);
        word &= word.wrapping_sub(1);
        found
    })
}

/// Area under the envelope, over runs of equal precision, so that k copies of everything give the same sum.
pub fn area_under(envelope: &[f64], recall: impl Fn(usize) -> f64) -> f64 {
    let mut area = 0.0;
    let mut before = 0.0;
    for (i, &precision) in envelope.iter().enumerate() {
        if envelope.get(i + 1) != Some(&precision) {
            area += (recall(i) - before) * precision;
            before = recall(i);
        }
    }
    area
}
