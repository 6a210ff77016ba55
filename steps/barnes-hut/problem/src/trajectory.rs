//! Several time steps in f64, with direct sums.

use nbody::Bodies;

use crate::values::{Values, reference};

/// Where bodies go.
pub(crate) struct Trajectory {
    /// Time steps.
    pub(crate) count: u32,
    /// Positions at their end.
    pub(crate) position: Vec<[f64; 3]>,
    /// Velocities, half a time step before that.
    pub(crate) velocity: Vec<[f64; 3]>,
    /// The energy at the start; none where these are not all bodies.
    pub(crate) energy: Option<f64>,
}

impl Trajectory {
    /// Computes where `bodies` go in so many time steps.
    pub(crate) fn new(bodies: &Bodies, values: Values, count: u32) -> Trajectory {
        let n = bodies.len();
        let three = |of: &[Vec<f32>; 3], i: usize| of.each_ref().map(|axis| f64::from(axis[i]));
        let mut position: Vec<[f64; 3]> = (0..n).map(|i| three(&bodies.position, i)).collect();
        let mut velocity: Vec<[f64; 3]> = (0..n).map(|i| three(&bodies.velocity, i)).collect();
        let targets: Vec<usize> = (0..n).collect();
        let dtime = f64::from(values.dtime);
        for _ in 0..count {
            let by = reference(bodies, values).at(&position).accelerations(&targets);
            for ((x, v), a) in position.iter_mut().zip(&mut velocity).zip(by) {
                (0..3).for_each(|axis| v[axis] += a[axis] * dtime);
                (0..3).for_each(|axis| x[axis] += v[axis] * dtime);
            }
        }
        let energy = Some(energy_of(bodies.clone(), values));
        Trajectory { count, position, velocity, energy }
    }

    /// Where some of the bodies go.
    pub(crate) fn of(&self, some: &[u32]) -> Trajectory {
        let of = |all: &[[f64; 3]]| some.iter().map(|&body| all[body as usize]).collect();
        let (position, velocity) = (of(&self.position), of(&self.velocity));
        Trajectory { count: self.count, position, velocity, energy: None }
    }
}

/// The energy of bodies whose velocities are half a time step behind.
pub(crate) fn energy_of(mut bodies: Bodies, values: Values) -> f64 {
    let targets: Vec<usize> = (0..bodies.len()).collect();
    let by = reference(&bodies, values).accelerations(&targets);
    for (i, a) in by.iter().enumerate() {
        for (velocity, a) in bodies.velocity.iter_mut().zip(a) {
            velocity[i] += (0.5 * a * f64::from(values.dtime)) as f32;
        }
    }
    reference(&bodies, values).energy()
}
