//! An array of records, split over threads.
//!
//! The bytes are cut at fixed places. A thread guesses where the first record after its cut begins and reads from there
//! to the next guess. A guess can be wrong (inside a text or a nested value), so a piece counts only when the piece before
//! it ended exactly where it began; otherwise its bytes are read again from the right place. Pieces depend on the bytes
//! alone, so the result is the same for any number of threads.

use super::cursor::Cursor;
use crate::error::{ParseError, Result};
use crate::parallel;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes a piece: large enough that its start is nothing, small enough that threads share evenly.
const PIECE: usize = 1 << 20;

/// Tables number their rows in 32 bits, the last number meaning none.
const MOST_ROWS: u64 = u32::MAX as u64 - 1;

/// Reads records into columns of its own.
pub trait Records: Send {
    /// Reads the record at the cursor (an object) as row `row` of this piece.
    fn record(&mut self, cursor: &mut Cursor, row: u64) -> Result<()>;
}

struct Piece<R> {
    records: R,
    start: usize,
    rows: u64,
    /// Where it stopped: at the start of a record, or behind the array's `]`.
    end: usize,
    closed: bool,
    error: Option<ParseError>,
}

/// The records of one array in file order, each piece with its first row; and the place behind the array.
pub struct Array<R> {
    pub pieces: Vec<(R, u64)>,
    pub rows: u64,
    pub end: usize,
}

/// Reads the array whose `[` stands at `at`. `make(bytes)` makes the reader of a piece of about that many bytes.
pub fn read<R: Records>(
    bytes: &[u8],
    at: usize,
    section: &'static str,
    threads: usize,
    make: impl Fn(usize) -> R + Sync,
) -> Result<Array<R>> {
    let mut cursor = Cursor::new(bytes, at);
    if cursor.peek() != Some(b'[') {
        return cursor.fail("an array").map_err(|error| ParseError { section: Some(section), ..error });
    }
    cursor.at += 1;
    cursor.skip_space();
    if cursor.take(b']') {
        return Ok(Array { pieces: Vec::new(), rows: 0, end: cursor.at });
    }
    let first = cursor.at;
    let opening: Vec<u8> = bytes[first..].iter().copied().take(6).collect();
    let count = (bytes.len() - first).div_ceil(PIECE);
    let guess = |index: usize| guess_start(bytes, first, index, &opening);
    // The first piece that met the array's end: those behind it need not be read.
    let last = AtomicUsize::new(usize::MAX);
    let pieces = parallel::map((0..count).collect(), threads, |index: usize| {
        if index > last.load(Ordering::Relaxed) {
            return None;
        }
        let start = guess(index)?;
        let piece = read_piece(
            bytes,
            start,
            guess_after(&guess, index, count, bytes.len()),
            make(PIECE.min(bytes.len() - start)),
        );
        if piece.closed {
            last.fetch_min(index, Ordering::Relaxed);
        }
        Some(piece)
    });
    join(bytes, first, section, pieces, &make)
}

fn guess_after(guess: &impl Fn(usize) -> Option<usize>, index: usize, count: usize, end: usize) -> usize {
    (index + 1..count).find_map(guess).unwrap_or(end)
}

/// The first place at or after the cut of piece `index` that looks like the start of a record: `},` and then the
/// bytes with which the array's first record opens.
fn guess_start(bytes: &[u8], first: usize, index: usize, opening: &[u8]) -> Option<usize> {
    if index == 0 {
        return Some(first);
    }
    let from = first + index * PIECE;
    let to = (from + PIECE).min(bytes.len());
    let mut at = from;
    while at < to {
        let brace = at + bytes[at..to].iter().position(|&b| b == b'}')?;
        let mut cursor = Cursor::new(bytes, brace + 1);
        cursor.skip_space();
        if cursor.take(b',') {
            cursor.skip_space();
            if bytes[cursor.at..].starts_with(opening) {
                return Some(cursor.at);
            }
        }
        at = brace + 1;
    }
    None
}

fn read_piece<R: Records>(bytes: &[u8], start: usize, until: usize, mut records: R) -> Piece<R> {
    let mut cursor = Cursor::new(bytes, start);
    let mut rows = 0;
    let mut closed = false;
    let error = loop {
        if cursor.at >= until {
            break if cursor.at >= bytes.len() { cursor.fail::<()>("a record").err() } else { None };
        }
        if let Err(error) = records.record(&mut cursor, rows) {
            break Some(error);
        }
        rows += 1;
        match cursor.another(b']') {
            Ok(true) => {}
            Ok(false) => {
                closed = true;
                break None;
            }
            Err(error) => break Some(error),
        }
    };
    Piece { records, start, rows, end: cursor.at, closed, error }
}

fn join<R: Records>(
    bytes: &[u8],
    first: usize,
    section: &'static str,
    pieces: Vec<Option<Piece<R>>>,
    make: &impl Fn(usize) -> R,
) -> Result<Array<R>> {
    let mut array = Array { pieces: Vec::with_capacity(pieces.len()), rows: 0, end: first };
    let mut pending = pieces.into_iter().flatten().peekable();
    loop {
        // Wrong guesses lie behind us.
        while pending.next_if(|piece| piece.start < array.end).is_some() {}
        let piece = match pending.next_if(|piece| piece.start == array.end) {
            Some(piece) => piece,
            None => {
                let until = pending.peek().map_or(bytes.len(), |piece| piece.start);
                read_piece(bytes, array.end, until, make(until - array.end))
            }
        };
        if let Some(error) = piece.error {
            return Err(error.in_row(section, array.rows + piece.rows));
        }
        array.pieces.push((piece.records, array.rows));
        array.rows += piece.rows;
        if array.rows > MOST_ROWS {
            return Err(ParseError::at(piece.start, "more entries than 4,294,967,294, the most that tables hold"));
        }
        array.end = piece.end;
        if piece.closed {
            return Ok(array);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbers(Vec<f64>);

    impl Records for Numbers {
        fn record(&mut self, cursor: &mut Cursor, _row: u64) -> Result<()> {
            let numbers = &mut self.0;
            cursor.object(|cursor, key| match key {
                "n" => {
                    numbers.push(cursor.number()?.value);
                    Ok(())
                }
                _ => cursor.skip_value(),
            })
        }
    }

    /// Records whose texts and nested objects look like the start of a record.
    fn awkward(rows: usize) -> String {
        let record = |i: usize| format!(r#"{{"n": {i}, "t": "}}, {{\"n\": 0}}, {{", "o": [{{"n": 9}}, {{"n": 8}}]}}"#);
        format!("[{}]", (0..rows).map(record).collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn wrong_guesses_change_nothing() {
        let text = awkward(60_000);
        assert!(text.len() > 3 * PIECE);
        for threads in [1, 2, 4] {
            let array = read(text.as_bytes(), 0, "results", threads, |_| Numbers(Vec::new())).unwrap();
            let numbers: Vec<f64> = array.pieces.into_iter().flat_map(|(piece, _)| piece.0).collect();
            assert_eq!(numbers, (0..60_000).map(f64::from).collect::<Vec<_>>());
            assert_eq!((array.rows, array.end), (60_000, text.len()));
        }
    }

    #[test]
    fn errors_name_the_row_in_the_whole_array() {
        let text = awkward(60_000).replace("\"n\": 54321,", "\"n\": true,");
        let error = read(text.as_bytes(), 0, "results", 2, |_| Numbers(Vec::new())).err().unwrap();
        assert_eq!((error.section, error.row), (Some("results"), Some(54_321)));
        assert_eq!(&text[error.byte..error.byte + 4], "true");
        let short = &text[..text.len() / 3];
        let error = read(short.as_bytes(), 0, "results", 2, |_| Numbers(Vec::new())).err().unwrap();
        assert_eq!(error.byte, short.len());
    }
}
