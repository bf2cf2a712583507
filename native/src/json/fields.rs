//! The second pass: scalar fields of records, for the few who ask for them.

use super::array::{self, Records};
use super::cursor::Cursor;
use super::{expect_end, first_value};
use crate::error::{ParseError, Result};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
use std::sync::Arc;

/// A value of one field as it stands.
enum Value {
    Integer(i64),
    Number(f64),
    Flag(bool),
    Text(String),
    /// Objects, arrays, and integers beyond 64 bits signed.
    Other(String),
}

/// The fields as columns, one row an entry of `section`, in file order. A column is the narrowest of int64, float64,
/// boolean and text that holds all its values; where kinds mix, each value comes as its JSON text.
pub fn read(bytes: &[u8], section: &str, fields: &[String]) -> Result<Vec<ArrayRef>> {
    let known = ["images", "annotations", "categories", "results"];
    let mut cursor = first_value(bytes)?;
    let Some(section) = known.into_iter().find(|&name| name == section) else {
        return Err(ParseError::at(cursor.at, format!("there is no section {section}")));
    };
    let mut found = Fields::new(fields);
    let mut read_section = |cursor: &mut Cursor| {
        let array = array::read(bytes, cursor.at, section, 1, |_| Fields::new(fields))?;
        array.pieces.into_iter().for_each(|(piece, _)| found.append(piece));
        cursor.at = array.end;
        Ok(())
    };
    if section == "results" {
        read_section(&mut cursor)?;
    } else {
        cursor.object(|cursor, key| if key == section { read_section(cursor) } else { cursor.skip_value() })?;
    }
    expect_end(&mut cursor)?;
    Ok(found.columns.into_iter().map(to_array).collect())
}

struct Fields<'a> {
    names: &'a [String],
    columns: Vec<Vec<Option<Value>>>,
}

impl<'a> Fields<'a> {
    fn new(names: &'a [String]) -> Self {
        Self { names, columns: names.iter().map(|_| Vec::new()).collect() }
    }

    fn append(&mut self, piece: Fields) {
        self.columns.iter_mut().zip(piece.columns).for_each(|(column, rows)| column.extend(rows));
    }
}

impl Records for Fields<'_> {
    fn record(&mut self, cursor: &mut Cursor, row: u64) -> Result<()> {
        let rows = row as usize + 1;
        self.columns.iter_mut().for_each(|column| column.resize_with(rows, || None));
        cursor.object(|cursor, key| match self.names.iter().position(|name| name == key) {
            Some(place) => {
                self.columns[place][rows - 1] = read_value(cursor).map_err(|error| error.in_field(key))?;
                Ok(())
            }
            None => cursor.skip_value(),
        })
    }
}

fn read_value(cursor: &mut Cursor) -> Result<Option<Value>> {
    let start = cursor.at;
    match cursor.peek() {
        Some(b'"') => return Ok(Some(Value::Text(cursor.string()?.into_owned()))),
        Some(b'n') if cursor.null() => return Ok(None),
        Some(b't' | b'f') => return cursor.flag().map(|flag| Some(Value::Flag(flag))),
        _ => cursor.skip_value()?,
    }
    let text = std::str::from_utf8(&cursor.bytes[start..cursor.at])
        .map_err(|_| ParseError::at(start, "the text is not UTF-8"))?;
    if text.starts_with(['[', '{']) {
        return Ok(Some(Value::Other(text.to_owned())));
    }
    if let Ok(value) = text.parse::<i64>() {
        return Ok(Some(Value::Integer(value)));
    }
    let whole = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    if whole {
        return Ok(Some(Value::Other(text.to_owned())));
    }
    Cursor::new(cursor.bytes, start).number().map(|number| Some(Value::Number(number.value)))
}

fn to_array(values: Vec<Option<Value>>) -> ArrayRef {
    let all = |fits: fn(&Value) -> bool| values.iter().flatten().all(fits);
    if all(|value| matches!(value, Value::Integer(_))) {
        let column = values.iter().map(|value| value.as_ref().map(|v| if let Value::Integer(i) = v { *i } else { 0 }));
        return Arc::new(column.collect::<Int64Array>());
    }
    if all(|value| matches!(value, Value::Integer(_) | Value::Number(_))) {
        let number = |value: &Value| match value {
            Value::Integer(i) => *i as f64,
            Value::Number(x) => *x,
            _ => f64::NAN,
        };
        return Arc::new(values.iter().map(|value| value.as_ref().map(number)).collect::<Float64Array>());
    }
    if all(|value| matches!(value, Value::Flag(_))) {
        let column = values.iter().map(|value| value.as_ref().map(|v| matches!(v, Value::Flag(true))));
        return Arc::new(column.collect::<BooleanArray>());
    }
    let plain = all(|value| matches!(value, Value::Text(_)));
    let column = values.into_iter().map(|value| value.map(|v| if plain { plain_text(v) } else { json_text(v) }));
    Arc::new(column.collect::<StringArray>())
}

fn plain_text(value: Value) -> String {
    if let Value::Text(text) | Value::Other(text) = value { text } else { String::new() }
}

fn json_text(value: Value) -> String {
    match value {
        Value::Integer(i) => i.to_string(),
        Value::Number(x) => format!("{x:?}"),
        Value::Flag(flag) => flag.to_string(),
        Value::Other(text) => text,
        Value::Text(text) => quote(&text),
    }
}

fn quote(text: &str) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type};

    #[test]
    fn columns_take_the_narrowest_type() {
        let text = r#"{"images": [{"a": 1, "b": 1, "c": "x", "d": true, "e": 1}, {"b": 2.5, "e": "y\"", "d": null}]}"#;
        let fields: Vec<String> = ["a", "b", "c", "d", "e"].map(String::from).into();
        let columns = read(text.as_bytes(), "images", &fields).unwrap();
        assert_eq!(columns[0].as_primitive::<Int64Type>().value(0), 1);
        assert!(columns[0].is_null(1));
        assert_eq!(columns[1].as_primitive::<Float64Type>().values()[..], [1.0, 2.5]);
        assert_eq!(columns[2].as_string::<i32>().value(0), "x");
        assert!(columns[3].as_boolean().value(0) && columns[3].is_null(1));
        assert_eq!(columns[4].as_string::<i32>().value(1), r#""y\"""#);
    }
}
