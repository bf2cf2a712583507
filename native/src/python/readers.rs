//! Readers: bytes in, what the file states out.

use super::columns::Table;
use super::data::Dataset;
use super::{PyId, bytes_of};
use crate::error;
use crate::ids::{Id, canonical_order};
use crate::json::{fields, ground_truth, results};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pyo3::create_exception!(boxscore._kernel, ParseError, PyValueError, "Bytes that are not what they should be.");

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("ParseError", module.py().get_type::<ParseError>())?;
    module.add_class::<RawGroundTruth>()?;
    module.add_class::<RawDetections>()?;
    module.add_function(wrap_pyfunction!(parse_ground_truth, module)?)?;
    module.add_function(wrap_pyfunction!(parse_results, module)?)?;
    module.add_function(wrap_pyfunction!(fetch_fields, module)?)
}

fn to_python(py: Python<'_>, error: error::ParseError, bytes: &[u8]) -> PyErr {
    let raised = ParseError::new_err(error.to_string());
    let value = raised.value(py);
    let set = || -> PyResult<()> {
        value.setattr("problem", &error.problem)?;
        value.setattr("section", error.section)?;
        value.setattr("row", error.row)?;
        value.setattr("field", &error.field)?;
        value.setattr("byte", error.byte)?;
        value.setattr("found", error::excerpt(bytes, error.byte))
    };
    match set() {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}

#[pyclass(frozen, module = "boxscore._kernel")]
pub struct RawGroundTruth(pub ground_truth::RawGroundTruth);

#[pymethods]
impl RawGroundTruth {
    #[getter]
    fn num_images(&self) -> usize {
        self.0.images.len()
    }

    #[getter]
    fn num_annotations(&self) -> u64 {
        self.0.num_annotations
    }

    #[getter]
    fn sections(&self) -> Vec<String> {
        self.0.sections.clone()
    }

    #[getter]
    fn categories(&self) -> Vec<(PyId, Option<String>)> {
        self.0.categories.iter().map(|(id, name)| (PyId(id.clone()), name.as_deref().map(str::to_owned))).collect()
    }

    #[getter]
    fn category_uses(&self) -> Vec<(PyId, u64, u64)> {
        let uses = &self.0.category_uses;
        (0..uses.len()).map(|i| (PyId(uses.ids[i].clone()), uses.first_rows[i], uses.uses[i])).collect()
    }
}

#[pyclass(frozen, module = "boxscore._kernel")]
pub struct RawDetections(pub results::RawDetections);

#[pymethods]
impl RawDetections {
    #[getter]
    fn num_rows(&self) -> u64 {
        self.0.num_rows
    }

    #[getter]
    fn label_uses(&self) -> Vec<(bool, PyId, u64, u64)> {
        let tables = [(false, &self.0.labels), (true, &self.0.names)];
        tables
            .into_iter()
            .flat_map(|(named, uses)| {
                (0..uses.len()).map(move |i| (named, PyId(uses.ids[i].clone()), uses.first_rows[i], uses.uses[i]))
            })
            .collect()
    }

    fn unknown_images(&self, dataset: &Dataset) -> Vec<PyId> {
        let resolved = dataset.images.resolve(&self.0.images, "unknown-image");
        let ids = self.0.images.ids.iter().zip(&resolved.rows);
        let unknown: Vec<Id> = ids.filter(|(_, row)| row.is_none()).map(|(id, _)| id.clone()).collect();
        canonical_order(&unknown).into_iter().map(|i| PyId(unknown[i as usize].clone())).collect()
    }
}

#[pyfunction]
fn parse_ground_truth(py: Python<'_>, data: PyBuffer<u8>, threads: usize) -> PyResult<RawGroundTruth> {
    let bytes = bytes_of(&data)?;
    let read = py.detach(|| ground_truth::read(bytes, threads.max(1)));
    read.map(RawGroundTruth).map_err(|error| to_python(py, error, bytes))
}

#[pyfunction]
fn parse_results(py: Python<'_>, data: PyBuffer<u8>, threads: usize) -> PyResult<RawDetections> {
    let bytes = bytes_of(&data)?;
    let read = py.detach(|| results::read(bytes, threads.max(1)));
    read.map(RawDetections).map_err(|error| to_python(py, error, bytes))
}

#[pyfunction]
fn fetch_fields(py: Python<'_>, data: PyBuffer<u8>, section: &str, fields: Vec<String>) -> PyResult<Table> {
    let bytes = bytes_of(&data)?;
    let read = py.detach(|| fields::read(bytes, section, &fields));
    let columns = read.map_err(|error| to_python(py, error, bytes))?;
    Table::new(fields.iter().map(String::as_str).zip(columns).collect())
}
