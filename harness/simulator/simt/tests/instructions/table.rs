//! Cases: one statement, its operands' types, and a judge of its results.

use std::cmp::Ordering;
use std::fmt::Write;

use simt::semantics::Rounding;

use super::exact::{Exact, Format, is_rounded};
use super::harness;
use super::samples::Samples;

/// Says what was expected instead, if the result is wrong. Operands and result are raw bits.
type Judge = Box<dyn Fn(&[u64], u64) -> Result<(), String>>;

/// A statement that computes `%d` from `%a`, `%b` and `%c`, which have the types in `inputs`.
pub struct Case {
    statement: String,
    inputs: Vec<&'static str>,
    output: &'static str,
    judge: Judge,
}

/// The rounding modifiers of float and integer results.
pub const ROUNDINGS: [(&str, &str, Rounding); 4] = [
    ("rn", "rni", Rounding::Nearest),
    ("rz", "rzi", Rounding::Zero),
    ("rm", "rmi", Rounding::Down),
    ("rp", "rpi", Rounding::Up),
];

/// `statement` is an opcode, which gets the operands that `signature` implies, or, if it ends in
/// `;`, whole statements. A signature is `"s32 s32 -> s32"`; `n32` is a `.u32` used as an amount.
fn case(statement: &str, signature: &'static str, judge: Judge) -> Case {
    let (inputs, output) = signature.split_once(" -> ").unwrap();
    let inputs: Vec<_> = inputs.split(' ').collect();
    let statement = if statement.ends_with(';') {
        statement.to_string()
    } else {
        let operands = ["%d", "%a", "%b", "%c"][..=inputs.len()].join(", ");
        format!("{statement} {operands};")
    };
    Case { statement, inputs, output, judge }
}

/// Judged by equality of all bits of the output's type.
pub fn exact(
    statement: &str,
    signature: &'static str,
    expected: impl Fn(&[u64]) -> u64 + 'static,
) -> Case {
    let mask = u64::MAX >> (64 - width(signature.split(" -> ").nth(1).unwrap()));
    let judge = move |inputs: &[u64], result: u64| match expected(inputs) & mask {
        right if right == result => Ok(()),
        right => Err(format!("{right:#x}")),
    };
    case(statement, signature, Box::new(judge))
}

/// Judged by equality of bits, every NaN being 0x7fff_ffff. All operands are `f32`.
pub fn exact_f32(
    statement: &str,
    signature: &'static str,
    expected: impl Fn(&[f32]) -> f32 + 'static,
) -> Case {
    exact(statement, signature, move |inputs| match expected(&singles(inputs)) {
        nan if nan.is_nan() => 0x7fff_ffff,
        number => number.to_bits().into(),
    })
}

/// Judged by equality of bits; a NaN is that of [`nan`]. All operands are `f64`.
pub fn exact_f64(
    statement: &str,
    signature: &'static str,
    expected: impl Fn(&[f64]) -> f64 + 'static,
) -> Case {
    let division = statement.starts_with("div");
    exact(statement, signature, move |inputs| {
        let operands: Vec<f64> = inputs.iter().map(|&x| f64::from_bits(x)).collect();
        match expected(&operands) {
            result if result.is_nan() => nan(inputs, division),
            number => number.to_bits(),
        }
    })
}

/// The `f64` NaN that comes of operands, as recorded on an H200: the second if it is NaN, else the
/// third, else the first (of a division the first), made quiet; else 0xfff8….
pub fn nan(operands: &[u64], division: bool) -> u64 {
    let order = if division { [0, 1, 2] } else { [1, 2, 0] };
    let operands = order.iter().filter_map(|&i| operands.get(i));
    let first = operands.copied().find(|&x| f64::from_bits(x).is_nan());
    first.map_or(0xfff8 << 48, |x| x | 1 << 51)
}

/// Judged by a bound on the relative or the absolute error against an `f64`; zeros, infinities
/// and NaN must be exact.
pub fn near(
    statement: &str,
    signature: &'static str,
    (relative, absolute): (f64, f64),
    expected: impl Fn(&[f32]) -> f64 + 'static,
) -> Case {
    let judge = move |inputs: &[u64], result: u64| {
        let right = expected(&singles(inputs));
        let result = f64::from(f32::from_bits(result as u32));
        let close = (result - right).abs() <= (right.abs() * relative).max(absolute);
        let special = right == 0.0 || !right.is_finite();
        let same = result.to_bits() == right.to_bits() || result.is_nan() && right.is_nan();
        if if special { same } else { close } { Ok(()) } else { Err(format!("{right:e}")) }
    };
    case(statement, signature, Box::new(judge))
}

/// How an exact number compares with the real result, or `None` if the operands are not finite or
/// the result is zero, which other cases check.
pub type Real = Box<dyn Fn(&Exact) -> Ordering>;

/// Judged by the definition of correct rounding; `F` is the format of operands and result.
pub fn rounded<F: Format + FromBits>(
    statement: &str,
    signature: &'static str,
    rounding: Rounding,
    real: impl Fn(&[F]) -> Option<Real> + 'static,
) -> Case {
    judged_by_rounding::<F>(statement, signature, rounding, move |inputs| {
        real(&inputs.iter().map(|&x| F::of_bits(x)).collect::<Vec<_>>())
    })
}

/// As [`rounded`], from the bits of one operand of another type.
pub fn rounded_from<F: Format + FromBits>(
    statement: &str,
    signature: &'static str,
    rounding: Rounding,
    real: impl Fn(u64) -> Option<Real> + 'static,
) -> Case {
    judged_by_rounding::<F>(statement, signature, rounding, move |inputs| real(inputs[0]))
}

fn judged_by_rounding<F: Format + FromBits>(
    statement: &str,
    signature: &'static str,
    rounding: Rounding,
    real: impl Fn(&[u64]) -> Option<Real> + 'static,
) -> Case {
    let judge = move |inputs: &[u64], result: u64| {
        let result = F::of_bits(result);
        if real(inputs).is_none_or(|real| is_rounded(result, rounding, real)) {
            Ok(())
        } else {
            Err(format!("another rounding than {result:?}"))
        }
    };
    case(statement, signature, Box::new(judge))
}

/// A float from the low bits of a register.
pub trait FromBits {
    fn of_bits(bits: u64) -> Self;
}
impl FromBits for f32 {
    fn of_bits(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
}
impl FromBits for f64 {
    fn of_bits(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
}

fn singles(inputs: &[u64]) -> Vec<f32> {
    inputs.iter().map(|&x| f32::from_bits(x as u32)).collect()
}

/// Bits of a type, 1 for predicates.
fn width(type_name: &str) -> u32 {
    if type_name == "pred" { 1 } else { type_name[1..].parse().unwrap() }
}

impl Case {
    /// Types and statement, as the lines of golden vectors begin.
    pub fn line(&self) -> String {
        format!("{} -> {} | {}", self.inputs.join(" "), self.output, self.statement)
    }

    /// The text of a module whose kernel applies the statement to one row of operands per thread.
    pub fn ptx(&self) -> String {
        let mut declarations = format!(".reg .{} %d;\n", held(self.output));
        let mut body = String::from(
            "mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %ntid.x;\nmov.u32 %r2, %tid.x;\n\
             mad.lo.s32 %r0, %r0, %r1, %r2;\nld.param.u32 %r3, [v0];\n\
             setp.ge.u32 %p0, %r0, %r3;\n@%p0 bra DONE;\n\
             ld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n",
        );
        let count = self.inputs.len();
        writeln!(body, "mul.wide.u32 %rd2, %r0, {};\nadd.s64 %rd0, %rd0, %rd2;", count * 8)
            .unwrap();
        body += "mul.wide.u32 %rd2, %r0, 8;\nadd.s64 %rd1, %rd1, %rd2;\n";
        for (i, (name, of)) in ["%a", "%b", "%c"].iter().zip(&self.inputs).enumerate() {
            let at = format!("[%rd0+{}]", i * 8);
            match *of {
                "pred" => {
                    writeln!(declarations, ".reg .pred {name};").unwrap();
                    writeln!(body, "ld.global.u32 %r4, {at};\nsetp.ne.u32 {name}, %r4, 0;")
                        .unwrap();
                }
                of => {
                    let of = of.replace('n', "u");
                    writeln!(declarations, ".reg .{} {name};", held(&of)).unwrap();
                    writeln!(body, "ld.global.{of} {name}, {at};").unwrap();
                }
            }
        }
        writeln!(body, "{}", self.statement).unwrap();
        match self.output {
            "pred" => body += "selp.u32 %r5, 1, 0, %d;\nst.global.u32 [%rd1], %r5;\n",
            of => writeln!(body, "st.global.{of} [%rd1], %d;").unwrap(),
        }
        body += "DONE:";
        harness::kernel(2, 1, &(declarations + &body))
    }

    /// Runs the case on the awkward values of its types and panics at the first wrong result.
    pub fn check(&self) {
        let rows = rows(&self.inputs);
        let inputs = rows.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
        let poison = vec![0xa5; rows.len() * 8];
        let (block, count) = (96, rows.len() as u32);
        let buffers =
            harness::run(&self.ptx(), count.div_ceil(block), block, &[inputs, poison], &[count]);
        for (row, result) in rows.iter().zip(buffers[1].chunks_exact(8)) {
            let result = u64::from_le_bytes(result.try_into().unwrap());
            let result = result & u64::MAX >> (64 - width(self.output));
            if let Err(expected) = (self.judge)(row, result) {
                let statement = &self.statement;
                panic!("`{statement}` of {row:x?} gives {result:#x}, expected {expected}");
            }
        }
    }
}

/// The type of register that holds a value: none has 8 bits.
fn held(type_name: &str) -> String {
    type_name.replace('8', "16").replace("n32", "u32")
}

/// Operand rows: all pairs of edges, many triples, and random values.
fn rows(types: &[&str]) -> Vec<Vec<u64>> {
    let mut samples = Samples(types.len() as u64);
    let edges: Vec<Vec<u64>> = types.iter().map(|of| edges(of)).collect();
    let mut rows: Vec<Vec<u64>> = match types.len() {
        1 => edges[0].iter().map(|&a| vec![a]).collect(),
        2 => edges[0].iter().flat_map(|&a| edges[1].iter().map(move |&b| vec![a, b])).collect(),
        _ => Vec::new(),
    };
    for _ in 0..if types.len() == 3 { 1200 } else { 200 } {
        let pick = |(of, edges): (&&str, &Vec<u64>)| match samples.below(3) {
            0 => random(&mut samples, of),
            _ => edges[samples.below(edges.len() as u64) as usize],
        };
        rows.push(types.iter().zip(&edges).map(pick).collect());
    }
    rows
}

fn random(samples: &mut Samples, of: &str) -> u64 {
    match of {
        "f32" => samples.f32().to_bits().into(),
        "f64" => samples.f64().to_bits(),
        "pred" => samples.below(2),
        of => samples.bits() & u64::MAX >> (64 - width(of)),
    }
}

/// The values of a type at which instructions go wrong.
fn edges(of: &str) -> Vec<u64> {
    match of {
        "pred" => vec![0, 1],
        "n32" => vec![
            0,
            1,
            2,
            7,
            8,
            15,
            16,
            17,
            31,
            32,
            33,
            47,
            63,
            64,
            65,
            255,
            256,
            1 << 31,
            0xffff_ffff,
        ],
        "f32" => {
            let positive = [
                0,
                1,
                0x007f_ffff,
                0x0080_0000,
                0x3effffff,
                0x3f00_0000,
                0x3f80_0000,
                0x3f80_0001,
                0x3fc0_0000,
                0x4020_0000,
                0x4b00_0001,
                0x4eff_ffff,
                0x4f00_0000,
                0x5f80_0000,
                0x7e80_0001,
                0x7f7f_ffff,
                0x7f80_0000,
                0x7fc0_0000,
                0x7f80_0001,
            ];
            positive.iter().flat_map(|&bits| [bits, bits | 1 << 31]).collect()
        }
        "f64" => {
            let numbers = [
                0.0,
                5e-324,
                f64::MIN_POSITIVE,
                1e-40,
                0.5,
                0.75,
                1.0,
                1.0 + f64::EPSILON,
                1.5,
                2.5,
                2147483647.5,
                4294967295.5,
                9007199254740993.0,
                9.3e18,
                1.9e19,
                3.4028235677973366e38,
                1e-46,
                f64::MAX,
                f64::INFINITY,
                f64::NAN,
            ];
            numbers.iter().flat_map(|x: &f64| [x.to_bits(), (-x).to_bits()]).collect()
        }
        of => {
            let top = 1u64 << (width(of) - 1);
            let mask = top | (top - 1);
            [0, 1, 2, 3, 7, 0x55, 0x80, 0xff, 0x1234_5678_9abc_def1, 0xff00_ff00_8000_8001]
                .into_iter()
                .chain([top - 1, top, top + 1, mask - 1, mask])
                .chain((of.ends_with("64")).then_some(0xffff_ffff))
                .map(|x| x & mask)
                .collect()
        }
    }
}
