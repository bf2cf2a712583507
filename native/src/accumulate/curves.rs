//! The sums of all labels, and means over them.

use crate::sum;
use arrow_buffer::ScalarBuffer;

#[derive(Debug, PartialEq)]
pub struct Curves {
    pub num_labels: usize,
    pub num_areas: usize,
    pub num_thresholds: usize,
    pub num_points: usize,
    pub num_limits: usize,
    /// Limits for which precision is kept: all, or the last.
    pub kept_limits: usize,
    /// All columns are shared with whoever asks for them. [labels, areas]
    pub positives: ScalarBuffer<u64>,
    /// [labels, areas, kept limits, thresholds, points]
    pub precision: ScalarBuffer<f64>,
    pub scores: Option<ScalarBuffer<f64>>,
    /// [labels, areas, limits, thresholds]
    pub recall: ScalarBuffer<f64>,
    /// [labels, areas, kept limits, thresholds]
    pub average_precision: Option<ScalarBuffer<f64>>,
}

/// Which cells and labels a mean goes over.
pub struct Selection<'a> {
    pub area: usize,
    pub limit: usize,
    pub thresholds: &'a [usize],
    pub labels: &'a [usize],
}

impl Curves {
    /// The labels of several curves one after another; none where they are of different shapes, or there are none.
    pub fn joined(parts: &[&Curves]) -> Option<Curves> {
        let first = parts.first()?;
        let shape = |curves: &Curves| {
            let kept = (curves.scores.is_some(), curves.average_precision.is_some(), curves.kept_limits);
            (curves.num_areas, curves.num_thresholds, curves.num_points, curves.num_limits, kept)
        };
        if parts.iter().any(|part| shape(part) != shape(first)) {
            return None;
        }
        let column = |get: fn(&Curves) -> Option<&[f64]>| -> Option<ScalarBuffer<f64>> {
            let columns: Option<Vec<&[f64]>> = parts.iter().map(|part| get(part)).collect();
            columns.map(|columns| columns.concat().into())
        };
        Some(Curves {
            num_labels: parts.iter().map(|part| part.num_labels).sum(),
            num_areas: first.num_areas,
            num_thresholds: first.num_thresholds,
            num_points: first.num_points,
            num_limits: first.num_limits,
            kept_limits: first.kept_limits,
            positives: parts.iter().map(|part| &part.positives[..]).collect::<Vec<_>>().concat().into(),
            precision: column(|part| Some(&part.precision))?,
            scores: column(|part| part.scores.as_deref()),
            recall: column(|part| Some(&part.recall))?,
            average_precision: column(|part| part.average_precision.as_deref()),
        })
    }

    fn present<'a>(&'a self, selection: &'a Selection) -> impl Iterator<Item = usize> + Clone + 'a {
        let labels = selection.labels.iter().copied();
        labels.filter(move |&label| self.positives[label * self.num_areas + selection.area] > 0)
    }

    /// Place of a limit among those for which precision is kept.
    fn kept(&self, limit: usize) -> usize {
        if self.kept_limits == self.num_limits { limit } else { 0 }
    }

    /// In threshold, recall, label order, as `numpy.mean` over pycocotools' arrays goes.
    pub fn mean_precision(&self, selection: &Selection) -> Option<f64> {
        let mut values = Vec::new();
        for &threshold in selection.thresholds {
            let starts: Vec<usize> = self
                .present(selection)
                .map(|label| {
                    let slot =
                        (label * self.num_areas + selection.area) * self.kept_limits + self.kept(selection.limit);
                    (slot * self.num_thresholds + threshold) * self.num_points
                })
                .collect();
            for point in 0..self.num_points {
                values.extend(starts.iter().map(|start| self.precision[start + point]));
            }
        }
        sum::mean(&values)
    }

    pub fn mean_recall(&self, selection: &Selection) -> Option<f64> {
        self.mean_of(&self.recall, self.num_limits, selection.limit, selection)
    }

    pub fn mean_average_precision(&self, selection: &Selection) -> Option<f64> {
        let average = self.average_precision.as_ref()?;
        self.mean_of(average, self.kept_limits, self.kept(selection.limit), selection)
    }

    fn mean_of(&self, column: &[f64], limits: usize, limit: usize, selection: &Selection) -> Option<f64> {
        let mut values = Vec::new();
        for &threshold in selection.thresholds {
            values.extend(self.present(selection).map(|label| {
                let slot = (label * self.num_areas + selection.area) * limits + limit;
                column[slot * self.num_thresholds + threshold]
            }));
        }
        sum::mean(&values)
    }
}
