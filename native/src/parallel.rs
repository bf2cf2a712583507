//! Work shared over scoped threads. Results come back in the order of the work, whatever thread did it.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// `work(item)` for each item, results in the order of the items.
pub fn map<I, T, F>(items: Vec<I>, threads: usize, work: F) -> Vec<T>
where
    I: Send,
    T: Send,
    F: Fn(I) -> T + Sync,
{
    if threads <= 1 || items.len() <= 1 {
        return items.into_iter().map(work).collect();
    }
    let count = items.len();
    let queue: Vec<Mutex<(Option<I>, Option<T>)>> =
        items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = queue.get(index) else { break };
            let item = slot.lock().unwrap_or_else(|e| e.into_inner()).0.take();
            let result = item.map(&work);
            slot.lock().unwrap_or_else(|e| e.into_inner()).1 = result;
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            scope.spawn(run);
        }
        run();
    });
    queue.into_iter().filter_map(|slot| slot.into_inner().unwrap_or_else(|e| e.into_inner()).1).collect()
}

/// Cuts `0..offsets.len() - 1` into at most `parts` ranges of about equal weight, where `offsets` are running totals.
pub fn even_ranges(offsets: &[usize], parts: usize) -> Vec<Range<usize>> {
    let count = offsets.len().saturating_sub(1);
    let total = offsets.last().copied().unwrap_or(0);
    let mut ranges = Vec::with_capacity(parts);
    let mut start = 0;
    for part in 1..=parts {
        let target = total * part / parts;
        let end = if part == parts { count } else { offsets.partition_point(|&o| o < target).clamp(start, count) };
        if end > start {
            ranges.push(start..end);
        }
        start = end;
    }
    ranges
}

/// How many pieces to cut work into, so that threads that finish early find more.
pub fn pieces(threads: usize) -> usize {
    if threads <= 1 { 1 } else { threads * 8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_keeps_the_order_of_the_items() {
        let expected: Vec<usize> = (0..1000).map(|i| i * i).collect();
        for threads in [1, 2, 5] {
            assert_eq!(map((0..1000).collect(), threads, |i: usize| i * i), expected);
        }
    }

    #[test]
    fn ranges_cover_everything_once() {
        let offsets = [0, 5, 5, 5, 100, 101, 140];
        for parts in 1..10 {
            let ranges = even_ranges(&offsets, parts);
            let covered: Vec<usize> = ranges.into_iter().flatten().collect();
            assert_eq!(covered, (0..6).collect::<Vec<_>>());
        }
        assert!(even_ranges(&[0], 3).is_empty());
    }
}
