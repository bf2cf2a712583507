//! Column tables: images, ground truth, detections.

pub mod detections;
pub mod images;
pub mod objects;

/// How the numbers of the files are to be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading {
    /// Boxes are `x1, y1, x2, y2` instead of `x, y, width, height`.
    pub corners: bool,
    /// Boxes without area are left out instead of kept.
    pub drop_degenerate: bool,
}

impl Reading {
    #[inline(always)]
    pub fn bbox(self, [x, y, w, h]: [f64; 4]) -> [f64; 4] {
        if self.corners { [x, y, w - x, h - y] } else { [x, y, w, h] }
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

/// A number as a person would write it.
pub fn written(value: f64) -> String {
    if value.is_nan() {
        "NaN".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() }
    } else {
        format!("{value}")
    }
}

pub fn written_box(bbox: [f64; 4]) -> String {
    format!("[{}]", bbox.map(written).join(", "))
}
