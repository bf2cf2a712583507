//! Typed streaming readers from bytes.

pub mod array;
pub mod cursor;
pub mod fields;
pub mod ground_truth;
pub mod number;
pub mod results;

use crate::error::{ParseError, Result};
use cursor::Cursor;

/// The place of the first value, behind white space and the byte-order mark that some editors put first.
fn first_value(bytes: &[u8]) -> Result<Cursor<'_>> {
    let mut cursor = Cursor::new(bytes, if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 });
    cursor.skip_space();
    if cursor.peek().is_none() {
        return Err(ParseError::at(cursor.at, "the file is empty"));
    }
    Ok(cursor)
}

/// Nothing but white space may follow the last value.
fn expect_end(cursor: &mut Cursor) -> Result<()> {
    cursor.skip_space();
    match cursor.peek() {
        None => Ok(()),
        Some(_) => Err(ParseError::at(cursor.at, "more text follows where the file should end")),
    }
}

/// `[x, y, width, height]` into `to`; numbers may be NaN or infinite, the tables tell.
#[inline(always)]
fn read_box(cursor: &mut Cursor, to: &mut [f64; 4]) -> Result<()> {
    let start = cursor.at;
    cursor.expect(b'[', "a box of four numbers")?;
    for (i, value) in to.iter_mut().enumerate() {
        cursor.skip_space();
        *value = cursor.number()?.value;
        cursor.skip_space();
        let last = i == 3;
        if !cursor.take(if last { b']' } else { b',' }) {
            let problem = match cursor.peek() {
                Some(b']') => "a box with fewer than four numbers",
                Some(b',') => "a box with more than four numbers",
                _ => return cursor.fail("',' or ']'"),
            };
            return Err(ParseError::at(start, problem));
        }
    }
    Ok(())
}
