//! Changed: four bodies at a time, so that each vector of others is read once for four.
//! Why:     it is what shared memory does on the GPU: fewer reads for the same work.
//! Expect:  nothing, so it is not kept: a core reads two vectors a clock beside its arithmetic, and needed four in a dozen clocks.

use cpu_06_rsqrt::{Correction, STEP as PARENT, inverse_cube};
use nbody::rust::{Accelerations, Forces, Rust, Sources, in_vectors};
use nbody::{Host, Step};
use vectors::{Simd, Vector};

/// Bodies at a time.
const BLOCK: usize = 4;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host { rust: Some(Rust::Vectors(in_vectors::<Force>)), ..PARENT.host },
    ..PARENT.then(
        "06x-register-blocks",
        "Register blocks",
        "four bodies for each vector that is read",
    )
};

struct Force;

impl Forces for Force {
    #[inline(always)]
    fn all<S: Simd>(simd: S, bodies: &Sources, mut to: Accelerations, softening: f32) {
        let (zero, softening) = (simd.splat(0.0), simd.splat(softening));
        let correction = Correction::new(simd, 1.0);
        for first in (0..bodies.len()).step_by(BLOCK) {
            let own: [_; BLOCK] =
                std::array::from_fn(|k| bodies.position(first + k).map(|axis| simd.splat(axis)));
            let mut sums = [[zero; 3]; BLOCK];
            for at in (0..bodies.len()).step_by(S::Vector::LANES) {
                let [mass, x, y, z] = bodies.load(simd, at);
                for ([xi, yi, zi], [ax, ay, az]) in own.into_iter().zip(&mut sums) {
                    let (dx, dy, dz) = (x - xi, y - yi, z - zi);
                    let r2 = dz.mul_add(dz, dy.mul_add(dy, dx.mul_add(dx, softening)));
                    let scale = mass * inverse_cube(r2, correction);
                    *ax = dx.mul_add(scale, *ax);
                    *ay = dy.mul_add(scale, *ay);
                    *az = dz.mul_add(scale, *az);
                }
            }
            for (i, sums) in (first..).zip(sums) {
                to.set(i, sums.map(|sum| sum.sum()));
            }
        }
    }
}
