//! Weighted precision and recall from matches, label by label.
//!
//! Only detections that took some ground truth are put in order and visited cell by cell. All others are counted into the
//! gaps between those, one count per gap and area range.

mod curves;
mod label;
pub(crate) mod takers;

pub use curves::{Curves, Selection};
pub(crate) use label::{area_under, bits};

use crate::matches::Matches;
use crate::parallel;
use crate::tables::detections::descending;
use arrow_buffer::ScalarBuffer;
use label::{LabelSums, Walk};
use takers::Takers;

pub struct Request<'a> {
    pub num_labels: usize,
    pub num_areas: usize,
    /// Detections an image and label, ascending.
    pub limits: &'a [u32],
    /// Ascending.
    pub recall_points: &'a [f64],
    /// Copies of each image, for its detections and for its ground truth.
    pub detection_weights: Option<&'a [u32]>,
    pub object_weights: Option<&'a [u32]>,
    pub every_point: bool,
    pub every_limit: bool,
    pub scores: bool,
    /// Divide by `fp + tp + 2^-52`, as pycocotools does.
    pub spaced: bool,
}

/// What is undefined, having no positives.
pub const ABSENT: f64 = -1.0;

pub fn accumulate(matches: &Matches, request: &Request, threads: usize) -> Curves {
    let cells = CellBits::new(matches.num_cells, request.num_areas);
    let takers = Takers::find(matches, request, &cells, threads);
    let positives = count_positives(matches, request);
    let limits = request.limits;
    let kept: Vec<u32> = if request.every_limit { limits.to_vec() } else { limits[limits.len() - 1..].to_vec() };
    let others: Vec<Vec<u64>> =
        kept.iter().map(|&limit| takers.count_others(matches, request, &cells, limit, threads)).collect();
    let first_rows: Vec<Vec<Option<u32>>> =
        if request.scores { kept.iter().map(|_| first_rows(matches, request)).collect() } else { Vec::new() };
    let sums = parallel::map((0..request.num_labels).collect(), threads, |label| {
        let own = &positives[label * request.num_areas..][..request.num_areas];
        let walk = Walk { matches, request, cells: &cells, takers: &takers, positives: own, label };
        let mut sums = LabelSums::new(request, cells.thresholds, kept.len());
        if own.iter().any(|&count| count > 0) {
            walk.recalls(&mut sums.recall);
            for (place, &limit) in kept.iter().enumerate() {
                let first_row = first_rows.get(place).and_then(|rows| rows[label]);
                walk.curves(limit, &others[place], first_row, place, kept.len(), &mut sums);
            }
        }
        sums
    });
    collect(matches, request, positives, &sums)
}

/// How the cells of a word lie.
pub(crate) struct CellBits {
    pub thresholds: usize,
    areas: usize,
    /// The lowest cell of every area range; all cells of range 0; all cells.
    every_range: u64,
    one_range: u64,
    all: u64,
}

impl CellBits {
    pub fn new(num_cells: usize, areas: usize) -> Self {
        let thresholds = num_cells / areas;
        Self {
            thresholds,
            areas,
            every_range: (0..areas).fold(0, |bits, area| bits | 1 << (area * thresholds)),
            one_range: u64::MAX >> (64 - thresholds),
            all: u64::MAX >> (64 - num_cells),
        }
    }

    /// Whether all cells of each area range agree, and nothing was taken: such a detection is only counted.
    #[inline(always)]
    pub fn plain(&self, matched: u64, ignored: u64) -> bool {
        matched == 0 && (ignored & self.every_range).wrapping_mul(self.one_range) == ignored
    }
}

fn weight_of(weights: Option<&[u32]>, image: u32) -> u64 {
    weights.map_or(1, |weights| u64::from(weights[image as usize]))
}

/// The first detection of each label, taker or not: it stands where recall 0 is reached.
fn first_rows(matches: &Matches, request: &Request) -> Vec<Option<u32>> {
    let rows = &matches.detections;
    let mut first: Vec<Option<(u64, u32)>> = vec![None; request.num_labels];
    for row in (0..rows.label.len()).filter(|&row| rows.rank[row] == 0) {
        if weight_of(request.detection_weights, rows.image[row]) > 0 {
            let place = (descending(rows.score[row]), row as u32);
            let best = &mut first[rows.label[row] as usize];
            *best = Some(best.map_or(place, |best| best.min(place)));
        }
    }
    first.into_iter().map(|best| best.map(|(_, row)| row)).collect()
}

fn count_positives(matches: &Matches, request: &Request) -> Vec<u64> {
    let thresholds = matches.num_cells / request.num_areas;
    let mut positives = vec![0; request.num_labels * request.num_areas];
    let objects = &matches.objects;
    for row in 0..objects.label.len() {
        let weight = weight_of(request.object_weights, objects.image[row]);
        let own = &mut positives[objects.label[row] as usize * request.num_areas..];
        for (area, count) in own.iter_mut().enumerate().take(request.num_areas) {
            *count += weight * (!(objects.ignored[row] >> (area * thresholds)) & 1);
        }
    }
    positives
}

/// Labels one after another: what a label holds is of one length for all.
fn collect(matches: &Matches, request: &Request, positives: Vec<u64>, sums: &[LabelSums]) -> Curves {
    let joined = |get: fn(&LabelSums) -> &[f64]| -> ScalarBuffer<f64> {
        sums.iter().map(get).collect::<Vec<_>>().concat().into()
    };
    Curves {
        num_labels: request.num_labels,
        num_areas: request.num_areas,
        num_thresholds: matches.num_cells / request.num_areas,
        num_points: request.recall_points.len(),
        num_limits: request.limits.len(),
        kept_limits: if request.every_limit { request.limits.len() } else { 1 },
        positives: positives.into(),
        precision: joined(|sums| &sums.precision),
        scores: request.scores.then(|| joined(|sums| &sums.scores)),
        recall: joined(|sums| &sums.recall),
        average_precision: request.every_point.then(|| joined(|sums| &sums.average_precision)),
    }
}
