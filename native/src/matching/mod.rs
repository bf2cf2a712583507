//! Greedy matching by descending score inside each image and label, in every cell at once.

mod cells;
mod output;

pub use cells::{Cells, MAX_CELLS};

use crate::matches::{DetectionMatches, Matches, ObjectMatches, UNMATCHED};
use crate::overlap::Overlap;
use crate::parallel;
use crate::tables::detections::Detections;
use crate::tables::objects::{CROWD, Objects};
use output::Output;
use std::cmp::Ordering;
use std::ops::Range;

/// Which ground truth a detection takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The best overlap among those that are free, one that counts before one that is ignored, the last among equals.
    Coco,
    /// The same, the first among equals.
    Greedy,
    /// The best overlap or nothing, the first among equals.
    Voc,
}

/// What matching needs to know besides the overlaps.
pub struct Rule {
    pub kind: Kind,
    pub cells: Cells,
    pub max_detections: usize,
    /// Objects with any of these flags need not be found.
    pub ignored_flags: u8,
    /// Area ranges look at the object's own area instead of the stated one.
    pub area_from_box: bool,
    pub keep_assignments: bool,
}

/// Cells in which a detection took something, and in which it is ignored.
#[derive(Default)]
struct Taken {
    matched: u64,
    ignored: u64,
}

/// Matches by a rule.
pub fn detections_to_objects(
    overlap: &impl Overlap,
    detections: &Detections,
    objects: &Objects,
    rule: &Rule,
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
    };
    let work_before: Vec<usize> = detections.offsets.iter().zip(&objects.offsets).map(|(d, o)| d + o).collect();
    let mut work = Vec::new();
    for range in parallel::even_ranges(&work_before, parallel::pieces(threads)) {
        let spans = [&detections.offsets, &objects.offsets].map(|offsets| offsets[range.end] - offsets[range.start]);
        let (output, later) = rest.split(spans[0], spans[1], kept);
        work.push((range, output));
        rest = later;
    }
    parallel::map(work, threads, |(range, output)| {
        let base = (detections.offsets[range.start], objects.offsets[range.start]);
        let (overlaps, candidates) = (Vec::new(), Vec::new());
        let mut matcher = Matcher { overlap, detections, objects, rule, output, base, overlaps, candidates };
        range.for_each(|image| matcher.image(image));
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
    }
}

struct Matcher<'a, O> {
    overlap: &'a O,
    detections: &'a Detections,
    objects: &'a Objects,
    rule: &'a Rule,
    output: Output<'a>,
    /// Rows at which the output's slices begin.
    base: (usize, usize),
    overlaps: Vec<f64>,
    /// Overlap and place in the group, best first.
    candidates: Vec<(f64, usize)>,
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
            }
        }
    }

    fn object_ignored(&self, object: usize) -> u64 {
        if self.objects.flags[object] & self.rule.ignored_flags != 0 {
            return self.rule.cells.all();
        }
        let own = self.rule.area_from_box;
        self.rule.cells.outside(if own { self.overlap.object_area(object) } else { self.objects.area[object] })
    }

    /// What a detection takes among the objects of its image and label.
    #[inline]
    fn detection(&mut self, detection: usize, objects: Range<usize>) {
        self.overlap.with_objects(detection, objects.clone(), &mut self.overlaps);
        let taken = match self.rule.kind {
            Kind::Coco => self.take_best_free(detection, objects.start, |a, b| b.cmp(&a)),
            Kind::Greedy => self.take_best_free(detection, objects.start, |a, b| a.cmp(&b)),
            Kind::Voc => self.take_best(detection, objects.start),
        };
        let out = detection - self.base.0;
        self.output.matched[out] = taken.matched;
        self.output.ignored[out] = taken.ignored | (self.output.ignored[out] & !taken.matched);
    }

    /// The best overlap among objects that are free, those that count before those that are ignored; `ties` says which of
    /// two places goes first among equal overlaps. A crowd is never used up.
    #[inline(always)]
    fn take_best_free(&mut self, detection: usize, first: usize, ties: impl Fn(usize, usize) -> Ordering) -> Taken {
        let mut taken = Taken::default();
        let reaching = self.overlaps.iter().enumerate().filter(|&(_, &overlap)| overlap >= self.rule.cells.lowest);
        self.candidates.clear();
        self.candidates.extend(reaching.map(|(place, &overlap)| (overlap, place)));
        if self.candidates.is_empty() {
            return taken;
        }
        self.candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(ties(a.1, b.1)));
        let mut open = self.rule.cells.all();
        for counting in [true, false] {
            for index in 0..self.candidates.len() {
                let (overlap, place) = self.candidates[index];
                let out = first + place - self.base.1;
                let of_kind = self.output.object_ignored[out] ^ if counting { u64::MAX } else { 0 };
                let crowd = self.objects.flags[first + place] & CROWD != 0;
                let free = if crowd { u64::MAX } else { !self.output.object_matched[out] };
                let here = open & of_kind & free & self.rule.cells.reached(overlap);
                if here == 0 {
                    continue;
                }
                self.output.object_matched[out] |= here;
                open &= !here;
                taken.matched |= here;
                taken.ignored |= if counting { 0 } else { here };
                self.assign(detection, first + place, here);
            }
        }
        taken
    }

    /// The best-overlapping object alone, the first among equals: an ignored one is not taken, and the detection is
    /// ignored; one that is taken already leaves it a false positive.
    #[inline(always)]
    fn take_best(&mut self, detection: usize, first: usize) -> Taken {
        let better = |best: Option<(usize, f64)>, (place, &overlap): (usize, &f64)| match best {
            Some((_, most)) if overlap <= most => best,
            _ => Some((place, overlap)),
        };
        let Some((place, overlap)) = self.overlaps.iter().enumerate().fold(None, better) else {
            return Taken::default();
        };
        let out = first + place - self.base.1;
        let reached = self.rule.cells.reached(overlap);
        let ignored = reached & self.output.object_ignored[out];
        let matched = reached & !ignored & !self.output.object_matched[out];
        self.output.object_matched[out] |= matched;
        self.assign(detection, first + place, matched);
        Taken { matched, ignored }
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
