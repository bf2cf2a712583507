//! Matching, its result, and pairs.

use super::bytes_of;
use super::columns::{Column, Table};
use super::data::{Dataset, Detections, count, integers, numbers};
use crate::blocks::{self, Given};
use crate::matches::{self, DetectionMatches, ObjectMatches, UNMATCHED};
use crate::matching::{Cells, Kind, MAX_CELLS, Rule, detections_to_objects};
use crate::overlap::Boxes;
use crate::pairs;
use crate::tables::objects::{CROWD, DIFFICULT, GROUP_OF, IGNORE};
use arrow_array::{ArrayRef, UInt32Array, UInt64Array};
use arrow_buffer::{ArrowNativeType, Buffer, ScalarBuffer};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::Arc;

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Matches>()?;
    module.add_function(wrap_pyfunction!(match_detections, module)?)?;
    module.add_function(wrap_pyfunction!(overlap_pairs, module)?)
}

#[pyclass(frozen, module = "boxscore._kernel")]
pub struct Matches(pub matches::Matches);

fn bits(column: &ScalarBuffer<u64>) -> ArrayRef {
    Arc::new(UInt64Array::new(column.clone(), None))
}

#[pymethods]
impl Matches {
    #[getter]
    fn num_cells(&self) -> usize {
        self.0.num_cells
    }

    #[getter]
    fn num_images(&self) -> usize {
        self.0.num_images
    }

    fn over_limit(&self, limit: u32) -> (u64, u64) {
        self.0.over_limit(limit)
    }

    fn relabel(&self, old: Vec<u32>, new: Vec<u32>) -> PyResult<Self> {
        let ascending = [&old, &new].into_iter().all(|numbers| numbers.is_sorted_by(|a, b| a < b));
        let relabelled = if ascending && old.len() == new.len() { self.0.relabel(&old, &new) } else { None };
        relabelled.map(Self).ok_or_else(|| PyValueError::new_err("old and new must ascend, and old hold every label"))
    }

    #[getter]
    fn detections(&self) -> PyResult<Table> {
        let rows = &self.0.detections;
        let gt: UInt32Array = rows.gt.iter().map(|&gt| (gt != UNMATCHED).then_some(gt)).collect();
        Table::new(vec![
            ("image", integers(&rows.image)),
            ("label", integers(&rows.label)),
            ("score", numbers(&rows.score)),
            ("rank", integers(&rows.rank)),
            ("matched", bits(&rows.matched)),
            ("ignored", bits(&rows.ignored)),
            ("gt", Arc::new(gt)),
        ])
    }

    fn detections_by_label(&self, num_labels: usize) -> PyResult<Vec<u64>> {
        count(&self.0.detections.label, num_labels)
    }

    fn objects_by_label(&self, num_labels: usize) -> PyResult<Vec<u64>> {
        count(&self.0.objects.label, num_labels)
    }

    #[getter]
    fn ground_truth(&self) -> PyResult<Table> {
        let rows = &self.0.objects;
        Table::new(vec![
            ("image", integers(&rows.image)),
            ("label", integers(&rows.label)),
            ("matched", bits(&rows.matched)),
            ("ignored", bits(&rows.ignored)),
        ])
    }

    #[getter]
    fn assignments(&self) -> Option<Column> {
        self.0.assignments.as_ref().map(|column| Column::new("assignments", integers(column)))
    }

    fn state<'py>(&self, py: Python<'py>) -> PyResult<(usize, usize, Bound<'py, PyDict>)> {
        let columns = PyDict::new(py);
        let (d, o) = (&self.0.detections, &self.0.objects);
        for (name, bytes) in [
            ("image", d.image.inner()),
            ("label", d.label.inner()),
            ("score", d.score.inner()),
            ("rank", d.rank.inner()),
            ("matched", d.matched.inner()),
            ("ignored", d.ignored.inner()),
            ("gt", d.gt.inner()),
            ("object_image", o.image.inner()),
            ("object_label", o.label.inner()),
            ("object_matched", o.matched.inner()),
            ("object_ignored", o.ignored.inner()),
        ] {
            columns.set_item(name, PyBytes::new(py, bytes.as_slice()))?;
        }
        Ok((self.0.num_cells, self.0.num_images, columns))
    }

    #[staticmethod]
    fn from_state(num_cells: usize, num_images: usize, columns: &Bound<'_, PyDict>) -> PyResult<Self> {
        let image: ScalarBuffer<u32> = restore(columns, "image", None)?;
        let object_image: ScalarBuffer<u32> = restore(columns, "object_image", None)?;
        let (rows, objects) = (Some(image.len()), Some(object_image.len()));
        let detections = DetectionMatches {
            label: restore(columns, "label", rows)?,
            score: restore(columns, "score", rows)?,
            rank: restore(columns, "rank", rows)?,
            matched: restore(columns, "matched", rows)?,
            ignored: restore(columns, "ignored", rows)?,
            gt: restore(columns, "gt", rows)?,
            image,
        };
        let objects = ObjectMatches {
            label: restore(columns, "object_label", objects)?,
            matched: restore(columns, "object_matched", objects)?,
            ignored: restore(columns, "object_ignored", objects)?,
            image: object_image,
        };
        let images = || detections.image.iter().chain(objects.image.iter());
        let gt = || detections.gt.iter().filter(|&&gt| gt != UNMATCHED);
        let words = [&detections.matched, &detections.ignored, &objects.matched, &objects.ignored];
        let beyond = |word: &u64| num_cells < MAX_CELLS && word >> num_cells != 0;
        if images().any(|&i| i as usize >= num_images)
            || gt().any(|&row| row as usize >= objects.image.len())
            || !(1..=MAX_CELLS).contains(&num_cells)
            || words.into_iter().flat_map(|column| column.iter()).any(beyond)
        {
            return Err(PyValueError::new_err("the saved matches point outside themselves"));
        }
        Ok(Self(matches::Matches { num_cells, num_images, detections, objects, assignments: None }))
    }

    fn blocks<'py>(&self, py: Python<'py>, num_labels: usize) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let labels = self.0.detections.label.iter().chain(self.0.objects.label.iter());
        if labels.max().is_some_and(|&most| most as usize >= num_labels) {
            return Err(PyValueError::new_err("a label is beyond num_labels"));
        }
        let made = py.detach(|| blocks::by_label(&self.0, num_labels));
        let made = made.map_err(|_| PyValueError::new_err("the ranks do not count up in each image and label"))?;
        Ok(made.iter().map(|block| PyBytes::new(py, block)).collect())
    }

    #[staticmethod]
    #[pyo3(signature = (given, image_rows, num_images, num_cells, *, threads=1))]
    fn from_blocks(
        py: Python<'_>,
        given: Vec<(usize, u32, PyBuffer<u8>)>,
        image_rows: Vec<Bound<'_, PyAny>>,
        num_images: usize,
        num_cells: usize,
        threads: usize,
    ) -> PyResult<Self> {
        if !(1..=MAX_CELLS).contains(&num_cells) {
            return Err(PyValueError::new_err("there must be 1 to 64 cells"));
        }
        let given_rows = image_rows.iter().map(|rows| super::values_of::<i64>(rows, "image_rows"));
        let rows = new_rows(given_rows.collect::<PyResult<_>>()?, num_images)?;
        let blocks = given
            .iter()
            .map(|(part, label, buffer)| Ok(Given { part: *part, label: *label, bytes: bytes_of(buffer)? }))
            .collect::<PyResult<Vec<_>>>()?;
        let made = py.detach(|| blocks::gather(&blocks, &rows, num_images, num_cells, threads.max(1)));
        made.map(Self).map_err(|_| PyValueError::new_err("a block of matches was cut off or changed"))
    }

    #[staticmethod]
    fn merge(
        py: Python<'_>,
        parts: Vec<PyRef<'_, Matches>>,
        image_rows: Vec<Vec<i64>>,
        num_images: usize,
    ) -> PyResult<Self> {
        if parts.len() != image_rows.len() || parts.iter().zip(&image_rows).any(|(p, r)| p.0.num_images != r.len()) {
            return Err(PyValueError::new_err("image_rows must give a row for each image of each part"));
        }
        if parts.iter().any(|part| part.0.num_cells != parts[0].0.num_cells) {
            return Err(PyValueError::new_err("the parts were matched in different cells"));
        }
        let rows = new_rows(image_rows, num_images)?;
        let parts: Vec<&matches::Matches> = parts.iter().map(|part| &part.0).collect();
        Ok(Self(py.detach(|| matches::Matches::merge(&parts, &rows, num_images))))
    }
}

/// New rows of the parts' images, -1 for those that are left out; each row is given once.
fn new_rows(given: Vec<Vec<i64>>, num_images: usize) -> PyResult<Vec<Vec<Option<u32>>>> {
    let mut taken = vec![false; num_images];
    let mut rows = Vec::with_capacity(given.len());
    for part in given {
        let mut own = Vec::with_capacity(part.len());
        for row in part {
            let new = usize::try_from(row).ok();
            if row < -1 || new.is_some_and(|new| new >= num_images || std::mem::replace(&mut taken[new], true)) {
                return Err(PyValueError::new_err("an image row is out of range or given twice"));
            }
            own.push(new.map(|new| new as u32));
        }
        rows.push(own);
    }
    Ok(rows)
}

fn restore<T: ArrowNativeType>(
    columns: &Bound<'_, PyDict>,
    name: &str,
    rows: Option<usize>,
) -> PyResult<ScalarBuffer<T>> {
    let item = columns.get_item(name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
    let bytes = item.cast::<PyBytes>()?.as_bytes();
    let size = size_of::<T>();
    if bytes.len() % size != 0 || rows.is_some_and(|rows| rows * size != bytes.len()) {
        return Err(PyValueError::new_err(format!("column {name} has the wrong length")));
    }
    Ok(ScalarBuffer::new(Buffer::from(bytes), 0, bytes.len() / size))
}

#[pyfunction]
#[pyo3(signature = (dataset, detections, *, iou_thresholds, area_ranges, max_detections, rule="coco",
                    ignored=vec!["crowd".to_owned()], pixel=0.0, area_from_box=false, assignments=false, threads=1))]
#[expect(clippy::too_many_arguments, reason = "the rule's parameters by name")]
fn match_detections(
    py: Python<'_>,
    dataset: &Dataset,
    detections: &Detections,
    iou_thresholds: Vec<f64>,
    area_ranges: Vec<(f64, f64)>,
    max_detections: usize,
    rule: &str,
    ignored: Vec<String>,
    pixel: f64,
    area_from_box: bool,
    assignments: bool,
    threads: usize,
) -> PyResult<Matches> {
    if !(1..=MAX_CELLS).contains(&(iou_thresholds.len() * area_ranges.len())) {
        return Err(PyValueError::new_err("there must be 1 to 64 pairs of area range and IoU threshold"));
    }
    let (rows, objects) = (&detections.0, &dataset.objects);
    if rows.offsets.len() != objects.offsets.len() {
        return Err(PyValueError::new_err("the detections were made for another data set"));
    }
    let rule = Rule {
        kind: kind_of(rule)?,
        cells: Cells::new(&iou_thresholds, &area_ranges),
        max_detections,
        ignored_flags: ignored.iter().try_fold(0, |flags, name| flag_of(name).map(|flag| flags | flag))?,
        area_from_box,
        keep_assignments: assignments,
    };
    let overlap = Boxes { detections: rows, objects, pixel };
    Ok(Matches(py.detach(|| detections_to_objects(&overlap, rows, objects, &rule, threads.max(1)))))
}

fn kind_of(rule: &str) -> PyResult<Kind> {
    match rule {
        "coco" => Ok(Kind::Coco),
        "greedy" => Ok(Kind::Greedy),
        "voc" => Ok(Kind::Voc),
        _ => Err(PyValueError::new_err(format!("no rule {rule}; there are coco, greedy, voc"))),
    }
}

fn flag_of(name: &str) -> PyResult<u8> {
    match name {
        "crowd" => Ok(CROWD),
        "ignore" => Ok(IGNORE),
        "difficult" => Ok(DIFFICULT),
        "group_of" => Ok(GROUP_OF),
        _ => Err(PyValueError::new_err(format!("no flag {name}; there are crowd, ignore, difficult, group_of"))),
    }
}

#[pyfunction]
#[pyo3(signature = (dataset, detections, *, min_overlap=0.1, pixel=0.0, threads=1))]
fn overlap_pairs(
    py: Python<'_>,
    dataset: &Dataset,
    detections: &Detections,
    min_overlap: f64,
    pixel: f64,
    threads: usize,
) -> PyResult<Table> {
    let (rows, objects) = (&detections.0, &dataset.objects);
    let overlap = Boxes { detections: rows, objects, pixel };
    let found = py.detach(|| pairs::pairs(&overlap, rows, objects, min_overlap, threads.max(1)));
    Table::new(vec![
        ("detection", integers(&found.detection.into())),
        ("ground_truth", integers(&found.ground_truth.into())),
        ("overlap", numbers(&found.overlap.into())),
    ])
}
