//! Matches cut into blocks, one a label: what a shard hands to those who add up a label, without the rest.
//!
//! A block is small: image and rank of its detections are runs, their two words are numbers of a table of the few pairs
//! that occur, and rows of ground truth are kept where there are any. Little-endian throughout:
//!
//! - six u32: cells, images (detections of one image are a run), detections, pairs, detections with ground truth, objects;
//! - a run: image, detections (u32); the detections of a run have the ranks 0, 1, 2, …;
//! - a detection: score (f64);
//! - a pair: matched, ignored (u64), whether there is ground truth at cell 0 (u8);
//! - a detection: its pair (u16, or u32 where there are more than 65,536 pairs);
//! - a detection with ground truth: the row among the block's objects (u32);
//! - an object: image (u32); then matched (u64) of all; then ignored (u64) of all.

mod read;
mod write;

pub use read::{Damaged, Given, gather};
pub use write::{Unranked, by_label};

/// Numbers of pairs take two bytes up to here.
const FEW_PAIRS: usize = 1 << 16;

const HEAD: usize = 6 * 4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::{DetectionMatches, Matches, ObjectMatches, UNMATCHED};

    /// Two images, two labels; label 0 has two detections in image 0, one in image 1.
    fn matches() -> Matches {
        Matches {
            num_cells: 2,
            num_images: 2,
            detections: DetectionMatches {
                image: vec![0, 0, 0, 1, 1].into(),
                label: vec![0, 0, 1, 0, 1].into(),
                score: vec![0.9, -0.0, 0.3, 0.7, 0.2].into(),
                rank: vec![0, 1, 0, 0, 0].into(),
                matched: vec![3, 0, 0, 2, 1].into(),
                ignored: vec![0, 2, 0, 0, 0].into(),
                gt: vec![0, UNMATCHED, UNMATCHED, UNMATCHED, 3].into(),
            },
            objects: ObjectMatches {
                image: vec![0, 1, 1, 1].into(),
                label: vec![0, 0, 0, 1].into(),
                matched: vec![3, 0, 2, 1].into(),
                ignored: vec![0, 1, 0, 0].into(),
            },
            assignments: None,
        }
    }

    fn same(a: &Matches, b: &Matches) {
        assert_eq!(a.state_words(), b.state_words());
    }

    impl Matches {
        fn state_words(&self) -> Vec<Vec<u64>> {
            let (d, o) = (&self.detections, &self.objects);
            let small = |column: &[u32]| column.iter().map(|&v| u64::from(v)).collect::<Vec<u64>>();
            vec![
                vec![self.num_cells as u64, self.num_images as u64],
                small(&d.image),
                small(&d.label),
                d.score.iter().map(|score| score.to_bits()).collect(),
                small(&d.rank),
                d.matched.to_vec(),
                d.ignored.to_vec(),
                small(&d.gt),
                small(&o.image),
                small(&o.label),
                o.matched.to_vec(),
                o.ignored.to_vec(),
            ]
        }
    }

    #[test]
    fn all_blocks_together_are_the_matches() {
        let whole = matches();
        let blocks = by_label(&whole, 3).unwrap();
        assert!(blocks[2].is_empty());
        let given: Vec<Given> =
            blocks.iter().enumerate().map(|(label, bytes)| Given { part: 0, label: label as u32, bytes }).collect();
        let rows = [vec![Some(0), Some(1)]];
        same(&gather(&given, &rows, 2, 2, 2).unwrap(), &whole);
    }

    #[test]
    fn blocks_of_parts_follow_the_images() {
        let whole = matches();
        let halves = [[Some(0), None], [None, Some(0)]].map(|rows| Matches::merge(&[&whole], &[rows.to_vec()], 1));
        let blocks: Vec<Vec<Vec<u8>>> = halves.iter().map(|half| by_label(half, 2).unwrap()).collect();
        let mut given = Vec::new();
        for part in [1, 0] {
            for label in [1, 0] {
                given.push(Given { part, label: label as u32, bytes: &blocks[part][label] });
            }
        }
        same(&gather(&given, &[vec![Some(0)], vec![Some(1)]], 2, 2, 1).unwrap(), &whole);
        let left_out = gather(&given, &[vec![None], vec![Some(0)]], 1, 2, 1).unwrap();
        same(&left_out, &halves[1]);
    }

    #[test]
    fn a_block_that_was_cut_or_changed_is_refused() {
        let blocks = by_label(&matches(), 2).unwrap();
        let rows = [vec![Some(0), Some(1)]];
        let read = |bytes: &[u8]| gather(&[Given { part: 0, label: 0, bytes }], &rows, 2, 2, 1).map(|_| ());
        read(&blocks[0]).unwrap();
        for length in 1..blocks[0].len() {
            assert!(read(&blocks[0][..length]).is_err(), "cut to {length} bytes");
        }
        let mut longer = blocks[0].clone();
        longer.push(0);
        assert!(read(&longer).is_err());
        for byte in 0..HEAD + 16 {
            let mut changed = blocks[0].clone();
            changed[byte] ^= 0x40;
            assert!(read(&changed).is_err(), "byte {byte}");
        }
    }

    #[test]
    fn ranks_that_are_no_places_are_refused() {
        let mut wrong = matches();
        wrong.detections.rank = vec![0, 2, 0, 0, 0].into();
        assert!(by_label(&wrong, 2).is_err());
    }
}
