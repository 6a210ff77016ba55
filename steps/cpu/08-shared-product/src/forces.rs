//! Accelerations by way of forces.

use cpu_06_rsqrt::attraction;
use nbody::rust::{Accelerations, Evaluation, Sources};
use vectors::{Loop, Simd};

/// Masses below this part of the greatest pull no one: 2⁻⁵⁰, far below what f32 adds up. The product of
/// two that do is a number that f32 can hold.
const LEAST: f32 = 8.881_784e-16;

/// Computes accelerations with `forces`, which adds to zeros the force on each body: the sum over all
/// others of the product of both masses, times distance / r³.
///
/// Masses are given to it as parts of the greatest. A body without mass feels no force, and yet is
/// accelerated: bodies that pull no one are computed by themselves.
pub fn by_forces(
    bodies: &Sources,
    mut to: Accelerations,
    evaluation: &Evaluation,
    forces: impl FnOnce(&Sources, Accelerations),
) {
    let greatest = bodies.mass.iter().copied().fold(0.0, f32::max);
    let part = |&mass: &f32| {
        let part = mass / greatest;
        if part >= LEAST { part } else { 0.0 }
    };
    let parts: Vec<f32> = bodies.mass.iter().map(part).collect();
    to.clear();
    forces(&Sources { mass: &parts, ..*bodies }, to.range(0..bodies.len()));
    for (i, part) in parts.into_iter().enumerate() {
        if part > 0.0 {
            let scale = greatest / part;
            to.set(i, [to.x[i] * scale, to.y[i] * scale, to.z[i] * scale]);
        } else {
            let one = One { bodies, i, softening: evaluation.softening };
            to.set(i, evaluation.vectors.run(one));
        }
    }
}

/// The acceleration of one body.
struct One<'a> {
    bodies: &'a Sources<'a>,
    i: usize,
    softening: f32,
}

impl Loop for One<'_> {
    type Output = [f32; 3];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [f32; 3] {
        attraction(simd, self.bodies, self.bodies.position(self.i), self.softening)
    }
}

#[cfg(test)]
mod tests {
    use vectors::Vectors;

    use super::*;
    use crate::force;

    /// Accelerations by forces, and by attraction, of 48 bodies with these masses.
    fn both(mass: impl Fn(usize) -> f32) -> [Vec<[f32; 3]>; 2] {
        let column = |f: fn(f32) -> f32| (0..48).map(|i| f(i as f32)).collect::<Vec<f32>>();
        let (x, y, z) =
            (column(f32::sin), column(|i| (2.0 * i).cos()), column(|i| (3.0 * i).sin()));
        let mass: Vec<f32> = (0..48).map(mass).collect();
        let bodies = Sources { mass: &mass, x: &x, y: &y, z: &z };
        let vectors = Vectors::best();
        let evaluation = Evaluation { step: 0, dthf: 0.0, softening: 0.01, vectors };
        let [mut ax, mut ay, mut az] = [(); 3].map(|()| vec![f32::NAN; 48]);
        let to = Accelerations { x: &mut ax, y: &mut ay, z: &mut az };
        force(&bodies, to, &evaluation);
        let by_forces = (0..48).map(|i| [ax[i], ay[i], az[i]]).collect();
        let one = |i| vectors.run(One { bodies: &bodies, i, softening: evaluation.softening });
        [by_forces, (0..48).map(one).collect()]
    }

    fn assert_equal([by_forces, expected]: [Vec<[f32; 3]>; 2], what: &str) {
        let length = |v: [f32; 3]| v.map(|axis| f64::from(axis).powi(2)).iter().sum::<f64>().sqrt();
        for (i, (&a, &b)) in by_forces.iter().zip(&expected).enumerate() {
            let off = length([a[0] - b[0], a[1] - b[1], a[2] - b[2]]);
            assert!(off <= 1e-5 * length(b), "{what}: body {i} has {a:?}, and {b:?} is right");
        }
    }

    #[test]
    fn bodies_without_mass_are_accelerated_and_pull_no_one() {
        assert_equal(both(|i| if i % 3 == 0 { 0.0 } else { 1.0 + i as f32 }), "every third");
        assert_equal(both(|i| if i == 20 { 1.0 } else { 0.0 }), "all but one");
        assert_equal(both(|_| 0.0), "none has any");
    }

    #[test]
    fn products_of_masses_stay_within_what_f32_holds() {
        assert_equal(both(|i| 1e30 * (1.0 + i as f32)), "great");
        assert_equal(both(|i| 1e-30 * (1.0 + i as f32)), "small");
        assert_equal(both(|i| if i % 2 == 0 { 1.0 } else { 1e-14 }), "far apart");
        assert_equal(both(|i| if i % 2 == 0 { 1.0 } else { 1e-25 }), "farther apart");
    }
}
