//! `cvt` between all types with all roundings.

use super::exact::{Exact, Format};
use super::float::{flush, saturate};
use super::table::{Case, ROUNDINGS, Real, exact, exact_f32, exact_f64, rounded_from};
use simt::semantics::Rounding;

const INTEGERS: [&str; 8] = ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"];

fn is_signed(of: &str) -> bool {
    of.starts_with('s')
}

fn width(of: &str) -> u32 {
    of[1..].parse().unwrap()
}

/// The value of an integer's bits.
fn value(of: &str, bits: u64) -> i128 {
    let up = 64 - width(of);
    if is_signed(of) { ((bits << up) as i64 >> up).into() } else { (bits << up >> up).into() }
}

/// The nearest value of a type.
fn clamp(of: &str, value: i128) -> u64 {
    let (low, high) = match (is_signed(of), width(of)) {
        (true, width) => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        (false, width) => (0, (1i128 << width) - 1),
    };
    value.clamp(low, high) as u64
}

/// A signature lives as long as the cases, which are made once.
fn signature(from: &str, to: &str) -> &'static str {
    format!("{from} -> {to}").leak()
}

/// The integer that a rounding chooses, by the standard library.
fn integral(a: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => a.round_ties_even(),
        Rounding::Zero => a.trunc(),
        Rounding::Down => a.floor(),
        Rounding::Up => a.ceil(),
    }
}

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for from in INTEGERS {
        for to in INTEGERS {
            let signature = signature(from, to);
            cases.push(exact(&format!("cvt.{to}.{from}"), signature, |x| value(from, x[0]) as u64));
            // ptxas refuses `.sat` where every value of the source type fits.
            let ends =
                [value(from, 1 << (width(from) - 1)), value(from, (1 << (width(from) - 1)) - 1)];
            let fits = |x: i128| value(to, clamp(to, x)) == x;
            if !fits(value(from, u64::MAX)) || !ends.into_iter().all(fits) {
                cases.push(exact(&format!("cvt.sat.{to}.{from}"), signature, |x| {
                    clamp(to, value(from, x[0]))
                }));
            }
        }
    }
    for of in INTEGERS {
        for (float_rounding, integer_rounding, rounding) in ROUNDINGS {
            cases.extend(from_integer(of, float_rounding, rounding));
            cases.extend(to_integer(of, integer_rounding, rounding));
        }
    }
    cases.extend(between_floats());
    cases
}

fn from_integer(from: &'static str, suffix: &str, rounding: Rounding) -> Vec<Case> {
    let real = move |x: u64| -> Option<Real> {
        let value = Exact::integer(value(from, x));
        (!value.is_zero()).then(|| Box::new(move |of: &Exact| value.minus(of).sign()) as Real)
    };
    vec![
        rounded_from::<f32>(
            &format!("cvt.{suffix}.f32.{from}"),
            signature(from, "f32"),
            rounding,
            real,
        ),
        rounded_from::<f64>(
            &format!("cvt.{suffix}.f64.{from}"),
            signature(from, "f64"),
            rounding,
            real,
        ),
    ]
}

/// "NaN input results in: zero if source is not .f64 and destination is not .s64, .u64. Otherwise
/// 1 << (BitWidth(dst) − 1)."
fn to_integer(to: &'static str, suffix: &str, rounding: Rounding) -> Vec<Case> {
    let top = 1u64 << (width(to) - 1);
    let of_nan = if width(to) == 64 { top } else { 0 };
    let convert = move |a: f64, of_nan: u64| match a.is_nan() {
        true => of_nan,
        false => clamp(to, integral(a, rounding) as i128),
    };
    let single = |x: &[u64]| f32::from_bits(x[0] as u32);
    let (from_f32, from_f64) = (signature("f32", to), signature("f64", to));
    vec![
        exact(&format!("cvt.{suffix}.{to}.f32"), from_f32, move |x| {
            convert(single(x).into(), of_nan)
        }),
        exact(&format!("cvt.{suffix}.sat.{to}.f32"), from_f32, move |x| {
            convert(single(x).into(), of_nan)
        }),
        exact(&format!("cvt.{suffix}.ftz.{to}.f32"), from_f32, move |x| {
            convert(flush(single(x)).into(), of_nan)
        }),
        exact(&format!("cvt.{suffix}.{to}.f64"), from_f64, move |x| {
            convert(f64::from_bits(x[0]), top)
        }),
    ]
}

fn between_floats() -> Vec<Case> {
    let mut cases = vec![
        exact("cvt.f32.f32", "f32 -> f32", |x| x[0]),
        exact_f32("cvt.ftz.f32.f32", "f32 -> f32", |x| flush(x[0])),
        exact_f32("cvt.sat.f32.f32", "f32 -> f32", |x| saturate(x[0])),
        exact_f32("cvt.ftz.sat.f32.f32", "f32 -> f32", |x| saturate(flush(x[0]))),
        exact("cvt.f64.f64", "f64 -> f64", |x| x[0]),
        widened("cvt.f64.f32", |a| a),
        widened("cvt.ftz.f64.f32", flush),
        narrowed("cvt.rn.f32.f64", |a| a),
        narrowed("cvt.rn.ftz.f32.f64", flush),
        narrowed("cvt.rn.sat.f32.f64", saturate),
    ];
    for (float_rounding, integer_rounding, rounding) in ROUNDINGS {
        let opcode =
            |modifiers: &str, of: &str| format!("cvt.{integer_rounding}{modifiers}.{of}.{of}");
        let to_integral = move |a: f32| integral(a.into(), rounding) as f32;
        cases.push(exact_f32(&opcode("", "f32"), "f32 -> f32", move |x| to_integral(x[0])));
        cases.push(exact_f32(&opcode(".ftz", "f32"), "f32 -> f32", move |x| {
            to_integral(flush(x[0]))
        }));
        cases.push(exact_f32(&opcode(".sat", "f32"), "f32 -> f32", move |x| {
            saturate(to_integral(x[0]))
        }));
        cases.push(exact_f64(&opcode("", "f64"), "f64 -> f64", move |x| integral(x[0], rounding)));
        let narrow = format!("cvt.{float_rounding}.f32.f64");
        cases.push(rounded_from::<f32>(&narrow, "f64 -> f32", rounding, |x| {
            let a = f64::from_bits(x);
            let exact = a.is_finite().then(|| a.exact()).filter(|exact| !exact.is_zero())?;
            Some(Box::new(move |of: &Exact| exact.minus(of).sign()) as Real)
        }));
    }
    cases
}

/// NaN keeps its sign and payload, and is made quiet; with `.ftz` it is that of 0x7fff_ffff:
/// recorded on an H200.
fn widened(opcode: &str, before: fn(f32) -> f32) -> Case {
    let one_nan = opcode.contains("ftz");
    exact(opcode, "f32 -> f64", move |x| match before(f32::from_bits(x[0] as u32)) {
        nan if nan.is_nan() => {
            let bits = if one_nan { 0x7fff_ffff } else { x[0] };
            bits >> 31 << 63 | 0x7ff8 << 48 | (bits & 0x7f_ffff) << 29
        }
        number => f64::from(number).to_bits(),
    })
}

/// NaN as in [`widened`]; what `after` makes of a number, it makes of a NaN too.
fn narrowed(opcode: &str, after: fn(f32) -> f32) -> Case {
    exact(opcode, "f64 -> f32", move |x| match f64::from_bits(x[0]) {
        nan if nan.is_nan() && !after(f32::NAN).is_nan() => after(f32::NAN).to_bits().into(),
        nan if nan.is_nan() => x[0] >> 63 << 31 | 0x7fc0_0000 | x[0] >> 29 & 0x7f_ffff,
        number => after(number as f32).to_bits().into(),
    })
}

#[test]
fn conversion_instructions() {
    cases().iter().for_each(Case::check);
}
