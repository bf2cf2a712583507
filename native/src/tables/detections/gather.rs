//! The rows of each image put in order and written out as columns.

use super::order::{ByImage, Places, Reference};
use super::{Detections, descending};
use crate::findings::Tally;
use crate::json::results::RawDetections;
use crate::parallel;
use crate::tables::written;
use std::ops::Range;

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

/// Detections by image, label, descending score, file order; and those that share all but the last with another one.
pub fn gather(
    raw: &RawDetections,
    places: &Places,
    by_image: ByImage,
    num_labels: usize,
    threads: usize,
) -> (Detections, Tally) {
    let rows = by_image.len();
    let [mut image, mut label, mut source_row] = std::array::from_fn(|_| vec![0u32; rows]);
    let [mut x, mut y, mut w, mut h, mut score] = std::array::from_fn(|_| vec![0f64; rows]);
    let mut rest = Columns {
        image: &mut image,
        label: &mut label,
        boxes: [&mut x, &mut y, &mut w, &mut h],
        score: &mut score,
        source_row: &mut source_row,
    };
    let offsets = &by_image.offsets;
    let mut work = Vec::new();
    for range in parallel::even_ranges(offsets, parallel::pieces(threads)) {
        let (columns, later) = rest.split(offsets[range.end] - offsets[range.start]);
        work.push((range, columns));
        rest = later;
    }
    let tallies = parallel::map(work, threads, |(range, columns)| {
        let sorter = Sorter { ends: vec![0; num_labels], entries: Vec::new(), tied: Tally::new("tied-scores") };
        Gathering { raw, places, by_image: &by_image, columns, sorter }.images(range)
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
        offsets: by_image.offsets,
    };
    (detections, tied)
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    label: u32,
    row: Reference,
}

struct Sorter {
    /// Behind each label's entries of the image at hand.
    ends: Vec<usize>,
    entries: Vec<Entry>,
    tied: Tally,
}

struct Gathering<'a> {
    raw: &'a RawDetections,
    places: &'a Places,
    by_image: &'a ByImage,
    columns: Columns<'a>,
    sorter: Sorter,
}

impl Gathering<'_> {
    fn images(mut self, images: Range<usize>) -> Tally {
        let first = self.by_image.offsets[images.start];
        for image in images {
            self.sort(image);
            self.write(image, self.by_image.offsets[image] - first);
        }
        self.sorter.tied
    }

    /// The image's entries by label (counting), then descending score; rows of one score stay in file order.
    fn sort(&mut self, image: usize) {
        let Sorter { ends, entries, .. } = &mut self.sorter;
        ends.fill(0);
        let label = |row: Reference| self.places.label(row.piece(), &self.raw.pieces[row.piece()].rows[row.local()]);
        self.by_image.rows(image).for_each(|row| ends[label(row) as usize] += 1);
        let mut begin = 0;
        for end in ends.iter_mut() {
            begin += std::mem::replace(end, begin);
        }
        let unset = Entry { key: 0, label: 0, row: Reference::default() };
        entries.clear();
        entries.resize(begin, unset);
        for row in self.by_image.rows(image) {
            let stated = &self.raw.pieces[row.piece()].rows[row.local()];
            let label = self.places.label(row.piece(), stated);
            let end = &mut ends[label as usize];
            entries[*end] = Entry { key: descending(stated.score), label, row };
            *end += 1;
        }
        for group in entries.chunk_by_mut(|a, b| a.label == b.label) {
            group.sort_by_key(|entry| entry.key);
        }
    }

    fn write(&mut self, image: usize, from: usize) {
        let columns = &mut self.columns;
        let mut before: Option<(u32, u64)> = None;
        for (out, entry) in (from..).zip(&self.sorter.entries) {
            let piece = &self.raw.pieces[entry.row.piece()];
            let stated = &piece.rows[entry.row.local()];
            let number = piece.first_row + entry.row.local() as u64;
            columns.image[out] = image as u32;
            columns.label[out] = entry.label;
            let bbox = self.places.reading.bbox(stated.bbox);
            columns.boxes.iter_mut().zip(bbox).for_each(|(column, value)| column[out] = value);
            columns.score[out] = stated.score;
            columns.source_row[out] = number as u32;
            if before.replace((entry.label, entry.key)) == Some((entry.label, entry.key)) {
                self.sorter.tied.add(number, |finding| finding.value = Some(written(stated.score)));
            }
        }
    }
}
