//! Greedy matching by descending score inside each image and label, in every cell at once.
//!
//! A cell is one (area range, IoU threshold) pair, and one bit of a 64-bit word: cell = range x thresholds + threshold.

use crate::matches::{DetectionMatches, Matches, ObjectMatches, UNMATCHED};
use crate::overlap::Overlap;
use crate::parallel;
use crate::tables::detections::Detections;
use crate::tables::objects::{CROWD, IGNORE, Objects};
use std::ops::Range;

pub const MAX_CELLS: usize = 64;

pub struct Cells {
    thresholds: Vec<f64>,
    ranges: Vec<(f64, f64)>,
    lowest: f64,
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

    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.count())
    }

    /// Cells whose area range does not hold `area`.
    #[inline(always)]
    fn outside(&self, area: f64) -> u64 {
        let mut bits = 0;
        for (range, &(low, high)) in self.ranges.iter().enumerate() {
            bits |= u64::from(area < low || area > high) << (range * self.thresholds.len());
        }
        bits * self.one_range
    }

    /// Cells whose threshold `overlap` reaches.
    #[inline(always)]
    fn reached(&self, overlap: f64) -> u64 {
        let mut bits = 0;
        for (i, &threshold) in self.thresholds.iter().enumerate() {
            bits |= u64::from(overlap >= threshold) << i;
        }
        bits * self.every_range
    }
}

/// What COCO's rule needs to know besides the overlaps.
pub struct CocoRule {
    pub cells: Cells,
    pub max_detections: usize,
    /// The `ignore` flag counts as well as `iscrowd`.
    pub honour_ignore: bool,
    /// Area ranges look at the object's own area instead of the stated one.
    pub area_from_box: bool,
    pub keep_assignments: bool,
}

/// The result columns of some images, to be filled.
struct Output<'a> {
    rank: &'a mut [u32],
    matched: &'a mut [u64],
    ignored: &'a mut [u64],
    gt: &'a mut [u32],
    assignments: &'a mut [u32],
    object_matched: &'a mut [u64],
    object_ignored: &'a mut [u64],
    over_limit: (u64, u64),
}

impl<'a> Output<'a> {
    fn split(self, detections: usize, objects: usize, cells: usize) -> (Output<'a>, Output<'a>) {
        let rank = self.rank.split_at_mut(detections);
        let matched = self.matched.split_at_mut(detections);
        let ignored = self.ignored.split_at_mut(detections);
        let gt = self.gt.split_at_mut(detections);
        let assignments = self.assignments.split_at_mut(detections * cells);
        let object_matched = self.object_matched.split_at_mut(objects);
        let object_ignored = self.object_ignored.split_at_mut(objects);
        (
            Output {
                rank: rank.0,
                matched: matched.0,
                ignored: ignored.0,
                gt: gt.0,
                assignments: assignments.0,
                object_matched: object_matched.0,
                object_ignored: object_ignored.0,
                over_limit: (0, 0),
            },
            Output {
                rank: rank.1,
                matched: matched.1,
                ignored: ignored.1,
                gt: gt.1,
                assignments: assignments.1,
                object_matched: object_matched.1,
                object_ignored: object_ignored.1,
                over_limit: (0, 0),
            },
        )
    }
}

/// Matches by COCO's rule: a ground truth that counts is preferred to an ignored one, the best overlap to a lesser, and
/// among equal overlaps the last wins; a crowd is never used up.
pub fn coco(
    overlap: &impl Overlap,
    detections: &Detections,
    objects: &Objects,
    rule: &CocoRule,
    threads: usize,
) -> Matches {
    let (rows, num_images) = (detections.len(), detections.offsets.len() - 1);
    let cells = rule.cells.count();
    let kept = if rule.keep_assignments { cells } else { 0 };
    let mut rank = vec![0u32; rows];
    let mut gt = vec![UNMATCHED; rows];
    let [mut matched, mut ignored] = std::array::from_fn(|_| vec![0u64; rows]);
    let mut assignments = vec![UNMATCHED; rows * kept];
    let [mut object_matched, mut object_ignored] = std::array::from_fn(|_| vec![0u64; objects.len()]);
    let mut rest = Output {
        rank: &mut rank,
        matched: &mut matched,
        ignored: &mut ignored,
        gt: &mut gt,
        assignments: &mut assignments,
        object_matched: &mut object_matched,
        object_ignored: &mut object_ignored,
        over_limit: (0, 0),
    };
    let work_before: Vec<usize> = detections.offsets.iter().zip(&objects.offsets).map(|(d, o)| d + o).collect();
    let mut work = Vec::new();
    for range in parallel::even_ranges(&work_before, parallel::pieces(threads)) {
        let spans = [&detections.offsets, &objects.offsets].map(|offsets| offsets[range.end] - offsets[range.start]);
        let (output, later) = rest.split(spans[0], spans[1], kept);
        work.push((range, output));
        rest = later;
    }
    let over = parallel::map(work, threads, |(range, output)| {
        let base = (detections.offsets[range.start], objects.offsets[range.start]);
        let mut matcher = Matcher { overlap, detections, objects, rule, output, base, scratch: Scratch::default() };
        range.for_each(|image| matcher.image(image));
        matcher.output.over_limit
    });
    Matches {
        num_cells: cells,
        num_images,
        detections: DetectionMatches {
            image: detections.image.clone(),
            label: detections.label.clone(),
            score: detections.score.clone(),
            rank: rank.into(),
            matched: matched.into(),
            ignored: ignored.into(),
            gt: gt.into(),
        },
        objects: ObjectMatches {
            image: objects.image.clone(),
            label: objects.label.clone(),
            matched: object_matched.into(),
            ignored: object_ignored.into(),
        },
        assignments: rule.keep_assignments.then(|| assignments.into()),
        over_limit: over.into_iter().fold((0, 0), |sum, (pairs, beyond)| (sum.0 + pairs, sum.1 + beyond)),
    }
}

#[derive(Default)]
struct Scratch {
    overlaps: Vec<f64>,
    /// Overlap and place in the group, best first.
    candidates: Vec<(f64, usize)>,
}

struct Matcher<'a, O> {
    overlap: &'a O,
    detections: &'a Detections,
    objects: &'a Objects,
    rule: &'a CocoRule,
    output: Output<'a>,
    /// Rows at which the output's slices begin.
    base: (usize, usize),
    scratch: Scratch,
}

impl<O: Overlap> Matcher<'_, O> {
    fn image(&mut self, image: usize) {
        let objects = self.objects.offsets[image]..self.objects.offsets[image + 1];
        let detections = self.detections.offsets[image]..self.detections.offsets[image + 1];
        for object in objects.clone() {
            self.output.object_ignored[object - self.base.1] = self.object_ignored(object);
        }
        self.rank(detections.clone());
        // Labels ascend in both tables; only those that have objects here have anything to match.
        let (labels, mut o, mut d) = (&self.objects.label, objects.start, detections.start);
        while o < objects.end {
            let label = labels[o];
            let next = o + labels[o..objects.end].partition_point(|&other| other == label);
            let rest = &self.detections.label[d..detections.end];
            d += rest.partition_point(|&other| other < label);
            let same = self.detections.label[d..detections.end].iter().take_while(|&&other| other == label);
            for detection in d..d + same.take(self.rule.max_detections).count() {
                self.detection(detection, o..next);
            }
            o = next;
        }
    }

    /// Ranks inside each label, and the cells in which a detection that takes nothing is ignored.
    fn rank(&mut self, detections: Range<usize>) {
        let (mut label, mut rank) = (u32::MAX, 0);
        for detection in detections {
            let own = self.detections.label[detection];
            rank = if own == label { rank + 1 } else { 0 };
            label = own;
            let out = detection - self.base.0;
            self.output.rank[out] = rank as u32;
            if rank < self.rule.max_detections {
                self.output.ignored[out] = self.rule.cells.outside(self.overlap.detection_area(detection));
            } else {
                self.output.over_limit.0 += u64::from(rank == self.rule.max_detections);
                self.output.over_limit.1 += 1;
            }
        }
    }

    fn object_ignored(&self, object: usize) -> u64 {
        let flags = if self.rule.honour_ignore { CROWD | IGNORE } else { CROWD };
        if self.objects.flags[object] & flags != 0 {
            return self.rule.cells.all();
        }
        let own = self.rule.area_from_box;
        self.rule.cells.outside(if own { self.overlap.object_area(object) } else { self.objects.area[object] })
    }

    #[inline]
    fn detection(&mut self, detection: usize, objects: Range<usize>) {
        self.overlap.with_objects(detection, objects.clone(), &mut self.scratch.overlaps);
        let candidates = &mut self.scratch.candidates;
        candidates.clear();
        let lowest = self.rule.cells.lowest;
        let reaching = self.scratch.overlaps.iter().enumerate().filter(|&(_, &overlap)| overlap >= lowest);
        candidates.extend(reaching.map(|(place, &overlap)| (overlap, place)));
        if candidates.is_empty() {
            return;
        }
        candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let mut open = self.rule.cells.all();
        let (mut matched, mut ignored) = (0, 0);
        for counting in [true, false] {
            for index in 0..self.scratch.candidates.len() {
                let (overlap, place) = self.scratch.candidates[index];
                let out = objects.start + place - self.base.1;
                let of_kind = self.output.object_ignored[out] ^ if counting { u64::MAX } else { 0 };
                let crowd = self.objects.flags[objects.start + place] & CROWD != 0;
                let free = if crowd { u64::MAX } else { !self.output.object_matched[out] };
                let taken = open & of_kind & free & self.rule.cells.reached(overlap);
                if taken == 0 {
                    continue;
                }
                self.output.object_matched[out] |= taken;
                open &= !taken;
                matched |= taken;
                ignored |= if counting { 0 } else { taken };
                self.assign(detection, objects.start + place, taken);
            }
        }
        let out = detection - self.base.0;
        self.output.matched[out] = matched;
        self.output.ignored[out] = ignored | (self.output.ignored[out] & !matched);
    }

    fn assign(&mut self, detection: usize, object: usize, taken: u64) {
        let out = detection - self.base.0;
        if taken & 1 != 0 {
            self.output.gt[out] = object as u32;
        }
        if self.rule.keep_assignments {
            let cells = self.rule.cells.count();
            let row = &mut self.output.assignments[out * cells..(out + 1) * cells];
            row.iter_mut()
                .enumerate()
                .filter(|(cell, _)| taken >> cell & 1 != 0)
                .for_each(|(_, gt)| *gt = object as u32);
        }
    }
}
