//! Sums as NumPy makes them, so that overall figures are the reference's to the last bit.

/// NumPy adds blocks of up to this many numbers in eight interleaved partial sums.
pub const BLOCK: usize = 128;

/// Pairwise sum in NumPy's order of additions (`pairwise_sum` of its float loops).
pub fn pairwise(values: &[f64]) -> f64 {
    let n = values.len();
    if n < 8 {
        return values.iter().fold(-0.0, |sum, value| sum + value);
    }
    if n <= BLOCK {
        let mut partial: [f64; 8] = values[..8].try_into().expect("eight values");
        let blocks = values[8..].chunks_exact(8);
        let rest = blocks.remainder();
        for block in blocks {
            partial.iter_mut().zip(block).for_each(|(sum, value)| *sum += value);
        }
        let [a, b, c, d, e, f, g, h] = partial;
        let sum = ((a + b) + (c + d)) + ((e + f) + (g + h));
        return rest.iter().fold(sum, |sum, value| sum + value);
    }
    let half = half(n);
    pairwise(&values[..half]) + pairwise(&values[half..])
}

/// How many of more than `BLOCK` numbers the first half has.
pub fn half(count: usize) -> usize {
    count / 2 - (count / 2) % 8
}

/// The mean as NumPy gives it; none of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| pairwise(values) / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_sum_exactly_at_every_length() {
        for n in 0..2000u32 {
            let values: Vec<f64> = (0..n).map(f64::from).collect();
            assert_eq!(pairwise(&values), f64::from(n) * (f64::from(n) - 1.0) / 2.0);
        }
        assert_eq!(mean(&[]), None);
    }
}
