//! What stays the same under all weights: the order of detections, and where each counts.

use super::figures::{Kind, Request, Sheet};
use crate::accumulate::takers::{Takers, spans};
use crate::accumulate::{self, CellBits};
use crate::matches::Matches;
use crate::parallel;
use crate::tables::detections::descending;
use std::ops::Range;

/// Lists one after another.
#[derive(Default)]
pub struct Lists<T> {
    offsets: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn starting() -> Self {
        Self { offsets: vec![0], items: Vec::new() }
    }

    fn close(&mut self) {
        self.offsets.push(self.items.len() as u32);
    }

    #[inline(always)]
    pub fn get(&self, list: usize) -> &[T] {
        &self.items[self.offsets[list] as usize..self.offsets[list + 1] as usize]
    }
}

impl<T: Copy + Default> Lists<T> {
    /// Items that come with the list they belong to, each list in their order.
    pub fn placed(found: &[(u32, T)], lists: usize) -> Self {
        let mut offsets = vec![0u32; lists + 1];
        found.iter().for_each(|&(list, _)| offsets[list as usize + 1] += 1);
        (0..lists).for_each(|list| offsets[list + 1] += offsets[list]);
        let mut next = offsets.clone();
        let mut items = vec![T::default(); found.len()];
        for &(list, item) in found {
            let place = &mut next[list as usize];
            items[*place as usize] = item;
            *place += 1;
        }
        Self { offsets, items }
    }
}

/// An event of a cell is the place of a taker in its label, shifted, with what it does there.
pub const HIT: u32 = 1;
/// The taker counts in this cell though not in all cells of its area range, so it is in no running count.
pub const APART: u32 = 2;
pub const EVENT_BITS: u32 = 2;

/// Detections in one gap that count in the same area ranges (bits are places in `Layer::areas`).
pub struct Crowd {
    pub areas: u64,
    /// Which of `Layer::images`.
    pub from: u32,
    pub to: u32,
}

/// All sheets of one limit, for precision.
pub struct Layer {
    /// Area range of each sheet, and the sheet's place among all.
    pub areas: Vec<usize>,
    pub sheets: Vec<usize>,
    /// By gap.
    pub crowds: Lists<Crowd>,
    /// Images of the detections in all crowds.
    pub images: Vec<u32>,
    /// By taker: the area ranges in all of whose cells it counts.
    pub counted: Vec<u64>,
    /// By place in `areas`: lists by label and threshold.
    pub events: Vec<Lists<u32>>,
}

pub struct Prepared {
    pub num_labels: usize,
    /// Takers of label l are `offsets[l]..offsets[l + 1]`; it has one gap more.
    pub offsets: Vec<usize>,
    /// Image of each taker.
    pub images: Vec<u32>,
    pub precision: Vec<Sheet>,
    pub layers: Vec<Layer>,
    pub recall: Vec<Sheet>,
    /// By recall sheet: images of the hits, lists by label and threshold.
    pub hits: Vec<Lists<u32>>,
    /// By area range that is needed: images of the ground truth that counts, lists by label.
    pub objects: Vec<Option<Lists<u32>>>,
    /// Detections and objects of each image, an upper bound for any sum.
    pub rows: Vec<u64>,
}

impl Prepared {
    pub fn gap(&self, label: usize) -> usize {
        self.offsets[label] + label
    }

    pub fn new(matches: &Matches, request: &Request, threads: usize) -> Self {
        let limits = &request.limits;
        let all = accumulate::Request {
            num_labels: request.num_labels,
            num_areas: request.num_areas,
            limits,
            recall_points: &request.recall_points,
            detection_weights: None,
            object_weights: None,
            every_point: false,
            every_limit: false,
            scores: false,
            spaced: request.spaced,
        };
        let cells = CellBits::new(matches.num_cells, request.num_areas);
        let takers = Takers::find(matches, &all, &cells, threads);
        let source = Source { matches, request, cells: &cells, takers: &takers, threads };
        let (precision, recall) = (request.sheets(Kind::Precision), request.sheets(Kind::Recall));
        let mut used: Vec<usize> = precision.iter().map(|sheet| sheet.limit).collect();
        used.dedup();
        Self {
            num_labels: request.num_labels,
            layers: used.iter().map(|&limit| source.layer(limit, &precision)).collect(),
            hits: recall.iter().map(|sheet| source.hits(sheet)).collect(),
            objects: (0..request.num_areas).map(|area| source.objects(area)).collect(),
            rows: matches.rows_by_image(),
            images: takers.rows.iter().map(|&row| matches.detections.image[row as usize]).collect(),
            offsets: takers.offsets.clone(),
            precision,
            recall,
        }
    }
}

struct Source<'a> {
    matches: &'a Matches,
    request: &'a Request,
    cells: &'a CellBits,
    takers: &'a Takers,
    threads: usize,
}

impl Source<'_> {
    fn objects(&self, area: usize) -> Option<Lists<u32>> {
        self.request.figures.iter().any(|figure| figure.area == area).then(|| {
            let objects = &self.matches.objects;
            let counts = |&row: &usize| objects.ignored[row] >> (area * self.cells.thresholds) & 1 == 0;
            let items = (0..objects.label.len()).filter(counts).map(|row| (objects.label[row], objects.image[row]));
            Lists::placed(&items.collect::<Vec<_>>(), self.request.num_labels)
        })
    }

    fn hits(&self, sheet: &Sheet) -> Lists<u32> {
        let rows = &self.matches.detections;
        let mut lists = Lists::starting();
        let mut own: Vec<Vec<u32>> = vec![Vec::new(); sheet.thresholds.len()];
        let (base, limit) = (sheet.area * self.cells.thresholds, self.request.limits[sheet.limit]);
        for span in self.takers.offsets.windows(2) {
            for row in self.takers.rows[span[0]..span[1]].iter().map(|&row| row as usize) {
                let hit = if rows.rank[row] < limit { rows.matched[row] & !rows.ignored[row] } else { 0 };
                for (list, threshold) in own.iter_mut().zip(&sheet.thresholds) {
                    if hit >> (base + threshold) & 1 != 0 {
                        list.push(rows.image[row]);
                    }
                }
            }
            for list in &mut own {
                lists.items.append(list);
                lists.close();
            }
        }
        lists
    }

    fn layer(&self, limit: usize, all: &[Sheet]) -> Layer {
        let sheets: Vec<usize> = (0..all.len()).filter(|&sheet| all[sheet].limit == limit).collect();
        let areas: Vec<usize> = sheets.iter().map(|&sheet| all[sheet].area).collect();
        let needed: Vec<u64> = sheets.iter().map(|&sheet| self.bits(&all[sheet])).collect();
        let counted: Vec<u64> =
            self.takers.rows.iter().map(|&row| self.counted(row as usize, limit, &needed)).collect();
        let events =
            sheets.iter().enumerate().map(|(place, &sheet)| self.events(&all[sheet], place, &counted)).collect();
        let (crowds, images) = self.crowds(limit, &areas);
        Layer { areas, sheets, crowds, images, counted, events }
    }

    /// The cells of a sheet as bits.
    fn bits(&self, sheet: &Sheet) -> u64 {
        let base = sheet.area * self.cells.thresholds;
        sheet.thresholds.iter().fold(0, |bits, threshold| bits | 1 << (base + threshold))
    }

    /// In which area ranges a taker counts in every cell that is needed.
    fn counted(&self, row: usize, limit: usize, needed: &[u64]) -> u64 {
        let rows = &self.matches.detections;
        if rows.rank[row] >= self.request.limits[limit] {
            return 0;
        }
        let counts = |(place, &bits): (usize, &u64)| u64::from(rows.ignored[row] & bits == 0) << place;
        needed.iter().enumerate().map(counts).sum()
    }

    fn events(&self, sheet: &Sheet, place: usize, counted: &[u64]) -> Lists<u32> {
        let rows = &self.matches.detections;
        let mut lists = Lists::starting();
        let (base, limit) = (sheet.area * self.cells.thresholds, self.request.limits[sheet.limit]);
        let mut own: Vec<Vec<u32>> = vec![Vec::new(); sheet.thresholds.len()];
        for span in self.takers.offsets.windows(2) {
            for (taker, &row) in (span[0]..span[1]).zip(&self.takers.rows[span[0]..span[1]]) {
                let row = row as usize;
                if rows.rank[row] >= limit {
                    continue;
                }
                let apart = if counted[taker] >> place & 1 == 0 { APART } else { 0 };
                for (list, threshold) in own.iter_mut().zip(&sheet.thresholds) {
                    let cell = base + threshold;
                    let hit = if rows.matched[row] >> cell & 1 != 0 { HIT } else { 0 };
                    if rows.ignored[row] >> cell & 1 == 0 && hit | apart != 0 {
                        list.push(((taker - span[0]) as u32) << EVENT_BITS | hit | apart);
                    }
                }
            }
            for list in &mut own {
                lists.items.append(list);
                lists.close();
            }
        }
        lists
    }

    /// Detections that took nothing, by gap, those that count in the same area ranges together.
    fn crowds(&self, limit: usize, areas: &[usize]) -> (Lists<Crowd>, Vec<u32>) {
        let spans = spans(self.matches.detections.label.len(), parallel::pieces(self.threads));
        let found = parallel::map(spans, self.threads, |span| self.others(span, limit, areas)).concat();
        let gaps = self.takers.rows.len() + self.request.num_labels;
        let mut by_gap = Lists::placed(&found, gaps);
        let mut crowds = Lists::starting();
        for gap in 0..gaps {
            let (from, to) = (by_gap.offsets[gap] as usize, by_gap.offsets[gap + 1] as usize);
            // Stable: images stay in order.
            by_gap.items[from..to].sort_by_key(|&(areas, _)| areas);
            let mut place = from;
            for alike in by_gap.items[from..to].chunk_by(|a, b| a.0 == b.0) {
                crowds.items.push(Crowd { areas: alike[0].0, from: place as u32, to: (place + alike.len()) as u32 });
                place += alike.len();
            }
            crowds.close();
        }
        (crowds, by_gap.items.into_iter().map(|(_, image)| image).collect())
    }

    /// Gap, area ranges in which it counts, and image of each detection in a span of rows that took nothing.
    fn others(&self, span: Range<usize>, limit: usize, areas: &[usize]) -> Vec<(u32, (u64, u32))> {
        let rows = &self.matches.detections;
        let mut found = Vec::with_capacity(span.len());
        for row in span {
            let (matched, ignored) = (rows.matched[row], rows.ignored[row]);
            if rows.rank[row] >= self.request.limits[limit] || !self.cells.plain(matched, ignored) {
                continue;
            }
            let counts = |(place, &area): (usize, &usize)| (!(ignored >> (area * self.cells.thresholds)) & 1) << place;
            let mask: u64 = areas.iter().enumerate().map(counts).sum();
            if mask != 0 {
                let label = rows.label[row] as usize;
                let gap = self.takers.gap(label) + self.takers.before(label, descending(rows.score[row]), row as u32);
                found.push((gap as u32, (mask, rows.image[row])));
            }
        }
        found
    }
}
