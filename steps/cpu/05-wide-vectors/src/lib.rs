//! Changed: vectors written out, and compiled once for each instruction set; the program chooses when it runs.
//! Why:     what runs on every x86 may use only what the oldest had: four lanes, and no multiplication with an addition.
//! Expect:  16 lanes with AVX-512, 8 with AVX2; nothing with NEON, which every 64-bit Arm has. Still: √ and ÷ are slow.

use cpu_04_lanes::{STEP as PARENT, lanes};
use nbody::rust::{Accelerations, Forces, Rust, Sources, in_vectors};
use nbody::{Arithmetic, Host, Step};
use vectors::{Simd, Vector};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host {
        rust: Some(Rust::Vectors(in_vectors::<Force>)),
        arithmetic: Arithmetic { sums: |grid| lanes(grid.n, grid.block), ..PARENT.host.arithmetic },
        ..PARENT.host
    },
    ..PARENT.then(
        "05-wide-vectors",
        "Wide vectors",
        "vectors as wide as the CPU has, chosen at run time",
    )
};

struct Force;

impl Forces for Force {
    #[inline(always)]
    fn all<S: Simd>(simd: S, bodies: &Sources, mut to: Accelerations, softening: f32) {
        let (zero, one, softening) = (simd.splat(0.0), simd.splat(1.0), simd.splat(softening));
        for i in 0..bodies.len() {
            let [xi, yi, zi] = bodies.position(i).map(|axis| simd.splat(axis));
            let [mut ax, mut ay, mut az] = [zero; 3];
            for at in (0..bodies.len()).step_by(S::Vector::LANES) {
                let [mass, x, y, z] = bodies.load(simd, at);
                let (dx, dy, dz) = (x - xi, y - yi, z - zi);
                let r2 = dz.mul_add(dz, dy.mul_add(dy, dx.mul_add(dx, softening)));
                let inverse = one.div(r2.sqrt());
                let scale = mass * (inverse * inverse * inverse);
                ax = dx.mul_add(scale, ax);
                ay = dy.mul_add(scale, ay);
                az = dz.mul_add(scale, az);
            }
            to.set(i, [ax, ay, az].map(|sum| sum.sum()));
        }
    }
}
