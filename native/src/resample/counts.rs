//! Counts at an operating point under many weightings.

use super::Mode;
use super::TooMany;
use super::prepared::Lists;
use super::walk::sum_images;
use super::weights::{LANES, Plan, Weights};
use crate::matches::Matches;
use crate::parallel;

/// One cell, at a limit, with the lowest scores that count, by matches and label (none: all count); of a swap's matches,
/// those of the first model by label, then those of the second.
pub struct CountRequest {
    pub num_labels: usize,
    pub cell: usize,
    pub limit: u32,
    pub floors: Vec<Option<Vec<f64>>>,
}

/// Objects, true positives, false positives, ignored.
const COLUMNS: usize = 4;

/// Counts by replicate, matches, side (two of a swap), label, column.
pub fn count(
    models: &[&Matches],
    request: &CountRequest,
    plan: &Plan,
    mode: Mode,
    threads: usize,
) -> Result<Vec<u64>, TooMany> {
    let lists: Vec<Lists<u32>> = models
        .iter()
        .zip(&request.floors)
        .map(|(model, floors)| outcomes(model, request, floors.as_deref(), mode))
        .collect();
    let rows: Vec<Vec<u64>> = models.iter().map(|model| model.rows_by_image()).collect();
    let blocks: Vec<usize> = (0..plan.replicates).step_by(LANES).collect();
    let done = parallel::map(blocks, threads, |first| {
        let count = LANES.min(plan.replicates - first);
        let sides = Weights::sides(plan, mode, first, count);
        let mut sums = Vec::new();
        for (lists, rows) in lists.iter().zip(&rows) {
            for weights in &sides {
                if weights.most(rows) > i32::MAX as u64 {
                    return Err(TooMany);
                }
                sums.extend((0..request.num_labels * COLUMNS).map(|list| {
                    let objects = list % COLUMNS == 0;
                    sum_images(lists.get(list), if objects { weights.objects() } else { &weights.detections })
                }));
            }
        }
        Ok((0..count).flat_map(|lane| sums.iter().map(move |sum| sum[lane] as u64)).collect::<Vec<u64>>())
    });
    done.into_iter().collect::<Result<Vec<_>, _>>().map(|parts| parts.concat())
}

/// Images of what is counted, by label and column.
fn outcomes(model: &Matches, request: &CountRequest, floors: Option<&[f64]>, mode: Mode) -> Lists<u32> {
    let (d, o) = (&model.detections, &model.objects);
    let mut items = Vec::new();
    for row in 0..d.label.len() {
        let label = d.label[row];
        let second = mode == Mode::Swap && d.image[row] % 2 == 1;
        let floor = label as usize + if second { request.num_labels } else { 0 };
        if d.rank[row] >= request.limit || floors.is_some_and(|floors| d.score[row] < floors[floor]) {
            continue;
        }
        let column = match (d.ignored[row] >> request.cell & 1, d.matched[row] >> request.cell & 1) {
            (1, _) => 3,
            (_, 1) => 1,
            _ => 2,
        };
        items.push((label * COLUMNS as u32 + column, d.image[row]));
    }
    let counts = |&row: &usize| o.ignored[row] >> request.cell & 1 == 0;
    items.extend((0..o.label.len()).filter(counts).map(|row| (o.label[row] * COLUMNS as u32, o.image[row])));
    Lists::placed(&items, request.num_labels * COLUMNS)
}
