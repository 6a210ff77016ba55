//! `f32` and `f64` arithmetic with every rounding, `.ftz`, `.sat`.

use simt::semantics::Rounding;

use super::exact::{Exact, Format};
use super::table::{Case, ROUNDINGS, Real, exact, exact_f32, exact_f64, rounded};

/// `.ftz`, by the bits.
pub fn flush(a: f32) -> f32 {
    let bits = a.to_bits();
    if bits & 0x7f80_0000 == 0 { f32::from_bits(bits & 0x8000_0000) } else { a }
}

/// `.sat`.
pub fn saturate(a: f32) -> f32 {
    if a.is_nan() || a <= 0.0 { 0.0 } else { a.min(1.0) }
}

type Function = fn(&[f32]) -> f32;
type WideFunction = fn(&[f64]) -> f64;

pub fn cases() -> Vec<Case> {
    let (one, two, three) = ("f32 -> f32", "f32 f32 -> f32", "f32 f32 f32 -> f32");
    let nearest: [(&str, &'static str, Function); 11] = [
        ("add", two, |x| x[0] + x[1]),
        ("add.rn", two, |x| x[0] + x[1]),
        ("sub", two, |x| x[0] - x[1]),
        ("sub.rn", two, |x| x[0] - x[1]),
        ("mul", two, |x| x[0] * x[1]),
        ("mul.rn", two, |x| x[0] * x[1]),
        ("fma.rn", three, |x| x[0].mul_add(x[1], x[2])),
        ("mad.rn", three, |x| x[0].mul_add(x[1], x[2])),
        ("div.rn", two, |x| x[0] / x[1]),
        ("rcp.rn", one, |x| 1.0 / x[0]),
        ("sqrt.rn", one, |x| x[0].sqrt()),
    ];
    let mut cases = Vec::new();
    for (opcode, signature, function) in nearest {
        let flushed =
            move |x: &[f32]| flush(function(&x.iter().map(|&x| flush(x)).collect::<Vec<_>>()));
        cases.push(exact_f32(&format!("{opcode}.f32"), signature, function));
        cases.push(exact_f32(&format!("{opcode}.ftz.f32"), signature, flushed));
        if !["div.rn", "rcp.rn", "sqrt.rn"].contains(&opcode) {
            let clamped = move |x: &[f32]| saturate(function(x));
            cases.push(exact_f32(&format!("{opcode}.sat.f32"), signature, clamped));
            let both = move |x: &[f32]| saturate(flushed(x));
            cases.push(exact_f32(&format!("{opcode}.ftz.sat.f32"), signature, both));
        }
    }
    let wide: [(&str, &'static str, WideFunction); 9] = [
        ("add", "f64 f64 -> f64", |x| x[0] + x[1]),
        ("sub", "f64 f64 -> f64", |x| x[0] - x[1]),
        ("mul", "f64 f64 -> f64", |x| x[0] * x[1]),
        ("add.rn", "f64 f64 -> f64", |x| x[0] + x[1]),
        ("fma.rn", "f64 f64 f64 -> f64", |x| x[0].mul_add(x[1], x[2])),
        ("mad.rn", "f64 f64 f64 -> f64", |x| x[0].mul_add(x[1], x[2])),
        ("div.rn", "f64 f64 -> f64", |x| x[0] / x[1]),
        ("rcp.rn", "f64 -> f64", |x| 1.0 / x[0]),
        ("sqrt.rn", "f64 -> f64", |x| x[0].sqrt()),
    ];
    for (opcode, signature, function) in wide {
        cases.push(exact_f64(&format!("{opcode}.f64"), signature, function));
    }
    for (suffix, _, rounding) in ROUNDINGS {
        cases.extend(directed::<f32>("f32", suffix, rounding, [one, two, three]));
        let signatures = ["f64 -> f64", "f64 f64 -> f64", "f64 f64 f64 -> f64"];
        cases.extend(directed::<f64>("f64", suffix, rounding, signatures));
    }
    cases.extend(signs());
    cases.extend(extremes());
    cases
}

/// The sum, difference … as a [`Real`], if operands and result are finite and not zero.
fn real<F: Format>(x: &[F], exact: impl Fn(&[Exact]) -> Exact) -> Option<Real> {
    let operands: Vec<Exact> = x.iter().map(|x| x.exact()).collect();
    let value = exact(&operands);
    let usable = x.iter().all(|x| !x.is_infinite() && !x.is_nan()) && !value.is_zero();
    usable.then(|| Box::new(move |of: &Exact| value.minus(of).sign()) as Real)
}

/// a / b as a [`Real`].
fn quotient<F: Format>(a: Exact, b: F) -> Option<Real> {
    let divisor = b.exact();
    let usable = !b.is_infinite() && !b.is_nan() && !divisor.is_zero() && !a.is_zero();
    usable.then(|| {
        let negative = b.is_negative();
        Box::new(move |of: &Exact| {
            let order = a.minus(&of.times(&divisor)).sign();
            if negative { order.reverse() } else { order }
        }) as Real
    })
}

fn directed<F: Format + super::table::FromBits + 'static>(
    of: &str,
    suffix: &str,
    rounding: Rounding,
    [one, two, three]: [&'static str; 3],
) -> Vec<Case> {
    let named = |opcode: &str| format!("{opcode}.{suffix}.{of}");
    let finite = |x: F| !x.is_infinite() && !x.is_nan();
    vec![
        rounded::<F>(&named("add"), two, rounding, |x| real(x, |x| x[0].plus(&x[1]))),
        rounded::<F>(&named("sub"), two, rounding, |x| real(x, |x| x[0].minus(&x[1]))),
        rounded::<F>(&named("mul"), two, rounding, |x| real(x, |x| x[0].times(&x[1]))),
        rounded::<F>(&named("fma"), three, rounding, |x| {
            real(x, |x| x[0].times(&x[1]).plus(&x[2]))
        }),
        rounded::<F>(&named("div"), two, rounding, move |x| {
            if finite(x[0]) { quotient(x[0].exact(), x[1]) } else { None }
        }),
        rounded::<F>(&named("rcp"), one, rounding, |x| quotient(Exact::integer(1), x[0])),
        rounded::<F>(&named("sqrt"), one, rounding, move |x| {
            let radicand = x[0].exact();
            (finite(x[0]) && radicand.sign().is_gt()).then(|| {
                Box::new(move |of: &Exact| match of.sign() {
                    std::cmp::Ordering::Less => std::cmp::Ordering::Greater,
                    _ => radicand.minus(&of.times(of)).sign(),
                }) as Real
            })
        }),
    ]
}

fn signs() -> Vec<Case> {
    vec![
        exact_f32("neg.f32", "f32 -> f32", |x| -x[0]),
        exact_f32("neg.ftz.f32", "f32 -> f32", |x| flush(-x[0])),
        exact_f32("abs.f32", "f32 -> f32", |x| x[0].abs()),
        exact_f32("abs.ftz.f32", "f32 -> f32", |x| flush(x[0].abs())),
        exact("copysign.f32", "f32 f32 -> f32", |x| x[0] & 1 << 31 | x[1] & !(1 << 31)),
        exact("copysign.f64", "f64 f64 -> f64", |x| x[0] & 1 << 63 | x[1] & !(1 << 63)),
        exact_f64("neg.f64", "f64 -> f64", |x| -x[0]),
        exact_f64("abs.f64", "f64 -> f64", |x| x[0].abs()),
    ]
}

/// `min` and `max` by a total order of the bits, in which −0 < +0.
fn extremes() -> Vec<Case> {
    fn pick(a: f32, b: f32, greatest: bool) -> f32 {
        match (a.is_nan(), b.is_nan()) {
            (true, _) => b,
            (_, true) => a,
            _ if a.total_cmp(&b).is_gt() == greatest => a,
            _ => b,
        }
    }
    fn pick_wide(a: f64, b: f64, greatest: bool) -> f64 {
        match (a.is_nan(), b.is_nan()) {
            (true, _) => b,
            (_, true) => a,
            _ if a.total_cmp(&b).is_gt() == greatest => a,
            _ => b,
        }
    }
    let mut cases = Vec::new();
    for (opcode, greatest) in [("min", false), ("max", true)] {
        let two = "f32 f32 -> f32";
        let function = move |x: &[f32]| pick(x[0], x[1], greatest);
        let with_nan = move |x: &[f32]| {
            if x[0].is_nan() || x[1].is_nan() { f32::NAN } else { pick(x[0], x[1], greatest) }
        };
        let flushed = move |x: &[f32]| pick(flush(x[0]), flush(x[1]), greatest);
        cases.push(exact_f32(&format!("{opcode}.f32"), two, function));
        cases.push(exact_f32(&format!("{opcode}.ftz.f32"), two, flushed));
        cases.push(exact_f32(&format!("{opcode}.NaN.f32"), two, with_nan));
        cases.push(exact_f32(&format!("{opcode}.ftz.NaN.f32"), two, move |x| {
            with_nan(&[flush(x[0]), flush(x[1])])
        }));
        cases.push(exact_f64(&format!("{opcode}.f64"), "f64 f64 -> f64", move |x| {
            pick_wide(x[0], x[1], greatest)
        }));
    }
    cases
}

#[test]
fn float_instructions() {
    cases().iter().for_each(Case::check);
}
