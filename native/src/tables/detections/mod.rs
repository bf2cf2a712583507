//! Detections by image, label, descending score, file order.

mod gather;
mod order;
mod tallies;

use super::Reading;
use super::images::Images;
use super::objects::offsets;
use crate::findings::Finding;
use crate::json::results::RawDetections;
use arrow_buffer::ScalarBuffer;

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

/// `labels` runs with the file's distinct labels, those given by id first; none leaves those rows out.
pub fn build(
    raw: &RawDetections,
    images: &Images,
    labels: &[Option<u32>],
    reading: Reading,
    threads: usize,
) -> (Detections, Vec<Finding>) {
    let resolved = images.resolve(&raw.images, "unknown-image");
    let places = order::Places::new(raw, &resolved.rows, labels, reading);
    let (by_image, mut tallies) = order::by_image(raw, &places, images, threads);
    let num_labels = labels.iter().flatten().max().map_or(0, |&most| most as usize + 1);
    let (detections, tied) = gather::gather(raw, &places, by_image, num_labels, threads);
    tallies.tied = tied;
    let findings = resolved.findings.into_iter().chain(tallies.into_findings(reading.part)).collect();
    (detections, findings)
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
        Self { label: vec![0; self.len()].into(), ..self.take(&rows) }
    }

    /// Some of the rows, which must stay by image.
    pub fn take(&self, rows: &[u32]) -> Self {
        let number = |column: &ScalarBuffer<f64>| rows.iter().map(|&r| column[r as usize]).collect::<Vec<f64>>().into();
        let integer = |column: &ScalarBuffer<u32>| -> ScalarBuffer<u32> {
            rows.iter().map(|&r| column[r as usize]).collect::<Vec<u32>>().into()
        };
        let image = integer(&self.image);
        Self {
            offsets: offsets(&image, self.offsets.len() - 1),
            image,
            label: integer(&self.label),
            x: number(&self.x),
            y: number(&self.y),
            w: number(&self.w),
            h: number(&self.h),
            score: number(&self.score),
            source_row: integer(&self.source_row),
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
