//! Detections and ground truths of one image that overlap, whatever their labels.

use crate::overlap::Overlap;
use crate::parallel;
use crate::tables::detections::Detections;
use crate::tables::objects::Objects;

#[derive(Debug, Default, PartialEq)]
pub struct Pairs {
    pub detection: Vec<u32>,
    pub ground_truth: Vec<u32>,
    pub overlap: Vec<f64>,
}

/// All pairs with at least `least` overlap, by detection and ground truth.
pub fn pairs(overlap: &impl Overlap, detections: &Detections, objects: &Objects, least: f64, threads: usize) -> Pairs {
    let work: Vec<usize> = detections.offsets.iter().zip(&objects.offsets).map(|(d, o)| d + o).collect();
    let ranges = parallel::even_ranges(&work, parallel::pieces(threads));
    let parts = parallel::map(ranges, threads, |images| {
        let mut part = Pairs::default();
        let mut overlaps = Vec::new();
        for image in images {
            let rows = objects.offsets[image]..objects.offsets[image + 1];
            for detection in detections.offsets[image]..detections.offsets[image + 1] {
                overlap.with_objects(detection, rows.clone(), &mut overlaps);
                for (row, &value) in rows.clone().zip(&overlaps).filter(|&(_, &value)| value >= least) {
                    part.detection.push(detection as u32);
                    part.ground_truth.push(row as u32);
                    part.overlap.push(value);
                }
            }
        }
        part
    });
    let mut all = Pairs::default();
    for part in parts {
        all.detection.extend(part.detection);
        all.ground_truth.extend(part.ground_truth);
        all.overlap.extend(part.overlap);
    }
    all
}
