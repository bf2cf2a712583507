//! Boxes as lines of text, one file an image: a label, four numbers, and for detections a score.

use crate::ids::{Id, IdTable};
use crate::json::number;
use crate::parallel;
use std::ops::Range;

/// Where the score stands in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Nowhere: ground truth.
    None,
    /// Behind the label.
    Second,
    Last,
}

/// What the four numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// x, y, width, height.
    Corner,
    /// x1, y1, x2, y2.
    Corners,
    /// Centre x, centre y, width, height.
    Centre,
}

#[derive(Debug, Clone, Copy)]
pub struct Form {
    pub score: Score,
    pub numbers: Numbers,
    /// Numbers are shares of the image's width and height.
    pub relative: bool,
    /// Labels are whole numbers; else texts, which may hold blanks.
    pub numbered: bool,
    /// Lines with six numbers or more are polygons, whose bounding box is taken. For numbered labels alone.
    pub polygons: bool,
}

/// The first line that can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    pub file: usize,
    /// From 1, as editors count.
    pub line: usize,
    pub field: &'static str,
    pub problem: String,
    pub found: String,
}

/// A row as stated, its box already `x, y, width, height` in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    pub bbox: [f64; 4],
    pub score: f64,
    pub file: u32,
    pub line: u32,
    pub label: u32,
}

#[derive(Default)]
pub struct Rows {
    pub rows: Vec<Row>,
    pub labels: IdTable,
    /// Lines that were polygons.
    pub polygons: u64,
}

/// Reads all files; `sizes` are width and height of each image, used where numbers are relative.
pub fn read(files: &[&[u8]], sizes: &[[f64; 2]], form: Form, threads: usize) -> Result<Rows, LineError> {
    let ends = files.iter().scan(0, |sum, file| {
        *sum += file.len() + 64;
        Some(*sum)
    });
    let weights: Vec<usize> = std::iter::once(0).chain(ends).collect();
    let parts = parallel::map(parallel::even_ranges(&weights, parallel::pieces(threads)), threads, |range| {
        let mut reader = Reader { form, rows: Rows::default(), bytes: &[], fields: Vec::new() };
        range
            .clone()
            .try_for_each(|file| reader.file(files[file], file, sizes.get(file).copied().unwrap_or([1.0; 2])))?;
        Ok(reader.rows)
    });
    let mut all = Rows::default();
    for part in parts {
        let part: Rows = part?;
        let labels = all.labels.absorb(part.labels, all.rows.len() as u64);
        all.polygons += part.polygons;
        all.rows.extend(part.rows.into_iter().map(|row| Row { label: labels[row.label as usize], ..row }));
    }
    Ok(all)
}

struct Reader<'a> {
    form: Form,
    rows: Rows,
    /// The file at hand, and where the fields of the line at hand lie in it: numbers are scanned in place, for a scan
    /// that sees eight bytes at once is much faster than one that ends with the field.
    bytes: &'a [u8],
    fields: Vec<Range<usize>>,
}

/// Why a line can't be read: the field, the problem, and what stands there.
type Fault = (&'static str, String, String);

impl<'a> Reader<'a> {
    fn file(&mut self, bytes: &'a [u8], file: usize, size: [f64; 2]) -> Result<(), LineError> {
        self.bytes = bytes;
        let mut begin = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        for line in 1.. {
            let end =
                bytes[begin..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |length| begin + length);
            self.split(begin..end);
            if !self.fields.is_empty() {
                let read = self.line(size);
                let (label, bbox, score) =
                    read.map_err(|(field, problem, found)| LineError { file, line, field, problem, found })?;
                self.rows.rows.push(Row { bbox, score, file: file as u32, line: line as u32, label });
            }
            begin = end + 1;
            if begin >= bytes.len() {
                break;
            }
        }
        Ok(())
    }

    /// Finds the fields of a line: what stands between white space.
    fn split(&mut self, line: Range<usize>) {
        self.fields.clear();
        let mut at = line.start;
        while at < line.end {
            if self.bytes[at].is_ascii_whitespace() {
                at += 1;
                continue;
            }
            let start = at;
            while at < line.end && !self.bytes[at].is_ascii_whitespace() {
                at += 1;
            }
            self.fields.push(start..at);
        }
    }

    /// The text from the first field to the last of some.
    fn span(&self, fields: usize) -> &'a [u8] {
        &self.bytes[self.fields[0].start..self.fields[fields - 1].end]
    }

    fn line(&mut self, size: [f64; 2]) -> Result<(u32, [f64; 4], f64), Fault> {
        let score = usize::from(self.form.score != Score::None);
        let count = self.fields.len();
        if count < 5 + score {
            let wanted = if score == 1 { "a label, a score and four numbers" } else { "a label and four numbers" };
            return Err(("line", format!("expected {wanted}, found {count} fields"), text(self.span(count))));
        }
        if self.form.numbered && self.form.polygons && count > 5 + score {
            return self.polygon(size);
        }
        if self.form.numbered && count > 5 + score {
            return Err(("line", format!("expected {} fields, found {count}", 5 + score), text(self.span(count))));
        }
        let numbers = count - 4 - score;
        let (stated, place) = match self.form.score {
            Score::None => (numbers, None),
            Score::Second => (numbers + 1, Some(numbers)),
            Score::Last => (numbers, Some(count - 1)),
        };
        let mut four = [0.0; 4];
        for (i, value) in four.iter_mut().enumerate() {
            *value = self.number(stated + i, "box")?;
        }
        let score = place.map_or(Ok(0.0), |place| self.number(place, "score"))?;
        let label = self.label(numbers)?;
        Ok((label, self.pixels(four, size), score))
    }

    /// The label is the first field, or all that stands before the numbers.
    fn label(&mut self, fields: usize) -> Result<u32, Fault> {
        let row = self.rows.rows.len() as u64;
        let stated = self.span(if self.form.numbered { 1 } else { fields });
        if self.form.numbered {
            let value = self.number(0, "class").ok().filter(|value| value.fract() == 0.0 && value.abs() < 1e15);
            let Some(value) = value else {
                return Err(("class", "expected a whole number".to_owned(), text(stated)));
            };
            return Ok(self.rows.labels.integer(value as i128, row));
        }
        match std::str::from_utf8(stated) {
            Ok(name) => Ok(self.rows.labels.insert(Id::Text(name.into()), row, 1)),
            Err(_) => Err(("class", "the label is not UTF-8 text".to_owned(), text(stated))),
        }
    }

    /// A label, then the corners of a polygon, then perhaps a score: the box around it.
    fn polygon(&mut self, size: [f64; 2]) -> Result<(u32, [f64; 4], f64), Fault> {
        let end = self.fields.len() - usize::from(self.form.score == Score::Last);
        let first = 1 + usize::from(self.form.score == Score::Second);
        if end - first < 6 || !(end - first).is_multiple_of(2) {
            let problem = format!("expected four numbers or a polygon's pairs, found {} numbers", end - first);
            return Err(("line", problem, text(self.span(self.fields.len()))));
        }
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for (axis, field) in (first..end).enumerate().map(|(i, field)| (i % 2, field)) {
            let value = self.number(field, "polygon")? * if self.form.relative { size[axis] } else { 1.0 };
            low[axis] = low[axis].min(value);
            high[axis] = high[axis].max(value);
        }
        let score = match self.form.score {
            Score::None => 0.0,
            Score::Second => self.number(1, "score")?,
            Score::Last => self.number(end, "score")?,
        };
        let label = self.label(1)?;
        self.rows.polygons += 1;
        Ok((label, [low[0], low[1], high[0] - low[0], high[1] - low[1]], score))
    }

    #[inline]
    fn number(&self, field: usize, name: &'static str) -> Result<f64, Fault> {
        let Range { start, end } = self.fields[field].clone();
        match number::scan(self.bytes, start) {
            Ok(scanned) if start + scanned.length == end => Ok(scanned.to_f64(self.bytes, start)),
            _ => other_number(&self.bytes[start..end], name),
        }
    }

    fn pixels(&self, [a, b, c, d]: [f64; 4], [width, height]: [f64; 2]) -> [f64; 4] {
        let [a, b, c, d] =
            if self.form.relative { [a * width, b * height, c * width, d * height] } else { [a, b, c, d] };
        match self.form.numbers {
            Numbers::Corner => [a, b, c, d],
            Numbers::Corners => [a, b, c - a, d - b],
            Numbers::Centre => [a - c / 2.0, b - d / 2.0, c, d],
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(60).collect()
}

/// Forms of numbers that JSON lacks: a leading plus, a bare point, nan, inf.
#[cold]
fn other_number(field: &[u8], name: &'static str) -> Result<f64, Fault> {
    match std::str::from_utf8(field).ok().and_then(|text| text.parse().ok()) {
        Some(value) => Ok(value),
        None if field.contains(&b',') => Err((name, "expected a number with a decimal point".to_owned(), text(field))),
        None => Err((name, "expected a number".to_owned(), text(field))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YOLO: Form =
        Form { score: Score::None, numbers: Numbers::Centre, relative: true, numbered: true, polygons: true };
    const TOOLS: Form =
        Form { score: Score::Second, numbers: Numbers::Corners, relative: false, numbered: false, polygons: false };

    fn rows(texts: &[&str], form: Form) -> Result<Rows, LineError> {
        let files: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        read(&files, &vec![[200.0, 100.0]; files.len()], form, 2)
    }

    #[test]
    fn relative_centres_become_pixels_and_polygons_boxes() {
        let read = rows(&["0 0.5 0.5 0.25 0.5\r\n\r\n3\t0 0  0.5 0 0.5 1\n", "", "3.0 0.5 0.5 1 1"], YOLO).unwrap();
        let boxes: Vec<_> = read.rows.iter().map(|row| (row.file, row.line, row.label, row.bbox)).collect();
        assert_eq!(
            boxes,
            [
                (0, 1, 0, [75.0, 25.0, 50.0, 50.0]),
                (0, 3, 1, [0.0, 0.0, 100.0, 100.0]),
                (2, 1, 1, [0.0, 0.0, 200.0, 100.0])
            ]
        );
        assert_eq!((read.polygons, read.labels.uses), (1, vec![1, 2]));
    }

    #[test]
    fn labels_may_hold_blanks() {
        let read = rows(&["traffic  light .5 1 2 3 5\ncar 1e-3 0 0 1 1"], TOOLS).unwrap();
        assert_eq!(read.labels.ids, [Id::Text("traffic  light".into()), Id::Text("car".into())]);
        assert_eq!((read.rows[0].score, read.rows[0].bbox), (0.5, [1.0, 2.0, 2.0, 3.0]));
    }

    #[test]
    fn faults_name_file_line_and_field() {
        for (texts, form, place) in [
            (["0 0.5 0.5 1 1", "0 0.5 0.5 1"], YOLO, (1, 1, "line")),
            (["\n0 0,5 0.5 1 1", ""], YOLO, (0, 2, "box")),
            (["x 0.5 0.5 1 1", ""], YOLO, (0, 1, "class")),
            (["", "car high 0 0 1 1"], TOOLS, (1, 1, "score")),
        ] {
            let error = rows(&texts, form).err().unwrap();
            assert_eq!((error.file, error.line, error.field), place, "{texts:?}");
        }
    }
}
