//! The ladder `arithmetic`: what operations cost, and how exact they are: division, powers, loop counters, formats of
//! numbers, and sums. Each subject has its steps, and its own results.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/arithmetic/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use problem::{Arithmetic, Host, Step, Value};

/// The ladder.
pub static LADDER: Steps<Arithmetic> = Steps::of(
    "arithmetic",
    &[
        VARIABLE_DIVISOR,
        CONSTANT_DIVISOR,
        POWER_OF_TWO,
        UNSIGNED_COUNTER,
        SIGNED_COUNTER,
        POWER,
        CUBE_ROOT,
        FAST_POWER,
        RECIPROCAL_ROOT,
        FLOATS,
        DOUBLES,
        HALVES,
        SUM,
        EIGHT_SUMS,
        COMPENSATED,
    ],
);

/// Divisions by an argument.
pub const VARIABLE_DIVISOR: Step = Step::first(
    "01-variable-divisor",
    "Variable divisor",
    "divisions by an argument",
    problem::THREADS,
    Host { value: Some(Value::Divisor), from: "integers", to: "divided", each: 1, deviation: 0.0 },
);

/// Divisions by a constant.
pub const CONSTANT_DIVISOR: Step = Step {
    name: "02-constant-divisor",
    after: Some(VARIABLE_DIVISOR.name),
    title: "Constant divisor",
    changes: "divisions by a constant",
    code: Code::Cuda { file: "02-constant-divisor", options: &[] },
    host: Host { value: None, to: "by ten", ..VARIABLE_DIVISOR.host },
    ..VARIABLE_DIVISOR
};

/// Divisions by 16.
pub const POWER_OF_TWO: Step = Step {
    name: "03-power-of-two",
    after: Some(CONSTANT_DIVISOR.name),
    title: "Power of two",
    changes: "divisions by 16",
    code: Code::Cuda { file: "03-power-of-two", options: &[] },
    host: Host { to: "by sixteen", ..CONSTANT_DIVISOR.host },
    ..VARIABLE_DIVISOR
};

/// A loop with an unsigned counter.
pub const UNSIGNED_COUNTER: Step = Step {
    name: "04-unsigned-counter",
    after: Some(POWER_OF_TWO.name),
    title: "Unsigned counter",
    changes: "a loop with an unsigned counter",
    code: Code::Cuda { file: "04-unsigned-counter", options: &[] },
    host: Host {
        value: Some(Value::Stride),
        from: "numbers",
        to: "negated",
        each: problem::EACH,
        ..VARIABLE_DIVISOR.host
    },
    ..VARIABLE_DIVISOR
};

/// The same with a signed one.
pub const SIGNED_COUNTER: Step = Step {
    name: "05-signed-counter",
    after: Some(UNSIGNED_COUNTER.name),
    title: "Signed counter",
    changes: "the same with a signed one",
    code: Code::Cuda { file: "05-signed-counter", options: &[] },
    host: UNSIGNED_COUNTER.host,
    ..VARIABLE_DIVISOR
};

/// Cube roots by powf. Its exponent is 10⁻⁸ less than 1/3, so that each root of about 1000 is 6.9 · 10⁻⁸ too small; errors are
/// divided by three in each root that follows, and so add up to one and a half times as much. Besides there are those of
/// [`CUBE_ROOT`].
pub const POWER: Step = Step {
    name: "06-power",
    after: Some(SIGNED_COUNTER.name),
    title: "Power",
    changes: "cube roots by powf",
    code: Code::Cuda { file: "06-power", options: &[] },
    host: Host {
        value: None,
        from: "numbers",
        to: "roots",
        deviation: 1.86,
        ..VARIABLE_DIVISOR.host
    },
    ..VARIABLE_DIVISOR
};

/// By cbrtf. Results come to 1000, and roots to 10: of either the last rounding is of 0.30 and 0.46 units. An eighth more is
/// left of the errors before it, and the reference is rounded too: √((0.30² + 0.46²) · 9/8 + 0.30²).
pub const CUBE_ROOT: Step = Step {
    name: "07-cube-root",
    after: Some(POWER.name),
    title: "Cube root",
    changes: "by cbrtf",
    code: Code::Cuda { file: "07-cube-root", options: &[] },
    host: Host { deviation: 0.66, ..POWER.host },
    ..VARIABLE_DIVISOR
};

/// By the special-function unit, whose power of two is off by 2⁻²² at most, and its logarithm by as much (PTX ISA,
/// `ex2.approx` and `lg2.approx`): of the latter 0.23 counts, ln(2)/3.
pub const FAST_POWER: Step = Step {
    name: "07x-fast-power",
    after: Some(CUBE_ROOT.name),
    detour: true,
    title: "Fast power",
    changes: "by the special-function unit",
    code: Code::Cuda { file: "07x-fast-power", options: &[] },
    host: Host { deviation: 4.9, ..POWER.host },
    ..VARIABLE_DIVISOR
};

/// By the reciprocal of the root, 0.1, which counts twice, and three products, 100, 10 and 1000:
/// √(((2 · 0.36)² + 0.37² + 0.46² + 0.30²) · 9/8 + 0.30²).
pub const RECIPROCAL_ROOT: Step = Step {
    name: "07x-reciprocal-root",
    after: Some(CUBE_ROOT.name),
    detour: true,
    title: "Reciprocal root",
    changes: "by rcbrtf, squared",
    code: Code::Cuda { file: "07x-reciprocal-root", options: &[] },
    host: Host { deviation: 1.08, ..POWER.host },
    ..VARIABLE_DIVISOR
};

/// Multiply-adds of floats.
pub const FLOATS: Step = Step {
    name: "08-floats",
    after: Some(CUBE_ROOT.name),
    title: "Floats",
    changes: "multiply-adds of floats",
    code: Code::Cuda { file: "08-floats", options: &[] },
    host: Host {
        value: Some(Value::MultiplyAdd),
        from: "whole numbers",
        to: "multiply-added",
        ..VARIABLE_DIVISOR.host
    },
    ..VARIABLE_DIVISOR
};

/// Multiply-adds of doubles.
pub const DOUBLES: Step = Step {
    name: "08x-doubles",
    after: Some(FLOATS.name),
    detour: true,
    title: "Doubles",
    changes: "multiply-adds of doubles",
    code: Code::Cuda { file: "08x-doubles", options: &[] },
    host: FLOATS.host,
    ..VARIABLE_DIVISOR
};

/// Multiply-adds of pairs of 16-bit floats.
pub const HALVES: Step = Step {
    name: "09-halves",
    after: Some(FLOATS.name),
    title: "Halves",
    changes: "multiply-adds of pairs of 16-bit floats",
    code: Code::Cuda { file: "09-halves", options: &[] },
    host: Host { each: 2, ..FLOATS.host },
    needs: (5, 3),
    ..VARIABLE_DIVISOR
};

/// One sum after the other. A rounding is of 0.42 units (numbers are as frequent as their logarithms), of a sum of k of 256
/// terms k/256 of that: √(0.18 · (Σ (k/256)² + 1)), where the reference is rounded too.
pub const SUM: Step = Step {
    name: "10-sum",
    after: Some(HALVES.name),
    title: "Sum",
    changes: "one sum after the other",
    code: Code::Cuda { file: "10-sum", options: &[] },
    host: Host {
        value: None,
        from: "terms",
        to: "sums",
        each: problem::TERMS as u32,
        deviation: 3.95,
    },
    ..VARIABLE_DIVISOR
};

/// Eight sums in turn: √(0.18 · (8 · Σ (k/256)² up to 32 + 4 · (1/4)² + 2 · (1/2)² + 1 + 1)).
pub const EIGHT_SUMS: Step = Step {
    name: "11-eight-sums",
    after: Some(SUM.name),
    title: "Eight sums",
    changes: "eight sums in turn",
    code: Code::Cuda { file: "11-eight-sums", options: &[] },
    host: Host { deviation: 0.87, ..SUM.host },
    ..VARIABLE_DIVISOR
};

/// What rounding loses is added again: the sum is rounded once, as the reference is, seldom to the other side.
pub const COMPENSATED: Step = Step {
    name: "11x-compensated",
    after: Some(SUM.name),
    detour: true,
    title: "Compensated",
    changes: "what rounding loses is added again",
    code: Code::Cuda { file: "11x-compensated", options: &[] },
    host: Host { deviation: 0.42, ..SUM.host },
    ..VARIABLE_DIVISOR
};
