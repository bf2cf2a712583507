//! Accumulation.

use super::column_of;
use super::columns::Column;
use super::data::numbers;
use super::matching::Matches;
use crate::accumulate::{self as sums, Request, Selection};
use arrow_array::UInt64Array;
use arrow_buffer::{ArrowNativeType, Buffer, ScalarBuffer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Curves>()?;
    module.add_function(wrap_pyfunction!(accumulate, module)?)
}

/// The sums; their columns are handed out without a copy.
#[pyclass(frozen, module = "boxscore._kernel")]
pub struct Curves(sums::Curves);

fn column(name: &str, values: &ScalarBuffer<f64>) -> Column {
    Column::new(name, numbers(values))
}

impl Curves {
    fn selection<'a>(
        &self,
        area: usize,
        limit: usize,
        thresholds: &'a [usize],
        labels: &'a [usize],
    ) -> PyResult<Selection<'a>> {
        let curves = &self.0;
        if area >= curves.num_areas
            || limit >= curves.num_limits
            || thresholds.iter().any(|&t| t >= curves.num_thresholds)
            || labels.iter().any(|&label| label >= curves.num_labels)
        {
            return Err(PyValueError::new_err("area, limit, thresholds and labels are positions in these curves"));
        }
        Ok(Selection { area, limit, thresholds, labels })
    }

    fn check_kept(&self, limit: usize) -> PyResult<()> {
        if self.0.kept_limits < self.0.num_limits && limit + 1 != self.0.num_limits {
            return Err(PyValueError::new_err("precision is kept at the last limit alone; ask for every_limit"));
        }
        Ok(())
    }
}

#[pymethods]
impl Curves {
    #[staticmethod]
    fn joined(parts: Vec<PyRef<'_, Curves>>) -> PyResult<Self> {
        let parts: Vec<&sums::Curves> = parts.iter().map(|part| &part.0).collect();
        sums::Curves::joined(&parts)
            .map(Self)
            .ok_or_else(|| PyValueError::new_err("these curves are of different shapes"))
    }

    fn state<'py>(&self, py: Python<'py>) -> (Vec<usize>, Vec<Option<Bound<'py, PyBytes>>>) {
        let curves = &self.0;
        let bytes = |column: &Buffer| PyBytes::new(py, column.as_slice());
        let shape = [curves.num_labels, curves.num_areas, curves.num_thresholds, curves.num_points];
        let limits = [curves.num_limits, curves.kept_limits];
        let columns = vec![
            Some(bytes(curves.positives.inner())),
            Some(bytes(curves.precision.inner())),
            curves.scores.as_ref().map(|column| bytes(column.inner())),
            Some(bytes(curves.recall.inner())),
            curves.average_precision.as_ref().map(|column| bytes(column.inner())),
        ];
        ([&shape[..], &limits[..]].concat(), columns)
    }

    #[staticmethod]
    fn from_state(shape: [usize; 6], columns: [Option<Bound<'_, PyBytes>>; 5]) -> PyResult<Self> {
        let [num_labels, num_areas, num_thresholds, num_points, num_limits, kept_limits] = shape;
        let slots = num_labels.saturating_mul(num_areas).saturating_mul(num_thresholds);
        let kept = slots.saturating_mul(kept_limits);
        let [positives, precision, scores, recall, average_precision] = columns;
        let missing = || PyValueError::new_err("the saved curves lack a column");
        Ok(Self(sums::Curves {
            num_labels,
            num_areas,
            num_thresholds,
            num_points,
            num_limits,
            kept_limits,
            positives: restored(&positives.ok_or_else(missing)?, num_labels.saturating_mul(num_areas))?,
            precision: restored(&precision.ok_or_else(missing)?, kept.saturating_mul(num_points))?,
            scores: scores.map(|bytes| restored(&bytes, kept.saturating_mul(num_points))).transpose()?,
            recall: restored(&recall.ok_or_else(missing)?, slots.saturating_mul(num_limits))?,
            average_precision: average_precision.map(|bytes| restored(&bytes, kept)).transpose()?,
        }))
    }

    #[getter]
    fn num_labels(&self) -> usize {
        self.0.num_labels
    }
    #[getter]
    fn num_areas(&self) -> usize {
        self.0.num_areas
    }
    #[getter]
    fn num_limits(&self) -> usize {
        self.0.num_limits
    }
    #[getter]
    fn num_thresholds(&self) -> usize {
        self.0.num_thresholds
    }
    #[getter]
    fn num_points(&self) -> usize {
        self.0.num_points
    }
    #[getter]
    fn positives(&self) -> Column {
        Column::new("positives", Arc::new(UInt64Array::new(self.0.positives.clone(), None)))
    }
    #[getter]
    fn precision(&self) -> Column {
        column("precision", &self.0.precision)
    }
    #[getter]
    fn scores(&self) -> Option<Column> {
        self.0.scores.as_ref().map(|values| column("scores", values))
    }
    #[getter]
    fn recall(&self) -> Column {
        column("recall", &self.0.recall)
    }
    #[getter]
    fn average_precision(&self) -> Option<Column> {
        self.0.average_precision.as_ref().map(|values| column("average_precision", values))
    }

    #[pyo3(signature = (*, area, limit, thresholds, labels))]
    fn mean_precision(
        &self,
        area: usize,
        limit: usize,
        thresholds: Vec<usize>,
        labels: Vec<usize>,
    ) -> PyResult<Option<f64>> {
        self.check_kept(limit)?;
        Ok(self.0.mean_precision(&self.selection(area, limit, &thresholds, &labels)?))
    }

    #[pyo3(signature = (*, area, limit, thresholds, labels))]
    fn mean_recall(
        &self,
        area: usize,
        limit: usize,
        thresholds: Vec<usize>,
        labels: Vec<usize>,
    ) -> PyResult<Option<f64>> {
        Ok(self.0.mean_recall(&self.selection(area, limit, &thresholds, &labels)?))
    }

    #[pyo3(signature = (*, area, limit, thresholds, labels))]
    fn mean_average_precision(
        &self,
        area: usize,
        limit: usize,
        thresholds: Vec<usize>,
        labels: Vec<usize>,
    ) -> PyResult<Option<f64>> {
        self.check_kept(limit)?;
        if self.0.average_precision.is_none() {
            return Err(PyValueError::new_err("ask for every_point"));
        }
        Ok(self.0.mean_average_precision(&self.selection(area, limit, &thresholds, &labels)?))
    }
}

fn restored<T: ArrowNativeType>(bytes: &Bound<'_, PyBytes>, length: usize) -> PyResult<ScalarBuffer<T>> {
    let bytes = bytes.as_bytes();
    if length.checked_mul(size_of::<T>()) != Some(bytes.len()) {
        return Err(PyValueError::new_err("a column of the saved curves has the wrong length"));
    }
    Ok(ScalarBuffer::new(Buffer::from(bytes), 0, length))
}

#[pyfunction]
#[pyo3(signature = (matches, *, num_labels, num_areas, limits, recall_points, detection_weights=None,
                    object_weights=None, every_point=false, every_limit=false, scores=false, spaced=true, threads=1))]
#[expect(clippy::too_many_arguments, reason = "the request's parts by name")]
fn accumulate(
    py: Python<'_>,
    matches: &Matches,
    num_labels: usize,
    num_areas: usize,
    limits: Vec<u32>,
    recall_points: Vec<f64>,
    detection_weights: Option<Bound<'_, PyAny>>,
    object_weights: Option<Bound<'_, PyAny>>,
    every_point: bool,
    every_limit: bool,
    scores: bool,
    spaced: bool,
    threads: usize,
) -> PyResult<Curves> {
    let refuse = |problem: &str| Err(PyValueError::new_err(problem.to_owned()));
    if limits.is_empty() || !limits.is_sorted() || limits[0] == 0 {
        return refuse("limits must ascend from at least 1, and there must be one");
    }
    if !recall_points.is_sorted() {
        return refuse("recall points must ascend");
    }
    if num_areas == 0 || !matches.0.num_cells.is_multiple_of(num_areas) {
        return refuse("the cells of the matches are no multiple of num_areas");
    }
    let labels = matches.0.detections.label.iter().chain(matches.0.objects.label.iter());
    if labels.copied().max().is_some_and(|label| label as usize >= num_labels) {
        return refuse("a label is beyond num_labels");
    }
    let detection_weights = column_of::<u32>(detection_weights, "detection_weights", matches.0.num_images)?;
    let object_weights = column_of::<u32>(object_weights, "object_weights", matches.0.num_images)?;
    let request = Request {
        num_labels,
        num_areas,
        limits: &limits,
        recall_points: &recall_points,
        detection_weights: detection_weights.as_deref(),
        object_weights: object_weights.as_deref(),
        every_point,
        every_limit,
        scores,
        spaced,
    };
    Ok(Curves(py.detach(|| sums::accumulate(&matches.0, &request, threads.max(1)))))
}
