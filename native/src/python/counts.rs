//! Counts at an operating point, sweeps, confusion.

use super::column_of;
use super::columns::{Column, Table};
use super::data::{Dataset, Detections, numbers};
use super::matching::Matches;
use crate::confusion;
use crate::counts::{self, Outcomes, View};
use crate::overlap::Boxes;
use crate::pairs;
use arrow_array::{ArrayRef, UInt64Array};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(count_outcomes, module)?)?;
    module.add_function(wrap_pyfunction!(sweep_scores, module)?)?;
    module.add_function(wrap_pyfunction!(confusion_matrix, module)?)
}

fn whole(values: Vec<u64>) -> ArrayRef {
    Arc::new(UInt64Array::from(values))
}

fn refuse<T>(problem: &str) -> PyResult<T> {
    Err(PyValueError::new_err(problem.to_owned()))
}

fn check(matches: &Matches, cell: usize, num_labels: usize) -> PyResult<()> {
    if cell >= matches.0.num_cells {
        return refuse("there is no such cell");
    }
    let labels = matches.0.detections.label.iter().chain(matches.0.objects.label.iter());
    if labels.max().is_some_and(|&most| most as usize >= num_labels) {
        return refuse("a label is beyond num_labels");
    }
    Ok(())
}

#[pyfunction]
#[pyo3(signature = (matches, *, num_labels, cell=0, floors=None, weights=None, limit=u32::MAX, by="label"))]
fn count_outcomes(
    matches: &Matches,
    num_labels: usize,
    cell: usize,
    floors: Option<Bound<'_, PyAny>>,
    weights: Option<Bound<'_, PyAny>>,
    limit: u32,
    by: &str,
) -> PyResult<Table> {
    check(matches, cell, num_labels)?;
    let floors = column_of::<f64>(floors, "floors", num_labels)?;
    let weights = column_of::<u32>(weights, "weights", matches.0.num_images)?;
    let view = View { cell, floors: floors.as_deref(), weights: weights.as_deref() };
    let sums = match by {
        "label" => counts::by_label(&matches.0, &view, num_labels, limit),
        "image" => counts::by_image(&matches.0, &view, limit),
        _ => return refuse("counts are by label or by image"),
    };
    let column = |get: fn(&Outcomes) -> u64| whole(sums.iter().map(get).collect());
    Table::new(vec![
        ("objects", column(|sum| sum.objects)),
        ("true_positives", column(|sum| sum.true_positives)),
        ("false_positives", column(|sum| sum.false_positives)),
        ("ignored", column(|sum| sum.ignored)),
    ])
}

#[pyfunction]
#[pyo3(signature = (matches, *, label, cell=0, weights=None, limit=u32::MAX))]
fn sweep_scores(
    matches: &Matches,
    label: u32,
    cell: usize,
    weights: Option<Bound<'_, PyAny>>,
    limit: u32,
) -> PyResult<Table> {
    check(matches, cell, usize::MAX)?;
    let weights = column_of::<u32>(weights, "weights", matches.0.num_images)?;
    let view = View { cell, floors: None, weights: weights.as_deref() };
    let swept = counts::sweep(&matches.0, &view, label, limit);
    Table::new(vec![
        ("score", numbers(&swept.score.into())),
        ("true_positives", whole(swept.true_positives)),
        ("false_positives", whole(swept.false_positives)),
    ])
}

#[pyfunction]
#[pyo3(signature = (dataset, detections, matches, *, num_labels, least, floors=None, pixel=0.0, threads=1))]
#[expect(clippy::too_many_arguments, reason = "the matrix's parts by name")]
fn confusion_matrix(
    py: Python<'_>,
    dataset: &Dataset,
    detections: &Detections,
    matches: &Matches,
    num_labels: usize,
    least: f64,
    floors: Option<Bound<'_, PyAny>>,
    pixel: f64,
    threads: usize,
) -> PyResult<Column> {
    check(matches, 0, num_labels)?;
    let floors = column_of::<f64>(floors, "floors", num_labels)?;
    let (rows, objects) = (&detections.0, &dataset.objects);
    if rows.len() != matches.0.detections.label.len() || objects.len() != matches.0.objects.label.len() {
        return refuse("these matches were made of other tables");
    }
    let overlap = Boxes { detections: rows, objects, pixel };
    let cells = py.detach(|| {
        let pairs = pairs::pairs(&overlap, rows, objects, least, threads.max(1));
        confusion::confusion(&matches.0, &pairs, least, floors.as_deref(), num_labels)
    });
    Ok(Column::new("confusion", whole(cells)))
}
