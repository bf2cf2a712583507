//! Weighted precision and recall from matches, label by label.
//!
//! Only detections that took some ground truth are put in order and visited cell by cell. All others are counted into the
//! gaps between those, one count per gap and area range.

use crate::matches::Matches;
use crate::parallel;
use crate::sum;
use crate::tables::detections::descending;
use std::ops::Range;

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

#[derive(Debug, PartialEq)]
pub struct Curves {
    pub num_labels: usize,
    pub num_areas: usize,
    pub num_thresholds: usize,
    pub num_points: usize,
    pub num_limits: usize,
    /// Limits for which precision is kept: all, or the last.
    pub kept_limits: usize,
    /// [labels, areas]
    pub positives: Vec<u64>,
    /// [labels, areas, kept limits, thresholds, points]
    pub precision: Vec<f64>,
    pub scores: Option<Vec<f64>>,
    /// [labels, areas, limits, thresholds]
    pub recall: Vec<f64>,
    /// [labels, areas, kept limits, thresholds]
    pub average_precision: Option<Vec<f64>>,
}

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
    collect(matches, request, positives, sums)
}

/// How the cells of a word lie.
struct CellBits {
    thresholds: usize,
    areas: usize,
    /// The lowest cell of every area range; all cells of range 0; all cells.
    every_range: u64,
    one_range: u64,
    all: u64,
}

impl CellBits {
    fn new(num_cells: usize, areas: usize) -> Self {
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
    fn plain(&self, matched: u64, ignored: u64) -> bool {
        matched == 0 && (ignored & self.every_range).wrapping_mul(self.one_range) == ignored
    }
}

fn weight_of(weights: Option<&[u32]>, image: u32) -> u64 {
    weights.map_or(1, |weights| u64::from(weights[image as usize]))
}

/// Detections that took some ground truth, by label, descending score, image, rank. All others count only as so many
/// before or behind one of these, so these alone need an order.
struct Takers {
    /// Those of label l are `offsets[l]..offsets[l + 1]`.
    offsets: Vec<usize>,
    keys: Vec<u64>,
    rows: Vec<u32>,
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
fn spans(count: usize, parts: usize) -> Vec<Range<usize>> {
    (0..parts).map(|part| count * part / parts..count * (part + 1) / parts).collect()
}

impl Takers {
    fn find(matches: &Matches, request: &Request, cells: &CellBits, threads: usize) -> Self {
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
    fn before(&self, label: usize, key: u64, row: u32) -> usize {
        let (from, to) = (self.offsets[label], self.offsets[label + 1]);
        let keys = &self.keys[from..to];
        let mut before = self.guides[label].less(keys, key);
        while before < keys.len() && keys[before] == key && self.rows[from + before] < row {
            before += 1;
        }
        before
    }

    /// Where the gaps of a label begin among all gaps: each label has one more than takers.
    fn gap(&self, label: usize) -> usize {
        self.offsets[label] + label
    }

    /// Per gap and area range, the weight of the detections there that took nothing and count as false positives.
    fn count_others(
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

/// The sums of one label.
struct LabelSums {
    precision: Vec<f64>,
    scores: Vec<f64>,
    recall: Vec<f64>,
    average_precision: Vec<f64>,
}

impl LabelSums {
    fn new(request: &Request, thresholds: usize, kept: usize) -> Self {
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
struct Walk<'a> {
    matches: &'a Matches,
    request: &'a Request<'a>,
    cells: &'a CellBits,
    takers: &'a Takers,
    /// By area range.
    positives: &'a [u64],
    label: usize,
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
    fn recalls(&self, recall: &mut [f64]) {
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
    fn curves(
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
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = word.trailing_zeros() as usize;
        let found = (word != 0).then_some(lowest);
        word &= word.wrapping_sub(1);
        found
    })
}

/// Area under the envelope, over runs of equal precision, so that k copies of everything give the same sum.
fn area_under(envelope: &[f64], recall: impl Fn(usize) -> f64) -> f64 {
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

fn collect(matches: &Matches, request: &Request, positives: Vec<u64>, sums: Vec<LabelSums>) -> Curves {
    let (areas, limits, points) = (request.num_areas, request.limits.len(), request.recall_points.len());
    let num_thresholds = matches.num_cells / areas;
    let kept_limits = if request.every_limit { limits } else { 1 };
    let slots = request.num_labels * areas * kept_limits * num_thresholds;
    let mut curves = Curves {
        num_labels: request.num_labels,
        num_areas: areas,
        num_thresholds,
        num_points: points,
        num_limits: limits,
        kept_limits,
        positives,
        precision: vec![0.0; slots * points],
        scores: request.scores.then(|| vec![0.0; slots * points]),
        recall: vec![0.0; request.num_labels * areas * limits * num_thresholds],
        average_precision: request.every_point.then(|| vec![0.0; slots]),
    };
    let place =
        |to: &mut [f64], label: usize, from: &[f64]| to[label * from.len()..][..from.len()].copy_from_slice(from);
    for (label, sums) in sums.into_iter().enumerate() {
        place(&mut curves.precision, label, &sums.precision);
        place(&mut curves.recall, label, &sums.recall);
        if let Some(scores) = &mut curves.scores {
            place(scores, label, &sums.scores);
        }
        if let Some(average) = &mut curves.average_precision {
            place(average, label, &sums.average_precision);
        }
    }
    curves
}

/// Which cells and labels a mean goes over.
pub struct Selection<'a> {
    pub area: usize,
    pub limit: usize,
    pub thresholds: &'a [usize],
    pub labels: &'a [usize],
}

impl Curves {
    fn present<'a>(&'a self, selection: &'a Selection) -> impl Iterator<Item = usize> + Clone + 'a {
        let labels = selection.labels.iter().copied();
        labels.filter(move |&label| self.positives[label * self.num_areas + selection.area] > 0)
    }

    /// Place of a limit among those for which precision is kept.
    fn kept(&self, limit: usize) -> usize {
        if self.kept_limits == self.num_limits { limit } else { 0 }
    }

    /// In threshold, recall, label order, as `numpy.mean` over pycocotools' arrays goes.
    pub fn mean_precision(&self, selection: &Selection) -> Option<f64> {
        let mut values = Vec::new();
        for &threshold in selection.thresholds {
            let starts: Vec<usize> = self
                .present(selection)
                .map(|label| {
                    let slot =
                        (label * self.num_areas + selection.area) * self.kept_limits + self.kept(selection.limit);
                    (slot * self.num_thresholds + threshold) * self.num_points
                })
                .collect();
            for point in 0..self.num_points {
                values.extend(starts.iter().map(|start| self.precision[start + point]));
            }
        }
        sum::mean(&values)
    }

    pub fn mean_recall(&self, selection: &Selection) -> Option<f64> {
        self.mean_of(&self.recall, self.num_limits, selection.limit, selection)
    }

    pub fn mean_average_precision(&self, selection: &Selection) -> Option<f64> {
        let average = self.average_precision.as_ref()?;
        self.mean_of(average, self.kept_limits, self.kept(selection.limit), selection)
    }

    fn mean_of(&self, column: &[f64], limits: usize, limit: usize, selection: &Selection) -> Option<f64> {
        let mut values = Vec::new();
        for &threshold in selection.thresholds {
            values.extend(self.present(selection).map(|label| {
                let slot = (label * self.num_areas + selection.area) * limits + limit;
                column[slot * self.num_thresholds + threshold]
            }));
        }
        sum::mean(&values)
    }
}
