//! Oddities of detections, counted.

use crate::findings::{Finding, Tally};
use crate::json::results::RawDetection;
use crate::tables::box_checks::BoxTallies;
use crate::tables::{Reading, written};

/// Counts what is odd about detections while they are placed.
pub struct Tallies {
    boxes: BoxTallies,
    out_of_range: Tally,
    pub tied: Tally,
    lowest: f64,
    highest: f64,
}

impl Default for Tallies {
    fn default() -> Self {
        Self {
            boxes: BoxTallies::default(),
            out_of_range: Tally::new("score-range"),
            tied: Tally::new("tied-scores"),
            lowest: f64::INFINITY,
            highest: f64::NEG_INFINITY,
        }
    }
}

impl Tallies {
    /// Counts what is odd about a row; whether the row is kept.
    #[inline(always)]
    pub fn note(&mut self, row: &RawDetection, number: u64, size: [f64; 2], reading: Reading) -> bool {
        if !self.boxes.note(reading.bbox(row.bbox), ("score", row.score), number, size, reading) {
            return false;
        }
        if !(0.0..=1.0).contains(&row.score) {
            self.out_of_range.add(number, |_| {});
        }
        self.lowest = self.lowest.min(row.score);
        self.highest = self.highest.max(row.score);
        true
    }

    pub fn join(&mut self, other: Tallies) {
        self.boxes.join(other.boxes);
        self.out_of_range.join(other.out_of_range);
        self.lowest = self.lowest.min(other.lowest);
        self.highest = self.highest.max(other.highest);
    }

    pub fn into_findings(self, part: bool) -> impl Iterator<Item = Finding> {
        let mut out_of_range = self.out_of_range.into_finding();
        if let Some(finding) = &mut out_of_range {
            finding.value = Some(written(self.lowest));
            finding.extra = Some(self.highest);
        }
        let kept = self.boxes.kept();
        let equal = kept > 1 && self.lowest == self.highest;
        let equal = (equal || (part && kept > 0)).then(|| Finding {
            count: kept,
            value: Some(written(self.lowest)),
            extra: Some(self.highest),
            ..Finding::new("scores-equal", 0)
        });
        let tied = if equal.is_some() && !part { None } else { self.tied.into_finding() };
        self.boxes.into_findings(part).chain([out_of_range, equal, tied].into_iter().flatten())
    }
}
