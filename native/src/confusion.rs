//! Which label was taken for which: every object and every detection in exactly one cell of a matrix.

use crate::matches::{Matches, UNMATCHED};
use crate::pairs::Pairs;

/// Counts [labels + 1, labels + 1], rows by the object's label, columns by the detection's; the last of each is none.
///
/// Pairs of one label come first, as matching made them at cell 0; then, among what is left, pairs of different labels
/// by descending overlap (ties: the earlier detection, then the earlier object). Ignored objects and detections are left
/// out. `pairs` must hold overlaps of at least `least`.
pub fn confusion(matches: &Matches, pairs: &Pairs, least: f64, floors: Option<&[f64]>, num_labels: usize) -> Vec<u64> {
    let (d, o) = (&matches.detections, &matches.objects);
    let size = num_labels + 1;
    let mut cells = vec![0u64; size * size];
    let counted = |row: usize| floors.is_none_or(|floors| d.score[row] >= floors[d.label[row] as usize]);
    let mut detection_open: Vec<bool> = (0..d.label.len()).map(|row| counted(row) && d.ignored[row] & 1 == 0).collect();
    let mut object_open: Vec<bool> = o.ignored.iter().map(|ignored| ignored & 1 == 0).collect();
    let mut enter = |truth: usize, found: usize| cells[truth * size + found] += 1;
    for (row, open) in detection_open.iter_mut().enumerate() {
        let gt = d.gt[row];
        if *open && gt != UNMATCHED && object_open[gt as usize] {
            enter(o.label[gt as usize] as usize, d.label[row] as usize);
            *open = false;
            object_open[gt as usize] = false;
        }
    }
    let mut order: Vec<usize> = (0..pairs.overlap.len()).filter(|&pair| pairs.overlap[pair] >= least).collect();
    order.sort_by(|&a, &b| pairs.overlap[b].total_cmp(&pairs.overlap[a]).then(a.cmp(&b)));
    for pair in order {
        let (row, gt) = (pairs.detection[pair] as usize, pairs.ground_truth[pair] as usize);
        if detection_open[row] && object_open[gt] && d.label[row] != o.label[gt] {
            enter(o.label[gt] as usize, d.label[row] as usize);
            detection_open[row] = false;
            object_open[gt] = false;
        }
    }
    (0..d.label.len()).filter(|&row| detection_open[row]).for_each(|row| enter(num_labels, d.label[row] as usize));
    (0..o.label.len()).filter(|&gt| object_open[gt]).for_each(|gt| enter(o.label[gt] as usize, num_labels));
    cells
}
