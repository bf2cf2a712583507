//! COCO results: an array of `{image_id, category_id, bbox, score}`.

use super::array::{self, Records};
use super::cursor::Cursor;
use super::{expect_end, first_value, number, read_box};
use crate::error::{ParseError, Result};
use crate::ids::{Id, IdTable};

/// One detection as stated; `image` and `label` are positions in the piece's tables.
#[derive(Debug, Clone, Copy, Default)]
pub struct RawDetection {
    pub bbox: [f64; 4],
    pub score: f64,
    pub image: u32,
    pub label: u32,
}

/// One piece of the file; its own ids are mapped to the whole file's by `images` and `labels`.
pub struct Piece {
    pub rows: Vec<RawDetection>,
    pub first_row: u64,
    pub images: Vec<u32>,
    pub labels: Vec<u32>,
}

pub struct RawDetections {
    pub pieces: Vec<Piece>,
    pub num_rows: u64,
    pub images: IdTable,
    pub labels: IdTable,
    /// Rows that name their label in words (`category_name`).
    pub names: IdTable,
}

/// Labels given by name stand behind those given by id: `label >= NAMED` is a name.
pub const NAMED: u32 = 1 << 31;

pub fn read(bytes: &[u8], threads: usize) -> Result<RawDetections> {
    let mut cursor = first_value(bytes)?;
    if cursor.peek() == Some(b'{') {
        return Err(ParseError::at(cursor.at, "expected an array of detections, found an object"));
    }
    let array = array::read(bytes, cursor.at, "results", threads, Reader::new)?;
    cursor.at = array.end;
    expect_end(&mut cursor)?;
    let mut raw = RawDetections {
        pieces: Vec::with_capacity(array.pieces.len()),
        num_rows: array.rows,
        images: IdTable::default(),
        labels: IdTable::default(),
        names: IdTable::default(),
    };
    for (reader, first_row) in array.pieces {
        let images = raw.images.absorb(reader.images, first_row);
        let labels = raw.labels.absorb(reader.labels, first_row);
        let names = raw.names.absorb(reader.names, first_row);
        let mut rows = reader.rows;
        if !names.is_empty() {
            for row in rows.iter_mut().filter(|row| row.label >= NAMED) {
                row.label = NAMED + names[(row.label - NAMED) as usize];
            }
        }
        raw.pieces.push(Piece { rows, first_row, images, labels });
    }
    Ok(raw)
}

struct Reader {
    rows: Vec<RawDetection>,
    images: IdTable,
    labels: IdTable,
    names: IdTable,
    template: Option<Template>,
    /// Records in a row that no template fitted; past a few the search is given up.
    misses: u32,
    bytes: usize,
}

const PATIENCE: u32 = 16;

impl Reader {
    fn new(bytes: usize) -> Self {
        Self {
            rows: Vec::new(),
            images: IdTable::default(),
            labels: IdTable::default(),
            names: IdTable::default(),
            template: None,
            misses: 0,
            bytes,
        }
    }

    fn push(&mut self, row: RawDetection, length: usize) {
        if self.rows.is_empty() {
            // As many rows as the piece would hold if all were as long as the first, and a little more.
            self.rows.reserve((self.bytes / length.max(1)) * 17 / 16 + 1);
        }
        self.rows.push(row);
    }

    fn by_template(&mut self, cursor: &mut Cursor, row: u64) -> bool {
        let Some(template) = &self.template else { return false };
        let Some((values, image, label, end)) = template.read(cursor) else {
            self.misses += 1;
            return false;
        };
        let image = self.images.integer(image, row);
        let label = self.labels.integer(label, row);
        let [x, y, w, h, score] = values;
        self.push(RawDetection { bbox: [x, y, w, h], score, image, label }, end - cursor.at);
        cursor.at = end;
        self.misses = 0;
        true
    }

    fn in_general(&mut self, cursor: &mut Cursor, row: u64) -> Result<()> {
        let start = cursor.at;
        let record = read_record(cursor)?;
        let missing = |field: &str| Err(ParseError::at(start, format!("{field} is missing")).in_field(field));
        let Some(image) = record.image else { return missing("image_id") };
        let Some(bbox) = record.bbox else { return missing("bbox") };
        let Some(score) = record.score else { return missing("score") };
        let label = match (record.label, record.name) {
            (Some(Id::Integer(value)), _) => self.labels.integer(value, row),
            (Some(id), _) => self.labels.insert(id, row, 1),
            (None, Some(name)) => NAMED + self.names.insert(Id::Text(name), row, 1),
            (None, None) => return missing("category_id"),
        };
        let image = match image {
            Id::Integer(value) => self.images.integer(value, row),
            id => self.images.insert(id, row, 1),
        };
        self.push(RawDetection { bbox, score, image, label }, cursor.at - start);
        self.template = if self.misses < PATIENCE { Template::learn(cursor.bytes, start, cursor.at) } else { None };
        self.misses += u32::from(self.template.is_none());
        Ok(())
    }
}

impl Records for Reader {
    #[inline(always)]
    fn record(&mut self, cursor: &mut Cursor, row: u64) -> Result<()> {
        if self.by_template(cursor, row) { Ok(()) } else { self.in_general(cursor, row) }
    }
}

#[derive(Default)]
struct Record {
    image: Option<Id>,
    label: Option<Id>,
    name: Option<Box<str>>,
    bbox: Option<[f64; 4]>,
    score: Option<f64>,
}

fn read_record(cursor: &mut Cursor) -> Result<Record> {
    let mut record = Record::default();
    cursor.object(|cursor, key| {
        let field = match key {
            "image_id" => cursor.id().map(|id| record.image = Some(id)),
            "category_id" => cursor.id().map(|id| record.label = Some(id)),
            "category_name" => cursor.string().map(|name| record.name = Some(name.into())),
            "score" => cursor.number().map(|number| record.score = Some(number.value)),
            "bbox" => read_box(cursor, record.bbox.insert([0.0; 4])),
            _ => cursor.skip_value(),
        };
        field.map_err(|error| error.in_field(key))
    })?;
    Ok(record)
}

/// The bytes between the values of a record, learnt from one: most files write every record alike, and comparing these
/// is much faster than reading keys. A record that differs is read in general.
struct Template {
    /// What stands before each value, and behind the last.
    glue: [Glue; VALUES + 1],
    values: [Value; VALUES],
}

/// Image, label, four of the box, score.
const VALUES: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Value {
    Image,
    Label,
    Number(u8),
}

#[derive(Clone, Copy)]
struct Glue {
    words: [u64; GLUE / 8],
    masks: [u64; GLUE / 8],
    length: usize,
}

/// Longer texts between two values are left to the general reader.
const GLUE: usize = 32;

impl Glue {
    fn new(text: &[u8]) -> Option<Self> {
        let mut glue = Self { words: [0; GLUE / 8], masks: [0; GLUE / 8], length: text.len() };
        for (i, &byte) in text.iter().enumerate() {
            *glue.words.get_mut(i / 8)? |= u64::from(byte) << (8 * (i % 8));
            glue.masks[i / 8] |= 0xFF << (8 * (i % 8));
        }
        Some(glue)
    }

    /// The place behind the glue, if it stands at `at`.
    #[inline(always)]
    fn pass(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let window = bytes.get(at..)?.first_chunk::<GLUE>()?;
        let mut differing = 0;
        for i in 0..GLUE / 8 {
            if i * 8 >= self.length {
                break;
            }
            let word = u64::from_le_bytes(window[i * 8..i * 8 + 8].try_into().ok()?);
            differing |= (word ^ self.words[i]) & self.masks[i];
        }
        (differing == 0).then_some(at + self.length)
    }
}

impl Template {
    /// From the record at `start..end`; none when it holds anything but the plain fields, each a plain number.
    fn learn(bytes: &[u8], start: usize, end: usize) -> Option<Self> {
        let mut values = Vec::with_capacity(VALUES);
        let mut places = Vec::with_capacity(VALUES);
        let mut note = |cursor: &mut Cursor, value: Value| -> Result<()> {
            let length = cursor.scan_number()?.length;
            values.push(value);
            places.push((cursor.at, cursor.at + length));
            cursor.at += length;
            Ok(())
        };
        let mut cursor = Cursor::new(bytes, start);
        let read = cursor.object(|cursor, key| match key {
            "image_id" => note(cursor, Value::Image),
            "category_id" => note(cursor, Value::Label),
            "score" => note(cursor, Value::Number(4)),
            "bbox" => {
                for i in 0..4 {
                    cursor.at += 1;
                    cursor.skip_space();
                    note(cursor, Value::Number(i))?;
                    cursor.skip_space();
                }
                cursor.at += 1;
                Ok(())
            }
            _ => Err(ParseError::at(cursor.at, "not a plain record")),
        });
        read.ok()?;
        let values: [Value; VALUES] = values.try_into().ok()?;
        let starts = places.iter().map(|place| place.0).chain([end]);
        let ends = [start].into_iter().chain(places.iter().map(|place| place.1));
        let glue: Option<Vec<Glue>> = ends.zip(starts).map(|(from, to)| Glue::new(&bytes[from..to])).collect();
        // Each value must come once: a repeated key has another meaning in general.
        let distinct = (0..VALUES).all(|i| !values[..i].contains(&values[i]));
        Some(Self { glue: glue?.try_into().ok()?, values }).filter(|_| distinct)
    }

    /// Numbers (box and score), image, label, and the place behind the record.
    #[inline(always)]
    fn read(&self, cursor: &Cursor) -> Option<([f64; 5], i128, i128, usize)> {
        let bytes = cursor.bytes;
        let mut at = self.glue[0].pass(bytes, cursor.at)?;
        let (mut numbers, mut image, mut label) = ([0.0; 5], 0, 0);
        for i in 0..VALUES {
            let end = match self.values[i] {
                Value::Number(n) => {
                    let (value, end) = read_number(bytes, at)?;
                    numbers[n as usize] = value;
                    end
                }
                Value::Image => {
                    let (id, end) = read_integer(bytes, at)?;
                    image = id;
                    end
                }
                Value::Label => {
                    let (id, end) = read_integer(bytes, at)?;
                    label = id;
                    end
                }
            };
            at = self.glue[i + 1].pass(bytes, end)?;
        }
        Some((numbers, image, label, at))
    }
}

#[inline(always)]
fn read_number(bytes: &[u8], at: usize) -> Option<(f64, usize)> {
    match number::usual(bytes, at) {
        Some((value, end)) if !matches!(bytes[end], b'e' | b'E') => Some((value, end)),
        _ => {
            let scanned = number::scan(bytes, at).ok()?;
            Some((scanned.to_f64(bytes, at), at + scanned.length))
        }
    }
}

#[inline(always)]
fn read_integer(bytes: &[u8], at: usize) -> Option<(i128, usize)> {
    if let Some((value, end)) = number::usual_integer(bytes, at) {
        return Some((i128::from(value), end));
    }
    let scanned = number::scan(bytes, at).ok().filter(|scanned| scanned.whole && !scanned.long)?;
    let magnitude = i128::from(scanned.digits);
    let value = if scanned.negative { -magnitude } else { magnitude };
    (value >= i128::from(i64::MIN)).then_some((value, at + scanned.length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<RawDetection> {
        read(text.as_bytes(), 2).unwrap().pieces.into_iter().flat_map(|piece| piece.rows).collect()
    }

    #[test]
    fn order_of_keys_spacing_and_further_fields_do_not_matter() {
        let plain = r#"{"image_id": 4, "category_id": 2, "bbox": [1, 2.5, 3, 4e0], "score": 0.5}"#;
        let other = r#"{"score":0.5,"extra":{"bbox":[9]},"bbox":[1.0,2.5,3,4],"image_id":4.0,"category_id":2}"#;
        let rows = rows(&format!("[{plain},{plain}, {other},\n{plain} , {other}]"));
        assert_eq!(rows.len(), 5);
        for row in rows {
            assert_eq!((row.bbox, row.score, row.image, row.label), ([1.0, 2.5, 3.0, 4.0], 0.5, 0, 0));
        }
    }

    #[test]
    fn plain_files_are_read_by_the_template() {
        let row = |i: usize| {
            let x = i as f64 / 7.0;
            format!(
                r#"{{"image_id": {i}, "category_id": {}, "bbox": [{x:.2}, 0.0, {i}e-2, -1.5], "score": 0.{i:08}}}"#,
                i % 9
            )
        };
        let text = format!("[{}]", (0..100).map(row).collect::<Vec<_>>().join(", "));
        let mut reader = Reader::new(text.len());
        let mut cursor = Cursor::new(text.as_bytes(), 1);
        reader.in_general(&mut cursor, 0).unwrap();
        for row in 1..98 {
            cursor.at += 2;
            assert!(reader.by_template(&mut cursor, row), "row {row}");
        }
        assert_eq!(reader.rows[97].score, 0.00000097);
    }

    #[test]
    fn missing_fields_are_named() {
        let text =
            r#"[{"image_id": 4, "category_id": 2, "bbox": [1, 2, 3, 4], "score": 0.5}, {"image_id": 4, "score": 1}]"#;
        let error = read(text.as_bytes(), 1).err().unwrap();
        assert_eq!((error.row, error.field.as_deref()), (Some(1), Some("bbox")));
    }

    #[test]
    fn names_and_texts_are_ids_too() {
        let text = r#"[{"image_id": "a", "category_name": "car ", "bbox": [1, 2, 3, 4], "score": NaN}]"#;
        let raw = read(text.as_bytes(), 1).unwrap();
        assert_eq!(raw.images.ids, [Id::Text("a".into())]);
        assert_eq!(raw.names.ids, [Id::Text("car ".into())]);
        assert!(raw.pieces[0].rows[0].score.is_nan());
        assert_eq!(raw.pieces[0].rows[0].label, NAMED);
    }
}
