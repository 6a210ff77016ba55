use semantics::approximate as approx;

/// The relative error, measured against the `f64` function.
fn relative(result: f32, exact: f64) -> f64 {
    if f64::from(result) == exact { 0.0 } else { (f64::from(result) / exact - 1.0).abs() }
}

/// The greatest value of `error` over `f32`s from `first` to `last`, every `step`-th of them.
fn worst(first: f32, last: f32, step: usize, error: impl Fn(f32) -> f64) -> f64 {
    let range = first.to_bits()..=last.to_bits();
    range.step_by(step).map(f32::from_bits).map(error).fold(0.0, f64::max)
}

/// Asserts a bound of the form 2^exponent and prints what was found.
fn bound(what: &str, error: f64, exponent: f64) {
    println!("{what}: 2^{:.2} (ISA 2^{exponent})", error.log2());
    assert!(error <= exponent.exp2(), "{what}: 2^{:.2}", error.log2());
}

const LEAST: f32 = 1e-45;

#[test]
fn reciprocal_square_root() {
    let error = |x: f32| relative(approx::rsqrt(x), 1.0 / f64::from(x).sqrt());
    // Two binades hold every case but the subnormals.
    bound("rsqrt, 1 … 4", worst(1.0, 4.0, 1, error), -22.9);
    bound("rsqrt, subnormal", worst(LEAST, f32::MIN_POSITIVE, 7, error), -22.9);
    bound("rsqrt, all", worst(LEAST, f32::MAX, 1009, error), -22.9);
}

#[test]
fn reciprocal_and_roots() {
    let error = |x: f32| relative(approx::sqrt(x), f64::from(x).sqrt());
    bound("sqrt, 1 … 4", worst(1.0, 4.0, 1, error), -23.0);
    bound("sqrt, all", worst(f32::MIN_POSITIVE, f32::MAX, 1009, error), -23.0);
    let error = |x: f32| relative(approx::rcp(x), 1.0 / f64::from(x));
    bound("rcp, 1 … 2", worst(1.0, 2.0, 1, error), -23.0);
}

#[test]
fn division() {
    for (a, b) in [(1.0f32, 3.0f32), (1e30, 7e29), (-5.0, 1e-30), (1e-40, 3.0)] {
        let exact = f64::from(a) / f64::from(b);
        let ulp = |x: f32| f64::from(x.abs().next_up()) - f64::from(x.abs());
        for quotient in [approx::div(a, b), approx::div_full(a, b)] {
            assert!((f64::from(quotient) - exact).abs() <= 2.0 * ulp(quotient), "{a} / {b}");
        }
    }
    let (inf, large) = (f32::INFINITY, 1.5e38); // 2¹²⁶ is 8.5e37
    assert_eq!(approx::div(large, large).to_bits(), 0);
    assert_eq!(approx::div(-1.0, large).to_bits(), 0x8000_0000);
    assert_eq!(approx::div(inf, large).to_bits(), 0x7fff_ffff);
    assert_eq!(approx::div(8e37, 8e37), 1.0);
    assert_eq!(approx::div(1.0, -inf).to_bits(), 0x8000_0000);
    assert_eq!(approx::div(2.0, 0.0), inf);
    assert_eq!(approx::div_full(large, large), 1.0);
    assert_eq!(approx::div_full(0.0, 0.0).to_bits(), 0x7fff_ffff);
}

#[test]
fn powers_of_two() {
    let error = |x: f32| relative(approx::ex2(x), libm::exp2(f64::from(x)));
    bound("ex2, 0 … 1", worst(0.0, 1.0, 101, error), -22.0);
    bound("ex2, 1 … 128", worst(1.0, 127.999, 7, error), -22.0);
    bound("ex2, −1 … −126", worst(-1.0, -126.0, 7, error), -22.0);
    for exponent in -149i16..128 {
        assert_eq!(approx::ex2(exponent.into()), 2f64.powi(exponent.into()) as f32);
    }
    for (a, expected) in [
        (f32::NEG_INFINITY, 0.0),
        (-151.0, 0.0),
        (-0.0, 1.0),
        (-1e-45, 1.0),
        (1e-40, 1.0),
        (128.0, f32::INFINITY),
        (f32::MAX, f32::INFINITY),
        (f32::INFINITY, f32::INFINITY),
    ] {
        assert_eq!(approx::ex2(a).to_bits(), f32::to_bits(expected), "{a:e}");
    }
    assert_eq!(approx::ex2(f32::NAN).to_bits(), 0x7fff_ffff);
}

#[test]
fn logarithm() {
    let absolute = |x: f32| (f64::from(approx::lg2(x)) - libm::log2(f64::from(x))).abs();
    bound("lg2, ½ … 2, absolute", worst(0.5, 2.0, 7, absolute), -22.0);
    let error = |x: f32| relative(approx::lg2(x), libm::log2(f64::from(x)));
    bound("lg2, ½ … 2, relative", worst(0.5, 2.0, 7, error), -22.0);
    bound("lg2, below ½", worst(LEAST, 0.5, 1009, error), -22.0);
    bound("lg2, above 2", worst(2.0, f32::MAX, 1009, error), -22.0);
    for exponent in -149i16..128 {
        assert_eq!(approx::lg2(2f64.powi(exponent.into()) as f32), f32::from(exponent));
    }
    assert_eq!(approx::lg2(0.0), f32::NEG_INFINITY);
    assert_eq!(approx::lg2(-0.0), f32::NEG_INFINITY);
    assert_eq!(approx::lg2(f32::INFINITY), f32::INFINITY);
    for a in [-1e-45, -1.0, f32::NEG_INFINITY, f32::NAN] {
        assert_eq!(approx::lg2(a).to_bits(), 0x7fff_ffff, "{a:e}");
    }
}

#[test]
fn trigonometry() {
    let turn = 2.0 * std::f32::consts::PI;
    for sign in [1.0, -1.0] {
        let sin = |x: f32| (f64::from(approx::sin(x)) - libm::sin(f64::from(x))).abs();
        let cos = |x: f32| (f64::from(approx::cos(x)) - libm::cos(f64::from(x))).abs();
        let signed = |error: &dyn Fn(f32) -> f64, first, last, step| {
            worst(first, last, step, |x| error(sign * x))
        };
        bound("sin, −2π … 2π", signed(&sin, LEAST, turn, 1009), -20.5);
        bound("cos, −2π … 2π", signed(&cos, LEAST, turn, 1009), -20.5);
        bound("sin, to 100π", signed(&sin, turn, 50.0 * turn, 101), -14.7);
        bound("cos, to 100π", signed(&cos, turn, 50.0 * turn, 101), -14.7);
    }
    assert_eq!(approx::sin(-0.0).to_bits(), 0x8000_0000);
    assert_eq!(approx::cos(-0.0), 1.0);
    for a in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
        assert_eq!(approx::sin(a).to_bits(), 0x7fff_ffff);
        assert_eq!(approx::cos(a).to_bits(), 0x7fff_ffff);
    }
}

#[test]
fn hyperbolic_tangent() {
    let error = |x: f32| relative(approx::tanh(x), libm::tanh(f64::from(x)));
    bound("tanh", worst(1e-30, 20.0, 1009, error), -11.0);
    assert_eq!(approx::tanh(-0.0).to_bits(), 0x8000_0000);
    assert_eq!(approx::tanh(f32::NEG_INFINITY), -1.0);
    assert_eq!(approx::tanh(f32::NAN).to_bits(), 0x7fff_ffff);
}

#[test]
fn special_values() {
    let inf = f32::INFINITY;
    let nan = f32::from_bits(0x7fff_ffff);
    // The tables of "rcp", "rsqrt" and "sqrt" in the ISA.
    for (a, rcp, rsqrt, sqrt) in [
        (-inf, -0.0, nan, nan),
        (-4.0, -0.25, nan, nan),
        (-0.0, -inf, -inf, -0.0),
        (0.0, inf, inf, 0.0),
        (4.0, 0.25, 0.5, 2.0),
        (inf, 0.0, 0.0, inf),
        (nan, nan, nan, nan),
    ] {
        assert_eq!(approx::rcp(a).to_bits(), f32::to_bits(rcp), "rcp {a}");
        assert_eq!(approx::rsqrt(a).to_bits(), f32::to_bits(rsqrt), "rsqrt {a}");
        assert_eq!(approx::sqrt(a).to_bits(), f32::to_bits(sqrt), "sqrt {a}");
    }
}

#[test]
fn gross_f64_approximations() {
    for a in [1.0, 3.0, 1e100, 7e-300, std::f64::consts::PI] {
        for (result, exact) in [
            (approx::rcp_f64(a), 1.0 / a),
            (approx::rcp_f64(-a), -1.0 / a),
            (approx::rsqrt_ftz_f64(a), 1.0 / a.sqrt()),
        ] {
            assert!((result / exact - 1.0).abs() < 2e-6, "{a}: {result}");
            assert_eq!(result.to_bits() as u32, 0);
        }
        assert!((approx::rsqrt_f64(a) * a.sqrt() - 1.0).abs() < 1e-15);
    }
    assert_eq!(approx::rcp_f64(-1e-310), f64::NEG_INFINITY);
    assert_eq!(approx::rcp_f64(f64::INFINITY).to_bits(), 0);
    assert_eq!(approx::rsqrt_ftz_f64(-1e-310), f64::NEG_INFINITY);
    assert!(approx::rsqrt_ftz_f64(-1.0).is_nan());
    assert!((approx::rsqrt_f64(1e-310) * 1e-155 - 1.0).abs() < 1e-10);
}
