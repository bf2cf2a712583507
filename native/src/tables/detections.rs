//! Detections by image, label, descending score, file order.

use super::images::Images;
use super::{Reading, degenerate, not_finite, written, written_box};
use crate::findings::{Finding, Tally};
use crate::json::results::{NAMED, Piece, RawDetection, RawDetections};
use crate::parallel;
use arrow_buffer::ScalarBuffer;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Clone)]
pub struct Detections {
    pub image: ScalarBuffer<u32>,
    pub label: ScalarBuffer<u32>,
    pub x: ScalarBuffer<f64>,
    pub y: ScalarBuffer<f64>,
    pub w: ScalarBuffer<f64>,
    pub h: ScalarBuffer<f64>,
    pub score: ScalarBuffer<f64>,
    pub source_row: ScalarBuffer<u32>,
    /// Rows of image i are `offsets[i]..offsets[i + 1]`.
    pub offsets: Vec<usize>,
}

/// Scores in an order that sorts ascending where the score descends; -0.0 equals 0.0.
#[inline(always)]
pub fn descending(score: f64) -> u64 {
    let bits = (score + 0.0).to_bits();
    let ascending = if bits >> 63 == 1 { !bits } else { bits | (1 << 63) };
    !ascending
}

/// Where rows go: label of each of the file's labels, row of each of its images.
struct Places<'a> {
    images: &'a [Option<u32>],
    labels: &'a [Option<u32>],
    reading: Reading,
    by_id: usize,
}

impl Places<'_> {
    fn label(&self, piece: &Piece, label: u32) -> Option<u32> {
        let position =
            if label >= NAMED { self.by_id + (label - NAMED) as usize } else { piece.labels[label as usize] as usize };
        self.labels[position]
    }

    /// Image, label and box of a row that is kept.
    #[inline(always)]
    fn of(&self, piece: &Piece, row: &RawDetection) -> Option<(u32, u32, [f64; 4])> {
        let image = self.images[piece.images[row.image as usize] as usize]?;
        let label = self.label(piece, row.label)?;
        let bbox = self.reading.bbox(row.bbox);
        let dropped = not_finite(bbox).is_some()
            || !row.score.is_finite()
            || (self.reading.drop_degenerate && degenerate(bbox).is_some());
        (!dropped).then_some((image, label, bbox))
    }
}

/// `labels` runs with the file's distinct labels, those given by id first; none leaves those rows out.
pub fn build(
    raw: &RawDetections,
    images: &Images,
    labels: &[Option<u32>],
    reading: Reading,
    threads: usize,
) -> (Detections, Vec<Finding>) {
    let resolved = images.resolve(&raw.images, "unknown-image");
    let places = Places { images: &resolved.rows, labels, reading, by_id: raw.labels.len() };
    let weights: Vec<usize> =
        std::iter::once(0).chain(raw.pieces.iter().map(|p| p.first_row as usize + p.rows.len())).collect();
    let groups = parallel::even_ranges(&weights, threads);
    let scans = parallel::map(groups.clone(), threads, |group| scan(&raw.pieces[group], &places, images));
    let (order, offsets) = order_by_image(raw, &places, &groups, &scans, images.len(), threads);
    let mut tallies = Tallies::default();
    scans.into_iter().for_each(|scan| tallies.join(scan.tallies));
    let (detections, tied) = gather(raw, &places, &order, offsets, threads);
    tallies.tied = tied;
    let findings = resolved.findings.into_iter().chain(tallies.into_findings(raw.num_rows)).collect();
    (detections, findings)
}

struct Scan {
    /// Rows kept per image.
    counts: Vec<u32>,
    tallies: Tallies,
}

fn scan(pieces: &[Piece], places: &Places, images: &Images) -> Scan {
    let mut scan = Scan { counts: vec![0; images.len()], tallies: Tallies::default() };
    let sizes: Vec<[f64; 2]> = images
        .widths
        .iter()
        .zip(&images.heights)
        .map(|(w, h)| [w.unwrap_or(f64::INFINITY), h.unwrap_or(f64::INFINITY)])
        .collect();
    for piece in pieces {
        for (number, row) in (piece.first_row..).zip(&piece.rows) {
            let image = places.images[piece.images[row.image as usize] as usize];
            if let (Some(image), Some(_)) = (image, places.label(piece, row.label)) {
                let bbox = places.reading.bbox(row.bbox);
                let kept = scan.tallies.note(bbox, row, number, sizes[image as usize], places.reading);
                scan.counts[image as usize] += u32::from(kept);
            }
        }
    }
    scan
}

struct Tallies {
    non_finite: Tally,
    degenerate: Tally,
    outside: Tally,
    corners: Tally,
    out_of_range: Tally,
    tied: Tally,
    lowest: f64,
    highest: f64,
    kept: u64,
}

impl Default for Tallies {
    fn default() -> Self {
        Self {
            non_finite: Tally::new("non-finite"),
            degenerate: Tally::new("degenerate"),
            outside: Tally::new("outside-image"),
            corners: Tally::new("corner-suspect"),
            out_of_range: Tally::new("score-range"),
            tied: Tally::new("tied-scores"),
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
            kept: 0,
        }
    }
}

/// Boxes may reach this far beyond their image, in pixels, before it is worth a word: rounding does that.
const MARGIN: f64 = 1.0;

impl Tallies {
    /// Counts what is odd about a row; whether the row is kept.
    #[inline(always)]
    fn note(
        &mut self,
        bbox: [f64; 4],
        row: &RawDetection,
        number: u64,
        [width, height]: [f64; 2],
        reading: Reading,
    ) -> bool {
        let [x, y, w, h] = bbox;
        let bad_score = (!row.score.is_finite()).then_some(("score", row.score));
        if let Some((field, value)) = not_finite(bbox).or(bad_score) {
            self.non_finite.add(number, |finding| {
                finding.field = Some(field);
                finding.value = Some(written(value));
            });
            return false;
        }
        if let Some((field, value)) = degenerate(bbox) {
            self.degenerate.add(number, |finding| {
                finding.field = Some(field);
                finding.value = Some(written(value));
            });
            if reading.drop_degenerate {
                return false;
            }
        }
        if x < -MARGIN || y < -MARGIN || x + w > width + MARGIN || y + h > height + MARGIN {
            self.outside.add(number, |finding| finding.value = Some(written_box(bbox)));
            let inside_as_corners =
                x >= 0.0 && y >= 0.0 && w > x && h > y && w <= width + MARGIN && h <= height + MARGIN;
            if inside_as_corners && !reading.corners {
                self.corners.add(number, |finding| finding.value = Some(written_box(bbox)));
            }
        }
        if !(0.0..=1.0).contains(&row.score) {
            self.out_of_range.add(number, |_| {});
        }
        self.lowest = self.lowest.min(row.score);
        self.highest = self.highest.max(row.score);
        self.kept += 1;
        true
    }

    fn join(&mut self, other: Tallies) {
        self.non_finite.join(other.non_finite);
        self.degenerate.join(other.degenerate);
        self.outside.join(other.outside);
        self.corners.join(other.corners);
        self.out_of_range.join(other.out_of_range);
        self.lowest = self.lowest.min(other.lowest);
        self.highest = self.highest.max(other.highest);
        self.kept += other.kept;
    }

    fn into_findings(self, num_rows: u64) -> Vec<Finding> {
        // A detector's own boxes do run over the border, but one in ten that would lie inside as corners is no accident.
        let corners = Some(self.corners).filter(|tally| tally.count() * 10 >= num_rows).and_then(Tally::into_finding);
        let mut out_of_range = self.out_of_range.into_finding();
        if let Some(finding) = &mut out_of_range {
            finding.value = Some(written(self.lowest));
            finding.extra = Some(self.highest);
        }
        let equal = (self.kept > 1 && self.lowest == self.highest).then(|| Finding {
            count: self.kept,
            value: Some(written(self.lowest)),
            ..Finding::new("scores-equal", 0)
        });
        let tied = if equal.is_some() { None } else { self.tied.into_finding() };
        let kept = [self.non_finite.into_finding(), self.degenerate.into_finding(), self.outside.into_finding()];
        kept.into_iter().chain([corners, out_of_range, equal, tied]).flatten().collect()
    }
}

/// Rows that are kept, as piece and place in it, by image and file order; and the offsets of the images.
fn order_by_image(
    raw: &RawDetections,
    places: &Places,
    groups: &[Range<usize>],
    scans: &[Scan],
    num_images: usize,
    threads: usize,
) -> (Vec<AtomicU64>, Vec<usize>) {
    let mut offsets = vec![0usize; num_images + 1];
    let mut starts: Vec<Vec<usize>> = scans.iter().map(|_| vec![0; num_images]).collect();
    for image in 0..num_images {
        let mut next = offsets[image];
        for (start, scan) in starts.iter_mut().zip(scans) {
            start[image] = next;
            next += scan.counts[image] as usize;
        }
        offsets[image + 1] = next;
    }
    // Each place is written once, by whichever thread has the row: relaxed atomic stores are plain stores.
    let order: Vec<AtomicU64> = (0..offsets[num_images]).map(|_| AtomicU64::new(0)).collect();
    let work: Vec<(Range<usize>, Vec<usize>)> = groups.iter().cloned().zip(starts).collect();
    parallel::map(work, threads, |(group, mut next)| {
        for index in group {
            let piece = &raw.pieces[index];
            for (local, row) in piece.rows.iter().enumerate() {
                if let Some((image, _, _)) = places.of(piece, row) {
                    let place = &mut next[image as usize];
                    order[*place].store((index as u64) << 32 | local as u64, Ordering::Relaxed);
                    *place += 1;
                }
            }
        }
    });
    (order, offsets)
}

/// The columns of some images, to be filled.
struct Columns<'a> {
    image: &'a mut [u32],
    label: &'a mut [u32],
    boxes: [&'a mut [f64]; 4],
    score: &'a mut [f64],
    source_row: &'a mut [u32],
}

impl<'a> Columns<'a> {
    fn split(self, at: usize) -> (Columns<'a>, Columns<'a>) {
        let (image, image_rest) = self.image.split_at_mut(at);
        let (label, label_rest) = self.label.split_at_mut(at);
        let (score, score_rest) = self.score.split_at_mut(at);
        let (source_row, source_rest) = self.source_row.split_at_mut(at);
        let [x, y, w, h] = self.boxes.map(|column| column.split_at_mut(at));
        let (boxes, boxes_rest) = ([x.0, y.0, w.0, h.0], [x.1, y.1, w.1, h.1]);
        (
            Columns { image, label, boxes, score, source_row },
            Columns {
                image: image_rest,
                label: label_rest,
                boxes: boxes_rest,
                score: score_rest,
                source_row: source_rest,
            },
        )
    }
}

fn gather(
    raw: &RawDetections,
    places: &Places,
    order: &[AtomicU64],
    offsets: Vec<usize>,
    threads: usize,
) -> (Detections, Tally) {
    let rows = order.len();
    let [mut image, mut label, mut source_row] = std::array::from_fn(|_| vec![0u32; rows]);
    let [mut x, mut y, mut w, mut h, mut score] = std::array::from_fn(|_| vec![0f64; rows]);
    let mut rest = Columns {
        image: &mut image,
        label: &mut label,
        boxes: [&mut x, &mut y, &mut w, &mut h],
        score: &mut score,
        source_row: &mut source_row,
    };
    let mut work = Vec::new();
    for range in parallel::even_ranges(&offsets, parallel::pieces(threads)) {
        let (columns, later) = rest.split(offsets[range.end] - offsets[range.start]);
        work.push((range, columns));
        rest = later;
    }
    let tallies = parallel::map(work, threads, |(range, columns)| {
        gather_images(
            raw,
            places,
            &order[offsets[range.start]..offsets[range.end]],
            &offsets[range.start..=range.end],
            columns,
            range.start,
        )
    });
    let mut tied = Tally::new("tied-scores");
    tallies.into_iter().for_each(|tally| tied.join(tally));
    let detections = Detections {
        image: image.into(),
        label: label.into(),
        x: x.into(),
        y: y.into(),
        w: w.into(),
        h: h.into(),
        score: score.into(),
        source_row: source_row.into(),
        offsets,
    };
    (detections, tied)
}

/// Sorts each image's rows by label, descending score, file order, and writes them out.
fn gather_images(
    raw: &RawDetections,
    places: &Places,
    order: &[AtomicU64],
    offsets: &[usize],
    mut columns: Columns,
    first_image: usize,
) -> Tally {
    let mut tied = Tally::new("tied-scores");
    let mut keys: Vec<u128> = Vec::new();
    for (index, span) in offsets.windows(2).enumerate() {
        let (from, to) = (span[0] - offsets[0], span[1] - offsets[0]);
        keys.clear();
        keys.extend(order[from..to].iter().enumerate().map(|(position, place)| {
            let (piece, row) = row_at(raw, place);
            let label = places.label(piece, row.label).unwrap_or(0);
            u128::from(label) << 96 | u128::from(descending(row.score)) << 32 | position as u128
        }));
        keys.sort_unstable();
        for (out, &key) in (from..to).zip(&keys) {
            let place = &order[from + (key as u32) as usize];
            let (piece, row) = row_at(raw, place);
            let number = piece.first_row + (place.load(Ordering::Relaxed) & 0xFFFF_FFFF);
            columns.image[out] = (first_image + index) as u32;
            columns.label[out] = (key >> 96) as u32;
            let bbox = places.reading.bbox(row.bbox);
            columns.boxes.iter_mut().zip(bbox).for_each(|(column, value)| column[out] = value);
            columns.score[out] = row.score;
            columns.source_row[out] = number as u32;
            if out > from && keys[out - from - 1] >> 32 == key >> 32 {
                tied.add(number, |finding| finding.value = Some(written(row.score)));
            }
        }
    }
    tied
}

#[inline(always)]
fn row_at<'a>(raw: &'a RawDetections, place: &AtomicU64) -> (&'a Piece, &'a RawDetection) {
    let place = place.load(Ordering::Relaxed);
    let piece = &raw.pieces[(place >> 32) as usize];
    (piece, &piece.rows[(place & 0xFFFF_FFFF) as usize])
}

impl Detections {
    pub fn len(&self) -> usize {
        self.image.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All labels made label 0: by image, descending score, former label, file order.
    pub fn merge_labels(&self) -> Self {
        let mut rows: Vec<u32> = (0..self.len() as u32).collect();
        for span in self.offsets.windows(2) {
            // Stable: rows of one score stay by label and file order, as they are.
            rows[span[0]..span[1]].sort_by_key(|&row| descending(self.score[row as usize]));
        }
        let number = |column: &ScalarBuffer<f64>| rows.iter().map(|&r| column[r as usize]).collect::<Vec<f64>>().into();
        let integer =
            |column: &ScalarBuffer<u32>| rows.iter().map(|&r| column[r as usize]).collect::<Vec<u32>>().into();
        Self {
            image: self.image.clone(),
            label: vec![0; self.len()].into(),
            x: number(&self.x),
            y: number(&self.y),
            w: number(&self.w),
            h: number(&self.h),
            score: number(&self.score),
            source_row: integer(&self.source_row),
            offsets: self.offsets.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id;
    use crate::json::ground_truth::RawImage;
    use crate::json::results;

    fn images(ids: &[i128]) -> Images {
        let raw: Vec<RawImage> = ids
            .iter()
            .map(|&id| RawImage { id: Id::Integer(id), file_name: None, width: Some(100.0), height: Some(100.0) })
            .collect();
        Images::build(&raw).0
    }

    #[test]
    fn minus_zero_is_zero_and_order_descends() {
        let scores = [f64::MAX, 2.0, 1.0, f64::MIN_POSITIVE, 0.0, -0.5, -3.0];
        assert!(scores.windows(2).all(|pair| descending(pair[0]) < descending(pair[1])));
        assert_eq!(descending(-0.0), descending(0.0));
    }

    #[test]
    fn rows_go_by_image_label_score_and_file_order() {
        let row = |image: i32, label: i32, score: f64| {
            format!(r#"{{"image_id": {image}, "category_id": {label}, "bbox": [1, 2, 3, 4], "score": {score}}}"#)
        };
        let rows = [row(2, 1, 0.5), row(1, 1, 0.25), row(1, 0, 0.25), row(1, 1, 0.75), row(1, 1, 0.25), row(3, 1, 0.9)];
        let raw = results::read(format!("[{}]", rows.join(",")).as_bytes(), 2).unwrap();
        let (detections, findings) = build(&raw, &images(&[1, 2]), &[Some(1), Some(0)], Reading::default(), 2);
        assert_eq!(detections.source_row[..], [2, 3, 1, 4, 0]);
        assert_eq!(detections.offsets, [0, 4, 5]);
        assert_eq!(detections.merge_labels().source_row[..], [3, 2, 1, 4, 0]);
        let found: Vec<_> = findings.iter().map(|f| (f.code, f.count, f.row)).collect();
        assert_eq!(found, [("unknown-image", 1, 5), ("tied-scores", 1, 4)]);
    }
}
