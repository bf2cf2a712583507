//! Blocks out of matches.

use super::{FEW_PAIRS, HEAD};
use crate::matches::{Matches, UNMATCHED};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A rank that is not the detection's place in its image and label.
#[derive(Debug)]
pub struct Unranked;

/// What is gathered of one label.
#[derive(Default)]
struct Label {
    runs: Vec<(u32, u32)>,
    scores: Vec<u8>,
    pairs: Vec<Pair>,
    numbers: HashMap<Pair, u32, BuildHasherDefault<Mixed>>,
    last: Option<(Pair, u32)>,
    codes: Vec<u32>,
    gt: Vec<u32>,
    object_images: Vec<u32>,
    object_matched: Vec<u64>,
    object_ignored: Vec<u64>,
}

type Pair = (u64, u64, bool);

/// One block a label, without bytes where a label has neither detections nor objects.
///
/// # Errors
/// `Unranked` where ranks do not count up from 0 in each image and label.
///
/// # Panics
/// Where a label is beyond `num_labels`.
pub fn by_label(matches: &Matches, num_labels: usize) -> Result<Vec<Vec<u8>>, Unranked> {
    let mut labels: Vec<Label> = (0..num_labels).map(|_| Label::default()).collect();
    let rows = &matches.objects;
    // Rows of ground truth are counted anew within their label.
    let mut own_rows = Vec::with_capacity(rows.label.len());
    for row in 0..rows.label.len() {
        let label = &mut labels[rows.label[row] as usize];
        own_rows.push(label.object_images.len() as u32);
        label.object_images.push(rows.image[row]);
        label.object_matched.push(rows.matched[row]);
        label.object_ignored.push(rows.ignored[row]);
    }
    let rows = &matches.detections;
    for row in 0..rows.label.len() {
        let label = &mut labels[rows.label[row] as usize];
        label.place(rows.image[row], rows.rank[row])?;
        label.scores.extend_from_slice(&rows.score[row].to_le_bytes());
        let gt = rows.gt[row];
        label.add_pair((rows.matched[row], rows.ignored[row], gt != UNMATCHED));
        if gt != UNMATCHED {
            label.gt.push(own_rows[gt as usize]);
        }
    }
    Ok(labels.into_iter().map(|label| label.bytes(matches.num_cells)).collect())
}

impl Label {
    fn place(&mut self, image: u32, rank: u32) -> Result<(), Unranked> {
        if rank == 0 {
            self.runs.push((image, 1));
            return Ok(());
        }
        let run = self.runs.last_mut().filter(|run| run.0 == image && run.1 == rank).ok_or(Unranked)?;
        run.1 += 1;
        Ok(())
    }

    fn add_pair(&mut self, pair: Pair) {
        let number = match self.last {
            Some((last, number)) if last == pair => number,
            _ => {
                let pairs = &mut self.pairs;
                *self.numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    (pairs.len() - 1) as u32
                })
            }
        };
        self.last = Some((pair, number));
        self.codes.push(number);
    }

    fn bytes(self, num_cells: usize) -> Vec<u8> {
        if self.codes.is_empty() && self.object_images.is_empty() {
            return Vec::new();
        }
        let counts =
            [num_cells, self.runs.len(), self.codes.len(), self.pairs.len(), self.gt.len(), self.object_images.len()];
        let mut out = Vec::with_capacity(HEAD + self.scores.len() + self.codes.len() * 4 + self.runs.len() * 8);
        counts.iter().for_each(|&count| out.extend_from_slice(&(count as u32).to_le_bytes()));
        for (image, count) in &self.runs {
            out.extend_from_slice(&image.to_le_bytes());
            out.extend_from_slice(&count.to_le_bytes());
        }
        out.extend_from_slice(&self.scores);
        for (matched, ignored, found) in &self.pairs {
            out.extend_from_slice(&matched.to_le_bytes());
            out.extend_from_slice(&ignored.to_le_bytes());
            out.push(u8::from(*found));
        }
        if self.pairs.len() <= FEW_PAIRS {
            self.codes.iter().for_each(|&code| out.extend_from_slice(&(code as u16).to_le_bytes()));
        } else {
            self.codes.iter().for_each(|&code| out.extend_from_slice(&code.to_le_bytes()));
        }
        self.gt.iter().for_each(|row| out.extend_from_slice(&row.to_le_bytes()));
        self.object_images.iter().for_each(|image| out.extend_from_slice(&image.to_le_bytes()));
        self.object_matched.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        self.object_ignored.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        out
    }
}

/// A hash of two words that costs two multiplications: the words are the kernel's own, nobody picks them to collide.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
