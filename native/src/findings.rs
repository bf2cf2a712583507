//! What was noticed while tables were made. The caller words it, names the file and decides what it means.

/// Codes, with what `value` and `extra` hold:
/// - `duplicate-annotation-id`: the id; `other` is the entry that repeats it
/// - `image-repeated`, `image-conflict`: the id; `other` repeats it (conflict: `field` differs)
/// - `annotation-unknown-image`, `unknown-image`: the first id; `extra` distinct ids
/// - `non-finite`: `field` and the number as written
/// - `degenerate`: `field` (width or height) and the number
/// - `area-missing`; `area-far`: the area, `extra` is width x height
/// - `ignore-without-crowd`
/// - `outside-image`, `corner-suspect`: the first box; `unit-boxes`: the farthest corner
/// - `image-id-coerced`, `image-id-ambiguous`: the id
/// - `score-range`: the smallest score, `extra` the largest; `scores-equal`: the score, `extra` the same
/// - `tied-scores`: the score
///
/// Of a part of a file (`Reading::part`), `corner-suspect`, `unit-boxes` and `scores-equal` (`extra`: the largest) are
/// always there: counts and extremes, by which the caller settles them over all parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub code: &'static str,
    pub count: u64,
    pub row: u64,
    pub other: Option<u64>,
    pub field: Option<&'static str>,
    pub value: Option<String>,
    pub extra: Option<f64>,
}

impl Finding {
    pub fn new(code: &'static str, row: u64) -> Self {
        Self { code, count: 1, row, other: None, field: None, value: None, extra: None }
    }
}

/// Counts one kind of finding and keeps the earliest row that shows it.
#[derive(Debug, Clone)]
pub struct Tally {
    found: Option<Finding>,
    code: &'static str,
}

impl Tally {
    pub fn new(code: &'static str) -> Self {
        Self { found: None, code }
    }

    /// Counts `row`; `describe` fills in the details when it is the first of the file so far.
    #[inline]
    pub fn add(&mut self, row: u64, describe: impl FnOnce(&mut Finding)) {
        match &mut self.found {
            Some(finding) if finding.row <= row => finding.count += 1,
            found => {
                let count = found.as_ref().map_or(0, |finding| finding.count);
                let mut finding = Finding::new(self.code, row);
                describe(&mut finding);
                finding.count = count + 1;
                *found = Some(finding);
            }
        }
    }

    /// Joins a tally of other rows.
    pub fn join(&mut self, other: Tally) {
        match (&mut self.found, other.found) {
            (_, None) => {}
            (found @ None, theirs) => *found = theirs,
            (Some(mine), Some(mut theirs)) => {
                let count = mine.count + theirs.count;
                if theirs.row < mine.row {
                    std::mem::swap(mine, &mut theirs);
                }
                mine.count = count;
            }
        }
    }

    pub fn count(&self) -> u64 {
        self.found.as_ref().map_or(0, |finding| finding.count)
    }

    pub fn into_finding(self) -> Option<Finding> {
        self.found
    }
}
