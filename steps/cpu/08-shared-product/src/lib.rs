//! Changed: one force for both: it is multiplied out once, added to one body's sum and taken from the other's.
//! Why:     six multiply-adds become three multiplications and six additions, for which AMD's cores have units of their own.
//! Expect:  more there, nothing where additions need the same units. Sums are forces now, and accelerations in the end.

mod forces;

use cpu_06_rsqrt::{Correction, attraction, inverse_cube};
use cpu_07_pairs::{BLOCK, STEP as PARENT};
use nbody::rust::{Accelerations, Evaluation, Forces, Rust, Sources, in_vectors};
use nbody::{Host, Step};
use vectors::{Simd, Vector};

pub use forces::by_forces;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host { rust: Some(Rust::Vectors(force)), ..PARENT.host },
    ..PARENT.then(
        "08-shared-product",
        "One force for both",
        "a pair's force is multiplied out once, then added and subtracted",
    )
};

fn force(bodies: &Sources, to: Accelerations, evaluation: &Evaluation) {
    by_forces(bodies, to, evaluation, |bodies, to| {
        in_vectors::<Force>(bodies, to, evaluation);
    });
}

struct Force;

impl Forces for Force {
    #[inline(always)]
    fn all<S: Simd>(simd: S, bodies: &Sources, mut to: Accelerations, softening: f32) {
        let n = bodies.len();
        for i in 0..n {
            let block = i - i % BLOCK;
            let behind = block + BLOCK;
            let own = bodies.range(block..behind);
            let within = attraction(simd, &own, bodies.position(i), softening);
            to.add(i, within.map(|axis| axis * bodies.mass[i]));

            let softening = simd.splat(softening);
            let correction = Correction::new(simd, bodies.mass[i]);
            let [xi, yi, zi] = bodies.position(i).map(|axis| simd.splat(axis));
            let [mut fx, mut fy, mut fz] = [simd.splat(0.0); 3];
            let others = bodies.range(behind..n);
            let mut to_others = to.range(behind..n);
            for at in (0..others.len()).step_by(S::Vector::LANES) {
                let [mass, x, y, z] = others.load(simd, at);
                let [bx, by, bz] = to_others.load(simd, at);
                let (dx, dy, dz) = (x - xi, y - yi, z - zi);
                let r2 = dz.mul_add(dz, dy.mul_add(dy, dx.mul_add(dx, softening)));
                let scale = mass * inverse_cube(r2, correction);
                let (px, py, pz) = (dx * scale, dy * scale, dz * scale);
                (fx, fy, fz) = (fx + px, fy + py, fz + pz);
                to_others.store(at, [bx - px, by - py, bz - pz]);
            }
            to.add(i, [fx, fy, fz].map(|sum| sum.sum()));
        }
    }
}
