//! Which of several GPUs has which bodies.

use nbody::Bodies;
use rayon::prelude::*;

use crate::memory::{bounds, whole};

/// Bodies are divided in parallel where they are more.
const MANY: usize = 1 << 14;

/// How bodies are divided among GPUs, and what all GPUs know of them.
pub(crate) struct Shares {
    /// The bodies of each GPU, by their numbers.
    pub(crate) of: Vec<Vec<u32>>,
    /// The box whose cube is cut into cells.
    pub(crate) around: [f32; 6],
    /// All bodies as one node.
    pub(crate) whole: [f32; 8],
}

impl Shares {
    /// Divides bodies among so many GPUs.
    pub(crate) fn new(bodies: &Bodies, gpus: usize) -> Shares {
        Shares { of: shares(bodies, gpus), around: around(bodies, gpus), whole: whole(bodies) }
    }
}

/// The bodies of each of so many GPUs, by their numbers, which ascend. Shares differ by one body at most. They are cut by
/// planes across x, y and z in turn, so that the shares of eight GPUs in a cluster are its octants: all of them have much the same
/// work, and each borders on the others with little surface (J. Salmon, "Parallel hierarchical N-body methods", thesis, Caltech,
/// 1991: orthogonal recursive bisection).
fn shares(bodies: &Bodies, gpus: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<u32> = (0..bodies.len() as u32).collect();
    let mut ends = vec![0; gpus];
    cut(bodies, &mut all, &mut ends, 0);
    let share = |(gpu, &end): (usize, &usize)| {
        let first = ends[..gpu].iter().sum::<usize>();
        let mut share = all[first..first + end].to_vec();
        share.par_sort_unstable();
        share
    };
    ends.iter().enumerate().map(share).collect()
}

/// A box around all bodies whose middle is where the first plane across each axis cuts: least coordinates, then greatest. The faces of
/// cells lie there, so shares consist of whole cells, as far as further planes cut at the same places. Half a cell has no even
/// distribution of mass. It is opened more often, and its error as one mass is larger.
fn around(bodies: &Bodies, gpus: usize) -> [f32; 6] {
    let bounds = bounds(bodies);
    let planes = bodies.position.iter().enumerate().map(|(axis, places)| {
        let mut sorted = places.clone();
        let cuts = gpus >> axis;
        if cuts <= 1 || sorted.is_empty() {
            return 0.5 * (bounds[axis] + bounds[3 + axis]);
        }
        let at = (sorted.len() * (cuts / 2) / cuts).min(sorted.len() - 1);
        *sorted.select_nth_unstable_by(at, f32::total_cmp).1
    });
    let planes: Vec<f32> = planes.collect();
    let half = |axis: usize| (bounds[3 + axis] - planes[axis]).max(planes[axis] - bounds[axis]);
    let half = (0..3).map(half).fold(0.0, f32::max);
    let [x, y, z] = [0, 1, 2].map(|axis| planes[axis]);
    [x - half, y - half, z - half, x + half, y + half, z + half]
}

/// Puts the bodies of each GPU together, and says how many they are.
fn cut(bodies: &Bodies, some: &mut [u32], counts: &mut [usize], axis: usize) {
    let gpus = counts.len();
    if gpus <= 1 {
        counts.fill(some.len());
        return;
    }
    let (half, n) = (gpus / 2, some.len());
    let at = n * half / gpus;
    if at < n {
        let place = |body: &u32| bodies.position[axis][*body as usize];
        // Bodies at one place go by their numbers.
        some.select_nth_unstable_by(at, |a, b| place(a).total_cmp(&place(b)).then(a.cmp(b)));
    }
    let (low, high) = some.split_at_mut(at);
    let (few, rest) = counts.split_at_mut(half);
    let next = (axis + 1) % 3;
    let mut first = || cut(bodies, low, few, next);
    let mut second = || cut(bodies, high, rest, next);
    match n > MANY {
        true => drop(rayon::join(first, second)),
        false => (first(), second()).1,
    }
}

#[cfg(test)]
mod tests {
    use nbody::plummer;

    use super::*;

    #[test]
    fn every_body_has_one_gpu_and_shares_are_equal() {
        for (n, gpus) in [(0, 3), (1, 3), (5, 8), (1000, 1), (1000, 7), (40_000, 8)] {
            let shares = shares(&plummer(n, 1), gpus);
            let sizes: Vec<usize> = shares.iter().map(Vec::len).collect();
            let (least, most) = (n / gpus, n.div_ceil(gpus));
            assert!(sizes.iter().all(|size| (least..=most).contains(size)), "{n}: {sizes:?}");
            assert!(shares.iter().all(|share| share.is_sorted()));
            let mut all = shares.concat();
            all.sort_unstable();
            assert_eq!(all, (0..n as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn eight_gpus_have_the_octants_of_a_cluster() {
        let bodies = plummer(8000, 1);
        for share in shares(&bodies, 8) {
            for axis in &bodies.position {
                let positive = share.iter().filter(|&&body| axis[body as usize] > 0.0).count();
                assert!(!(100..900).contains(&positive), "{positive} of 1000");
            }
        }
    }
}
