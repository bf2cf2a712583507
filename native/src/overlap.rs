//! Overlaps of detections with ground truth. A matching rule sees these, never a geometry.

use crate::tables::detections::Detections;
use crate::tables::objects::{CROWD, Objects};
use std::ops::Range;

/// One geometry: boxes now, others beside them later.
pub trait Overlap: Sync {
    /// Overlap of a detection with each of some objects, in their order. With a crowd it is the intersection over the
    /// detection's own area, else intersection over union.
    fn with_objects(&self, detection: usize, objects: Range<usize>, out: &mut Vec<f64>);

    /// The detection's area in square pixels.
    fn detection_area(&self, detection: usize) -> f64;

    /// The object's own area in square pixels, whatever the file states.
    fn object_area(&self, object: usize) -> f64;
}

/// Boxes `x, y, w, h`, in the order of operations of pycocotools' `bbIou`.
pub struct Boxes<'a> {
    pub detections: &'a Detections,
    pub objects: &'a Objects,
    /// What a box is longer than its corners lie apart: 0 where corners are points, 1 where they are the first and the
    /// last pixel.
    pub pixel: f64,
}

/// Intersection over union of two detections' boxes.
pub fn between(detections: &Detections, a: usize, b: usize, pixel: f64) -> f64 {
    let span = |at: &[f64], size: &[f64]| ((size[a] + at[a]).min(size[b] + at[b]) - at[a].max(at[b]) + pixel).max(0.0);
    let area = |row: usize| (detections.w[row] + pixel) * (detections.h[row] + pixel);
    let intersection = span(&detections.x, &detections.w) * span(&detections.y, &detections.h);
    if intersection > 0.0 { intersection / (area(a) + area(b) - intersection) } else { 0.0 }
}

impl Overlap for Boxes<'_> {
    #[inline]
    fn with_objects(&self, detection: usize, objects: Range<usize>, out: &mut Vec<f64>) {
        let (d, g) = (self.detections, self.objects);
        let (dx, dy, dw, dh) = (d.x[detection], d.y[detection], d.w[detection], d.h[detection]);
        let pixel = self.pixel;
        let area = (dw + pixel) * (dh + pixel);
        out.clear();
        out.extend(objects.map(|o| {
            let w = (dw + dx).min(g.w[o] + g.x[o]) - dx.max(g.x[o]) + pixel;
            let h = (dh + dy).min(g.h[o] + g.y[o]) - dy.max(g.y[o]) + pixel;
            if w <= 0.0 || h <= 0.0 {
                return 0.0;
            }
            let intersection = w * h;
            if g.flags[o] & CROWD != 0 {
                return intersection / area;
            }
            let own = (g.w[o] + pixel) * (g.h[o] + pixel);
            intersection / (area + own - intersection)
        }));
    }

    #[inline]
    fn detection_area(&self, detection: usize) -> f64 {
        self.detections.w[detection] * self.detections.h[detection]
    }

    #[inline]
    fn object_area(&self, object: usize) -> f64 {
        self.objects.w[object] * self.objects.h[object]
    }
}
