//! Boxes read from lines of text.

use super::columns::Table;
use super::data::{Dataset, Detections, dataset_of, integers, label_rows, numbers, stated_images};
use super::{Finding, PyId, bytes_of, to_findings, values_of};
use crate::ids::{Id, IdTable};
use crate::json::ground_truth::{self, RawAnnotation};
use crate::json::results::{self, RawDetection};
use crate::tables::{Reading, detections};
use crate::text::{self, Form, Numbers, Score};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

pyo3::create_exception!(boxscore._kernel, TextError, PyValueError, "A line that can't be read.");

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("TextError", module.py().get_type::<TextError>())?;
    module.add_class::<TextRows>()?;
    module.add_function(wrap_pyfunction!(read_text, module)?)
}

#[pyclass(frozen, module = "boxscore._kernel")]
pub struct TextRows(text::Rows);

fn to_python(py: Python<'_>, error: text::LineError) -> PyErr {
    let raised = TextError::new_err(error.problem.clone());
    let value = raised.value(py);
    let set = || -> PyResult<()> {
        value.setattr("problem", &error.problem)?;
        value.setattr("file", error.file)?;
        value.setattr("line", error.line)?;
        value.setattr("field", error.field)?;
        value.setattr("found", &error.found)
    };
    match set() {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}

#[pyfunction]
#[pyo3(signature = (files, *, score="none", numbers="xywh", relative=false, numbered=false, polygons=false, sizes=None,
                    threads=1))]
#[expect(clippy::too_many_arguments, reason = "the form's parts by name")]
fn read_text(
    py: Python<'_>,
    files: Vec<PyBuffer<u8>>,
    score: &str,
    numbers: &str,
    relative: bool,
    numbered: bool,
    polygons: bool,
    sizes: Option<Bound<'_, PyAny>>,
    threads: usize,
) -> PyResult<TextRows> {
    let unknown = |what: &str, word: &str| PyValueError::new_err(format!("no {what} {word}"));
    let form = Form {
        score: match score {
            "none" => Score::None,
            "second" => Score::Second,
            "last" => Score::Last,
            _ => return Err(unknown("place of the score", score)),
        },
        numbers: match numbers {
            "xywh" => Numbers::Corner,
            "xyxy" => Numbers::Corners,
            "cxcywh" => Numbers::Centre,
            _ => return Err(unknown("form of box", numbers)),
        },
        relative,
        numbered,
        polygons,
    };
    let sizes = sizes.map(|sizes| values_of::<f64>(&sizes, "sizes")).transpose()?.unwrap_or_default();
    if relative && sizes.len() != 2 * files.len() {
        return Err(PyValueError::new_err("relative numbers need a width and a height for each file"));
    }
    let sizes: Vec<[f64; 2]> = sizes.chunks_exact(2).map(|size| [size[0], size[1]]).collect();
    let bytes: Vec<&[u8]> = files.iter().map(bytes_of).collect::<PyResult<_>>()?;
    let read = py.detach(|| text::read(&bytes, &sizes, form, threads.max(1)));
    read.map(TextRows).map_err(|error| to_python(py, error))
}

/// Image ids as the rows use them, and each row's place among those.
fn image_uses(rows: &[text::Row], image_ids: &[Id]) -> PyResult<(IdTable, Vec<u32>)> {
    if rows.iter().any(|row| row.file as usize >= image_ids.len()) {
        return Err(PyValueError::new_err("image_ids must give an id for each file"));
    }
    let mut uses = IdTable::default();
    let places = rows.iter().zip(0..).map(|(row, number)| match &image_ids[row.file as usize] {
        Id::Integer(value) => uses.integer(*value, number),
        id => uses.insert(id.clone(), number, 1),
    });
    let places = places.collect();
    Ok((uses, places))
}

/// Rows a piece.
const PIECE: usize = 1 << 14;

fn identity(count: usize) -> Vec<u32> {
    (0..count as u32).collect()
}

#[pymethods]
impl TextRows {
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.rows.len()
    }

    #[getter]
    fn polygons(&self) -> u64 {
        self.0.polygons
    }

    #[getter]
    fn label_uses(&self) -> Vec<(PyId, u64, u64)> {
        let uses = &self.0.labels;
        (0..uses.len()).map(|i| (PyId(uses.ids[i].clone()), uses.first_rows[i], uses.uses[i])).collect()
    }

    /// File and line (from 1) of a row.
    fn place(&self, row: usize) -> PyResult<(u32, u32)> {
        let found = self.0.rows.get(row).ok_or_else(|| PyValueError::new_err("there is no such row"))?;
        Ok((found.file, found.line))
    }

    #[getter]
    fn table(&self) -> PyResult<Table> {
        let rows = &self.0.rows;
        let whole = |get: fn(&text::Row) -> u32| integers(&rows.iter().map(get).collect::<Vec<u32>>().into());
        let number = |get: fn(&text::Row) -> f64| numbers(&rows.iter().map(get).collect::<Vec<f64>>().into());
        Table::new(vec![
            ("file", whole(|row| row.file)),
            ("line", whole(|row| row.line)),
            ("label", whole(|row| row.label)),
            ("x", number(|row| row.bbox[0])),
            ("y", number(|row| row.bbox[1])),
            ("w", number(|row| row.bbox[2])),
            ("h", number(|row| row.bbox[3])),
            ("score", number(|row| row.score)),
        ])
    }

    #[pyo3(signature = (image_ids, labels, *, file_names=None, sizes=None, drop_degenerate=false))]
    fn build_dataset(
        &self,
        image_ids: Vec<PyId>,
        labels: Vec<i64>,
        file_names: Option<Vec<Option<String>>>,
        sizes: Option<Bound<'_, PyAny>>,
        drop_degenerate: bool,
    ) -> PyResult<(Dataset, Vec<Finding>)> {
        let image_ids: Vec<Id> = image_ids.into_iter().map(|id| id.0).collect();
        let labels = label_rows(labels, self.0.labels.len())?;
        let (uses, places) = image_uses(&self.0.rows, &image_ids)?;
        let annotation = |(row, &image): (&text::Row, &u32)| RawAnnotation {
            id: None,
            bbox: row.bbox,
            area: Some(row.bbox[2] * row.bbox[3]),
            image,
            label: row.label,
            crowd: false,
            ignore: false,
            difficult: false,
            group_of: false,
        };
        let piece = ground_truth::Piece {
            rows: self.0.rows.iter().zip(&places).map(annotation).collect(),
            first_row: 0,
            images: identity(uses.len()),
            labels: identity(self.0.labels.len()),
        };
        let raw = ground_truth::RawGroundTruth {
            images: stated_images(image_ids, file_names, sizes)?,
            pieces: vec![piece],
            num_annotations: self.0.rows.len() as u64,
            image_uses: uses,
            ..Default::default()
        };
        Ok(dataset_of(&raw, &labels, Reading { drop_degenerate, ..Reading::default() }))
    }

    #[pyo3(signature = (dataset, image_ids, labels, *, drop_degenerate=false, threads=1))]
    fn build_detections(
        &self,
        py: Python<'_>,
        dataset: &Dataset,
        image_ids: Vec<PyId>,
        labels: Vec<i64>,
        drop_degenerate: bool,
        threads: usize,
    ) -> PyResult<(Detections, Vec<Finding>)> {
        let image_ids: Vec<Id> = image_ids.into_iter().map(|id| id.0).collect();
        let labels = label_rows(labels, self.0.labels.len())?;
        let (images, places) = image_uses(&self.0.rows, &image_ids)?;
        let detection = |(row, &image): (&text::Row, &u32)| RawDetection {
            bbox: row.bbox,
            score: row.score,
            image,
            label: row.label,
        };
        // In pieces, as a file of JSON would come, so that threads can share them.
        let piece = |(number, (rows, places)): (usize, (&[text::Row], &[u32]))| results::Piece {
            rows: rows.iter().zip(places).map(detection).collect(),
            first_row: (number * PIECE) as u64,
            images: identity(images.len()),
            labels: identity(self.0.labels.len()),
        };
        let pieces = self.0.rows.chunks(PIECE).zip(places.chunks(PIECE)).enumerate().map(piece).collect();
        let mut by_id = IdTable::default();
        self.0.labels.ids.iter().for_each(|id| {
            by_id.insert(id.clone(), 0, 1);
        });
        let raw = results::RawDetections {
            pieces,
            num_rows: self.0.rows.len() as u64,
            images,
            labels: by_id,
            names: IdTable::default(),
        };
        let reading = Reading { drop_degenerate, ..Reading::default() };
        let build = || detections::build(&raw, &dataset.images, &labels, reading, threads.max(1));
        let (rows, findings) = py.detach(build);
        Ok((Detections(Arc::new(rows)), to_findings(findings)))
    }
}
