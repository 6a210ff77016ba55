//! The ladder `arithmetic`: what operations cost, and how exact they are: division, powers, loop counters, formats of
//! numbers, and sums. Each subject has its steps, and its own results.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/arithmetic/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::Steps;

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
const VARIABLE_DIVISOR: Step = Step::first(
    "01-variable-divisor",
    "Variable divisor",
    "divisions by an argument",
    problem::THREADS,
    Host { value: Some(Value::Divisor), from: "integers", to: "divided", each: 1, deviation: 0.0 },
);

const CONSTANT_DIVISOR: Step = Step {
    host: Host { value: None, to: "by ten", ..VARIABLE_DIVISOR.host },
    ..VARIABLE_DIVISOR.then("02-constant-divisor", "Constant divisor", "divisions by a constant")
};

const POWER_OF_TWO: Step = Step {
    host: Host { to: "by sixteen", ..CONSTANT_DIVISOR.host },
    ..CONSTANT_DIVISOR.then("03-power-of-two", "Power of two", "divisions by 16")
};

const UNSIGNED_COUNTER: Step = Step {
    host: Host {
        value: Some(Value::Stride),
        from: "numbers",
        to: "negated",
        each: problem::EACH,
        ..VARIABLE_DIVISOR.host
    },
    ..POWER_OF_TWO.then(
        "04-unsigned-counter",
        "Unsigned counter",
        "a loop with an unsigned counter",
    )
};

const SIGNED_COUNTER: Step = Step {
    host: UNSIGNED_COUNTER.host,
    ..UNSIGNED_COUNTER.then("05-signed-counter", "Signed counter", "the same with a signed one")
};

/// Cube roots by powf. Its exponent is 10⁻⁸ less than 1/3, so that each root of about 1000 is 6.9 · 10⁻⁸ too small; errors are
/// divided by three in each root that follows, and so add up to one and a half times as much. Besides there are those of
/// [`CUBE_ROOT`].
const POWER: Step = Step {
    host: Host {
        value: None,
        from: "numbers",
        to: "roots",
        deviation: 1.86,
        ..VARIABLE_DIVISOR.host
    },
    ..SIGNED_COUNTER.then("06-power", "Power", "cube roots by powf")
};

/// By cbrtf. Results come to 1000, and roots to 10: of either the last rounding is of 0.30 and 0.46 units. An eighth more is
/// left of the errors before it, and the reference is rounded too: √((0.30² + 0.46²) · 9/8 + 0.30²).
const CUBE_ROOT: Step = Step {
    host: Host { deviation: 0.66, ..POWER.host },
    ..POWER.then("07-cube-root", "Cube root", "by cbrtf")
};

/// By the special-function unit, whose power of two is off by 2⁻²² at most, and its logarithm by as much (PTX ISA,
/// `ex2.approx` and `lg2.approx`): of the latter 0.23 counts, ln(2)/3.
const FAST_POWER: Step = Step {
    host: Host { deviation: 4.9, ..POWER.host },
    ..CUBE_ROOT.then("07x-fast-power", "Fast power", "by the special-function unit")
};

/// By the reciprocal of the root, 0.1, which counts twice, and three products, 100, 10 and 1000:
/// √(((2 · 0.36)² + 0.37² + 0.46² + 0.30²) · 9/8 + 0.30²).
const RECIPROCAL_ROOT: Step = Step {
    host: Host { deviation: 1.08, ..POWER.host },
    ..CUBE_ROOT.then("07x-reciprocal-root", "Reciprocal root", "by rcbrtf, squared")
};

const FLOATS: Step = Step {
    host: Host {
        value: Some(Value::MultiplyAdd),
        from: "whole numbers",
        to: "multiply-added",
        ..VARIABLE_DIVISOR.host
    },
    ..CUBE_ROOT.then("08-floats", "Floats", "multiply-adds of floats")
};

const DOUBLES: Step =
    Step { host: FLOATS.host, ..FLOATS.then("08x-doubles", "Doubles", "multiply-adds of doubles") };

const HALVES: Step = Step {
    host: Host { each: 2, ..FLOATS.host },
    needs: (5, 3),
    ..FLOATS.then("09-halves", "Halves", "multiply-adds of pairs of 16-bit floats")
};

/// One sum after the other. A rounding is of 0.42 units (numbers are as frequent as their logarithms), of a sum of k of 256
/// terms k/256 of that: √(0.18 · (Σ (k/256)² + 1)), where the reference is rounded too.
const SUM: Step = Step {
    host: Host {
        value: None,
        from: "terms",
        to: "sums",
        each: problem::TERMS as u32,
        deviation: 3.95,
    },
    needs: VARIABLE_DIVISOR.needs,
    ..HALVES.then("10-sum", "Sum", "one sum after the other")
};

/// Eight sums in turn: √(0.18 · (8 · Σ (k/256)² up to 32 + 4 · (1/4)² + 2 · (1/2)² + 1 + 1)).
const EIGHT_SUMS: Step = Step {
    host: Host { deviation: 0.87, ..SUM.host },
    ..SUM.then("11-eight-sums", "Eight sums", "eight sums in turn")
};

/// What rounding loses is added again: the sum is rounded once, as the reference is, seldom to the other side.
const COMPENSATED: Step = Step {
    host: Host { deviation: 0.42, ..SUM.host },
    ..SUM.then("11x-compensated", "Compensated", "what rounding loses is added again")
};
