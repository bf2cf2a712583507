//! Data sets and detections, from files and from a user's arrays.

use super::columns::Table;
use super::readers::{RawDetections, RawGroundTruth};
use super::{Finding, PyId, column_of, to_findings, values_of};
use crate::ids::{Id, IdTable};
use crate::json::ground_truth::{self, RawAnnotation, RawImage};
use crate::json::results::{self, RawDetection};
use crate::suppression;
use crate::tables::images::Images;
use crate::tables::objects::{CROWD, DIFFICULT, GROUP_OF, IGNORE, Objects};
use crate::tables::{Reading, detections, objects};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray, UInt32Array, UInt64Array};
use arrow_buffer::ScalarBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Dataset>()?;
    module.add_class::<Detections>()?;
    module.add_function(wrap_pyfunction!(build_dataset, module)?)?;
    module.add_function(wrap_pyfunction!(build_detections, module)?)?;
    module.add_function(wrap_pyfunction!(dataset_from_columns, module)?)?;
    module.add_function(wrap_pyfunction!(detections_from_columns, module)?)
}

pub fn integers(column: &ScalarBuffer<u32>) -> ArrayRef {
    Arc::new(UInt32Array::new(column.clone(), None))
}

pub fn numbers(column: &ScalarBuffer<f64>) -> ArrayRef {
    Arc::new(Float64Array::new(column.clone(), None))
}

/// Integers where all are, else texts.
fn ids<'a>(ids: impl Iterator<Item = Option<&'a Id>> + Clone) -> ArrayRef {
    let integer = |id: Option<&Id>| match id {
        Some(Id::Integer(value)) => Some(*value),
        _ => None,
    };
    let all = |fits: &dyn Fn(i128) -> bool| ids.clone().flatten().all(|id| integer(Some(id)).is_some_and(fits));
    if all(&|value| i64::try_from(value).is_ok()) {
        return Arc::new(ids.map(|id| integer(id).map(|value| value as i64)).collect::<Int64Array>());
    }
    if all(&|value| u64::try_from(value).is_ok()) {
        return Arc::new(ids.map(|id| integer(id).map(|value| value as u64)).collect::<UInt64Array>());
    }
    Arc::new(ids.map(|id| id.map(Id::to_string)).collect::<StringArray>())
}

#[pyclass(frozen, module = "boxscore._kernel")]
pub struct Dataset {
    pub images: Arc<Images>,
    pub objects: Arc<Objects>,
}

#[pymethods]
impl Dataset {
    #[getter]
    fn num_images(&self) -> usize {
        self.images.len()
    }

    #[getter]
    fn num_objects(&self) -> usize {
        self.objects.len()
    }

    #[getter]
    fn image_ids(&self) -> Vec<PyId> {
        self.images.ids.iter().cloned().map(PyId).collect()
    }

    #[getter]
    fn images(&self) -> PyResult<Table> {
        let images = &self.images;
        Table::new(vec![
            ("image", Arc::new((0..images.len() as u32).map(Some).collect::<UInt32Array>()) as ArrayRef),
            ("image_id", ids(images.ids.iter().map(Some))),
            ("file_name", Arc::new(images.file_names.iter().map(Option::as_deref).collect::<StringArray>())),
            ("width", Arc::new(images.widths.iter().copied().collect::<Float64Array>())),
            ("height", Arc::new(images.heights.iter().copied().collect::<Float64Array>())),
            ("group", Arc::new(images.groups.iter().map(Option::as_deref).collect::<StringArray>())),
            ("source_row", Arc::new(images.source_rows.iter().copied().collect::<UInt32Array>())),
        ])
    }

    #[getter]
    fn ground_truth(&self) -> PyResult<Table> {
        let objects = &self.objects;
        let flag = |flag: u8| -> ArrayRef {
            Arc::new(objects.flags.iter().map(|flags| Some(flags & flag != 0)).collect::<BooleanArray>())
        };
        Table::new(vec![
            ("image", integers(&objects.image)),
            ("label", integers(&objects.label)),
            ("x", numbers(&objects.x)),
            ("y", numbers(&objects.y)),
            ("w", numbers(&objects.w)),
            ("h", numbers(&objects.h)),
            ("area", numbers(&objects.area)),
            ("crowd", flag(CROWD)),
            ("ignore", flag(IGNORE)),
            ("difficult", flag(DIFFICULT)),
            ("group_of", flag(GROUP_OF)),
            ("source_id", ids(objects.source_ids.iter().map(Option::as_ref))),
            ("source_row", integers(&objects.source_row)),
        ])
    }

    fn with_images(&self, image_ids: Vec<PyId>) -> Self {
        let further: Vec<Id> = image_ids.into_iter().map(|id| id.0).collect();
        let (images, moved) = self.images.with(&further);
        let objects = self.objects.move_images(&moved, images.len());
        Self { images: Arc::new(images), objects: Arc::new(objects) }
    }

    fn with_groups(&self, groups: Vec<Option<String>>) -> PyResult<Self> {
        if groups.len() != self.images.len() {
            let problem = format!("{} groups for {} images", groups.len(), self.images.len());
            return Err(PyValueError::new_err(problem));
        }
        let groups = groups.into_iter().map(|group| group.map(String::into_boxed_str)).collect();
        Ok(Self { images: Arc::new(self.images.with_groups(groups)), objects: self.objects.clone() })
    }

    fn merge_labels(&self) -> Self {
        Self { images: self.images.clone(), objects: Arc::new(self.objects.merge_labels()) }
    }

    #[pyo3(signature = (low, high, *, area_from_box=false, honour_ignore=false))]
    fn count_outside(&self, low: f64, high: f64, area_from_box: bool, honour_ignore: bool) -> (u64, Option<u32>) {
        self.objects.count_outside((low, high), area_from_box, honour_ignore)
    }

    fn objects_by_label(&self, num_labels: usize) -> PyResult<Vec<u64>> {
        count(&self.objects.label, num_labels)
    }
}

pub fn count(labels: &[u32], num_labels: usize) -> PyResult<Vec<u64>> {
    let mut counts = vec![0; num_labels];
    for &label in labels {
        *counts.get_mut(label as usize).ok_or_else(|| PyValueError::new_err("a label is beyond num_labels"))? += 1;
    }
    Ok(counts)
}

#[pyclass(frozen, module = "boxscore._kernel")]
pub struct Detections(pub Arc<detections::Detections>);

#[pymethods]
impl Detections {
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.len()
    }

    #[getter]
    fn table(&self) -> PyResult<Table> {
        let rows = &self.0;
        Table::new(vec![
            ("image", integers(&rows.image)),
            ("label", integers(&rows.label)),
            ("x", numbers(&rows.x)),
            ("y", numbers(&rows.y)),
            ("w", numbers(&rows.w)),
            ("h", numbers(&rows.h)),
            ("score", numbers(&rows.score)),
            ("source_row", integers(&rows.source_row)),
        ])
    }

    fn merge_labels(&self) -> Self {
        Self(Arc::new(self.0.merge_labels()))
    }

    #[pyo3(signature = (most, *, pixel=0.0, threads=1))]
    fn suppress(&self, py: Python<'_>, most: f64, pixel: f64, threads: usize) -> Self {
        py.detach(|| {
            let rows = suppression::survivors(&self.0, most, pixel, threads.max(1));
            Self(Arc::new(self.0.take(&rows)))
        })
    }

    fn count_by_label(&self, num_labels: usize) -> PyResult<Vec<u64>> {
        count(&self.0.label, num_labels)
    }
}

/// -1 is no label.
pub fn label_rows(labels: Vec<i64>, uses: usize) -> PyResult<Vec<Option<u32>>> {
    if labels.len() != uses {
        return Err(PyValueError::new_err(format!("{uses} labels are in use, {} were mapped", labels.len())));
    }
    let row = |label: i64| match label {
        -1 => Ok(None),
        label => u32::try_from(label).map(Some).map_err(|_| PyValueError::new_err("a label is -1 or a row number")),
    };
    labels.into_iter().map(row).collect()
}

#[pyfunction]
#[pyo3(signature = (raw, labels, *, corners=false, drop_degenerate=false))]
fn build_dataset(
    py: Python<'_>,
    raw: &RawGroundTruth,
    labels: Vec<i64>,
    corners: bool,
    drop_degenerate: bool,
) -> PyResult<(Dataset, Vec<Finding>)> {
    let labels = label_rows(labels, raw.0.category_uses.len())?;
    Ok(py.detach(|| dataset_of(&raw.0, &labels, Reading { corners, drop_degenerate, part: false })))
}

pub fn dataset_of(
    raw: &ground_truth::RawGroundTruth,
    labels: &[Option<u32>],
    reading: Reading,
) -> (Dataset, Vec<Finding>) {
    let (images, mut findings) = Images::build(&raw.images);
    let (objects, more) = objects::build(raw, &images, labels, reading);
    findings.extend(more);
    (Dataset { images: Arc::new(images), objects: Arc::new(objects) }, to_findings(findings))
}

#[pyfunction]
#[pyo3(signature = (raw, dataset, labels, *, corners=false, drop_degenerate=false, threads=1))]
fn build_detections(
    py: Python<'_>,
    raw: &RawDetections,
    dataset: &Dataset,
    labels: Vec<i64>,
    corners: bool,
    drop_degenerate: bool,
    threads: usize,
) -> PyResult<(Detections, Vec<Finding>)> {
    let labels = label_rows(labels, raw.0.labels.len() + raw.0.names.len())?;
    let reading = Reading { corners, drop_degenerate, part: false };
    let (rows, findings) = py.detach(|| detections::build(&raw.0, &dataset.images, &labels, reading, threads.max(1)));
    Ok((Detections(Arc::new(rows)), to_findings(findings)))
}

/// A user's columns: of each row the position of its image among `image_ids`, its label's row number, four numbers.
struct Given {
    image: Vec<u32>,
    label: Vec<u32>,
    boxes: Vec<f64>,
}

impl Given {
    fn read(
        num_images: usize,
        image: &Bound<'_, PyAny>,
        label: &Bound<'_, PyAny>,
        boxes: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let image = values_of::<u32>(image, "image")?;
        let label = values_of::<u32>(label, "label")?;
        let boxes = values_of::<f64>(boxes, "boxes")?;
        if label.len() != image.len() || boxes.len() != 4 * image.len() {
            let problem = format!("{} images, {} labels, {} box numbers", image.len(), label.len(), boxes.len());
            return Err(PyValueError::new_err(format!("columns of different lengths: {problem}")));
        }
        if image.iter().any(|&position| position as usize >= num_images) {
            return Err(PyValueError::new_err("an image lies beyond image_ids"));
        }
        Ok(Self { image, label, boxes })
    }
}

/// Image and label of each row of a user's columns, entered in tables as a file's would be.
struct Rows {
    image: Vec<u32>,
    label: Vec<u32>,
    boxes: Vec<f64>,
    images: IdTable,
    labels: IdTable,
}

impl Rows {
    fn enter(image_ids: &[Id], given: Given) -> Self {
        let Given { image, label, boxes } = given;
        let mut rows = Self { image, label, boxes, images: IdTable::default(), labels: IdTable::default() };
        let mut entered: Vec<Option<u32>> = vec![None; image_ids.len()];
        for row in 0..rows.image.len() {
            let position = rows.image[row] as usize;
            rows.image[row] = match entered[position] {
                Some(known) => {
                    rows.images.uses[known as usize] += 1;
                    known
                }
                None => *entered[position].insert(rows.images.insert(image_ids[position].clone(), row as u64, 1)),
            };
            rows.label[row] = rows.labels.integer(i128::from(rows.label[row]), row as u64);
        }
        rows
    }

    fn bbox(&self, row: usize) -> [f64; 4] {
        std::array::from_fn(|i| self.boxes[4 * row + i])
    }

    /// Labels are row numbers already.
    fn label_rows(&self) -> Vec<Option<u32>> {
        let row = |id: &Id| if let Id::Integer(value) = id { u32::try_from(*value).ok() } else { None };
        self.labels.ids.iter().map(row).collect()
    }

    fn identity(table: &IdTable) -> Vec<u32> {
        (0..table.len() as u32).collect()
    }
}

/// Images with their names and sizes (two numbers an image, NaN where they are not known).
pub fn stated_images(
    image_ids: Vec<Id>,
    file_names: Option<Vec<Option<String>>>,
    sizes: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<RawImage>> {
    let count = image_ids.len();
    let sizes = column_of::<f64>(sizes, "sizes", 2 * count)?.unwrap_or_else(|| vec![f64::NAN; 2 * count]);
    let names = file_names.unwrap_or_else(|| vec![None; count]);
    if names.len() != count {
        return Err(PyValueError::new_err(format!("{} file names for {count} images", names.len())));
    }
    let known = |size: f64| Some(size).filter(|size| !size.is_nan());
    let image = |(row, (id, name)): (usize, (Id, Option<String>))| RawImage {
        id,
        file_name: name.map(String::into_boxed_str),
        width: known(sizes[2 * row]),
        height: known(sizes[2 * row + 1]),
    };
    Ok(image_ids.into_iter().zip(names).enumerate().map(image).collect())
}

#[pyfunction]
#[pyo3(signature = (image_ids, image, label, boxes, *, area=None, crowd=None, ignore=None, difficult=None,
                    group_of=None, file_names=None, sizes=None, corners=false, drop_degenerate=false, part=false))]
#[expect(clippy::too_many_arguments, reason = "one parameter a column")]
fn dataset_from_columns(
    py: Python<'_>,
    image_ids: Vec<PyId>,
    image: Bound<'_, PyAny>,
    label: Bound<'_, PyAny>,
    boxes: Bound<'_, PyAny>,
    area: Option<Bound<'_, PyAny>>,
    crowd: Option<Bound<'_, PyAny>>,
    ignore: Option<Bound<'_, PyAny>>,
    difficult: Option<Bound<'_, PyAny>>,
    group_of: Option<Bound<'_, PyAny>>,
    file_names: Option<Vec<Option<String>>>,
    sizes: Option<Bound<'_, PyAny>>,
    corners: bool,
    drop_degenerate: bool,
    part: bool,
) -> PyResult<(Dataset, Vec<Finding>)> {
    let image_ids: Vec<Id> = image_ids.into_iter().map(|id| id.0).collect();
    let given = Given::read(image_ids.len(), &image, &label, &boxes)?;
    let count = given.image.len();
    let area = column_of::<f64>(area, "area", count)?;
    let crowd = column_of::<u8>(crowd, "crowd", count)?;
    let ignore = column_of::<u8>(ignore, "ignore", count)?;
    let difficult = column_of::<u8>(difficult, "difficult", count)?;
    let group_of = column_of::<u8>(group_of, "group_of", count)?;
    let images = stated_images(image_ids.clone(), file_names, sizes)?;
    let set = |flags: &Option<Vec<u8>>, row: usize| flags.as_ref().is_some_and(|flags| flags[row] != 0);
    Ok(py.detach(|| {
        let rows = Rows::enter(&image_ids, given);
        let annotation = |row: usize| RawAnnotation {
            id: None,
            bbox: rows.bbox(row),
            area: area.as_ref().map(|area| area[row]).filter(|area| !area.is_nan()),
            image: rows.image[row],
            label: rows.label[row],
            crowd: set(&crowd, row),
            ignore: set(&ignore, row),
            difficult: set(&difficult, row),
            group_of: set(&group_of, row),
        };
        let piece = ground_truth::Piece {
            rows: (0..count).map(annotation).collect(),
            first_row: 0,
            images: Rows::identity(&rows.images),
            labels: Rows::identity(&rows.labels),
        };
        let labels = rows.label_rows();
        let raw = ground_truth::RawGroundTruth {
            images,
            pieces: vec![piece],
            num_annotations: count as u64,
            image_uses: rows.images,
            category_uses: rows.labels,
            ..Default::default()
        };
        dataset_of(&raw, &labels, Reading { corners, drop_degenerate, part })
    }))
}

#[pyfunction]
#[pyo3(signature = (dataset, image_ids, image, label, boxes, scores, *, corners=false, drop_degenerate=false,
                    part=false, threads=1))]
#[expect(clippy::too_many_arguments, reason = "one parameter a column")]
fn detections_from_columns(
    py: Python<'_>,
    dataset: &Dataset,
    image_ids: Vec<PyId>,
    image: Bound<'_, PyAny>,
    label: Bound<'_, PyAny>,
    boxes: Bound<'_, PyAny>,
    scores: Bound<'_, PyAny>,
    corners: bool,
    drop_degenerate: bool,
    part: bool,
    threads: usize,
) -> PyResult<(Detections, Vec<Finding>)> {
    let image_ids: Vec<Id> = image_ids.into_iter().map(|id| id.0).collect();
    let given = Given::read(image_ids.len(), &image, &label, &boxes)?;
    let count = given.image.len();
    let scores = column_of::<f64>(Some(scores), "scores", count)?.unwrap_or_default();
    let (rows, findings) = py.detach(|| {
        let rows = Rows::enter(&image_ids, given);
        let detection = |row: usize| RawDetection {
            bbox: rows.bbox(row),
            score: scores[row],
            image: rows.image[row],
            label: rows.label[row],
        };
        let piece = results::Piece {
            rows: (0..count).map(detection).collect(),
            first_row: 0,
            images: Rows::identity(&rows.images),
            labels: Rows::identity(&rows.labels),
        };
        let labels = rows.label_rows();
        let raw = results::RawDetections {
            pieces: vec![piece],
            num_rows: count as u64,
            images: rows.images,
            labels: rows.labels,
            names: IdTable::default(),
        };
        let reading = Reading { corners, drop_degenerate, part };
        detections::build(&raw, &dataset.images, &labels, reading, threads.max(1))
    });
    Ok((Detections(Arc::new(rows)), to_findings(findings)))
}
