//! Star clusters after Plummer's model, as the tutorial runs on.

use super::bodies::Bodies;
use super::random::Random;

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
pub fn plummer(n: usize, seed: u64) -> Bodies {
    let mut random = Random::new(seed);
    // From a model of scale length 1 to standard units.
    let length = 3.0 * std::f64::consts::PI / 16.0;
    let speed = (1.0 / length).sqrt();
    let mut positions = Vec::with_capacity(n);
    let mut velocities = Vec::with_capacity(n);
    for _ in 0..n {
        // The mass within r is r³ / (1 + r²)^(3/2); solved for r at a random mass.
        let root = libm::cbrt(random.uniform() * INNER_MASS);
        let r = root / (1.0 - root * root).sqrt();
        positions.push(random.direction(r * length));
        let escape = 2f64.sqrt() / (1.0 + r * r).sqrt().sqrt();
        let share = speed_share(&mut random);
        velocities.push(random.direction(share * escape * speed));
    }
    let masses = masses(n, &mut random);
    centre(&mut positions, &masses);
    centre(&mut velocities, &masses);
    let mut bodies = Bodies::with_capacity(n);
    for ((position, velocity), mass) in positions.iter().zip(&velocities).zip(masses) {
        bodies.push(mass as f32, position.map(|x| x as f32), velocity.map(|v| v as f32));
    }
    bodies
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
        vectors.iter_mut().for_each(|v| v[axis] -= mean);
    }
}

#[cfg(test)]
mod tests;
