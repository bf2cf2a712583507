//! Means of several replicates at once, each in the order in which NumPy sums.

use super::walk::Values;
use super::weights::{LANES, Lanes};
use crate::sum::{self, BLOCK};

/// Labels that are there in some replicates, and in which: replicates that have the same labels go together.
pub fn present(labels: &[usize], positives: impl Fn(usize) -> Lanes) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut groups: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    let counts: Vec<Lanes> = labels.iter().map(|&label| positives(label)).collect();
    for lane in 0..LANES {
        let own = labels.iter().zip(&counts).filter(|(_, count)| count[lane] > 0);
        let own: Vec<usize> = own.map(|(&label, _)| label).collect();
        match groups.iter_mut().find(|(labels, _)| *labels == own) {
            Some((_, lanes)) => lanes.push(lane),
            None => groups.push((own, vec![lane])),
        }
    }
    groups
}

/// The mean of values in each lane; none of nothing.
#[inline(always)]
pub fn mean<'a>(count: usize, mut values: impl Iterator<Item = &'a Values>) -> Option<Values> {
    let sum = (count > 0).then(|| pairwise(count, &mut values))?;
    Some(sum.map(|sum| sum / count as f64))
}

/// As `sum::pairwise`, in each lane.
#[inline(always)]
fn pairwise<'a>(count: usize, values: &mut impl Iterator<Item = &'a Values>) -> Values {
    // What is still to be summed, and how many of the sums found belong to it.
    let mut open = vec![Task::Sum(count)];
    let mut sums: Vec<Values> = Vec::new();
    while let Some(task) = open.pop() {
        match task {
            Task::Sum(count) if count <= BLOCK => sums.push(block(count, values)),
            Task::Sum(count) => {
                let half = sum::half(count);
                open.extend([Task::Join, Task::Sum(count - half), Task::Sum(half)]);
            }
            Task::Join => {
                if let (Some(second), Some(first)) = (sums.pop(), sums.pop()) {
                    sums.push(plus(&first, &second));
                }
            }
        }
    }
    sums.pop().unwrap_or([0.0; LANES])
}

enum Task {
    Sum(usize),
    Join,
}

#[inline(always)]
fn plus(a: &Values, b: &Values) -> Values {
    std::array::from_fn(|lane| a[lane] + b[lane])
}

/// At most `BLOCK` values, in eight interleaved partial sums where there are as many.
#[inline(always)]
fn block<'a>(count: usize, values: &mut impl Iterator<Item = &'a Values>) -> Values {
    let (full, rest) = if count < 8 { (0, count) } else { (count / 8, count % 8) };
    let mut sum = [-0.0; LANES];
    if full > 0 {
        let mut partial = [[0.0; LANES]; 8];
        for turn in 0..full {
            for own in &mut partial {
                let Some(value) = values.next() else { break };
                *own = if turn == 0 { *value } else { plus(own, value) };
            }
        }
        let [a, b, c, d, e, f, g, h] = partial;
        sum = plus(&plus(&plus(&a, &b), &plus(&c, &d)), &plus(&plus(&e, &f), &plus(&g, &h)));
    }
    values.take(rest).fold(sum, |sum, value| plus(&sum, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_is_summed_as_alone() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for count in (0..300).chain([1000, 1010, 2047, 8080]) {
            let values: Vec<Values> = (0..count).map(|_| std::array::from_fn(|_| next())).collect();
            let means = mean(count, values.iter());
            for lane in 0..LANES {
                let own: Vec<f64> = values.iter().map(|row| row[lane]).collect();
                assert_eq!(means.map(|means| means[lane]), sum::mean(&own), "{count} values");
            }
        }
    }
}
