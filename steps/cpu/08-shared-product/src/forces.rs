//! Accelerations by way of forces.

use cpu_06_rsqrt::attraction;
use ladder::nbody::host::{Accelerations, Evaluation, Sources};
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
