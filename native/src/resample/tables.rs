//! How many recall points are reached with 0, 1, … true positives.

use super::weights::{LANES, Lanes};

/// Tables of up to so many positives are kept; larger ones are made again, which their true positives outweigh.
const KEPT: usize = 1024;

/// A table for each lane.
#[derive(Default)]
pub struct Tables {
    positives: Lanes,
    /// By positives; empty where none was needed yet.
    kept: Vec<Vec<u16>>,
    large: [Vec<u16>; LANES],
}

impl Tables {
    /// Turn to the tables of these positives, by lane. All calls are of the same points.
    pub fn set(&mut self, points: &[f64], positives: &Lanes) {
        self.positives = *positives;
        self.kept.resize(KEPT, Vec::new());
        for (lane, &positives) in positives.iter().enumerate() {
            let table = self.kept.get_mut(positives as usize);
            if table.as_ref().is_none_or(|table| table.is_empty()) {
                fill(points, positives, table.unwrap_or(&mut self.large[lane]));
            }
        }
    }

    pub fn own(&self) -> [&[u16]; LANES] {
        std::array::from_fn(|lane| {
            let kept = self.kept.get(self.positives[lane] as usize);
            kept.unwrap_or(&self.large[lane]).as_slice()
        })
    }
}

fn fill(points: &[f64], positives: i32, table: &mut Vec<u16>) {
    let size = positives as usize + 1;
    table.clear();
    for (reached, &point) in points.iter().enumerate() {
        let least = least_found(point, positives).min(size).max(table.len());
        table.resize(least, reached as u16);
    }
    table.resize(size, points.len() as u16);
}

/// The fewest true positives with which recall is at least `point`: exactly, as the division rounds.
fn least_found(point: f64, positives: i32) -> usize {
    let total = f64::from(positives);
    let mut least = (point * total).ceil().max(0.0);
    if least > 0.0 && (least - 1.0) / total >= point {
        least -= 1.0;
    } else if least / total < point {
        least += 1.0;
    }
    least as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_counts_the_points_that_recall_reaches() {
        let hundredths: Vec<f64> = (0..=100).map(|i| f64::from(i) * 0.01).collect();
        for points in [hundredths, vec![0.0, 0.1, 0.5, 1.0], vec![0.3], vec![0.5, 2.0]] {
            for positives in (1..400).chain([KEPT as i32 - 1, KEPT as i32, 5000]) {
                let mut tables = Tables::default();
                tables.set(&points, &[positives; LANES]);
                let table = tables.own()[LANES - 1];
                assert_eq!(table.len(), positives as usize + 1);
                for (found, &reached) in table.iter().enumerate() {
                    let recall = found as f64 / f64::from(positives);
                    assert_eq!(reached as usize, points.iter().filter(|&&point| recall >= point).count());
                }
            }
        }
    }
}
