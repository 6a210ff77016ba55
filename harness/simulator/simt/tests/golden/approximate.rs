//! The instructions whose results are approximate, and the errors that the PTX ISA states for them
//! ("Floating Point Instructions": the description of each).

use std::f64::consts::PI;

use super::instruction::Instruction;

/// What a f32 below the least normal number may be off: two steps of the subnormals.
const SUBNORMAL: f64 = 2.8e-45;

/// An instruction, what it approximates, and how well.
pub struct Approximation {
    opcode: &'static str,
    real: fn(&[f64]) -> f64,
    /// The greatest absolute error, from the operands and the real value.
    error: fn(&[f64], f64) -> f64,
}

/// 2⁻ⁿ.
fn bits(n: f64) -> f64 {
    (-n).exp2()
}

const APPROXIMATIONS: [Approximation; 13] = [
    // "The maximum ulp error is 1 across the full range of inputs": 2⁻²³ of the least significand.
    Approximation {
        opcode: "rcp.approx.f32",
        real: |x| 1.0 / x[0],
        error: |_, real| real.abs() * bits(23.0),
    },
    // "The maximum relative error over the entire positive finite floating-point range is 2⁻²³."
    Approximation {
        opcode: "sqrt.approx.f32",
        real: |x| x[0].sqrt(),
        error: |_, real| real * bits(23.0),
    },
    // "The maximum relative error over the entire positive finite floating-point range is 2⁻²²·⁹."
    Approximation {
        opcode: "rsqrt.approx.f32",
        real: |x| 1.0 / x[0].sqrt(),
        error: |_, real| real.abs() * bits(22.9),
    },
    // "For |b| in [2⁻¹²⁶, 2¹²⁶], the maximum ulp error is 2"; beyond, it is 0 or NaN.
    Approximation {
        opcode: "div.approx.f32",
        real: |x| if x[1].abs() > 126f64.exp2() { 0.0 } else { x[0] / x[1] },
        error: |_, real| real.abs() * bits(22.0),
    },
    // "The maximum ulp error is 2 across the full range of inputs."
    Approximation {
        opcode: "div.full.f32",
        real: |x| x[0] / x[1],
        error: |_, real| real.abs() * bits(22.0),
    },
    // "The maximum relative error is 2⁻²²."
    Approximation {
        opcode: "ex2.approx.f32",
        real: |x| x[0].exp2(),
        error: |_, real| real * bits(22.0),
    },
    // "The maximum absolute error is 2⁻²² when the input operand is in the range (0.5, 2). For
    // positive finite inputs outside of this interval, maximum relative error is 2⁻²²."
    Approximation {
        opcode: "lg2.approx.f32",
        real: |x| x[0].log2(),
        error: |x, real| bits(22.0) * if (0.5..=2.0).contains(&x[0]) { 1.0 } else { real.abs() },
    },
    Approximation {
        opcode: "sin.approx.f32",
        real: |x| angle(x[0]).sin(),
        error: |x, _| of_angle(x[0]),
    },
    Approximation {
        opcode: "cos.approx.f32",
        real: |x| angle(x[0]).cos(),
        error: |x, _| of_angle(x[0]),
    },
    // "The maximum relative error is 2⁻¹¹."
    Approximation {
        opcode: "tanh.approx.f32",
        real: |x| x[0].tanh(),
        error: |_, real| real.abs() * bits(11.0),
    },
    // "Gross approximations", for which no error is stated: operand and result have 20 bits of
    // significand, each cut, which makes 2⁻¹⁹. An H200 was seen to be 2⁻²⁰ off.
    Approximation {
        opcode: "rcp.approx.f64",
        real: |x| 1.0 / x[0],
        error: |_, real| real.abs() * bits(19.0),
    },
    Approximation {
        opcode: "rsqrt.approx.ftz.f64",
        real: |x| 1.0 / x[0].sqrt(),
        error: |_, real| real.abs() * bits(19.0),
    },
    // No error is stated; an H200 was seen to be 2⁻⁵² off.
    Approximation {
        opcode: "rsqrt.approx.f64",
        real: |x| 1.0 / x[0].sqrt(),
        error: |_, real| real.abs() * bits(51.0),
    },
];

/// Where the ISA states no error for sine and cosine, what an H200 was seen to do: the angle times
/// an `f32` of 1/2π, rounded towards zero to an `f32`, is the number of turns.
fn angle(x: f64) -> f64 {
    if x.abs() <= 100.0 * PI || !x.is_finite() {
        return x;
    }
    let turns = x * f64::from(f32::from_bits(0x3e22_f983));
    f64::from_bits(turns.to_bits() >> 29 << 29).fract().copysign(x) * 2.0 * PI
}

/// "The maximum absolute error" of sine and cosine: 2⁻²⁰·⁵ in −2π … 2π, 2⁻¹⁴·⁷ in −100π … 100π. Of
/// the reduced angle it is 2⁻²⁰·⁵ again.
fn of_angle(x: f64) -> f64 {
    bits(if (2.0 * PI..=100.0 * PI).contains(&x.abs()) { 14.7 } else { 20.5 })
}

/// A float of a register's low bits, as `f64`.
fn value(of: &str, bits: u64) -> f64 {
    match of {
        "f32" => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

impl Approximation {
    /// That of an instruction, if it is approximate.
    pub fn of(instruction: &Instruction) -> Option<&'static Approximation> {
        let opcode = instruction.statement.split(' ').next()?;
        let named =
            |name: &str| APPROXIMATIONS.iter().find(|approximation| approximation.opcode == name);
        named(opcode).or_else(|| named(&opcode.replace(".ftz", "")))
    }

    /// Whether the recorded and the simulated result both are as near the real value as stated.
    /// Where that is zero, no number or too great or small for the type, they must be the same.
    pub fn judge(
        &self,
        instruction: &Instruction,
        row: &[u64],
        recorded: u64,
        simulated: u64,
    ) -> Result<(), String> {
        let of = instruction.output.as_str();
        let least = if of == "f32" { f32::MIN_POSITIVE.into() } else { f64::MIN_POSITIVE };
        let greatest = if of == "f32" { f32::MAX.into() } else { f64::MAX };
        let ftz = instruction.statement.contains(".ftz");
        let operand = |&bits: &u64| match value(of, bits) {
            tiny if ftz && tiny.abs() < least => 0.0_f64.copysign(tiny),
            value => value,
        };
        let operands: Vec<f64> = row.iter().map(operand).collect();
        let real = (self.real)(&operands);
        let below = if ftz { least } else { 0.0 };
        if real.is_nan() || real.abs() > greatest || real.abs() <= below {
            return if recorded == simulated { Ok(()) } else { Err("must be the same".into()) };
        }
        let bound =
            (self.error)(&operands, real) + if real.abs() < least { SUBNORMAL } else { 0.0 };
        for (whose, bits) in [("recorded", recorded), ("simulated", simulated)] {
            let error = (value(of, bits) - real).abs();
            // NaN is no small error.
            if error.is_nan() || error > bound {
                return Err(format!("{whose} is {error:e} from {real:e}, bound {bound:e}"));
            }
        }
        Ok(())
    }
}
