//! What matching found, and putting parts of it together.

use crate::tables::objects::offsets;
use arrow_buffer::ScalarBuffer;

/// No ground truth.
pub const UNMATCHED: u32 = u32::MAX;

/// Per detection, by image, label, rank.
#[derive(Clone, Default)]
pub struct DetectionMatches {
    pub image: ScalarBuffer<u32>,
    pub label: ScalarBuffer<u32>,
    pub score: ScalarBuffer<f64>,
    /// Place by descending score in its image and label, from 0.
    pub rank: ScalarBuffer<u32>,
    /// One bit a cell.
    pub matched: ScalarBuffer<u64>,
    pub ignored: ScalarBuffer<u64>,
    /// Row of the ground truth at cell 0, or `UNMATCHED`.
    pub gt: ScalarBuffer<u32>,
}

/// Per ground truth, by image, label, file order.
#[derive(Clone, Default)]
pub struct ObjectMatches {
    pub image: ScalarBuffer<u32>,
    pub label: ScalarBuffer<u32>,
    pub matched: ScalarBuffer<u64>,
    pub ignored: ScalarBuffer<u64>,
}

#[derive(Clone, Default)]
pub struct Matches {
    pub num_cells: usize,
    pub num_images: usize,
    pub detections: DetectionMatches,
    pub objects: ObjectMatches,
    /// Row of the ground truth taken, per detection and cell, or `UNMATCHED`; on request.
    pub assignments: Option<ScalarBuffer<u32>>,
}

impl Matches {
    /// Pairs of image and label with more detections than `limit`, and the detections beyond it.
    pub fn over_limit(&self, limit: u32) -> (u64, u64) {
        let ranks = &self.detections.rank;
        let count = |fits: &dyn Fn(u32) -> bool| ranks.iter().filter(|&&rank| fits(rank)).count() as u64;
        (count(&|rank| rank == limit), count(&|rank| rank >= limit))
    }

    /// Detections and objects of each image.
    pub fn rows_by_image(&self) -> Vec<u64> {
        let mut rows = vec![0; self.num_images];
        let images = self.detections.image.iter().chain(self.objects.image.iter());
        images.for_each(|&image| rows[image as usize] += 1);
        rows
    }

    /// The same with label `old[i]` as label `new[i]`, both ascending; none where a label is not among the old.
    pub fn relabel(&self, old: &[u32], new: &[u32]) -> Option<Matches> {
        let renamed = |labels: &[u32]| -> Option<Vec<u32>> {
            labels.iter().map(|label| old.binary_search(label).ok().map(|place| new[place])).collect()
        };
        let mut matches = self.clone();
        matches.detections.label = renamed(&self.detections.label)?.into();
        matches.objects.label = renamed(&self.objects.label)?.into();
        Some(matches)
    }
}

/// A run of rows of one image in one part, and the image's new row.
struct Run {
    image: u32,
    part: usize,
    from: usize,
    to: usize,
}

impl Matches {
    /// Parts over disjoint images as one; `image_rows[p][i]` is the new row of image i of part p, none leaves it out.
    pub fn merge(parts: &[&Matches], image_rows: &[Vec<Option<u32>>], num_images: usize) -> Matches {
        let detection_runs = runs(parts, image_rows, |part| &part.detections.image);
        let object_runs = runs(parts, image_rows, |part| &part.objects.image);
        let shifts = object_shifts(parts, &object_runs);
        let gt = detection_runs.iter().flat_map(|run| {
            let rows = &parts[run.part].detections.gt[run.from..run.to];
            let shift = &shifts[run.part];
            rows.iter().map(move |&row| if row == UNMATCHED { row } else { shift[row as usize] })
        });
        Matches {
            num_cells: parts.first().map_or(0, |part| part.num_cells),
            num_images,
            detections: DetectionMatches {
                image: images_of(&detection_runs),
                label: column(parts, &detection_runs, |part| &part.detections.label),
                score: column(parts, &detection_runs, |part| &part.detections.score),
                rank: column(parts, &detection_runs, |part| &part.detections.rank),
                matched: column(parts, &detection_runs, |part| &part.detections.matched),
                ignored: column(parts, &detection_runs, |part| &part.detections.ignored),
                gt: gt.collect::<Vec<u32>>().into(),
            },
            objects: ObjectMatches {
                image: images_of(&object_runs),
                label: column(parts, &object_runs, |part| &part.objects.label),
                matched: column(parts, &object_runs, |part| &part.objects.matched),
                ignored: column(parts, &object_runs, |part| &part.objects.ignored),
            },
            assignments: None,
        }
    }
}

fn runs(parts: &[&Matches], image_rows: &[Vec<Option<u32>>], images: impl Fn(&Matches) -> &[u32]) -> Vec<Run> {
    let mut runs = Vec::new();
    for (part, rows) in image_rows.iter().enumerate() {
        let offsets = offsets(images(parts[part]), parts[part].num_images);
        for (row, span) in rows.iter().zip(offsets.windows(2)) {
            if let Some(image) = *row {
                runs.push(Run { image, part, from: span[0], to: span[1] });
            }
        }
    }
    runs.sort_by_key(|run| run.image);
    runs
}

fn images_of(runs: &[Run]) -> ScalarBuffer<u32> {
    let rows = runs.iter().flat_map(|run| std::iter::repeat_n(run.image, run.to - run.from));
    rows.collect::<Vec<u32>>().into()
}

fn column<'a, T: Copy + arrow_buffer::ArrowNativeType>(
    parts: &[&'a Matches],
    runs: &[Run],
    get: impl Fn(&'a Matches) -> &'a [T],
) -> ScalarBuffer<T> {
    let rows = runs.iter().flat_map(|run| get(parts[run.part])[run.from..run.to].iter().copied());
    rows.collect::<Vec<T>>().into()
}

/// New row of each part's ground truth.
fn object_shifts(parts: &[&Matches], runs: &[Run]) -> Vec<Vec<u32>> {
    let mut shifts: Vec<Vec<u32>> = parts.iter().map(|part| vec![UNMATCHED; part.objects.image.len()]).collect();
    let mut rows = 0..;
    for run in runs {
        shifts[run.part][run.from..run.to].iter_mut().zip(&mut rows).for_each(|(shift, row)| *shift = row);
    }
    shifts
}
