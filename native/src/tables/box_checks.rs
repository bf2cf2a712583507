//! What can be odd about a box, counted alike for ground truth and detections.

use super::{Reading, written, written_box};
use crate::findings::{Finding, Tally};
use crate::tables::images::Images;

/// Boxes may reach this far beyond their image, in pixels, before it is worth a word: rounding does that.
const MARGIN: f64 = 1.0;

pub struct BoxTallies {
    non_finite: Tally,
    degenerate: Tally,
    outside: Tally,
    corners: Tally,
    kept: u64,
    /// The farthest corner of all, and the first row.
    farthest: f64,
    first: u64,
}

impl Default for BoxTallies {
    fn default() -> Self {
        Self {
            non_finite: Tally::new("non-finite"),
            degenerate: Tally::new("degenerate"),
            outside: Tally::new("outside-image"),
            corners: Tally::new("corner-suspect"),
            kept: 0,
            farthest: 0.0,
            first: u64::MAX,
        }
    }
}

/// The first number of a box that is no number, or makes none: `Some` names its field and gives the number.
#[inline(always)]
pub fn not_finite([x, y, w, h]: [f64; 4]) -> Option<(&'static str, f64)> {
    // One test for the usual case: sums and products of finite numbers of sane size are finite.
    if (x + w).is_finite() && (y + h).is_finite() && (w * h).is_finite() {
        return None;
    }
    [x, y, w, h].into_iter().find(|v| !v.is_finite()).map(|v| ("bbox", v)).or(Some(("area of bbox", w * h)))
}

/// `width` or `height` and the number, where a box has no area.
#[inline(always)]
pub fn degenerate([_, _, w, h]: [f64; 4]) -> Option<(&'static str, f64)> {
    if w > 0.0 && h > 0.0 {
        None
    } else if w <= 0.0 {
        Some(("width", w))
    } else {
        Some(("height", h))
    }
}

/// Width and height of each image, infinite where they are not known.
pub fn sizes(images: &Images) -> Vec<[f64; 2]> {
    let known = |size: Option<f64>| size.unwrap_or(f64::INFINITY);
    images.widths.iter().zip(&images.heights).map(|(&w, &h)| [known(w), known(h)]).collect()
}

impl BoxTallies {
    /// Counts what is odd about a row's box, `other` being a further number of the row with its field; whether the row
    /// is kept.
    #[inline(always)]
    pub fn note(
        &mut self,
        bbox: [f64; 4],
        other: (&'static str, f64),
        row: u64,
        size: [f64; 2],
        reading: Reading,
    ) -> bool {
        let bad = (!other.1.is_finite()).then_some(other);
        if let Some(odd) = not_finite(bbox).or(bad) {
            add(&mut self.non_finite, row, odd);
            return false;
        }
        if let Some(odd) = degenerate(bbox) {
            add(&mut self.degenerate, row, odd);
            if reading.drop_degenerate {
                return false;
            }
        }
        let [x, y, w, h] = bbox;
        let [width, height] = size;
        if x < -MARGIN || y < -MARGIN || x + w > width + MARGIN || y + h > height + MARGIN {
            self.outside.add(row, |finding| finding.value = Some(written_box(bbox)));
            let inside = x >= 0.0 && y >= 0.0 && w > x && h > y && w <= width + MARGIN && h <= height + MARGIN;
            if inside && !reading.corners {
                self.corners.add(row, |finding| finding.value = Some(written_box(bbox)));
            }
        }
        self.farthest = self.farthest.max(x + w).max(y + h);
        self.first = self.first.min(row);
        self.kept += 1;
        true
    }

    /// Rows that are kept.
    pub fn kept(&self) -> u64 {
        self.kept
    }

    pub fn join(&mut self, other: BoxTallies) {
        self.non_finite.join(other.non_finite);
        self.degenerate.join(other.degenerate);
        self.outside.join(other.outside);
        self.corners.join(other.corners);
        self.farthest = self.farthest.max(other.farthest);
        self.first = self.first.min(other.first);
        self.kept += other.kept;
    }

    pub fn into_findings(self, part: bool) -> impl Iterator<Item = Finding> {
        // Boxes do run over the border, but one in ten that would lie inside as corners is no accident.
        let suspect = self.corners.count() * 10 >= self.kept;
        let corners = self.corners.into_finding().filter(|_| suspect || part);
        // A box of a pixel or less at the origin is no object; a file of nothing else is in shares of the image.
        let unit = self.kept > 0 && self.farthest > 0.0 && self.farthest <= 1.0;
        let unit = (unit || (part && self.kept > 0)).then(|| Finding {
            count: self.kept,
            value: Some(written(self.farthest)),
            ..Finding::new("unit-boxes", self.first)
        });
        let counted = [self.non_finite, self.degenerate, self.outside].map(Tally::into_finding);
        counted.into_iter().chain([corners, unit]).flatten()
    }
}

fn add(tally: &mut Tally, row: u64, (field, value): (&'static str, f64)) {
    tally.add(row, |finding| {
        finding.field = Some(field);
        finding.value = Some(written(value));
    });
}
