//! One label under several weightings at once.
//!
//! Precision at a recall point is the largest precision among the true positives at which recall is that or more. So each
//! true positive goes into the bucket of the recall points it has reached, buckets keep their largest precision, and what
//! a bucket holds spreads to those before it. Recall points are told by the number of true positives, from a table.

use super::figures::Request;
use super::prepared::{APART, EVENT_BITS, HIT, Layer, Prepared};
use super::tables::Tables;
use super::weights::{LANES, Lanes};
use crate::accumulate::{area_under, bits};

pub type Values = [f64; LANES];

/// What is worked with again and again.
#[derive(Default)]
pub struct Scratch {
    /// Detections that count up to and with each taker, by place in `Layer::areas`.
    counted: Vec<Lanes>,
    tables: Tables,
    buckets: Vec<Values>,
}

#[inline(always)]
fn add(sum: &mut Lanes, weight: &Lanes) {
    for lane in 0..LANES {
        sum[lane] += weight[lane];
    }
}

/// The weighted sum of each list of images.
#[inline(always)]
pub fn sum_images(images: &[u32], weights: &[Lanes]) -> Lanes {
    let mut sum = [0; LANES];
    for &image in images {
        add(&mut sum, &weights[image as usize]);
    }
    sum
}

/// A label in a layer.
pub struct Label<'a> {
    pub prepared: &'a Prepared,
    pub layer: &'a Layer,
    pub request: &'a Request,
    pub label: usize,
    /// Of detections, by image.
    pub weights: &'a [Lanes],
}

impl Label<'_> {
    fn takers(&self) -> std::ops::Range<usize> {
        self.prepared.offsets[self.label]..self.prepared.offsets[self.label + 1]
    }

    /// Running counts of the detections that count, by area range and taker.
    #[inline(always)]
    pub fn count_up(&self, scratch: &mut Scratch) {
        let (takers, layer) = (self.takers(), self.layer);
        let (count, first_gap) = (takers.len(), self.prepared.gap(self.label));
        scratch.counted.clear();
        scratch.counted.resize(count * layer.areas.len(), [0; LANES]);
        let mut running = vec![[0; LANES]; layer.areas.len()];
        for (place, taker) in takers.enumerate() {
            for crowd in layer.crowds.get(first_gap + place) {
                let sum = sum_images(&layer.images[crowd.from as usize..crowd.to as usize], self.weights);
                bits(crowd.areas).for_each(|area| add(&mut running[area], &sum));
            }
            let weight = &self.weights[self.prepared.images[taker] as usize];
            bits(layer.counted[taker]).for_each(|area| add(&mut running[area], weight));
            running.iter().enumerate().for_each(|(area, sum)| scratch.counted[area * count + place] = *sum);
        }
    }

    /// Precision of one area range (a place in the layer) at all its thresholds and recall points, or the area under the
    /// envelope at each threshold. Behind `count_up`.
    #[inline(always)]
    pub fn precision(&self, area: usize, positives: &Lanes, scratch: &mut Scratch, out: &mut [Values]) {
        let thresholds = self.prepared.precision[self.layer.sheets[area]].thresholds.len();
        let takers = self.takers();
        let points = &self.request.recall_points;
        if !self.request.every_point {
            scratch.tables.set(points, positives);
        }
        for threshold in 0..thresholds {
            let cell = Cell {
                events: self.layer.events[area].get(self.label * thresholds + threshold),
                images: &self.prepared.images[takers.clone()],
                counted: &scratch.counted[area * takers.len()..(area + 1) * takers.len()],
                weights: self.weights,
                spacing: if self.request.spaced { f64::EPSILON } else { 0.0 },
            };
            if self.request.every_point {
                let mut hits = Hits(Vec::new());
                cell.each_hit(&mut hits);
                out[threshold] = hits.areas_under(positives);
            } else if cell.events.is_empty() {
                out[threshold * points.len()..][..points.len()].fill([0.0; LANES]);
            } else {
                scratch.buckets.clear();
                scratch.buckets.resize(points.len() + 1, [0.0; LANES]);
                cell.each_hit(&mut Buckets { tables: scratch.tables.own(), best: &mut scratch.buckets });
                spread(&scratch.buckets, &mut out[threshold * points.len()..][..points.len()]);
            }
        }
    }
}

/// What takes the true positives of a cell, in order: how many so far, and the precision there.
trait Sink {
    fn take(&mut self, found: &Lanes, precision: &Values);
}

struct Buckets<'a> {
    tables: [&'a [u16]; LANES],
    best: &'a mut [Values],
}

impl Sink for Buckets<'_> {
    #[inline(always)]
    fn take(&mut self, found: &Lanes, precision: &Values) {
        for lane in 0..LANES {
            let reached = self.tables[lane][found[lane] as usize];
            let best = &mut self.best[reached as usize][lane];
            *best = if precision[lane] > *best { precision[lane] } else { *best };
        }
    }
}

struct Hits(Vec<(Lanes, Values)>);

impl Sink for Hits {
    #[inline(always)]
    fn take(&mut self, found: &Lanes, precision: &Values) {
        self.0.push((*found, *precision));
    }
}

impl Hits {
    /// Areas under the precision envelope, over all recalls.
    fn areas_under(&self, positives: &Lanes) -> Values {
        let mut areas = [0.0; LANES];
        for lane in (0..LANES).filter(|&lane| positives[lane] > 0) {
            // A true positive of weight 0 before all that count has no precision: 0 / 0.
            let mut envelope: Vec<f64> = self.0.iter().map(|(_, precision)| precision[lane].max(0.0)).collect();
            for i in (1..envelope.len()).rev() {
                envelope[i - 1] = envelope[i - 1].max(envelope[i]);
            }
            areas[lane] = area_under(&envelope, |hit| f64::from(self.0[hit].0[lane]) / f64::from(positives[lane]));
        }
        areas
    }
}

/// One cell of one label.
struct Cell<'a> {
    events: &'a [u32],
    images: &'a [u32],
    counted: &'a [Lanes],
    weights: &'a [Lanes],
    spacing: f64,
}

impl Cell<'_> {
    /// True positives so far and precision, at each true positive in order. One of weight 0 changes nothing: its
    /// precision is no larger than that of the true positive before it, and recall is the same.
    #[inline(always)]
    fn each_hit(&self, sink: &mut impl Sink) {
        let (mut found, mut apart) = ([0; LANES], [0; LANES]);
        for &event in self.events {
            let place = (event >> EVENT_BITS) as usize;
            let weight = &self.weights[self.images[place] as usize];
            if event & APART != 0 {
                add(&mut apart, weight);
            }
            if event & HIT != 0 {
                add(&mut found, weight);
                let counted = &self.counted[place];
                let mut precision = [0.0; LANES];
                for lane in 0..LANES {
                    precision[lane] = f64::from(found[lane]) / (f64::from(counted[lane] + apart[lane]) + self.spacing);
                }
                sink.take(&found, &precision);
            }
        }
    }
}

/// The largest of each bucket and all behind it.
#[inline(always)]
fn spread(buckets: &[Values], out: &mut [Values]) {
    let mut best = [0.0; LANES];
    for (bucket, out) in buckets[1..].iter().zip(out).rev() {
        for lane in 0..LANES {
            best[lane] = if bucket[lane] > best[lane] { bucket[lane] } else { best[lane] };
        }
        *out = best;
    }
}
