//! Column tables: images, ground truth, detections.

pub mod box_checks;
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
    /// The rows are some of many: what a file can only tell as a whole is counted for the caller to settle.
    pub part: bool,
}

impl Reading {
    #[inline(always)]
    pub fn bbox(self, [x, y, w, h]: [f64; 4]) -> [f64; 4] {
        if self.corners { [x, y, w - x, h - y] } else { [x, y, w, h] }
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
