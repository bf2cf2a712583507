//! boxscore's kernel: bytes and columns in, columns out. No paths, no label names, no protocol names.

pub mod accumulate;
pub mod blocks;
pub mod confusion;
pub mod counts;
pub mod error;
pub mod findings;
pub mod ids;
pub mod json;
pub mod matches;
pub mod matching;
pub mod overlap;
pub mod pairs;
pub mod parallel;
#[cfg(feature = "python")]
mod python;
pub mod resample;
pub mod sum;
pub mod suppression;
pub mod tables;
pub mod text;
