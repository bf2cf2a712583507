//! Matches out of blocks.

use super::{FEW_PAIRS, HEAD};
use crate::matches::{DetectionMatches, Matches, ObjectMatches, UNMATCHED};

/// A block that is not what was written.
#[derive(Debug)]
pub struct Damaged;

/// A block, the part whose images it counts in, and the label that its rows get.
pub struct Given<'a> {
    pub part: usize,
    pub label: u32,
    pub bytes: &'a [u8],
}

/// What a block says, still as bytes.
struct Block<'a> {
    label: u32,
    runs: Vec<Run>,
    scores: &'a [u8],
    pairs: Vec<(u64, u64, bool)>,
    codes: Vec<u32>,
    gt: Vec<u32>,
    object_images: Vec<Option<u32>>,
    object_matched: &'a [u8],
    object_ignored: &'a [u8],
}

/// Detections or objects of one image, rows of their block.
struct Run {
    /// The new row of the image; none leaves the run out.
    image: Option<u32>,
    from: usize,
    to: usize,
    /// Detections with ground truth before `from`.
    found_before: usize,
}

/// Blocks as matches over `num_images` images, `image_rows[part][image]` being the new row of a part's image (none:
/// left out). Rows come by image, label, and then as they stand in the block, whatever the order of the blocks.
///
/// # Errors
/// `Damaged` where a block was cut or changed, holds other cells, or points outside itself or its part.
pub fn gather(
    given: &[Given],
    image_rows: &[Vec<Option<u32>>],
    num_images: usize,
    num_cells: usize,
    threads: usize,
) -> Result<Matches, Damaged> {
    let read = crate::parallel::map(given.iter().collect(), threads, |given: &Given| {
        if given.bytes.is_empty() { Ok(None) } else { Block::read(given, image_rows, num_cells).map(Some) }
    });
    let blocks: Vec<Block> = read.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
    let (objects, new_rows) = gather_objects(&blocks);
    let detections = gather_detections(&blocks, &new_rows);
    Ok(Matches { num_cells, num_images, detections, objects, assignments: None })
}

/// The objects in order, and by block the new row of each.
fn gather_objects(blocks: &[Block]) -> (ObjectMatches, Vec<Vec<u32>>) {
    let mut order: Vec<(u32, u32, usize, usize)> = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let rows = block.object_images.iter().enumerate();
        order.extend(rows.filter_map(|(row, image)| image.map(|image| (image, block.label, number, row))));
    }
    if !order.is_sorted() {
        order.sort_unstable();
    }
    let mut new_rows: Vec<Vec<u32>> = blocks.iter().map(|block| vec![UNMATCHED; block.object_images.len()]).collect();
    order.iter().enumerate().for_each(|(new, &(_, _, block, row))| new_rows[block][row] = new as u32);
    let objects = ObjectMatches {
        image: order.iter().map(|place| place.0).collect::<Vec<u32>>().into(),
        label: order.iter().map(|place| place.1).collect::<Vec<u32>>().into(),
        matched: order.iter().map(|&(_, _, b, row)| word_at(blocks[b].object_matched, row)).collect::<Vec<_>>().into(),
        ignored: order.iter().map(|&(_, _, b, row)| word_at(blocks[b].object_ignored, row)).collect::<Vec<_>>().into(),
    };
    (objects, new_rows)
}

fn gather_detections(blocks: &[Block], new_rows: &[Vec<u32>]) -> DetectionMatches {
    let mut runs: Vec<(u32, u32, usize, usize)> = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let own = block.runs.iter().enumerate();
        runs.extend(own.filter_map(|(run, place)| place.image.map(|image| (image, block.label, number, run))));
    }
    if !runs.is_sorted() {
        runs.sort_unstable();
    }
    let total = runs.iter().map(|&(_, _, block, run)| blocks[block].runs[run].to - blocks[block].runs[run].from).sum();
    let mut image = Vec::with_capacity(total);
    let mut label = Vec::with_capacity(total);
    let mut score = Vec::with_capacity(total);
    let mut rank = Vec::with_capacity(total);
    let mut matched = Vec::with_capacity(total);
    let mut ignored = Vec::with_capacity(total);
    let mut gt = Vec::with_capacity(total);
    for (new_image, own_label, number, run) in runs {
        let block = &blocks[number];
        let run = &block.runs[run];
        let mut found = run.found_before;
        for row in run.from..run.to {
            let pair = block.pairs[block.codes[row] as usize];
            image.push(new_image);
            label.push(own_label);
            score.push(f64::from_bits(word_at(block.scores, row)));
            rank.push((row - run.from) as u32);
            matched.push(pair.0);
            ignored.push(pair.1);
            gt.push(if pair.2 { new_rows[number][block.gt[found] as usize] } else { UNMATCHED });
            found += usize::from(pair.2);
        }
    }
    DetectionMatches {
        image: image.into(),
        label: label.into(),
        score: score.into(),
        rank: rank.into(),
        matched: matched.into(),
        ignored: ignored.into(),
        gt: gt.into(),
    }
}

impl<'a> Block<'a> {
    fn read(given: &Given<'a>, image_rows: &[Vec<Option<u32>>], num_cells: usize) -> Result<Self, Damaged> {
        let mut rest = given.bytes;
        let mut head = words(take(&mut rest, HEAD, 1)?);
        let mut count = || head.next().map(|count| count as usize).ok_or(Damaged);
        let (cells, num_runs, rows, num_pairs, num_found, objects) =
            (count()?, count()?, count()?, count()?, count()?, count()?);
        let image_rows = image_rows.get(given.part).ok_or(Damaged)?;
        check(cells == num_cells)?;
        let places: Vec<u32> = words(take(&mut rest, num_runs, 8)?).collect();
        let scores = take(&mut rest, rows, 8)?;
        let pairs = read_pairs(take(&mut rest, num_pairs, 17)?, num_cells)?;
        let codes: Vec<u32> = if num_pairs <= FEW_PAIRS {
            take(&mut rest, rows, 2)?
                .chunks_exact(2)
                .map(|pair| u32::from(u16::from_le_bytes([pair[0], pair[1]])))
                .collect()
        } else {
            words(take(&mut rest, rows, 4)?).collect()
        };
        let gt: Vec<u32> = words(take(&mut rest, num_found, 4)?).collect();
        let images: Vec<u32> = words(take(&mut rest, objects, 4)?).collect();
        let object_matched = take(&mut rest, objects, 8)?;
        let object_ignored = take(&mut rest, objects, 8)?;
        check(rest.is_empty())?;
        check(codes.iter().all(|&code| (code as usize) < num_pairs) && gt.iter().all(|&row| (row as usize) < objects))?;
        check(
            [object_matched, object_ignored]
                .into_iter()
                .all(|bytes| (0..objects).all(|row| fits(word_at(bytes, row), num_cells))),
        )?;
        let found: Vec<bool> = codes.iter().map(|&code| pairs[code as usize].2).collect();
        check(found.iter().filter(|&&found| found).count() == num_found)?;
        check(images.is_sorted())?;
        let object_images = images.iter().map(|&image| new_row(image_rows, image)).collect::<Result<_, _>>()?;
        let runs = read_runs(&places, &found, image_rows)?;
        check(runs.last().map_or(0, |run| run.to) == rows)?;
        Ok(Self { label: given.label, runs, scores, pairs, codes, gt, object_images, object_matched, object_ignored })
    }
}

fn read_pairs(bytes: &[u8], num_cells: usize) -> Result<Vec<(u64, u64, bool)>, Damaged> {
    let read = |bytes: &[u8]| {
        let pair = (word_at(bytes, 0), word_at(bytes, 1), bytes[16] == 1);
        (bytes[16] <= 1 && fits(pair.0, num_cells) && fits(pair.1, num_cells)).then_some(pair).ok_or(Damaged)
    };
    bytes.chunks_exact(17).map(read).collect()
}

fn read_runs(places: &[u32], found: &[bool], image_rows: &[Option<u32>]) -> Result<Vec<Run>, Damaged> {
    let mut runs = Vec::with_capacity(places.len() / 2);
    let (mut from, mut found_before, mut last) = (0, 0, None);
    for place in places.chunks_exact(2) {
        let (image, to) = (place[0], from + place[1] as usize);
        let own = found.get(from..to).ok_or(Damaged)?;
        // Each image once, none without detections.
        check(last < Some(image) && !own.is_empty())?;
        runs.push(Run { image: new_row(image_rows, image)?, from, to, found_before });
        found_before += own.iter().filter(|&&found| found).count();
        (from, last) = (to, Some(image));
    }
    Ok(runs)
}

fn new_row(image_rows: &[Option<u32>], image: u32) -> Result<Option<u32>, Damaged> {
    image_rows.get(image as usize).copied().ok_or(Damaged)
}

fn check(holds: bool) -> Result<(), Damaged> {
    holds.then_some(()).ok_or(Damaged)
}

/// No bit stands beyond the cells.
fn fits(word: u64, num_cells: usize) -> bool {
    num_cells >= 64 || word >> num_cells == 0
}

fn take<'a>(rest: &mut &'a [u8], count: usize, size: usize) -> Result<&'a [u8], Damaged> {
    let length = count.checked_mul(size).filter(|&length| length <= rest.len()).ok_or(Damaged)?;
    let (taken, after) = rest.split_at(length);
    *rest = after;
    Ok(taken)
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

fn word_at(bytes: &[u8], row: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[row * 8..row * 8 + 8]);
    u64::from_le_bytes(word)
}
