//! The one error of the readers: what is wrong, and exactly where.

use std::fmt;

/// Bytes that are not what they should be. The caller knows the file's name and adds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    pub problem: String,
    pub section: Option<&'static str>,
    pub row: Option<u64>,
    pub field: Option<String>,
    pub byte: usize,
}

pub type Result<T> = std::result::Result<T, ParseError>;

impl ParseError {
    pub fn at(byte: usize, problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), section: None, row: None, field: None, byte }
    }

    /// Names the field, unless a deeper one was named already.
    pub fn in_field(mut self, field: &str) -> Self {
        self.field.get_or_insert_with(|| field.to_owned());
        self
    }

    pub fn in_row(mut self, section: &'static str, row: u64) -> Self {
        self.section = Some(section);
        self.row = Some(row);
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.problem, self.byte)
    }
}

/// The text at `byte`, at most 40 characters, for the message.
pub fn excerpt(bytes: &[u8], byte: usize) -> String {
    let rest = bytes.get(byte..).unwrap_or(&[]);
    let line = rest.split(|&b| b == b'\n').next().unwrap_or(&[]);
    String::from_utf8_lossy(&line[..line.len().min(160)]).chars().take(40).collect()
}
