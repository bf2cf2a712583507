//! The bindings: conversions only.

mod columns;
mod counts;
mod curves;
mod data;
mod matching;
mod readers;
mod resample;
mod text;

use crate::findings;
use crate::ids::Id;
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

#[pymodule]
fn _kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Finding>()?;
    columns::register(module)?;
    readers::register(module)?;
    data::register(module)?;
    matching::register(module)?;
    curves::register(module)?;
    counts::register(module)?;
    resample::register(module)?;
    text::register(module)
}

/// An id on its way from or to Python: an int within 64 bits, or a str.
pub struct PyId(pub Id);

impl<'a, 'py> FromPyObject<'a, 'py> for PyId {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Self(Id::Text(text.to_str()?.into())));
        }
        let value = object.extract::<i64>().map(i128::from).or_else(|_| object.extract::<u64>().map(i128::from));
        value.map(|value| Self(Id::Integer(value))).map_err(|_| PyTypeError::new_err("an id is a 64-bit int or a str"))
    }
}

impl<'py> IntoPyObject<'py> for PyId {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.0 {
            Id::Text(text) => PyString::new(py, &text).into_any(),
            Id::Integer(value) => match i64::try_from(value) {
                Ok(value) => value.into_pyobject(py)?.into_any(),
                Err(_) => (value as u64).into_pyobject(py)?.into_any(),
            },
        })
    }
}

#[pyclass(frozen, module = "boxscore._kernel")]
pub struct Finding(findings::Finding);

#[pymethods]
impl Finding {
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code
    }
    #[getter]
    fn count(&self) -> u64 {
        self.0.count
    }
    #[getter]
    fn row(&self) -> u64 {
        self.0.row
    }
    #[getter]
    fn other(&self) -> Option<u64> {
        self.0.other
    }
    #[getter]
    fn field(&self) -> Option<&'static str> {
        self.0.field
    }
    #[getter]
    fn value(&self) -> Option<&str> {
        self.0.value.as_deref()
    }
    #[getter]
    fn extra(&self) -> Option<f64> {
        self.0.extra
    }
    fn __repr__(&self) -> String {
        format!("{:?}", self.0)
    }
}

pub fn to_findings(findings: Vec<findings::Finding>) -> Vec<Finding> {
    findings.into_iter().map(Finding).collect()
}

/// The bytes of a buffer, for as long as the buffer is held. The caller must not let them change meanwhile.
pub fn bytes_of(buffer: &PyBuffer<u8>) -> PyResult<&[u8]> {
    if !buffer.is_c_contiguous() {
        return Err(PyValueError::new_err("the bytes must lie side by side"));
    }
    if buffer.item_count() == 0 {
        return Ok(&[]);
    }
    // SAFETY: the buffer is contiguous, holds `item_count` bytes, and lives as long as the slice.
    Ok(unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast::<u8>(), buffer.item_count()) })
}

/// A numeric column that a user brings, copied.
pub fn values_of<T: Element>(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<T>> {
    let wrong = |error: PyErr| PyTypeError::new_err(format!("{name}: {error}"));
    let buffer = PyBuffer::<T>::get(object).map_err(wrong)?;
    if cfg!(target_endian = "little") && buffer.format().to_bytes().starts_with(b">") {
        return Err(wrong(PyTypeError::new_err("the numbers are in big-endian order")));
    }
    buffer.to_vec(object.py()).map_err(wrong)
}

/// A user's column, if there is one, of the length that it must have.
pub fn column_of<T: Element>(column: Option<Bound<'_, PyAny>>, name: &str, length: usize) -> PyResult<Option<Vec<T>>> {
    let values = column.map(|column| values_of::<T>(&column, name)).transpose()?;
    match &values {
        Some(values) if values.len() != length => {
            Err(PyValueError::new_err(format!("{name} has {} values, {length} are needed", values.len())))
        }
        _ => Ok(values),
    }
}
