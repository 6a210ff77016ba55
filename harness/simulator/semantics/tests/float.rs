use std::cmp::Ordering;

use semantics::{Rounding, float32, float64};

use crate::exact::{Exact, Format, ROUNDINGS, is_rounded};
use crate::samples::Samples;

/// Every operation of one format with every rounding, on random operands, against exact numbers.
macro_rules! rounding_test {
    ($name:ident, $type:ident, $module:ident, $triple:ident, $count:literal) => {
        #[test]
        fn $name() {
            let mut samples = Samples(4);
            for _ in 0..$count {
                let (a, b, c) = samples.$triple();
                if !(a.is_finite() && b.is_finite() && c.is_finite()) {
                    continue;
                }
                let (x, y, z) = (a.exact(), b.exact(), c.exact());
                let (sum, product) = (x.plus(&y), x.times(&y));
                let (difference, fused) = (x.minus(&y), product.plus(&z));
                for rounding in ROUNDINGS {
                    let check = |operation: &str, exact: &Exact, result: $type| {
                        if exact.is_zero() {
                            assert_eq!(result, 0.0, "{operation} {rounding:?} {a:e} {b:e} {c:e}");
                            return;
                        }
                        let real = |of: &Exact| exact.minus(of).sign();
                        assert!(
                            is_rounded(result, rounding, real),
                            "{operation} {rounding:?} {a:e} {b:e} {c:e}: {result:e}"
                        );
                    };
                    check("add", &sum, $module::add(a, b, rounding));
                    check("sub", &difference, $module::sub(a, b, rounding));
                    check("mul", &product, $module::mul(a, b, rounding));
                    check("fma", &fused, $module::fma(a, b, c, rounding));
                    if a != 0.0 && b != 0.0 {
                        let quotient = |of: &Exact| {
                            let order = x.minus(&of.times(&y)).sign();
                            if b < 0.0 { order.reverse() } else { order }
                        };
                        let result = $module::div(a, b, rounding);
                        let right = is_rounded(result, rounding, quotient);
                        assert!(right, "div {rounding:?} {a:e} {b:e}: {result:e}");
                        let reciprocal = |of: &Exact| {
                            let order = Exact::integer(1).minus(&of.times(&y)).sign();
                            if b < 0.0 { order.reverse() } else { order }
                        };
                        let result = $module::rcp(b, rounding);
                        let right = is_rounded(result, rounding, reciprocal);
                        assert!(right, "rcp {rounding:?} {b:e}: {result:e}");
                    }
                    if a > 0.0 {
                        let root = |of: &Exact| match of.sign() {
                            Ordering::Less => Ordering::Greater,
                            _ => x.minus(&of.times(of)).sign(),
                        };
                        let result = $module::sqrt(a, rounding);
                        let right = is_rounded(result, rounding, root);
                        assert!(right, "sqrt {rounding:?} {a:e}: {result:e}");
                    }
                }
            }
        }
    };
}
rounding_test!(f32_roundings_are_exact, f32, float32, f32_triple, 60_000);
rounding_test!(f64_roundings_are_exact, f64, float64, f64_triple, 20_000);

/// IEEE 754, 6.3: the sign of an exact zero.
macro_rules! zero_test {
    ($name:ident, $type:ident, $module:ident) => {
        #[test]
        fn $name() {
            use $module::{add, div, fma, mul, sqrt, sub};
            let negative = |x: $type| {
                assert_eq!(x, 0.0);
                x.is_sign_negative()
            };
            for rounding in ROUNDINGS {
                let down = rounding == Rounding::Down;
                assert_eq!(negative(add(1.5, -1.5, rounding)), down);
                assert_eq!(negative(sub(1.5, 1.5, rounding)), down);
                assert_eq!(negative(add(0.0, -0.0, rounding)), down);
                assert!(!negative(add(0.0, 0.0, rounding)));
                assert!(negative(add(-0.0, -0.0, rounding)));
                assert!(negative(mul(-0.0, 3.0, rounding)));
                assert!(!negative(mul(-0.0, -3.0, rounding)));
                assert_eq!(negative(fma(2.0, 3.0, -6.0, rounding)), down);
                assert_eq!(negative(fma(-0.0, 3.0, 0.0, rounding)), down);
                assert!(negative(fma(-0.0, 3.0, -0.0, rounding)));
                assert!(!negative(fma(0.0, 3.0, 0.0, rounding)));
                assert!(negative(div(-0.0, 3.0, rounding)));
                assert!(negative(sqrt(-0.0, rounding)));
            }
        }
    };
}
zero_test!(f32_zeros_have_their_sign, f32, float32);
zero_test!(f64_zeros_have_their_sign, f64, float64);

/// Infinities, invalid operations, NaN operands, whatever the rounding.
macro_rules! special_test {
    ($name:ident, $type:ident, $module:ident, $nan:literal, $payload:literal -> $kept:literal) => {
        #[test]
        fn $name() {
            use $module::{add, div, fma, mul, rcp, sqrt, sub};
            let (inf, nan) = ($type::INFINITY, $type::from_bits($nan));
            let (payload, kept) = ($type::from_bits($payload), $type::from_bits($kept));
            let same = |result: $type, expected: $type| {
                assert_eq!(result.to_bits(), expected.to_bits(), "{result} {expected}");
            };
            for rounding in ROUNDINGS {
                same(add(inf, -inf, rounding), nan);
                same(add(inf, 1.0, rounding), inf);
                same(sub(inf, inf, rounding), nan);
                same(sub(1.0, inf, rounding), -inf);
                same(mul(inf, 0.0, rounding), nan);
                same(mul(-inf, 2.0, rounding), -inf);
                same(fma(inf, 0.0, 1.0, rounding), nan);
                same(fma(inf, 1.0, -inf, rounding), nan);
                same(fma($type::MAX, 2.0, -inf, rounding), -inf);
                same(div(0.0, 0.0, rounding), nan);
                same(div(inf, inf, rounding), nan);
                same(div(1.0, -0.0, rounding), -inf);
                same(div(1.0, -inf, rounding), -0.0);
                same(rcp(0.0, rounding), inf);
                same(sqrt(-1.0, rounding), nan);
                same(sqrt(inf, rounding), inf);
                for result in [
                    add(payload, 1.0, rounding),
                    sub(1.0, payload, rounding),
                    mul(payload, payload, rounding),
                    fma(1.0, payload, 1.0, rounding),
                    div(payload, 1.0, rounding),
                    sqrt(payload, rounding),
                ] {
                    same(result, kept);
                }
            }
        }
    };
}
special_test!(f32_infinities_and_nan, f32, float32, 0x7fff_ffff, 0xff80_1234 -> 0x7fff_ffff);
special_test!(f64_infinities_and_nan, f64, float64, 0xfff8_0000_0000_0000,
    0x7ff4_0000_0000_1234 -> 0x7ffc_0000_0000_1234);

/// Which NaN comes out of two or three, as seen on an H200.
#[test]
fn one_of_several_nan() {
    let [a, b, c] = [1u64, 2, 3].map(|payload| f64::from_bits(0x7ff8 << 48 | payload));
    for rounding in ROUNDINGS {
        assert_eq!(float64::add(a, b, rounding).to_bits(), b.to_bits());
        assert_eq!(float64::sub(a, b, rounding).to_bits(), b.to_bits());
        assert_eq!(float64::mul(a, b, rounding).to_bits(), b.to_bits());
        assert_eq!(float64::div(a, b, rounding).to_bits(), a.to_bits());
        assert_eq!(float64::fma(a, b, c, rounding).to_bits(), b.to_bits());
        assert_eq!(float64::fma(a, 1.0, c, rounding).to_bits(), c.to_bits());
    }
    assert_eq!(float64::min(a, b).to_bits(), b.to_bits());
    assert_eq!(float64::neg(a).to_bits(), a.to_bits());
}

#[test]
fn directed_overflow_stops_at_the_greatest_number() {
    use Rounding::{Down, Nearest, Up, Zero};
    let (max, inf) = (f32::MAX, f32::INFINITY);
    let sums = [(Nearest, inf, -inf), (Zero, max, -max), (Down, max, -inf), (Up, inf, -max)];
    for (rounding, positive, negative) in sums {
        assert_eq!(float32::add(max, max, rounding), positive);
        assert_eq!(float32::mul(-max, 2.0, rounding), negative);
        assert_eq!(float32::div(-max, 0.5, rounding), negative);
        assert_eq!(float64::add(f64::MAX, f64::MAX, rounding) == f64::INFINITY, positive == inf);
        assert_eq!(float64::mul(f64::MAX, -2.0, rounding) == f64::NEG_INFINITY, negative == -inf);
    }
}

#[test]
fn flush_and_saturate() {
    let least = f32::MIN_POSITIVE;
    for (a, flushed) in
        [(1e-40, 0.0), (-1e-40, -0.0), (least, least), (-least, -least), (-0.0, -0.0)]
    {
        assert_eq!(float32::flush(a).to_bits(), f32::to_bits(flushed));
    }
    assert!(float32::flush(f32::NAN).is_nan());
    let nan = f32::NAN;
    for (a, clamped) in
        [(-0.0, 0.0), (nan, 0.0), (-5.0, 0.0), (0.25, 0.25), (7.0, 1.0), (1e-40, 1e-40)]
    {
        assert_eq!(float32::saturate(a).to_bits(), f32::to_bits(clamped));
        assert_eq!(float64::saturate(f64::from(a)).to_bits(), f64::from(clamped).to_bits());
    }
}

#[test]
fn min_max_sign() {
    let bits = f32::to_bits;
    let nan = f32::from_bits(0xffc0_1234);
    for (a, b, min, max) in [
        (-0.0, 0.0, -0.0, 0.0),
        (0.0, -0.0, -0.0, 0.0),
        (1.0, -2.0, -2.0, 1.0),
        (f32::NEG_INFINITY, 1e-45, f32::NEG_INFINITY, 1e-45),
        (nan, 3.0, 3.0, 3.0),
        (3.0, nan, 3.0, 3.0),
        (nan, nan, float32::CANONICAL_NAN, float32::CANONICAL_NAN),
    ] {
        assert_eq!(bits(float32::min(a, b, false)), bits(min));
        assert_eq!(bits(float32::max(a, b, false)), bits(max));
        if a.is_nan() || b.is_nan() {
            assert_eq!(bits(float32::min(a, b, true)), 0x7fff_ffff);
            assert_eq!(bits(float32::max(a, b, true)), 0x7fff_ffff);
            continue;
        }
        assert_eq!(bits(float32::min(a, b, true)), bits(min));
        assert_eq!(bits(float32::max(a, b, true)), bits(max));
        assert_eq!(float64::min(a.into(), b.into()).to_bits(), f64::from(min).to_bits());
        assert_eq!(float64::max(a.into(), b.into()).to_bits(), f64::from(max).to_bits());
    }
    assert_eq!(float64::min(f64::NAN, 3.0), 3.0);
    assert_eq!(float64::max(3.0, f64::NAN), 3.0);
    assert_eq!(bits(float32::neg(0.0)), 0x8000_0000);
    assert_eq!(bits(float32::abs(-0.0)), 0);
    assert_eq!(float32::copysign(-1.0, 5.0), -5.0);
    assert_eq!(float64::copysign(2.0, -5.0), 5.0);
}
