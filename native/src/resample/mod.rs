//! Figures under many weightings of images, over matches made once.
//!
//! A few replicates go through the matches side by side, one lane each; nothing of a replicate is kept but its figures.
//! Each is what `accumulate` gives with the same weights, to the last bit.

mod counts;
mod figures;
mod generator;
mod means;
mod prepared;
mod tables;
mod walk;
mod weights;

pub use counts::{CountRequest, count};
pub use figures::{Figure, Kind, Request};
pub use weights::{Draw, Plan};

use crate::matches::Matches;
use crate::parallel;
use figures::Sheet;
use means::Layout;
use prepared::Prepared;
use walk::{Label, Scratch, Values, sum_images};
use weights::{LANES, Lanes, Weights};

/// What weights apply to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Copies of images.
    Copies,
    /// Each of the matches is two models merged (image i as rows 2 i and 2 i + 1), which swap what they found.
    Swap,
}

/// More detections and objects than can be counted under these weights.
#[derive(Debug)]
pub struct TooMany;

/// Figures by replicate, matches, side (two of a swap), figure; NaN where a figure does not exist.
pub fn resample(
    models: &[&Matches],
    request: &Request,
    plan: &Plan,
    mode: Mode,
    threads: usize,
) -> Result<Vec<f64>, TooMany> {
    let share = threads.div_ceil(models.len().max(1));
    let prepared = parallel::map(models.to_vec(), threads, |model| Prepared::new(model, request, share));
    let blocks: Vec<usize> = (0..plan.replicates).step_by(LANES).collect();
    let spans: Vec<Vec<usize>> =
        blocks.chunks(blocks.len().div_ceil(threads * 8).max(1)).map(<[usize]>::to_vec).collect();
    let done = parallel::map(spans, threads, |span| {
        let mut sheets = Sheets::default();
        let block = |&first: &usize| {
            let count = LANES.min(plan.replicates - first);
            let sides = Weights::sides(plan, mode, first, count);
            one_block(&prepared, request, &sides, count, &mut sheets)
        };
        span.iter().map(block).collect::<Result<Vec<_>, _>>().map(|blocks| blocks.concat())
    });
    done.into_iter().collect::<Result<Vec<_>, _>>().map(|parts| parts.concat())
}

fn one_block(
    prepared: &[Prepared],
    request: &Request,
    sides: &[Weights],
    count: usize,
    sheets: &mut Sheets,
) -> Result<Vec<f64>, TooMany> {
    let mut columns: Vec<Values> = Vec::with_capacity(prepared.len() * sides.len() * request.figures.len());
    for model in prepared {
        for weights in sides {
            if weights.most(&model.rows) > i32::MAX as u64 {
                return Err(TooMany);
            }
            evaluate(model, request, weights, sheets, &mut columns);
        }
    }
    Ok((0..count).flat_map(|lane| columns.iter().map(move |column| column[lane])).collect())
}

/// The sums of one block, kept from one to the next for their memory.
#[derive(Default)]
struct Sheets {
    scratch: Scratch,
    /// By area range and label.
    positives: Vec<Vec<Lanes>>,
    /// By sheet: label, threshold, recall point.
    precision: Vec<Vec<Values>>,
    /// By sheet: label, threshold.
    recall: Vec<Vec<Values>>,
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn evaluate_wide(model: &Prepared, request: &Request, weights: &Weights, sheets: &mut Sheets, out: &mut Vec<Values>) {
    sheets.evaluate(model, request, weights, out);
}

/// The same arithmetic on wider registers where the processor has them: neither order nor rounding differ.
fn evaluate(model: &Prepared, request: &Request, weights: &Weights, sheets: &mut Sheets, out: &mut Vec<Values>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has what the function is compiled for.
        unsafe { evaluate_wide(model, request, weights, sheets, out) };
        return;
    }
    sheets.evaluate(model, request, weights, out);
}

impl Sheets {
    #[inline(always)]
    fn evaluate(&mut self, model: &Prepared, request: &Request, weights: &Weights, out: &mut Vec<Values>) {
        self.count_positives(model, weights);
        self.sum_precision(model, request, weights);
        self.sum_recall(model, weights);
        // Loops, since what a function of the standard library is given is not compiled for wider registers.
        for figure in &request.figures {
            let values = self.figure(model, request, figure);
            out.push(values);
        }
    }

    #[inline(always)]
    fn count_positives(&mut self, model: &Prepared, weights: &Weights) {
        self.positives.resize(model.objects.len(), Vec::new());
        for (positives, lists) in self.positives.iter_mut().zip(&model.objects) {
            positives.clear();
            if let Some(lists) = lists {
                for label in 0..model.num_labels {
                    positives.push(sum_images(lists.get(label), weights.objects()));
                }
            }
        }
    }

    #[inline(always)]
    fn sum_precision(&mut self, model: &Prepared, request: &Request, weights: &Weights) {
        let points = if request.every_point { 1 } else { request.recall_points.len() };
        let size = |sheet: &Sheet| model.num_labels * sheet.thresholds.len() * points;
        self.precision.resize(model.precision.len(), Vec::new());
        self.precision
            .iter_mut()
            .zip(&model.precision)
            .for_each(|(values, sheet)| values.resize(size(sheet), [0.0; LANES]));
        for layer in &model.layers {
            for label in 0..model.num_labels {
                let own = Label { prepared: model, layer, request, label, weights: &weights.detections };
                own.count_up(&mut self.scratch);
                for (place, &sheet) in layer.sheets.iter().enumerate() {
                    let positives = &self.positives[layer.areas[place]][label];
                    if positives.iter().any(|&count| count > 0) {
                        let cells = model.precision[sheet].thresholds.len() * points;
                        let out = &mut self.precision[sheet][label * cells..][..cells];
                        own.precision(place, positives, &mut self.scratch, out);
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn sum_recall(&mut self, model: &Prepared, weights: &Weights) {
        self.recall.resize(model.recall.len(), Vec::new());
        for ((recall, sheet), hits) in self.recall.iter_mut().zip(&model.recall).zip(&model.hits) {
            recall.clear();
            for cell in 0..model.num_labels * sheet.thresholds.len() {
                let found = sum_images(hits.get(cell), &weights.detections);
                let positives = &self.positives[sheet.area][cell / sheet.thresholds.len()];
                let mut own = [0.0; LANES];
                for lane in 0..LANES {
                    own[lane] = f64::from(found[lane]) / f64::from(positives[lane]);
                }
                recall.push(own);
            }
        }
    }

    #[inline(always)]
    fn figure(&self, model: &Prepared, request: &Request, figure: &Figure) -> Values {
        let positives = &self.positives[figure.area];
        let (all, values, points) = match figure.kind {
            Kind::Objects => {
                let sum = |lane| figure.labels.iter().map(|&label| i64::from(positives[label][lane])).sum::<i64>();
                return std::array::from_fn(|lane| sum(lane) as f64);
            }
            Kind::Recall => (&model.recall, &self.recall, 1),
            Kind::Precision if request.every_point => (&model.precision, &self.precision, 1),
            Kind::Precision => (&model.precision, &self.precision, request.recall_points.len()),
        };
        let (sheet, thresholds) = figure.place(all);
        let layout = Layout {
            values: &values[sheet],
            width: all[sheet].thresholds.len(),
            thresholds: &thresholds,
            points,
            labels: &figure.labels,
        };
        layout.means(positives)
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::matches::{DetectionMatches, ObjectMatches};

    /// Two labels in 40 images: of each three detections, of which the first, none or all find one of three objects.
    fn made() -> Matches {
        let rows = |get: fn(u32, u32, u32) -> u64| -> Vec<u64> {
            let images = (0..40u32).flat_map(|image| (0..2u32).map(move |label| (image, label)));
            images.flat_map(|(image, label)| (0..3u32).map(move |rank| get(image, label, rank))).collect()
        };
        let narrow = |values: Vec<u64>| values.into_iter().map(|value| value as u32).collect::<Vec<u32>>();
        let image = narrow(rows(|image, _, _| u64::from(image)));
        let label = narrow(rows(|_, label, _| u64::from(label)));
        let score = rows(|image, label, rank| u64::from(2000 - 600 * rank - image * 7 % 50 - label * 3));
        let found = rows(|image, label, rank| u64::from(rank == 0 && image % 3 > 0 || (image + label) % 5 == 0));
        Matches {
            num_cells: 1,
            num_images: 40,
            detections: DetectionMatches {
                image: image.clone().into(),
                label: label.clone().into(),
                score: score.into_iter().map(|score| score as f64 / 2000.0).collect::<Vec<f64>>().into(),
                rank: narrow(rows(|_, _, rank| u64::from(rank))).into(),
                matched: found.clone().into(),
                ignored: vec![0; 240].into(),
                gt: vec![u32::MAX; 240].into(),
            },
            objects: ObjectMatches {
                image: image.into(),
                label: label.into(),
                matched: found.into(),
                ignored: vec![0; 240].into(),
            },
            assignments: None,
        }
    }

    #[test]
    fn wider_registers_change_no_bit() {
        if !std::arch::is_x86_feature_detected!("avx2") {
            return;
        }
        let figure = |kind| Figure { kind, area: 0, limit: 0, thresholds: vec![0], labels: vec![0, 1] };
        for every_point in [false, true] {
            let request = Request {
                num_labels: 2,
                num_areas: 1,
                limits: vec![100],
                recall_points: (0..=100).map(|i| f64::from(i) * 0.01).collect(),
                every_point,
                spaced: !every_point,
                figures: [Kind::Precision, Kind::Recall, Kind::Objects].map(figure).into(),
            };
            let matches = made();
            let model = Prepared::new(&matches, &request, 1);
            let units = (0..40).collect();
            let plan = Plan { units, num_units: 40, replicates: LANES, first: 0, draw: Draw::Bootstrap { seed: 1 } };
            for weights in Weights::sides(&plan, Mode::Copies, 0, LANES) {
                let (mut plain, mut wide) = (Vec::new(), Vec::new());
                Sheets::default().evaluate(&model, &request, &weights, &mut plain);
                // SAFETY: asked for above.
                unsafe { evaluate_wide(&model, &request, &weights, &mut Sheets::default(), &mut wide) };
                assert_eq!(plain, wide);
                assert!(plain[0].iter().all(|&value| value > 0.2 && value < 1.0), "{:?}", plain[0]);
            }
        }
    }
}
