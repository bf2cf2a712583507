//! Figures and counts under many weightings.

use super::columns::Column;
use super::data::numbers;
use super::matching::Matches;
use super::{column_of, values_of};
use crate::matches::Matches as Rows;
use crate::resample::{self, CountRequest, Draw, Figure, Kind, Mode, Plan, Request, TooMany};
use arrow_array::{UInt32Array, UInt64Array};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Draws>()?;
    module.add_function(wrap_pyfunction!(resample_figures, module)?)?;
    module.add_function(wrap_pyfunction!(resample_counts, module)?)
}

fn refuse<T>(problem: &str) -> PyResult<T> {
    Err(PyValueError::new_err(problem.to_owned()))
}

/// What is drawn.
#[pyclass(frozen, module = "boxscore._kernel")]
pub struct Draws {
    plan: Plan,
    mode: Mode,
}

#[pymethods]
impl Draws {
    #[new]
    #[pyo3(signature = (units, num_units, *, replicates, first=0, seed=None, given=None, swap=false))]
    fn new(
        units: &Bound<'_, PyAny>,
        num_units: usize,
        replicates: usize,
        first: usize,
        seed: Option<u64>,
        given: Option<Bound<'_, PyAny>>,
        swap: bool,
    ) -> PyResult<Self> {
        let units = values_of::<u32>(units, "units")?;
        if units.iter().any(|&unit| unit as usize >= num_units) {
            return refuse("a unit is beyond num_units");
        }
        if first.saturating_add(replicates) > u32::MAX as usize {
            return refuse("there can be at most 2^32 - 1 replicates");
        }
        let given = column_of::<u32>(given, "given", replicates * num_units)?;
        if given.iter().flatten().any(|&number| number > if swap { 1 } else { i32::MAX as u32 }) {
            return refuse("a weight is too large");
        }
        let draw = match (given, seed, swap) {
            (Some(given), None, _) => Draw::Given(given),
            (None, Some(seed), false) => Draw::Bootstrap { seed },
            (None, Some(seed), true) => Draw::Coins { seed },
            _ => return refuse("give a seed, or what is drawn"),
        };
        let mode = if swap { Mode::Swap } else { Mode::Copies };
        Ok(Self { plan: Plan { units, num_units, replicates, first, draw }, mode })
    }

    fn replicate(&self, replicate: usize) -> PyResult<Column> {
        if replicate >= self.plan.replicates {
            return refuse("there is no such replicate");
        }
        Ok(Column::new("units", Arc::new(UInt32Array::from(self.plan.replicate(replicate)))))
    }
}

impl Draws {
    fn check<'a>(&self, matches: &'a [PyRef<'_, Matches>], num_labels: usize) -> PyResult<Vec<&'a Rows>> {
        let images = self.plan.units.len() * if self.mode == Mode::Swap { 2 } else { 1 };
        let models: Vec<&Rows> = matches.iter().map(|model| &model.0).collect();
        for model in &models {
            if model.num_images != images {
                return refuse("matches have another number of images than there are units");
            }
            if model.num_cells != models[0].num_cells {
                return refuse("matches have different cells");
            }
            let labels = model.detections.label.iter().chain(model.objects.label.iter());
            if labels.copied().max().is_some_and(|label| label as usize >= num_labels) {
                return refuse("a label is beyond num_labels");
            }
        }
        Ok(models)
    }
}

fn too_many(_: TooMany) -> PyErr {
    PyValueError::new_err("more than 2^31 detections and objects count under these weights")
}

type PyFigure = (String, usize, usize, Vec<usize>, Vec<usize>);

fn figures_of(figures: Vec<PyFigure>, request: &Request, thresholds: usize) -> PyResult<Vec<Figure>> {
    let figure = |(kind, area, limit, own, labels): PyFigure| {
        let kind = match kind.as_str() {
            "precision" => Kind::Precision,
            "recall" => Kind::Recall,
            "objects" => Kind::Objects,
            _ => return refuse("a figure is precision, recall or objects"),
        };
        if area >= request.num_areas
            || limit >= request.limits.len()
            || own.iter().any(|&threshold| threshold >= thresholds)
            || labels.iter().any(|&label| label >= request.num_labels)
        {
            return refuse("area, limit, thresholds and labels of a figure are positions");
        }
        Ok(Figure { kind, area, limit, thresholds: own, labels })
    };
    figures.into_iter().map(figure).collect()
}

#[pyfunction]
#[pyo3(signature = (matches, figures, draws, *, num_labels, num_areas, limits, recall_points, every_point=false,
                    spaced=true, threads=1))]
#[expect(clippy::too_many_arguments, reason = "the request's parts by name")]
fn resample_figures(
    py: Python<'_>,
    matches: Vec<PyRef<'_, Matches>>,
    figures: Vec<PyFigure>,
    draws: &Draws,
    num_labels: usize,
    num_areas: usize,
    limits: Vec<u32>,
    recall_points: Vec<f64>,
    every_point: bool,
    spaced: bool,
    threads: usize,
) -> PyResult<Column> {
    let models = draws.check(&matches, num_labels)?;
    let Some(cells) = models.first().map(|model| model.num_cells) else { return refuse("there are no matches") };
    if limits.is_empty() || !limits.is_sorted() || limits[0] == 0 {
        return refuse("limits must ascend from at least 1, and there must be one");
    }
    if !recall_points.is_sorted() || recall_points.len() > usize::from(u16::MAX) {
        return refuse("recall points must ascend, and there are at most 65,535");
    }
    if num_areas == 0 || !cells.is_multiple_of(num_areas) {
        return refuse("the cells of the matches are no multiple of num_areas");
    }
    let mut request = Request { num_labels, num_areas, limits, recall_points, every_point, spaced, figures: vec![] };
    request.figures = figures_of(figures, &request, cells / num_areas)?;
    let found = py.detach(|| resample::resample(&models, &request, &draws.plan, draws.mode, threads.max(1)));
    Ok(Column::new("figures", numbers(&found.map_err(too_many)?.into())))
}

#[pyfunction]
#[pyo3(signature = (matches, draws, *, num_labels, cell, limit, floors, threads=1))]
#[expect(clippy::too_many_arguments, reason = "the request's parts by name")]
fn resample_counts(
    py: Python<'_>,
    matches: Vec<PyRef<'_, Matches>>,
    draws: &Draws,
    num_labels: usize,
    cell: usize,
    limit: u32,
    floors: Vec<Option<Vec<f64>>>,
    threads: usize,
) -> PyResult<Column> {
    let models = draws.check(&matches, num_labels)?;
    let length = num_labels * if draws.mode == Mode::Swap { 2 } else { 1 };
    if floors.len() != models.len() || floors.iter().flatten().any(|own| own.len() != length) {
        return refuse("floors must be one list for each of the matches, with one for each label");
    }
    if models.iter().any(|model| cell >= model.num_cells) {
        return refuse("there is no such cell");
    }
    let request = CountRequest { num_labels, cell, limit, floors };
    let found = py.detach(|| resample::count(&models, &request, &draws.plan, draws.mode, threads.max(1)));
    Ok(Column::new("counts", Arc::new(UInt64Array::from(found.map_err(too_many)?))))
}
