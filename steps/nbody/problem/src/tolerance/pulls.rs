//! What the errors of an acceleration are made of: sums over all pulls on a body, in f64.

use rayon::prelude::*;

use crate::bodies::Bodies;
use crate::constants::Constants;

/// Sums over the pulls t = m·s·(q − p) on a body at p by others at q, where s = (|q − p|² + ε²)^(−3/2).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pulls {
    /// Σ |t|²: terms, each of which is rounded by itself.
    pub terms: f64,
    /// (|p|·Σ m s)²: the sum of moments m·s·q is nearly that of m·s·p, and their difference is asked.
    pub moment: f64,
    /// Σ s²·(3 + |p|²) times the square of the greatest mass: moments m·(q, 1) of limited bits.
    pub halves: f64,
    /// Σ |t|²·Σ (p q)²/r⁴ over the coordinates: r² as a difference of their products.
    pub coordinates: f64,
    /// Σ (m s)²·(1 − 2x + 3x²)·(|p|² + |q|²), where x = |q − p|²/r²: bodies whose positions are
    /// rounded. The sum of squares of a pull's derivatives is 3·(m s)²·(1 − 2x + 3x²), and a third of
    /// it falls to each coordinate.
    pub displaced: f64,
}

/// Sums are kept in this many parts, so that the compiler may use vector instructions.
const LANES: usize = 4;

impl Pulls {
    /// On each of `targets`, by all bodies.
    pub fn on(bodies: &Bodies, constants: Constants, targets: &[usize]) -> Vec<Pulls> {
        let wide = |values: &Vec<f32>| values.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        let (mass, position) = (wide(&bodies.mass), bodies.position.each_ref().map(wide));
        let heaviest = mass.iter().copied().fold(0.0, f64::max);
        let on = |&i: &usize| {
            let mut pulls = Pulls::on_one(&mass, &position, f64::from(constants.epssq), i);
            pulls.halves *= heaviest * heaviest;
            pulls
        };
        targets.par_iter().map(on).collect()
    }

    /// On body `i`, with 1 for the greatest mass.
    fn on_one(mass: &[f64], position: &[Vec<f64>; 3], epssq: f64, i: usize) -> Pulls {
        let p = position.each_ref().map(|axis| axis[i]);
        let own = p.map(|x| x * x);
        let own_sum: f64 = own.iter().sum();
        let mut sums = [[0.0; LANES]; 5];
        let pull = |j: usize, lane: usize, sums: &mut [[f64; LANES]; 5]| {
            let q = [position[0][j], position[1][j], position[2][j]];
            let d = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
            let other = [q[0] * q[0], q[1] * q[1], q[2] * q[2]];
            let distance = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            let inverse = 1.0 / (distance + epssq);
            // A body and itself have no moment.
            let s = if distance > 0.0 { inverse * inverse.sqrt() } else { 0.0 };
            let moment = mass[j] * s;
            let term = moment * moment * distance;
            let products = own[0] * other[0] + own[1] * other[1] + own[2] * other[2];
            sums[0][lane] += term;
            sums[1][lane] += moment;
            sums[2][lane] += s * s;
            sums[3][lane] += term * products * inverse * inverse;
            let x = distance * inverse;
            let gradient = 1.0 - 2.0 * x + 3.0 * x * x;
            sums[4][lane] +=
                moment * moment * gradient * (own_sum + other[0] + other[1] + other[2]);
        };
        let whole = mass.len() / LANES * LANES;
        for j in (0..whole).step_by(LANES) {
            for lane in 0..LANES {
                pull(j + lane, lane, &mut sums);
            }
        }
        for j in whole..mass.len() {
            pull(j, 0, &mut sums);
        }
        let [terms, moments, squares, coordinates, displaced] =
            sums.map(|parts| parts.iter().sum::<f64>());
        Pulls {
            terms,
            moment: own_sum * moments * moments,
            halves: squares * (3.0 + own_sum),
            coordinates,
            displaced,
        }
    }
}
