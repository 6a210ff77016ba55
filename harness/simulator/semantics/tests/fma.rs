use semantics::fma::{fma_f32_soft, fma_f64_soft, fma_ftz_f32};
use semantics::{Rounding, float64};

use crate::samples::Samples;

fn same_f32(ours: f32, theirs: f32) -> bool {
    ours.to_bits() == theirs.to_bits() || ours.to_bits() == 0x7fff_ffff && theirs.is_nan()
}

fn same_f64(ours: f64, theirs: f64) -> bool {
    ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan()
}

#[test]
fn soft_f32_is_the_standard_librarys() {
    let mut samples = Samples(1);
    for _ in 0..8_000_000 {
        let (a, b, c) = samples.f32_triple();
        let (ours, theirs) = (fma_f32_soft(a, b, c), a.mul_add(b, c));
        assert!(same_f32(ours, theirs), "{a:e} · {b:e} + {c:e}: {ours:e}, not {theirs:e}");
    }
}

/// Results between subnormals, where rounding first to 24 bits would be seen.
#[test]
fn soft_f32_rounds_subnormals_once() {
    let mut samples = Samples(2);
    for _ in 0..2_000_000 {
        let a = f32::from_bits((samples.bits() as u32 & 0x807f_ffff) | 0x2000_0000);
        let b = f32::from_bits((samples.bits() as u32 & 0x007f_ffff) | 0x1f00_0000);
        let c = f32::from_bits(samples.bits() as u32 & 0x807f_ffff);
        let (ours, theirs) = (fma_f32_soft(a, b, c), a.mul_add(b, c));
        assert!(same_f32(ours, theirs), "{a:e} · {b:e} + {c:e}: {ours:e}, not {theirs:e}");
    }
}

/// Products just below and above the least normal number: flushed if they are subnormal when they
/// are rounded to 24 bits, whatever their exponent.
#[test]
fn subnormal_results_are_flushed_after_rounding() {
    let mut samples = Samples(4);
    for _ in 0..200_000 {
        let near = |samples: &mut Samples, one: f32, reach: u32| {
            let offset = samples.below(2 * u64::from(reach)) as u32;
            f32::from_bits(one.to_bits() + offset - reach)
        };
        let a = near(&mut samples, 1.0, 6) * if samples.below(2) == 0 { 1.0 } else { -1.0 };
        let b = near(&mut samples, f32::MIN_POSITIVE * 2.0, 4) / 2.0;
        let b = if b < f32::MIN_POSITIVE { f32::MIN_POSITIVE } else { b };
        let up = 100f64.exp2();
        let rounded = (f64::from(a) * f64::from(b) * up) as f32;
        let expected = match f64::from(rounded.abs()) < f64::from(f32::MIN_POSITIVE) * up {
            true => 0.0_f32.copysign(a),
            false => a * b,
        };
        for c in [0.0, -0.0] {
            for ours in [fma_ftz_f32::<true>(a, b, c), fma_ftz_f32::<false>(a, b, c)] {
                assert_eq!(ours.to_bits(), expected.to_bits(), "{a:e} · {b:e}: {ours:e}");
            }
        }
    }
}

#[test]
fn soft_f64_is_the_standard_librarys() {
    let mut samples = Samples(3);
    for _ in 0..1_000_000 {
        let (a, b, c) = samples.f64_triple();
        let (ours, theirs) = (fma_f64_soft(a, b, c), a.mul_add(b, c));
        assert!(same_f64(ours, theirs), "{a:e} · {b:e} + {c:e}: {ours:e}, not {theirs:e}");
        let ours = float64::fma(a, b, c, Rounding::Nearest);
        assert!(same_f64(ours, theirs), "{a:e} · {b:e} + {c:e}: {ours:e}, not {theirs:e}");
    }
}
