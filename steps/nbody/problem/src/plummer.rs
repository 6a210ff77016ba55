//! Star clusters after Plummer's model, as the tutorial runs on.

use rayon::prelude::*;

use super::bodies::Bodies;
use super::random::{Direction, Random};

/// Mass of the model beyond which no body is placed: the few bodies of the last thousandth would
/// lie many times the cluster's size away.
const INNER_MASS: f64 = 0.999;

/// A cluster of `n` bodies after Plummer's model, the same on every system.
///
/// Method: S. J. Aarseth, M. Hénon, R. Wielen, "A comparison of numerical methods for the study of
/// star cluster dynamics", Astronomy and Astrophysics 37 (1974), appendix. Standard units: total
/// mass 1, gravitational constant 1, energy −1/4; the centre of mass rests at the origin.
///
/// Masses are uniform between half and one and a half times their mean, wherever a body is: equal
/// ones, 1/n, would flatter kernels that split numbers, since a power of two loses nothing.
///
/// Numbers are drawn one after the other, since how many a body needs depends on them. The rest is computed in parallel.
pub fn plummer(n: usize, seed: u64) -> Bodies {
    let mut random = Random::new(seed);
    let mut position = vec![[0.0; 3]; n];
    let mut velocity = vec![[0.0; 3]; n];
    for (position, velocity) in position.chunks_mut(CHUNK).zip(velocity.chunks_mut(CHUNK)) {
        let drawn: Vec<Drawn> = position.iter().map(|_| Drawn::from(&mut random)).collect();
        let places = position.par_iter_mut().zip(velocity);
        let least = places.zip(&drawn).with_min_len(LEAST);
        least.for_each(|((x, v), drawn)| (*x, *v) = drawn.placed());
    }
    let mass = masses(n, &mut random);
    rayon::join(|| centre(&mut position, &mass), || centre(&mut velocity, &mass));
    let axis = |of: &[[f64; 3]], axis: usize| {
        of.par_iter().with_min_len(LEAST).map(|it| it[axis] as f32).collect()
    };
    Bodies {
        position: std::array::from_fn(|it| axis(&position, it)),
        velocity: std::array::from_fn(|it| axis(&velocity, it)),
        mass: mass.into_iter().map(|mass| mass as f32).collect(),
    }
}

/// Bodies for which numbers are drawn at once.
const CHUNK: usize = 1 << 20;

/// Bodies of a thread at least.
const LEAST: usize = 1 << 10;

/// What is random in a body's place and velocity.
struct Drawn {
    /// The share of the mass that is nearer to the centre.
    mass: f64,
    direction: Direction,
    /// Of the escape speed.
    share: f64,
    heading: Direction,
}

impl Drawn {
    fn from(random: &mut Random) -> Drawn {
        Drawn {
            mass: random.uniform() * INNER_MASS,
            direction: random.direction(),
            share: speed_share(random),
            heading: random.direction(),
        }
    }

    /// Position and velocity.
    fn placed(&self) -> ([f64; 3], [f64; 3]) {
        // From a model of scale length 1 to standard units.
        let length = 3.0 * std::f64::consts::PI / 16.0;
        let speed = (1.0 / length).sqrt();
        // The mass within r is r³ / (1 + r²)^(3/2); solved for r at a random mass.
        let root = libm::cbrt(self.mass);
        let r = root / (1.0 - root * root).sqrt();
        let escape = 2f64.sqrt() / (1.0 + r * r).sqrt().sqrt();
        (self.direction.vector(r * length), self.heading.vector(self.share * escape * speed))
    }
}

/// A speed as a share q of the escape speed, with density proportional to q²(1 − q²)^(7/2).
fn speed_share(random: &mut Random) -> f64 {
    loop {
        let share = random.uniform();
        let rest = 1.0 - share * share;
        let density = share * share * rest * rest * rest * rest.sqrt();
        // 0.1 is just above the density's maximum, 0.092.
        if 0.1 * random.uniform() < density {
            return share;
        }
    }
}

/// Masses whose sum is 1.
fn masses(n: usize, random: &mut Random) -> Vec<f64> {
    let shares: Vec<f64> = (0..n).map(|_| 0.5 + random.uniform()).collect();
    let sum = shares.iter().sum::<f64>();
    shares.into_iter().map(|share| share / sum).collect()
}

/// Shifts vectors so that their mean, weighted with masses whose sum is 1, is zero.
fn centre(vectors: &mut [[f64; 3]], masses: &[f64]) {
    for axis in 0..3 {
        let mean = vectors.iter().zip(masses).map(|(v, mass)| v[axis] * mass).sum::<f64>();
        vectors.par_iter_mut().with_min_len(LEAST).for_each(|v| v[axis] -= mean);
    }
}

#[cfg(test)]
mod tests;
