//! Where each stated row goes: first to its image, in file order.

use super::tallies::Tallies;
use crate::json::results::{NAMED, Piece, RawDetection, RawDetections};
use crate::parallel;
use crate::tables::Reading;
use crate::tables::box_checks::{degenerate, not_finite, sizes};
use crate::tables::images::Images;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

const NONE: u32 = u32::MAX;

/// Row numbers of images and labels, for the numbers that one piece of the file gives them.
struct PieceMap {
    images: Vec<u32>,
    labels: Vec<u32>,
    names: Vec<u32>,
}

/// Where rows go, by piece.
pub struct Places {
    maps: Vec<PieceMap>,
    pub reading: Reading,
}

impl Places {
    /// `images` and `labels` run with the file's distinct ids; none leaves rows out.
    pub fn new(raw: &RawDetections, images: &[Option<u32>], labels: &[Option<u32>], reading: Reading) -> Self {
        let (by_id, by_name) = labels.split_at(raw.labels.len());
        let map = |own: &[u32], rows: &[Option<u32>]| own.iter().map(|&id| rows[id as usize].unwrap_or(NONE)).collect();
        let names: Vec<u32> = by_name.iter().map(|row| row.unwrap_or(NONE)).collect();
        let of_piece = |piece: &Piece| PieceMap {
            images: map(&piece.images, images),
            labels: map(&piece.labels, by_id),
            names: names.clone(),
        };
        Self { maps: raw.pieces.iter().map(of_piece).collect(), reading }
    }

    /// Image and label of a row, if both are known.
    #[inline(always)]
    fn of(&self, piece: usize, row: &RawDetection) -> Option<(u32, u32)> {
        let image = self.maps[piece].images[row.image as usize];
        let label = self.label(piece, row);
        (image != NONE && label != NONE).then_some((image, label))
    }

    /// Label of a row, `NONE` where it is not known.
    #[inline(always)]
    pub fn label(&self, piece: usize, row: &RawDetection) -> u32 {
        let map = &self.maps[piece];
        if row.label < NAMED { map.labels[row.label as usize] } else { map.names[(row.label - NAMED) as usize] }
    }

    /// Whether a row of a known image and label makes a detection.
    #[inline(always)]
    fn keeps(&self, row: &RawDetection) -> bool {
        let bbox = self.reading.bbox(row.bbox);
        let dropped = self.reading.drop_degenerate && degenerate(bbox).is_some();
        not_finite(bbox).is_none() && row.score.is_finite() && !dropped
    }
}

/// A row as piece and place in it.
#[derive(Clone, Copy, Default)]
pub struct Reference(u64);

impl Reference {
    pub fn piece(self) -> usize {
        (self.0 >> 32) as usize
    }

    pub fn local(self) -> usize {
        (self.0 & 0xFFFF_FFFF) as usize
    }
}

/// The kept rows by image and file order.
pub struct ByImage {
    references: Vec<AtomicU64>,
    /// Those of image i are `offsets[i]..offsets[i + 1]`.
    pub offsets: Vec<usize>,
}

impl ByImage {
    pub fn rows(&self, image: usize) -> impl Iterator<Item = Reference> + '_ {
        let rows = &self.references[self.offsets[image]..self.offsets[image + 1]];
        rows.iter().map(|row| Reference(row.load(Ordering::Relaxed)))
    }

    pub fn len(&self) -> usize {
        self.references.len()
    }
}

struct Scan {
    /// Rows kept per image.
    counts: Vec<u32>,
    tallies: Tallies,
}

/// Puts rows to their images, and counts what is odd about them.
pub fn by_image(raw: &RawDetections, places: &Places, images: &Images, threads: usize) -> (ByImage, Tallies) {
    let ends = raw.pieces.iter().map(|piece| piece.first_row as usize + piece.rows.len());
    let rows_before: Vec<usize> = std::iter::once(0).chain(ends).collect();
    let groups = parallel::even_ranges(&rows_before, threads);
    let scans = parallel::map(groups.clone(), threads, |group| scan(raw, group, places, images));
    let (starts, offsets) = starts(&scans, images.len());
    // Each place is written once, by whichever thread has the row: relaxed atomic stores are plain stores.
    let references: Vec<AtomicU64> = (0..offsets[images.len()]).map(|_| AtomicU64::new(0)).collect();
    let work: Vec<(Range<usize>, Vec<usize>)> = groups.into_iter().zip(starts).collect();
    parallel::map(work, threads, |(group, next)| scatter(raw, group, places, next, &references));
    let mut tallies = Tallies::default();
    scans.into_iter().for_each(|scan| tallies.join(scan.tallies));
    (ByImage { references, offsets }, tallies)
}

fn scan(raw: &RawDetections, group: Range<usize>, places: &Places, images: &Images) -> Scan {
    let mut scan = Scan { counts: vec![0; images.len()], tallies: Tallies::default() };
    let sizes = sizes(images);
    for index in group {
        let piece = &raw.pieces[index];
        for (number, row) in (piece.first_row..).zip(&piece.rows) {
            if let Some((image, _)) = places.of(index, row) {
                let kept = scan.tallies.note(row, number, sizes[image as usize], places.reading);
                scan.counts[image as usize] += u32::from(kept);
            }
        }
    }
    scan
}

/// Where each scan's rows of each image begin, and where each image's do.
fn starts(scans: &[Scan], num_images: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
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
    (starts, offsets)
}

fn scatter(raw: &RawDetections, group: Range<usize>, places: &Places, mut next: Vec<usize>, to: &[AtomicU64]) {
    for index in group {
        for (local, row) in raw.pieces[index].rows.iter().enumerate() {
            if let Some((image, _)) = places.of(index, row).filter(|_| places.keeps(row)) {
                let place = &mut next[image as usize];
                to[*place].store((index as u64) << 32 | local as u64, Ordering::Relaxed);
                *place += 1;
            }
        }
    }
}
