//! Changed: four bodies at a time: the others' positions and sums are read, and these written, once for four.
//! Why:     the idea that gained nothing in 06x does here: pairs put into memory what was in registers.
//! Expect:  more, the more the farther those sums are: they lie in the second cache from about 1000 bodies on.

use cpu_06_rsqrt::{Correction, attraction, inverse_cube};
use cpu_07_pairs::BLOCK;
use cpu_08_shared_product::{STEP as PARENT, by_forces};
use nbody::rust::{Accelerations, Evaluation, Forces, Rust, Sources, in_vectors};
use nbody::{Host, Step};
use vectors::{Simd, Vector};

/// Bodies at a time: their sums take twelve registers of the 32 that AVX-512 has.
pub const ROWS: usize = 4;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host { rust: Some(Rust::Vectors(force)), ..PARENT.host },
    ..PARENT.then(
        "09-register-blocks",
        "Register blocks",
        "four bodies share what is read and written of the others",
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
        among(simd, bodies, &mut to, softening);
    }
}

/// Adds the forces of all pairs among `bodies`.
#[inline(always)]
pub fn among<S: Simd>(simd: S, bodies: &Sources, to: &mut Accelerations, softening: f32) {
    let n = bodies.len();
    for block in (0..n).step_by(BLOCK) {
        let behind = block + BLOCK;
        let own = bodies.range(block..behind);
        for i in block..behind {
            let within = attraction(simd, &own, bodies.position(i), softening);
            to.add(i, within.map(|axis| axis * bodies.mass[i]));
        }
        let (mut to_own, mut to_others) = to.split(behind);
        let mut to_own = to_own.range(block..behind);
        between(simd, &own, &mut to_own, &bodies.range(behind..n), &mut to_others, softening);
    }
}

/// Adds the forces of all pairs of one of `own` and one of `others`.
#[inline(always)]
pub fn between<S: Simd>(
    simd: S,
    own: &Sources,
    to_own: &mut Accelerations,
    others: &Sources,
    to_others: &mut Accelerations,
    softening: f32,
) {
    let softening = simd.splat(softening);
    for first in (0..own.len()).step_by(ROWS) {
        let rows: [_; ROWS] = std::array::from_fn(|k| {
            let correction = Correction::new(simd, own.mass[first + k]);
            (correction, own.position(first + k).map(|axis| simd.splat(axis)))
        });
        let mut sums = [[simd.splat(0.0); 3]; ROWS];
        for at in (0..others.len()).step_by(S::Vector::LANES) {
            let [mass, x, y, z] = others.load(simd, at);
            let [mut bx, mut by, mut bz] = to_others.load(simd, at);
            for (&(correction, [xi, yi, zi]), [fx, fy, fz]) in rows.iter().zip(&mut sums) {
                let (dx, dy, dz) = (x - xi, y - yi, z - zi);
                let r2 = dz.mul_add(dz, dy.mul_add(dy, dx.mul_add(dx, softening)));
                let scale = mass * inverse_cube(r2, correction);
                let (px, py, pz) = (dx * scale, dy * scale, dz * scale);
                (*fx, *fy, *fz) = (*fx + px, *fy + py, *fz + pz);
                (bx, by, bz) = (bx - px, by - py, bz - pz);
            }
            to_others.store(at, [bx, by, bz]);
        }
        for (i, sums) in (first..).zip(sums) {
            to_own.add(i, sums.map(|sum| sum.sum()));
        }
    }
}
