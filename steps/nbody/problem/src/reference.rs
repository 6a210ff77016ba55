//! The reference: what every step must compute, in f64.

use rayon::prelude::*;

use super::bodies::Bodies;
use super::constants::Constants;

/// Bodies in f64, with the accelerations last computed.
///
/// The constants are the f32 values that the kernels get: their rounding is no error of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    constants: Constants,
    mass: Vec<f64>,
    position: [Vec<f64>; 3],
    velocity: [Vec<f64>; 3],
    acceleration: Vec<[f64; 3]>,
}

/// Sums are kept in this many parts, so that the compiler may use vector instructions.
const LANES: usize = 4;

/// Bodies that a thread sums for at once.
const TOGETHER: usize = 8;

/// Bodies whose positions and masses stay in a core's cache meanwhile, 64 KiB.
const BLOCK: usize = 1 << 11;

impl Reference {
    /// Bodies as they are, with accelerations of zero and the usual constants.
    pub fn new(bodies: &Bodies) -> Reference {
        let wide = |values: &Vec<f32>| {
            values.par_iter().with_min_len(1 << 12).map(|&x| f64::from(x)).collect()
        };
        Reference {
            constants: Constants::USUAL,
            mass: wide(&bodies.mass),
            position: bodies.position.each_ref().map(wide),
            velocity: bodies.velocity.each_ref().map(wide),
            acceleration: vec![[0.0; 3]; bodies.len()],
        }
    }

    /// The same with other constants.
    #[must_use]
    pub fn with(self, constants: Constants) -> Reference {
        Reference { constants, ..self }
    }

    /// The same with the accelerations that they had last.
    #[must_use]
    pub fn resumed(self, acceleration: Vec<[f64; 3]>) -> Reference {
        assert_eq!(acceleration.len(), self.mass.len(), "each body has its acceleration");
        Reference { acceleration, ..self }
    }

    /// The same bodies in other places.
    #[must_use]
    pub fn at(self, places: &[[f64; 3]]) -> Reference {
        let position = std::array::from_fn(|axis| places.iter().map(|it| it[axis]).collect());
        Reference { position, ..self }
    }

    /// Accelerations of the bodies `targets`, each by all bodies.
    pub fn accelerations(&self, targets: &[usize]) -> Vec<[f64; 3]> {
        let some = targets.par_chunks(TOGETHER);
        some.flat_map_iter(|some| self.accelerations_of(some)).collect()
    }

    /// Accelerations of some bodies, which read a block of all bodies one after the other while it is in the cache. A body
    /// itself adds 0: its distance is 0, and softening keeps the quotient finite.
    fn accelerations_of(&self, some: &[usize]) -> Vec<[f64; 3]> {
        let epssq = f64::from(self.constants.epssq);
        let mut sums = vec![[[0.0; LANES]; 3]; some.len()];
        let n = self.mass.len();
        for first in (0..n).step_by(BLOCK) {
            let end = (first + BLOCK).min(n);
            for (&i, sums) in some.iter().zip(&mut sums) {
                let at = self.position.each_ref().map(|axis| axis[i]);
                let pull = |j: usize, lane: usize, sums: &mut [[f64; LANES]; 3]| {
                    let d: [f64; 3] = [
                        self.position[0][j] - at[0],
                        self.position[1][j] - at[1],
                        self.position[2][j] - at[2],
                    ];
                    let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + epssq;
                    let scale = self.mass[j] / (square * square.sqrt());
                    sums[0][lane] += d[0] * scale;
                    sums[1][lane] += d[1] * scale;
                    sums[2][lane] += d[2] * scale;
                };
                // Only the last block has bodies that are not whole groups of lanes.
                let whole = end - (end - first) % LANES;
                for j in (first..whole).step_by(LANES) {
                    for lane in 0..LANES {
                        pull(j + lane, lane, sums);
                    }
                }
                (whole..end).for_each(|j| pull(j, 0, sums));
            }
        }
        sums.into_iter().map(|sums| sums.map(|parts| parts.iter().sum())).collect()
    }

    /// How far off accelerations of the bodies `targets` are where each body's place is off by its
    /// own distance in some direction: as the root of the sum of squares, since directions differ.
    pub fn changes(&self, targets: &[usize], off: &[f64]) -> Vec<f64> {
        let epssq = f64::from(self.constants.epssq);
        let change = |&i: &usize| {
            let of = |j: usize| {
                let d = self.position.each_ref().map(|axis| axis[j] - axis[i]);
                let square = d.iter().map(|x| x * x).sum::<f64>() + epssq;
                // The derivative of d/(d² + ε²)^(3/2) is at most twice its denominator's inverse.
                let steepness = 2.0 * self.mass[j] / (square * square.sqrt());
                steepness.powi(2) * (off[i].powi(2) + off[j].powi(2))
            };
            (0..self.mass.len()).filter(|&j| j != i).map(of).sum::<f64>().sqrt()
        };
        targets.par_iter().map(change).collect()
    }

    /// One force evaluation: new accelerations; after the first time step also the correction of
    /// the velocities, which were advanced with the old ones.
    pub fn force(&mut self, step: u32) {
        let targets: Vec<usize> = (0..self.mass.len()).collect();
        let new = self.accelerations(&targets);
        if step > 0 {
            let half = 0.5 * f64::from(self.constants.dtime);
            for (i, (new, old)) in new.iter().zip(&self.acceleration).enumerate() {
                for axis in 0..3 {
                    self.velocity[axis][i] += (new[axis] - old[axis]) * half;
                }
            }
        }
        self.acceleration = new;
    }

    /// Advances positions and velocities by one time step.
    pub fn advance(&mut self) {
        let step = f64::from(self.constants.dtime);
        let half = 0.5 * step;
        for (i, acceleration) in self.acceleration.iter().enumerate() {
            for (axis, acceleration) in acceleration.iter().enumerate() {
                let between = self.velocity[axis][i] + acceleration * half;
                self.position[axis][i] += between * step;
                self.velocity[axis][i] = between + acceleration * half;
            }
        }
    }

    /// The bodies one time step on, before the force evaluation that corrects their velocities.
    #[must_use]
    pub fn advanced(mut self) -> Reference {
        self.advance();
        self
    }

    /// The bodies after `steps` time steps, with the velocities corrected by a last force
    /// evaluation.
    #[must_use]
    pub fn after(mut self, steps: u32) -> Reference {
        for step in 0..steps {
            self.force(step);
            self.advance();
        }
        self.force(steps);
        self
    }

    /// Position, velocity and acceleration of every body, as lists of vectors.
    pub fn state(&self) -> [Vec<[f64; 3]>; 3] {
        let vectors = |axes: &[Vec<f64>; 3]| {
            (0..self.mass.len()).map(|i| axes.each_ref().map(|axis| axis[i])).collect()
        };
        [vectors(&self.position), vectors(&self.velocity), self.acceleration.clone()]
    }

    /// The bodies in f32.
    pub fn bodies(&self) -> Bodies {
        let narrow = |values: &Vec<f64>| values.iter().map(|&x| x as f32).collect();
        Bodies {
            mass: narrow(&self.mass),
            position: self.position.each_ref().map(narrow),
            velocity: self.velocity.each_ref().map(narrow),
        }
    }

    /// Kinetic and softened potential energy.
    pub fn energy(&self) -> f64 {
        let epssq = f64::from(self.constants.epssq);
        (0..self.mass.len())
            .into_par_iter()
            .map(|i| {
                let square = |axes: &[Vec<f64>; 3]| axes.iter().map(|a| a[i] * a[i]).sum::<f64>();
                let potential: f64 = (0..i)
                    .map(|j| {
                        let d = self.position.each_ref().map(|axis| axis[j] - axis[i]);
                        self.mass[j] / (d.iter().map(|x| x * x).sum::<f64>() + epssq).sqrt()
                    })
                    .sum();
                self.mass[i] * (0.5 * square(&self.velocity) - potential)
            })
            // Collected first: a parallel sum's order, and so its last bits, would vary.
            .collect::<Vec<f64>>()
            .iter()
            .sum()
    }

    /// Total momentum, and Σ m|v| to compare it with.
    pub fn momentum(&self) -> ([f64; 3], f64) {
        let mut total = [0.0; 3];
        let mut sum = 0.0;
        for (i, mass) in self.mass.iter().enumerate() {
            let v = self.velocity.each_ref().map(|axis| axis[i]);
            (0..3).for_each(|axis| total[axis] += mass * v[axis]);
            sum += mass * v.iter().map(|x| x * x).sum::<f64>().sqrt();
        }
        (total, sum)
    }
}

#[cfg(test)]
mod tests;
