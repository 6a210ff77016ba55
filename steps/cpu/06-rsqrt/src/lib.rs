//! Changed: an estimate of 1/√r², corrected by a step of Newton's, instead of a square root and a division.
//! Why:     those two keep a vector unit busy for many clocks; the estimate and the few cheap instructions after it do not.
//! Expect:  more, where a loop waited for √ and ÷. The error stays: it is right to 14, 11 or 8 bits before, and to f32's after.

use cpu_05_wide_vectors::STEP as PARENT;
use nbody::rust::{Accelerations, Forces, Rust, Sources, in_vectors};
use nbody::{Arithmetic, Host, Step, Terms};
use vectors::{Simd, Vector};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    host: Host {
        rust: Some(Rust::Vectors(in_vectors::<Force>)),
        arithmetic: Arithmetic { terms: Terms::Refined, ..PARENT.host.arithmetic },
        ..PARENT.host
    },
    ..PARENT.then(
        "06-rsqrt",
        "Estimated 1/√",
        "an estimate of 1/√r² and Newton's step instead of √ and ÷",
    )
};

struct Force;

impl Forces for Force {
    #[inline(always)]
    fn all<S: Simd>(simd: S, bodies: &Sources, mut to: Accelerations, softening: f32) {
        for i in 0..bodies.len() {
            to.set(i, attraction(simd, bodies, bodies.position(i), softening));
        }
    }
}

/// Acceleration at a position by all of `bodies`.
#[inline(always)]
pub fn attraction<S: Simd>(
    simd: S,
    bodies: &Sources,
    position: [f32; 3],
    softening: f32,
) -> [f32; 3] {
    let correction = Correction::new(simd, 1.0);
    let softening = simd.splat(softening);
    let [xi, yi, zi] = position.map(|axis| simd.splat(axis));
    let [mut ax, mut ay, mut az] = [simd.splat(0.0); 3];
    for at in (0..bodies.len()).step_by(S::Vector::LANES) {
        let [mass, x, y, z] = bodies.load(simd, at);
        let (dx, dy, dz) = (x - xi, y - yi, z - zi);
        let r2 = dz.mul_add(dz, dy.mul_add(dy, dx.mul_add(dx, softening)));
        let scale = mass * inverse_cube(r2, correction);
        ax = dx.mul_add(scale, ax);
        ay = dy.mul_add(scale, ay);
        az = dz.mul_add(scale, az);
    }
    [ax, ay, az].map(|sum| sum.sum())
}

/// What corrects an estimate: the first coefficients of (1 − e)^(−3/2) = 1 + 3/2·e + 15/8·e² + …,
/// times a factor that the result is to have.
#[derive(Debug, Clone, Copy)]
pub struct Correction<V> {
    one: V,
    half: V,
    terms: [V; 3],
}

impl<V: Vector> Correction<V> {
    /// With `factor` in the result.
    #[inline(always)]
    pub fn new<S: Simd<Vector = V>>(simd: S, factor: f32) -> Correction<V> {
        Correction {
            one: simd.splat(1.0),
            half: simd.splat(0.5),
            terms: [1.0, 1.5, 1.875].map(|term| simd.splat(term * factor)),
        }
    }
}

/// `factor / r³` of r², with the factor of `correction`.
///
/// The estimate y of 1/√r² is off by what e = 1 − r²·y² tells, and 1/r³ = y³·(1 − e)^(−3/2). The first
/// two terms of that are Newton's step: enough after 14 bits. After 11 bits the third is added. After 8
/// bits the estimate itself has a step before. What is left out is below 2⁻²⁴.
#[inline(always)]
pub fn inverse_cube<V: Vector>(r2: V, correction: Correction<V>) -> V {
    let Correction { one, half, terms: [first, second, third] } = correction;
    let mut y = r2.rsqrt_estimate();
    if V::ESTIMATE_BITS < 11 {
        let e = r2.neg_mul_add(y * y, one);
        y = (y * e).mul_add(half, y);
    }
    let y2 = y * y;
    let e = r2.neg_mul_add(y2, one);
    let correct = match V::ESTIMATE_BITS {
        ..14 => e.mul_add(e.mul_add(third, second), first),
        _ => e.mul_add(second, first),
    };
    y * y2 * correct
}

#[cfg(test)]
mod tests {
    use vectors::{Loop, Vectors};

    use super::*;

    struct Cubes<'a>(&'a [f32], &'a mut [f32]);

    impl Loop for Cubes<'_> {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) {
            let lanes = S::Vector::LANES;
            let correction = Correction::new(simd, 3.0);
            for (r2, to) in self.0.chunks_exact(lanes).zip(self.1.chunks_exact_mut(lanes)) {
                inverse_cube(simd.load(r2), correction).store(to);
            }
        }
    }

    /// Errors of single results come from rounding; none may remain on one side.
    #[test]
    fn the_corrected_estimate_is_as_good_as_its_roundings() {
        let r2: Vec<f32> = (0..1 << 20).map(|i| 1.0 + i as f32 * 3.0 / (1 << 20) as f32).collect();
        for vectors in Vectors::available() {
            let mut cubes = vec![0.0; r2.len()];
            vectors.run(Cubes(&r2, &mut cubes));
            let errors = r2.iter().zip(&cubes).map(|(&r2, &cube)| {
                let exact = 3.0 * f64::from(r2).powf(-1.5);
                f64::from(cube) / exact - 1.0
            });
            let (worst, sum) = errors
                .fold((0f64, 0f64), |(worst, sum), error| (worst.max(error.abs()), sum + error));
            let mean = sum / r2.len() as f64;
            println!("{vectors}: worst {worst:.2e}, mean {mean:.2e}");
            assert!(worst < 4.5e-7, "{vectors}: worst {worst:.2e}");
            assert!(mean.abs() < 3e-8, "{vectors}: mean {mean:.2e}");
        }
    }
}
