//! Columns and tables as Python sees them: Arrow's PyCapsule interface, and the buffer protocol for numbers.

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_data::ffi::FFI_ArrowArray;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::{PyBufferError, PyKeyError, PyRuntimeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Column>()?;
    module.add_class::<Table>()
}

fn arrow_error(error: arrow_schema::ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

fn capsule<'py, T: 'static + Send>(py: Python<'py>, value: T, name: &'static CStr) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, value, name)
}

#[pyclass(frozen, module = "boxscore._kernel")]
pub struct Column {
    #[pyo3(get)]
    name: String,
    array: ArrayRef,
    /// What the buffer protocol points to.
    length: [isize; 1],
    stride: [isize; 1],
}

impl Column {
    pub fn new(name: &str, array: ArrayRef) -> Self {
        let width = array.data_type().primitive_width().unwrap_or(1) as isize;
        Self { name: name.to_owned(), length: [array.len() as isize], stride: [width], array }
    }

    fn field(&self) -> Field {
        Field::new(&self.name, self.array.data_type().clone(), true)
    }

    /// Memory and `struct` format, for the kinds that the buffer protocol knows.
    fn memory(&self) -> Option<(*const c_void, &'static CStr)> {
        fn values<T: ArrowPrimitiveType>(array: &ArrayRef) -> *const c_void {
            array.as_primitive::<T>().values().as_ptr().cast()
        }
        match self.array.data_type() {
            _ if self.array.null_count() > 0 => None,
            DataType::UInt32 => Some((values::<UInt32Type>(&self.array), c"I")),
            DataType::UInt64 => Some((values::<UInt64Type>(&self.array), c"Q")),
            DataType::Int64 => Some((values::<Int64Type>(&self.array), c"q")),
            DataType::Float64 => Some((values::<Float64Type>(&self.array), c"d")),
            _ => None,
        }
    }
}

#[pymethods]
impl Column {
    #[getter]
    fn format(&self) -> String {
        self.array.data_type().to_string()
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __repr__(&self) -> String {
        format!("<Column {} {} of {}>", self.name, self.array.data_type(), self.array.len())
    }

    /// # Safety
    /// Called by the interpreter with a view to fill.
    unsafe fn __getbuffer__(slf: Bound<'_, Self>, view: *mut ffi::Py_buffer, flags: c_int) -> PyResult<()> {
        let column = slf.get();
        if flags & ffi::PyBUF_WRITABLE == ffi::PyBUF_WRITABLE {
            return Err(PyBufferError::new_err("columns are read-only"));
        }
        let Some((memory, format)) = column.memory() else {
            let problem = format!("column {} ({}) has nulls or is not numeric", column.name, column.array.data_type());
            return Err(PyBufferError::new_err(problem));
        };
        // SAFETY: the memory, the lengths and the static format live as long as the column, which the view holds.
        unsafe {
            (*view).buf = memory.cast_mut();
            (*view).len = column.length[0] * column.stride[0];
            (*view).itemsize = column.stride[0];
            (*view).readonly = 1;
            (*view).format = if flags & ffi::PyBUF_FORMAT == ffi::PyBUF_FORMAT {
                format.as_ptr().cast_mut()
            } else {
                std::ptr::null_mut()
            };
            (*view).ndim = 1;
            let wants = |flag: c_int| flags & flag == flag;
            (*view).shape = if wants(ffi::PyBUF_ND) { column.length.as_ptr().cast_mut() } else { std::ptr::null_mut() };
            (*view).strides =
                if wants(ffi::PyBUF_STRIDES) { column.stride.as_ptr().cast_mut() } else { std::ptr::null_mut() };
            (*view).suboffsets = std::ptr::null_mut();
            (*view).internal = std::ptr::null_mut();
            (*view).obj = slf.clone().into_any().into_ptr();
        }
        Ok(())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule(py, FFI_ArrowSchema::try_from(&self.field()).map_err(arrow_error)?, c"arrow_schema")
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The interface lets a producer answer with its own types.
        drop(requested_schema);
        let array = FFI_ArrowArray::new(&self.array.to_data());
        Ok((self.__arrow_c_schema__(py)?, capsule(py, array, c"arrow_array")?))
    }

    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        fn numbers<'py, T>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyList>>
        where
            T: ArrowPrimitiveType,
            T::Native: IntoPyObject<'py>,
        {
            PyList::new(py, array.as_primitive::<T>().iter())
        }
        match self.array.data_type() {
            DataType::UInt32 => numbers::<UInt32Type>(py, &self.array),
            DataType::UInt64 => numbers::<UInt64Type>(py, &self.array),
            DataType::Int64 => numbers::<Int64Type>(py, &self.array),
            DataType::Float64 => numbers::<Float64Type>(py, &self.array),
            DataType::Boolean => PyList::new(py, self.array.as_boolean().iter()),
            _ => PyList::new(py, self.array.as_string::<i32>().iter()),
        }
    }
}

#[pyclass(frozen, module = "boxscore._kernel")]
pub struct Table {
    batch: RecordBatch,
}

impl Table {
    pub fn new(columns: Vec<(&str, ArrayRef)>) -> PyResult<Self> {
        let fields: Vec<Field> =
            columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map_err(arrow_error)?;
        Ok(Self { batch })
    }
}

#[pymethods]
impl Table {
    #[getter]
    fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn column(&self, name: &str) -> PyResult<Column> {
        match self.batch.column_by_name(name) {
            Some(array) => Ok(Column::new(name, array.clone())),
            None => {
                let known = self.column_names().join(", ");
                Err(PyKeyError::new_err(format!("no column {name}; there are {known}")))
            }
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema().as_ref()).map_err(arrow_error)?;
        capsule(py, schema, c"arrow_schema")
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let schema = self.batch.schema();
        let reader = RecordBatchIterator::new([Ok(self.batch.clone())], schema);
        capsule(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} rows: {}>", self.batch.num_rows(), self.column_names().join(", "))
    }
}
