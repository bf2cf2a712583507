//! Copies of each image, for several replicates side by side.

use super::Mode;
use super::generator::{Numbers, Purpose, below};

/// Replicates that go through the matches together: one number for each stands side by side.
pub const LANES: usize = 8;
pub type Lanes = [i32; LANES];

/// What is drawn: units of images, all images of a unit together.
pub struct Plan {
    /// Unit of each image.
    pub units: Vec<u32>,
    pub num_units: usize,
    pub replicates: usize,
    /// Number of the first replicate, where these are some of many.
    pub first: usize,
    pub draw: Draw,
}

pub enum Draw {
    /// As many units as there are, with replacement.
    Bootstrap { seed: u64 },
    /// Each unit or not, one as likely as the other.
    Coins { seed: u64 },
    /// A number for each replicate and unit.
    Given(Vec<u32>),
}

impl Plan {
    /// By which a replicate is drawn.
    fn number(&self, replicate: usize) -> u32 {
        (self.first + replicate) as u32
    }

    /// The numbers of one replicate, by unit, into one lane.
    fn fill(&self, replicate: usize, units: &mut [Lanes], lane: usize) {
        match &self.draw {
            Draw::Bootstrap { seed } => {
                units.iter_mut().for_each(|row| row[lane] = 0);
                let numbers = Numbers::new(*seed, self.number(replicate), Purpose::Bootstrap);
                numbers.take(self.num_units).for_each(|number| units[below(number, self.num_units)][lane] += 1);
            }
            Draw::Coins { seed } => {
                let numbers = Numbers::new(*seed, self.number(replicate), Purpose::Swap);
                units.iter_mut().zip(numbers.take(self.num_units)).for_each(|(row, n)| row[lane] = (n >> 63) as i32);
            }
            Draw::Given(given) => {
                let row = &given[replicate * self.num_units..][..self.num_units];
                units.iter_mut().zip(row).for_each(|(unit, &number)| unit[lane] = number as i32);
            }
        }
    }

    /// The numbers of `count` replicates from `first` on, by unit; lanes without a replicate hold 0.
    fn of_units(&self, first: usize, count: usize) -> Vec<Lanes> {
        let mut units = vec![[0; LANES]; self.num_units];
        (0..count).for_each(|lane| self.fill(first + lane, &mut units, lane));
        units
    }

    /// The numbers of one replicate by unit, as they are drawn.
    pub fn replicate(&self, replicate: usize) -> Vec<u32> {
        self.of_units(replicate, 1).iter().map(|row| row[0] as u32).collect()
    }
}

/// Copies of each image that count for its detections and for its ground truth.
pub struct Weights {
    pub detections: Vec<Lanes>,
    /// None: as its detections.
    pub objects: Option<Vec<Lanes>>,
}

impl Weights {
    pub fn objects(&self) -> &[Lanes] {
        self.objects.as_deref().unwrap_or(&self.detections)
    }

    /// One, or both of a swap.
    pub fn sides(plan: &Plan, mode: Mode, first: usize, count: usize) -> Vec<Self> {
        match mode {
            Mode::Copies => vec![Self::copies(plan, first, count)],
            Mode::Swap => Self::swapped(plan, first, count).into(),
        }
    }

    /// Copies of images: detections and ground truth together.
    fn copies(plan: &Plan, first: usize, count: usize) -> Self {
        let units = plan.of_units(first, count);
        Self { detections: plan.units.iter().map(|&unit| units[unit as usize]).collect(), objects: None }
    }

    /// Two models merged, image i as rows 2 i and 2 i + 1: the set in which they have swapped what they found in the
    /// units drawn, and its complement. Ground truth counts once.
    fn swapped(plan: &Plan, first: usize, count: usize) -> [Self; 2] {
        let units = plan.of_units(first, count);
        let rows = |kept: i32| -> Vec<Lanes> {
            let own = plan.units.iter().map(|&unit| &units[unit as usize]);
            own.flat_map(|row| [row.map(|swap| kept ^ swap), row.map(|swap| (1 - kept) ^ swap)]).collect()
        };
        let objects: Vec<Lanes> = plan.units.iter().flat_map(|_| [[1; LANES], [0; LANES]]).collect();
        [1, 0].map(|kept| Self { detections: rows(kept), objects: Some(objects.clone()) })
    }

    /// The largest sum of `counts` (rows of each image) that any replicate reaches.
    pub fn most(&self, counts: &[u64]) -> u64 {
        let mut sums = [0u64; LANES];
        for (row, count) in self.detections.iter().zip(counts) {
            sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += weight as u64 * count);
        }
        sums.into_iter().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replicate_is_the_same_in_any_lane() {
        let plan = Plan { units: vec![], num_units: 50, replicates: 20, first: 0, draw: Draw::Bootstrap { seed: 3 } };
        let alone: Vec<Vec<u32>> = (0..20).map(|replicate| plan.replicate(replicate)).collect();
        for first in 0..12 {
            let units = plan.of_units(first, LANES);
            for lane in 0..LANES {
                let own: Vec<u32> = units.iter().map(|row| row[lane] as u32).collect();
                assert_eq!(own, alone[first + lane]);
                assert_eq!(own.iter().sum::<u32>(), 50);
            }
        }
        assert_ne!(alone[0], alone[1]);
        let later = Plan { first: 7, ..plan };
        assert_eq!(later.replicate(3), alone[10]);
    }

    #[test]
    fn swapping_everything_is_the_complement() {
        let plan = Plan { units: vec![0, 1, 1], num_units: 2, replicates: 1, first: 0, draw: Draw::Given(vec![0, 1]) };
        let [own, other] = Weights::swapped(&plan, 0, 1);
        let lane = |rows: &[Lanes]| rows.iter().map(|row| row[0]).collect::<Vec<i32>>();
        assert_eq!(lane(&own.detections), [1, 0, 0, 1, 0, 1]);
        assert_eq!(lane(&other.detections), [0, 1, 1, 0, 1, 0]);
        assert_eq!(lane(own.objects()), [1, 0, 1, 0, 1, 0]);
    }
}
