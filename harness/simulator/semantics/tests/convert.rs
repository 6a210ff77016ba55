use semantics::convert::*;
use semantics::integer::Integer;
use semantics::{Rounding, float32};

use crate::exact::{Exact, Format, ROUNDINGS, is_rounded};
use crate::samples::Samples;

/// By the standard library's own roundings.
fn integral(a: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => a.round_ties_even(),
        Rounding::Zero => a.trunc(),
        Rounding::Down => a.floor(),
        Rounding::Up => a.ceil(),
    }
}

/// The value clamped to the type's range, by way of a wider integer.
fn clamped<T: Integer>(integral: f64) -> T {
    T::truncate((integral as i128).clamp(T::MIN.to_i128(), T::MAX.to_i128()))
}

fn check_to_int<T: Integer + std::fmt::Debug>(a: f32, wide: f64) {
    let top = T::from_bits(1 << (T::BITS - 1));
    for rounding in ROUNDINGS {
        let expected = match a.is_nan() {
            true if T::BITS == 64 => top,
            true => T::ZERO,
            false => clamped(integral(f64::from(a), rounding)),
        };
        assert_eq!(f32_to_int::<T>(a, rounding), expected, "{rounding:?} {a:e}");
        let expected = if wide.is_nan() { top } else { clamped(integral(wide, rounding)) };
        assert_eq!(f64_to_int::<T>(wide, rounding), expected, "{rounding:?} {wide:e}");
    }
}

#[test]
fn floats_to_integers() {
    let mut samples = Samples(5);
    let edges =
        [0.5, 1.5, 2.5, -0.5, -0.1, 127.5, 255.5, -128.5, 65535.5, 2147483648.0, 4294967296.0];
    let more = [-2147483904.0, 9.3e18, 1.9e19, -9.3e18, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    let random = (0..200_000).map(|_| (samples.f32(), samples.f64())).collect::<Vec<_>>();
    let precise = [2147483647.5, 4294967295.5, -2147483648.5, 9007199254740993.0].map(|x| (0.0, x));
    let edges = edges.iter().chain(&more).map(|&x| (x, f64::from(x)));
    for (a, wide) in edges.chain(precise).chain(random) {
        check_to_int::<u8>(a, wide);
        check_to_int::<i8>(a, wide);
        check_to_int::<u16>(a, wide);
        check_to_int::<i16>(a, wide);
        check_to_int::<u32>(a, wide);
        check_to_int::<i32>(a, wide);
        check_to_int::<u64>(a, wide);
        check_to_int::<i64>(a, wide);
    }
}

#[test]
fn floats_to_integral_floats() {
    let mut samples = Samples(6);
    for _ in 0..1_000_000 {
        let (a, wide) = (samples.f32(), samples.f64());
        if a.is_nan() || wide.is_nan() {
            continue;
        }
        for rounding in ROUNDINGS {
            let expected = integral(f64::from(a), rounding) as f32;
            assert_eq!(round_f32(a, rounding).to_bits(), expected.to_bits(), "{rounding:?} {a:e}");
            let expected = integral(wide, rounding);
            let result = round_f64(wide, rounding);
            assert_eq!(result.to_bits(), expected.to_bits(), "{rounding:?} {wide:e}");
        }
    }
    assert_eq!(round_f32(f32::NAN, Rounding::Up).to_bits(), 0x7fff_ffff);
}

#[test]
fn between_floats() {
    let mut samples = Samples(7);
    for _ in 0..100_000 {
        // Half of them in the range of f32, and near its values.
        let near = f64::from(samples.f32()) * (1.0 + (samples.below(9) as f64 - 4.0) * 2e-16);
        for a in [samples.f64(), near] {
            if !a.is_finite() || a == 0.0 {
                continue;
            }
            for rounding in ROUNDINGS {
                let result = f64_to_f32(a, rounding);
                let right = is_rounded(result, rounding, |of| a.exact().minus(of).sign());
                assert!(right, "{rounding:?} {a:e}: {result:e}");
            }
        }
    }
    for rounding in ROUNDINGS {
        assert_eq!(f64_to_f32(-0.0, rounding).to_bits(), 0x8000_0000);
        assert_eq!(f64_to_f32(f64::INFINITY, rounding), f32::INFINITY);
        let nan = f64::from_bits(0xfffb_5b1a_d93f_e909); // as seen on an H200
        assert_eq!(f64_to_f32(nan, rounding).to_bits(), 0xffda_d8d6);
    }
    assert_eq!(f32_to_f64(1e-45), 2f64.powi(-149));
    // As seen on an H200.
    assert_eq!(f32_to_f64(f32::from_bits(0x7f80_0001)).to_bits(), 0x7ff8_0000_2000_0000);
    assert_eq!(f32_to_f64(f32::from_bits(0xffbf_e909)).to_bits(), 0xffff_fd21_2000_0000);
    assert_eq!(float32::flush(f64_to_f32(-1e-40, Rounding::Nearest)).to_bits(), 0x8000_0000);
}

fn check_from_int<T: Integer + std::fmt::Debug>(a: T) {
    let exact = Exact::integer(a.to_i128());
    for rounding in ROUNDINGS {
        let (single, double) = (int_to_f32(a, rounding), int_to_f64(a, rounding));
        if a == T::ZERO {
            assert_eq!((single.to_bits(), double.to_bits()), (0, 0));
            continue;
        }
        let real = |of: &Exact| exact.minus(of).sign();
        assert!(is_rounded(single, rounding, real), "f32 {rounding:?} {a:?}: {single}");
        assert!(is_rounded(double, rounding, real), "f64 {rounding:?} {a:?}: {double}");
    }
}

#[test]
fn integers_to_floats() {
    let mut samples = Samples(8);
    for _ in 0..20_000 {
        let bits = samples.bits() >> samples.below(64);
        let bits = bits.wrapping_add(samples.below(3)).wrapping_sub(1);
        check_from_int(bits);
        check_from_int(bits as i64);
        check_from_int((bits as i64).wrapping_neg());
        check_from_int(bits as u32);
        check_from_int(bits as i32);
        check_from_int(bits as u16);
        check_from_int(bits as i8);
    }
    for a in [i64::MIN, i64::MAX, 1 << 53, (1 << 53) + 1, -(1 << 24) - 1] {
        check_from_int(a);
        check_from_int(a as u64);
    }
}

#[test]
fn between_integers() {
    assert_eq!(int_to_int::<i8, i32>(-1), -1);
    assert_eq!(int_to_int::<u8, i32>(0xff), 255);
    assert_eq!(int_to_int::<i32, u64>(-1), u64::MAX);
    assert_eq!(int_to_int::<u32, i64>(u32::MAX), 0xffff_ffff);
    assert_eq!(int_to_int::<u64, u16>(0x1234_5678_9abc_def0), 0xdef0);
    assert_eq!(int_to_int::<i64, i8>(0x180), -128);
    assert_eq!(int_to_int_sat::<i64, i32>(1 << 40), i32::MAX);
    assert_eq!(int_to_int_sat::<i64, i32>(-(1 << 40)), i32::MIN);
    assert_eq!(int_to_int_sat::<i32, u32>(-1), 0);
    assert_eq!(int_to_int_sat::<u32, i32>(u32::MAX), i32::MAX);
    assert_eq!(int_to_int_sat::<u64, i64>(u64::MAX), i64::MAX);
    assert_eq!(int_to_int_sat::<i16, u8>(256), 255);
    assert_eq!(int_to_int_sat::<u16, i8>(100), 100);
}
