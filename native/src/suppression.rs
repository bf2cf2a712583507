//! Non-maximum suppression: of detections that overlap much, in one image and label, the best alone stays.

use crate::overlap::between;
use crate::parallel;
use crate::tables::detections::Detections;

/// Rows that stay: no better one of their image and label overlaps them by `most` or more, among those that stay.
/// The table is by descending score already.
pub fn survivors(detections: &Detections, most: f64, pixel: f64, threads: usize) -> Vec<u32> {
    let ranges = parallel::even_ranges(&detections.offsets, parallel::pieces(threads));
    let parts = parallel::map(ranges, threads, |images| {
        let mut kept: Vec<u32> = Vec::new();
        for image in images {
            let begin = kept.len();
            for row in detections.offsets[image]..detections.offsets[image + 1] {
                let better = kept[begin..].iter().rev().map(|&other| other as usize);
                let mut rivals = better.take_while(|&other| detections.label[other] == detections.label[row]);
                if rivals.all(|other| between(detections, other, row, pixel) < most) {
                    kept.push(row as u32);
                }
            }
        }
        kept
    });
    parts.concat()
}
