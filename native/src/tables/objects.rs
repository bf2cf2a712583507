//! Ground truth by image, label, file order.

use super::box_checks::{BoxTallies, sizes};
use super::images::Images;
use super::{Reading, written, written_box};
use crate::findings::{Finding, Tally};
use crate::ids::Id;
use crate::json::ground_truth::{RawAnnotation, RawGroundTruth};
use arrow_buffer::ScalarBuffer;

pub const CROWD: u8 = 1;
pub const IGNORE: u8 = 2;
pub const DIFFICULT: u8 = 4;
pub const GROUP_OF: u8 = 8;

#[derive(Clone)]
pub struct Objects {
    pub image: ScalarBuffer<u32>,
    pub label: ScalarBuffer<u32>,
    pub x: ScalarBuffer<f64>,
    pub y: ScalarBuffer<f64>,
    pub w: ScalarBuffer<f64>,
    pub h: ScalarBuffer<f64>,
    /// As stated, or width x height where it is not.
    pub area: ScalarBuffer<f64>,
    pub flags: Vec<u8>,
    pub source_ids: Vec<Option<Id>>,
    pub source_row: ScalarBuffer<u32>,
    /// Rows of image i are `offsets[i]..offsets[i + 1]`.
    pub offsets: Vec<usize>,
}

/// An annotation that found its place.
struct Placed<'a> {
    image: u32,
    label: u32,
    row: u32,
    bbox: [f64; 4],
    area: f64,
    annotation: &'a RawAnnotation,
}

/// `labels` runs with the file's distinct category ids; none leaves those rows out.
pub fn build(
    raw: &RawGroundTruth,
    images: &Images,
    labels: &[Option<u32>],
    reading: Reading,
) -> (Objects, Vec<Finding>) {
    let resolved = images.resolve(&raw.image_uses, "annotation-unknown-image");
    let mut findings = resolved.findings;
    findings.extend(repeated_ids(raw));
    let mut tallies = Tallies::default();
    let sizes = sizes(images);
    let mut placed = Vec::with_capacity(raw.num_annotations as usize);
    for piece in &raw.pieces {
        for (row, annotation) in (piece.first_row..).zip(&piece.rows) {
            let image = resolved.rows[piece.images[annotation.image as usize] as usize];
            let label = labels[piece.labels[annotation.label as usize] as usize];
            if let (Some(image), Some(label)) = (image, label) {
                placed.extend(tallies.place(annotation, (image, label), row, sizes[image as usize], reading));
            }
        }
    }
    let objects = Objects::collect(&in_order(&placed), images.len());
    findings.extend(tallies.into_findings(reading.part));
    (objects, findings)
}

/// By image, label, file order, in which they stand.
fn in_order<'a, 'b>(placed: &'b [Placed<'a>]) -> Vec<&'b Placed<'a>> {
    let key = |(place, p): (usize, &Placed)| u128::from(p.image) << 96 | u128::from(p.label) << 64 | place as u128;
    let mut keys: Vec<u128> = placed.iter().enumerate().map(key).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| &placed[(key as u64) as usize]).collect()
}

fn repeated_ids(raw: &RawGroundTruth) -> Option<Finding> {
    let mut ids: Vec<(&Id, u64)> = Vec::with_capacity(raw.num_annotations as usize);
    for piece in &raw.pieces {
        let rows = (piece.first_row..).zip(&piece.rows);
        ids.extend(rows.filter_map(|(row, annotation)| annotation.id.as_ref().map(|id| (id, row))));
    }
    if ids.is_sorted_by(|a, b| a.0 < b.0) {
        return None;
    }
    ids.sort_unstable();
    let mut tally = Tally::new("duplicate-annotation-id");
    for pair in ids.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        tally.add(pair[0].1, |finding| {
            finding.other = Some(pair[1].1);
            finding.value = Some(pair[0].0.to_string());
        });
    }
    tally.into_finding()
}

struct Tallies {
    boxes: BoxTallies,
    area_missing: Tally,
    area_far: Tally,
    ignored: Tally,
}

impl Default for Tallies {
    fn default() -> Self {
        Self {
            boxes: BoxTallies::default(),
            area_missing: Tally::new("area-missing"),
            area_far: Tally::new("area-far"),
            ignored: Tally::new("ignore-without-crowd"),
        }
    }
}

impl Tallies {
    fn place<'a>(
        &mut self,
        annotation: &'a RawAnnotation,
        (image, label): (u32, u32),
        row: u64,
        size: [f64; 2],
        reading: Reading,
    ) -> Option<Placed<'a>> {
        let bbox = reading.bbox(annotation.bbox);
        if !self.boxes.note(bbox, ("area", annotation.area.unwrap_or(0.0)), row, size, reading) {
            return None;
        }
        let of_box = bbox[2] * bbox[3];
        match annotation.area {
            None => self.area_missing.add(row, |finding| finding.value = Some(written_box(bbox))),
            Some(area) if far(area, of_box) => self.area_far.add(row, |finding| {
                finding.value = Some(written(area));
                finding.extra = Some(of_box);
            }),
            Some(_) => {}
        }
        if annotation.ignore && !annotation.crowd {
            self.ignored.add(row, |_| {});
        }
        let area = annotation.area.unwrap_or(of_box);
        Some(Placed { image, label, row: row as u32, bbox, area, annotation })
    }

    fn into_findings(self, part: bool) -> impl Iterator<Item = Finding> {
        let others = [self.area_missing, self.area_far, self.ignored].map(Tally::into_finding);
        self.boxes.into_findings(part).chain(others.into_iter().flatten())
    }
}

/// A segment fills part of its box, down to a few hundredths for a thin diagonal; less than a hundredth, or more than the
/// box and its border, is no area of what stands in the box.
fn far(area: f64, of_box: f64) -> bool {
    of_box > 0.0 && (area < 0.01 * of_box || area > 1.1 * of_box + 16.0)
}

impl Objects {
    fn collect(placed: &[&Placed], num_images: usize) -> Self {
        let number = |get: fn(&Placed) -> f64| placed.iter().map(|p| get(p)).collect::<Vec<f64>>().into();
        let integer = |get: fn(&Placed) -> u32| placed.iter().map(|p| get(p)).collect::<Vec<u32>>().into();
        let image: ScalarBuffer<u32> = integer(|p| p.image);
        Self {
            offsets: offsets(&image, num_images),
            image,
            label: integer(|p| p.label),
            x: number(|p| p.bbox[0]),
            y: number(|p| p.bbox[1]),
            w: number(|p| p.bbox[2]),
            h: number(|p| p.bbox[3]),
            area: number(|p| p.area),
            flags: placed.iter().map(|p| flags(p.annotation)).collect(),
            source_ids: placed.iter().map(|p| p.annotation.id.clone()).collect(),
            source_row: integer(|p| p.row),
        }
    }

    pub fn len(&self) -> usize {
        self.image.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Objects that are to be found (no crowds, and on request none with the ignore flag) but whose area lies outside a
    /// range, and the first entry of the file among them.
    pub fn count_outside(
        &self,
        (low, high): (f64, f64),
        area_from_box: bool,
        honour_ignore: bool,
    ) -> (u64, Option<u32>) {
        let skipped = if honour_ignore { CROWD | IGNORE } else { CROWD };
        let area = |row: usize| if area_from_box { self.w[row] * self.h[row] } else { self.area[row] };
        let outside =
            (0..self.len()).filter(|&row| self.flags[row] & skipped == 0 && !(low..=high).contains(&area(row)));
        outside.fold((0, None), |(count, first), row| {
            let own = self.source_row[row];
            (count + 1, Some(first.map_or(own, |first: u32| first.min(own))))
        })
    }

    /// All labels made label 0. Rows are by label and file order inside an image, and stay so.
    pub fn merge_labels(&self) -> Self {
        Self { label: vec![0; self.len()].into(), ..self.clone() }
    }

    /// The same objects when image i has become row `moved[i]` of `num_images`, which keeps their order.
    pub fn move_images(&self, moved: &[u32], num_images: usize) -> Self {
        let image: ScalarBuffer<u32> = self.image.iter().map(|&i| moved[i as usize]).collect::<Vec<_>>().into();
        Self { offsets: offsets(&image, num_images), image, ..self.clone() }
    }
}

fn flags(annotation: &RawAnnotation) -> u8 {
    let mut flags = 0;
    for (set, flag) in [
        (annotation.crowd, CROWD),
        (annotation.ignore, IGNORE),
        (annotation.difficult, DIFFICULT),
        (annotation.group_of, GROUP_OF),
    ] {
        flags |= if set { flag } else { 0 };
    }
    flags
}

/// First row of each image in a column sorted by image, and the number of rows behind them.
pub fn offsets(image: &[u32], num_images: usize) -> Vec<usize> {
    let mut offsets = vec![0; num_images + 1];
    for &i in image {
        offsets[i as usize + 1] += 1;
    }
    for i in 0..num_images {
        offsets[i + 1] += offsets[i];
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::ground_truth;

    #[test]
    fn rows_are_ordered_and_oddities_counted() {
        let text = r#"{"images": [{"id": 2}, {"id": 1}], "annotations": [
            {"id": 5, "image_id": 2, "category_id": 9, "bbox": [0, 0, 10, 10], "area": 90},
            {"id": 5, "image_id": 1, "category_id": 9, "bbox": [0, 0, 0, 10]},
            {"id": 6, "image_id": 1, "category_id": 3, "bbox": [0, 0, 200, 200], "area": 1, "ignore": 1},
            {"id": 7, "image_id": 1, "category_id": 3, "bbox": [0, NaN, 1, 1], "area": 1},
            {"id": 8, "image_id": 4, "category_id": 3, "bbox": [0, 0, 1, 1], "area": 1}]}"#;
        let raw = ground_truth::read(text.as_bytes(), 1).unwrap();
        let (images, _) = Images::build(&raw.images);
        let (objects, findings) = build(&raw, &images, &[Some(1), Some(0)], Reading::default());
        assert_eq!(objects.source_row[..], [2, 1, 0]);
        assert_eq!(objects.offsets, [0, 2, 3]);
        assert_eq!(objects.area[..], [1.0, 0.0, 90.0]);
        assert_eq!(objects.flags, [IGNORE, 0, 0]);
        let found: Vec<_> = findings.iter().map(|f| (f.code, f.count, f.row)).collect();
        assert_eq!(
            found,
            [
                ("annotation-unknown-image", 1, 4),
                ("duplicate-annotation-id", 1, 0),
                ("non-finite", 1, 3),
                ("degenerate", 1, 1),
                ("area-missing", 1, 1),
                ("area-far", 1, 2),
                ("ignore-without-crowd", 1, 2),
            ]
        );
    }
}
