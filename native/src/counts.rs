//! Counts at an operating point: true and false positives, misses, at a confidence floor for each label.
//!
//! Greedy matching is closed under prefixes of the score's order, so a floor is a view on matches made once: what a
//! detection took does not depend on those below it.

use crate::matches::Matches;

/// Which detections and which copies of images count.
pub struct View<'a> {
    pub cell: usize,
    /// Lowest score that counts, by label; none counts all.
    pub floors: Option<&'a [f64]>,
    /// Copies of each image.
    pub weights: Option<&'a [u32]>,
}

/// Counts of one label, or of one image.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Ground truth that is to be found.
    pub objects: u64,
    pub true_positives: u64,
    pub false_positives: u64,
    /// Detections that count neither way.
    pub ignored: u64,
}

impl View<'_> {
    fn weight(&self, image: u32) -> u64 {
        self.weights.map_or(1, |weights| u64::from(weights[image as usize]))
    }

    fn counts(&self, label: u32, score: f64) -> bool {
        self.floors.is_none_or(|floors| score >= floors[label as usize])
    }

    /// Adds up all rows into the slot that `slot(image, label)` names.
    fn add_up(&self, matches: &Matches, slots: usize, limit: u32, slot: impl Fn(u32, u32) -> usize) -> Vec<Outcomes> {
        let mut sums = vec![Outcomes::default(); slots];
        let (d, o) = (&matches.detections, &matches.objects);
        for row in 0..d.label.len() {
            if d.rank[row] >= limit || !self.counts(d.label[row], d.score[row]) {
                continue;
            }
            let sum = &mut sums[slot(d.image[row], d.label[row])];
            let weight = self.weight(d.image[row]);
            match (d.ignored[row] >> self.cell & 1, d.matched[row] >> self.cell & 1) {
                (1, _) => sum.ignored += weight,
                (_, 1) => sum.true_positives += weight,
                _ => sum.false_positives += weight,
            }
        }
        for row in 0..o.label.len() {
            let weight = self.weight(o.image[row]) * (!(o.ignored[row] >> self.cell) & 1);
            sums[slot(o.image[row], o.label[row])].objects += weight;
        }
        sums
    }
}

pub fn by_label(matches: &Matches, view: &View, num_labels: usize, limit: u32) -> Vec<Outcomes> {
    view.add_up(matches, num_labels, limit, |_, label| label as usize)
}

pub fn by_image(matches: &Matches, view: &View, limit: u32) -> Vec<Outcomes> {
    view.add_up(matches, matches.num_images, limit, |image, _| image as usize)
}

/// True and false positives of one label with at least each score that occurs, from the highest down.
#[derive(Debug, Default, PartialEq)]
pub struct Sweep {
    pub score: Vec<f64>,
    pub true_positives: Vec<u64>,
    pub false_positives: Vec<u64>,
}

pub fn sweep(matches: &Matches, view: &View, label: u32, limit: u32) -> Sweep {
    let d = &matches.detections;
    let counts = |&row: &usize| d.label[row] == label && d.rank[row] < limit && d.ignored[row] >> view.cell & 1 == 0;
    let mut rows: Vec<usize> = (0..d.label.len()).filter(counts).collect();
    rows.sort_by(|&a, &b| d.score[b].total_cmp(&d.score[a]));
    let mut sweep = Sweep::default();
    let (mut found, mut wrong) = (0, 0);
    for (place, &row) in rows.iter().enumerate() {
        let weight = view.weight(d.image[row]);
        let hit = d.matched[row] >> view.cell & 1;
        found += weight * hit;
        wrong += weight * (1 - hit);
        // -0.0 and 0.0 are one score.
        if rows.get(place + 1).is_none_or(|&next| d.score[next] != d.score[row]) {
            sweep.score.push(d.score[row] + 0.0);
            sweep.true_positives.push(found);
            sweep.false_positives.push(wrong);
        }
    }
    sweep
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::{DetectionMatches, ObjectMatches};

    /// Two images, one label: hits at .9 and .5, a false alarm at .5, one ignored at .8; three objects, one ignored.
    fn matches() -> Matches {
        Matches {
            num_cells: 1,
            num_images: 2,
            detections: DetectionMatches {
                image: vec![0, 0, 1, 1].into(),
                label: vec![0; 4].into(),
                score: vec![0.9, 0.5, 0.8, 0.5].into(),
                rank: vec![0, 1, 0, 1].into(),
                matched: vec![1, 0, 1, 1].into(),
                ignored: vec![0, 0, 1, 0].into(),
                gt: vec![0, u32::MAX, 2, 3].into(),
            },
            objects: ObjectMatches {
                image: vec![0, 0, 1, 1].into(),
                label: vec![0; 4].into(),
                matched: vec![1, 0, 1, 1].into(),
                ignored: vec![0, 0, 1, 0].into(),
            },
            assignments: None,
        }
    }

    #[test]
    fn floors_are_inclusive_and_leave_objects_as_misses() {
        let count = |floor: f64| {
            let floors = [floor];
            by_label(&matches(), &View { cell: 0, floors: Some(&floors), weights: None }, 1, 100)[0]
        };
        let of = |true_positives, false_positives, ignored| Outcomes {
            objects: 3,
            true_positives,
            false_positives,
            ignored,
        };
        assert_eq!(count(0.5), of(2, 1, 1));
        assert_eq!(count(0.51), of(1, 0, 1));
        assert_eq!(count(0.95), of(0, 0, 0));
    }

    #[test]
    fn images_and_weights() {
        let view = View { cell: 0, floors: None, weights: Some(&[3, 1]) };
        let images = by_image(&matches(), &view, 100);
        assert_eq!((images[0].objects, images[0].true_positives, images[1].true_positives), (6, 3, 1));
    }

    #[test]
    fn a_sweep_steps_at_every_score() {
        let swept = sweep(&matches(), &View { cell: 0, floors: None, weights: None }, 0, 100);
        let expected = Sweep { score: vec![0.9, 0.5], true_positives: vec![1, 2], false_positives: vec![0, 1] };
        assert_eq!(swept, expected);
    }
}
