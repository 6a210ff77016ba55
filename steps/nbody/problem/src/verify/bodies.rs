//! Bodies for verification: chosen so that an error in any one of them shows.

use crate::bodies::Bodies;
use crate::random::Random;

/// Threads of a warp. Every tile and block of the ladders is a multiple of it.
const WARP: usize = 32;

/// How many times the mass of others the bodies have that faulty code is most likely to lose.
const HEAVY: f64 = 8.0;

/// `n` bodies in a ball of radius 1, with unequal masses whose sum is near 1.
///
/// Unlike a cluster's, no body lies far outside, where its loss would hide in rounding. The first,
/// the last and those at the edges of warps, blocks and tiles (multiples of 32 and their
/// neighbours) are heavy.
pub fn verification_bodies(n: usize, seed: u64) -> Bodies {
    let mut random = Random::new(seed ^ n as u64);
    let mut bodies = Bodies::with_capacity(n);
    let masses: Vec<f64> = (0..n)
        .map(|i| (0.5 + random.uniform()) * if is_edge(i, n) { HEAVY } else { 1.0 })
        .collect();
    let total: f64 = masses.iter().sum();
    for (i, mass) in masses.into_iter().enumerate() {
        let distance = libm::cbrt(random.uniform());
        let mut position = random.direction().vector(distance);
        // A quarter turn of the body before it around an axis: on that axis they are at one place,
        // and code that takes equal coordinates for the same body shows.
        if let Some(before) = i.checked_sub(1).filter(|_| i % 8 == 3) {
            let [a, b, c] = std::array::from_fn(|k| (i / 8 + k) % 3);
            let turned = bodies.position_of(before).map(f64::from);
            (position[a], position[b], position[c]) = (turned[a], -turned[c], turned[b]);
        }
        // The mirror image of a body far before it, of each at most one, in its greatest coordinate:
        // the two others are the same. All three have their turn.
        if i % 8 == 6 {
            let eighth = i / 8;
            let image = eighth / 2 * 8 + eighth % 2 * 4 + 1;
            position = bodies.position_of(image).map(f64::from);
            let axis = (0..3).max_by(|a, b| position[*a].abs().total_cmp(&position[*b].abs()));
            position[axis.unwrap_or(0)] *= -1.0;
        }
        let speed = 0.5 * random.uniform();
        let velocity = random.direction().vector(speed);
        bodies.push((mass / total) as f32, position.map(|x| x as f32), velocity.map(|v| v as f32));
    }
    bodies
}

/// `n` vectors of random direction and of lengths up to `longest`, as three columns.
pub fn random_vectors(n: usize, longest: f64, seed: u64) -> [Vec<f32>; 3] {
    let mut random = Random::new(seed ^ n as u64);
    let mut columns: [Vec<f32>; 3] = Default::default();
    for _ in 0..n {
        let length = longest * (0.5 + 0.5 * random.uniform());
        for (column, x) in columns.iter_mut().zip(random.direction().vector(length)) {
            column.push(x as f32);
        }
    }
    columns
}

/// Which bodies of a large set are verified: at least `count`, ascending, without repetition;
/// among them the first, the last and those at the edges of 16 random blocks of 256.
pub fn sample(n: usize, count: usize, seed: u64) -> Vec<usize> {
    const BLOCK: usize = 256;
    if n <= count {
        return (0..n).collect();
    }
    let mut random = Random::new(seed);
    let mut chosen = std::collections::BTreeSet::from([0, n - 1]);
    for _ in 0..16 {
        let edge = random.below(n.div_ceil(BLOCK)) * BLOCK;
        chosen.extend((edge.saturating_sub(1)..=edge + 1).filter(|&i| i < n));
    }
    while chosen.len() < count {
        chosen.insert(random.below(n));
    }
    chosen.into_iter().collect()
}

/// Whether faulty code is likely to lose body `i` of `n`.
fn is_edge(i: usize, n: usize) -> bool {
    i + 1 == n || matches!(i % WARP, 0 | 1 | 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_heavy_and_all_lie_in_the_ball() {
        let bodies = verification_bodies(1000, 3);
        let light = bodies.mass[2..31].iter().copied().fold(0.0, f32::max);
        for i in [0, 1, 31, 32, 33, 255, 256, 257, 511, 512, 513, 999] {
            assert!(bodies.mass[i] > 2.0 * light, "body {i} is not heavy");
        }
        let total: f64 = bodies.mass.iter().map(|&m| f64::from(m)).sum();
        assert!((total - 1.0).abs() < 1e-5, "{total}");
        for i in 0..bodies.len() {
            let [x, y, z] = bodies.position_of(i).map(f64::from);
            assert!(x * x + y * y + z * z <= 1.0 + 1e-6);
        }
        let mut turns = [0; 3];
        for (i, of) in [(6, 1), (14, 5), (22, 9), (30, 13), (38, 17), (990, 493), (998, 497)] {
            let (image, body) = (bodies.position_of(i), bodies.position_of(of));
            let differ: Vec<usize> = (0..3).filter(|&axis| image[axis] != body[axis]).collect();
            let [axis] = differ[..] else { panic!("{i} and {of} differ in {differ:?}") };
            assert_eq!(image[axis], -body[axis]);
            turns[axis] += 1;
        }
        assert!(turns.iter().all(|&turns| turns > 0), "{turns:?}");
        for (i, axis) in [(3, 0), (11, 1), (19, 2), (27, 0), (987, 0)] {
            assert_eq!(bodies.position[axis][i], bodies.position[axis][i - 1]);
            assert_ne!(bodies.position_of(i), bodies.position_of(i - 1));
        }
        assert_eq!(bodies, verification_bodies(1000, 3));
        assert_ne!(bodies, verification_bodies(1000, 4));
    }

    #[test]
    fn a_sample_is_sorted_and_holds_both_ends_and_edges() {
        let n = 100_003;
        let chosen = sample(n, 1024, 5);
        assert!(chosen.len() >= 1024);
        assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((chosen[0], chosen[chosen.len() - 1]), (0, n - 1));
        let has = |i: usize| chosen.binary_search(&i).is_ok();
        let edges = (256..n - 1).step_by(256).filter(|&i| has(i - 1) && has(i) && has(i + 1));
        assert!(edges.count() >= 8);
        assert_eq!(sample(5, 1024, 5), [0, 1, 2, 3, 4]);
        assert_eq!(sample(1, 1024, 5), [0]);
    }
}
