use simt::semantics::fma::{fma_f32_soft, fma_f64_soft};
use simt::semantics::{Rounding, float64};

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
