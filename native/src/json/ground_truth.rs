//! COCO ground truth: `{"images": […], "annotations": […], "categories": […], …}`.

use super::array::{self, Records};
use super::cursor::Cursor;
use super::{expect_end, first_value, read_box};
use crate::error::{ParseError, Result};
use crate::ids::{Id, IdTable};

#[derive(Debug, Clone, PartialEq)]
pub struct RawImage {
    pub id: Id,
    pub file_name: Option<Box<str>>,
    pub width: Option<f64>,
    pub height: Option<f64>,
}

/// One annotation as stated; `image` and `label` are positions in the piece's tables.
#[derive(Debug, Clone)]
pub struct RawAnnotation {
    pub id: Option<Id>,
    pub bbox: [f64; 4],
    pub area: Option<f64>,
    pub image: u32,
    pub label: u32,
    pub crowd: bool,
    pub ignore: bool,
    pub difficult: bool,
    pub group_of: bool,
}

pub struct Piece {
    pub rows: Vec<RawAnnotation>,
    pub first_row: u64,
    pub images: Vec<u32>,
    pub labels: Vec<u32>,
}

#[derive(Default)]
pub struct RawGroundTruth {
    pub images: Vec<RawImage>,
    pub pieces: Vec<Piece>,
    pub num_annotations: u64,
    /// Image ids and category ids as the annotations use them.
    pub image_uses: IdTable,
    pub category_uses: IdTable,
    pub categories: Vec<(Id, Option<Box<str>>)>,
    pub sections: Vec<String>,
}

pub fn read(bytes: &[u8], threads: usize) -> Result<RawGroundTruth> {
    let mut cursor = first_value(bytes)?;
    if cursor.peek() != Some(b'{') {
        return cursor.fail("an object with images, annotations and categories");
    }
    let mut raw = RawGroundTruth::default();
    cursor.object(|cursor, key| {
        let known = matches!(key, "images" | "annotations" | "categories");
        if known && raw.sections.iter().any(|section| section == key) {
            return Err(ParseError::at(cursor.at, format!("{key} appears a second time")));
        }
        raw.sections.push(key.to_owned());
        cursor.at = match key {
            "images" => read_images(&mut raw, cursor, threads)?,
            "annotations" => read_annotations(&mut raw, cursor, threads)?,
            "categories" => read_categories(&mut raw, cursor)?,
            _ => {
                cursor.skip_value()?;
                cursor.at
            }
        };
        Ok(())
    })?;
    expect_end(&mut cursor)?;
    Ok(raw)
}

fn read_images(raw: &mut RawGroundTruth, cursor: &Cursor, threads: usize) -> Result<usize> {
    let array = array::read(cursor.bytes, cursor.at, "images", threads, |_| Images(Vec::new()))?;
    raw.images = array.pieces.into_iter().flat_map(|(piece, _)| piece.0).collect();
    Ok(array.end)
}

fn read_annotations(raw: &mut RawGroundTruth, cursor: &Cursor, threads: usize) -> Result<usize> {
    let array = array::read(cursor.bytes, cursor.at, "annotations", threads, |_| Annotations::default())?;
    raw.num_annotations = array.rows;
    for (reader, first_row) in array.pieces {
        let images = raw.image_uses.absorb(reader.images, first_row);
        let labels = raw.category_uses.absorb(reader.labels, first_row);
        raw.pieces.push(Piece { rows: reader.rows, first_row, images, labels });
    }
    Ok(array.end)
}

fn read_categories(raw: &mut RawGroundTruth, cursor: &Cursor) -> Result<usize> {
    let array = array::read(cursor.bytes, cursor.at, "categories", 1, |_| Categories(Vec::new()))?;
    raw.categories = array.pieces.into_iter().flat_map(|(piece, _)| piece.0).collect();
    Ok(array.end)
}

fn missing<T>(start: usize, field: &str) -> Result<T> {
    Err(ParseError::at(start, format!("{field} is missing")).in_field(field))
}

struct Images(Vec<RawImage>);

impl Records for Images {
    fn record(&mut self, cursor: &mut Cursor, _row: u64) -> Result<()> {
        let start = cursor.at;
        let (mut id, mut file_name, mut width, mut height) = (None, None, None, None);
        cursor.object(|cursor, key| {
            let field = match key {
                "id" => cursor.id().map(|value| id = Some(value)),
                "file_name" | "width" | "height" if cursor.null() => Ok(()),
                "file_name" => cursor.string().map(|name| file_name = Some(name.into())),
                "width" => cursor.number().map(|number| width = Some(number.value)),
                "height" => cursor.number().map(|number| height = Some(number.value)),
                _ => cursor.skip_value(),
            };
            field.map_err(|error| error.in_field(key))
        })?;
        let Some(id) = id else { return missing(start, "id") };
        self.0.push(RawImage { id, file_name, width, height });
        Ok(())
    }
}

struct Categories(Vec<(Id, Option<Box<str>>)>);

impl Records for Categories {
    fn record(&mut self, cursor: &mut Cursor, _row: u64) -> Result<()> {
        let start = cursor.at;
        let (mut id, mut name) = (None, None);
        cursor.object(|cursor, key| {
            let field = match key {
                "id" => cursor.id().map(|value| id = Some(value)),
                "name" if cursor.null() => Ok(()),
                "name" => cursor.string().map(|text| name = Some(text.into())),
                _ => cursor.skip_value(),
            };
            field.map_err(|error| error.in_field(key))
        })?;
        let Some(id) = id else { return missing(start, "id") };
        self.0.push((id, name));
        Ok(())
    }
}

#[derive(Default)]
struct Annotations {
    rows: Vec<RawAnnotation>,
    images: IdTable,
    labels: IdTable,
}

impl Records for Annotations {
    fn record(&mut self, cursor: &mut Cursor, row: u64) -> Result<()> {
        let start = cursor.at;
        let mut annotation = RawAnnotation {
            id: None,
            bbox: [0.0; 4],
            area: None,
            image: 0,
            label: 0,
            crowd: false,
            ignore: false,
            difficult: false,
            group_of: false,
        };
        let (mut image, mut label, mut has_box) = (None, None, false);
        cursor.object(|cursor, key| {
            let field = match key {
                "id" | "area" | "iscrowd" | "ignore" | "difficult" | "isgroupof" if cursor.null() => Ok(()),
                "id" => cursor.id().map(|id| annotation.id = Some(id)),
                "image_id" => cursor.id().map(|id| image = Some(id)),
                "category_id" => cursor.id().map(|id| label = Some(id)),
                "bbox" => {
                    has_box = true;
                    read_box(cursor, &mut annotation.bbox)
                }
                "area" => cursor.number().map(|number| annotation.area = Some(number.value)),
                "iscrowd" => cursor.flag().map(|flag| annotation.crowd = flag),
                "ignore" => cursor.flag().map(|flag| annotation.ignore = flag),
                "difficult" => cursor.flag().map(|flag| annotation.difficult = flag),
                "isgroupof" => cursor.flag().map(|flag| annotation.group_of = flag),
                _ => cursor.skip_value(),
            };
            field.map_err(|error| error.in_field(key))
        })?;
        let Some(image) = image else { return missing(start, "image_id") };
        let Some(label) = label else { return missing(start, "category_id") };
        if !has_box {
            return missing(start, "bbox");
        }
        annotation.image = place(&mut self.images, image, row);
        annotation.label = place(&mut self.labels, label, row);
        self.rows.push(annotation);
        Ok(())
    }
}

fn place(table: &mut IdTable, id: Id, row: u64) -> u32 {
    match id {
        Id::Integer(value) => table.integer(value, row),
        id => table.insert(id, row, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_come_in_any_order_and_the_rest_is_skipped() {
        let text = r#"{"licenses": [{"images": []}], "annotations": [{"id": 0, "image_id": 3, "category_id": 1,
            "bbox": [1, 2, 3, 4], "segmentation": [[1.5, 2, 3]], "iscrowd": 1}], "info": null,
            "categories": [{"id": 1, "name": "caf\u00e9"}], "images": [{"id": 3.0, "width": 10, "height": null}]}"#;
        let raw = read(text.as_bytes(), 2).unwrap();
        assert_eq!(raw.sections, ["licenses", "annotations", "info", "categories", "images"]);
        assert_eq!(raw.images[0], RawImage { id: Id::Integer(3), file_name: None, width: Some(10.0), height: None });
        assert_eq!(raw.categories, [(Id::Integer(1), Some("café".into()))]);
        let row = &raw.pieces[0].rows[0];
        assert!(row.crowd && !row.ignore && row.area.is_none());
        assert_eq!(row.bbox, [1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn wrong_files_say_what_is_wrong() {
        for (text, problem) in [
            ("", "the file is empty"),
            ("[]", "expected an object with images, annotations and categories"),
            (r#"{"images": 3}"#, "expected an array"),
            (r#"{"images": [], "images": []}"#, "images appears a second time"),
            (r#"{"images": [{"id": null}]}"#, "expected an integer or a text"),
            (
                r#"{"annotations": [{"image_id": 1, "category_id": 1, "bbox": [1, 2]}]}"#,
                "a box with fewer than four numbers",
            ),
            (r#"{"annotations": [{"image_id": 1, "category_id": 1, "bbox": null}]}"#, "expected a box of four numbers"),
            (r#"{"annotations": [{"iscrowd": 2}]}"#, "expected 0, 1, true or false"),
            (r#"{} {}"#, "more text follows where the file should end"),
        ] {
            assert_eq!(read(text.as_bytes(), 1).err().map(|e| e.problem).as_deref(), Some(problem), "{text}");
        }
    }
}
