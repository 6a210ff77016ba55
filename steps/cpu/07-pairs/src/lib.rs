//! Changed: each pair once: what body i does to j, j does to i, the other way round.
//! Why:     the distance and its root, most of the work, serve both.
//! Expect:  less than half the time is saved: the others' sums are in memory now, read and written for every body i.

use cpu_06_rsqrt::{Correction, STEP as PARENT, attraction, inverse_cube};
use nbody::rust::{Accelerations, Forces, Rust, Sources, in_vectors};
use nbody::{Arithmetic, Host, Step, Sum};
use vectors::{Simd, Vector};

/// Bodies that are whole vectors of any width. Pairs within such a block are computed from both
/// sides; behind it lie whole vectors.
pub const BLOCK: usize = 16;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host {
        rust: Some(Rust::Vectors(in_vectors::<Force>)),
        padding: BLOCK as u32,
        // Of a body's others those before it add to its sum one by one: all of them to the last's.
        arithmetic: Arithmetic {
            sums: |grid| vec![Sum::Rounded(grid.n.div_ceil(2))],
            ..PARENT.host.arithmetic
        },
        ..PARENT.host
    },
    ..PARENT.then(
        "07-pairs",
        "Each pair once",
        "a pair's distance is computed once, and used for both",
    )
};

struct Force;

impl Forces for Force {
    #[inline(always)]
    fn all<S: Simd>(simd: S, bodies: &Sources, mut to: Accelerations, softening: f32) {
        let n = bodies.len();
        let correction = Correction::new(simd, 1.0);
        to.clear();
        for i in 0..n {
            let block = i - i % BLOCK;
            let behind = block + BLOCK;
            let own = bodies.range(block..behind);
            to.add(i, attraction(simd, &own, bodies.position(i), softening));

            let softening = simd.splat(softening);
            let mi = simd.splat(bodies.mass[i]);
            let [xi, yi, zi] = bodies.position(i).map(|axis| simd.splat(axis));
            let [mut ax, mut ay, mut az] = [simd.splat(0.0); 3];
            let others = bodies.range(behind..n);
            let mut to_others = to.range(behind..n);
            for at in (0..others.len()).step_by(S::Vector::LANES) {
                let [mass, x, y, z] = others.load(simd, at);
                let [bx, by, bz] = to_others.load(simd, at);
                let (dx, dy, dz) = (x - xi, y - yi, z - zi);
                let r2 = dz.mul_add(dz, dy.mul_add(dy, dx.mul_add(dx, softening)));
                let cube = inverse_cube(r2, correction);
                let (scale, back) = (cube * mass, cube * mi);
                ax = dx.mul_add(scale, ax);
                ay = dy.mul_add(scale, ay);
                az = dz.mul_add(scale, az);
                let [bx, by, bz] =
                    [dx.neg_mul_add(back, bx), dy.neg_mul_add(back, by), dz.neg_mul_add(back, bz)];
                to_others.store(at, [bx, by, bz]);
            }
            to.add(i, [ax, ay, az].map(|sum| sum.sum()));
        }
    }
}
