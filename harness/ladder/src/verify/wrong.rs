//! What is wrong with a step's results, in words that help to find the mistake.

use std::fmt;

use super::errors::{Errors, Tolerance};

/// What is wrong with a step's results.
#[derive(Debug, Clone, PartialEq)]
pub enum Wrong {
    /// Results are not what the reference says.
    Mismatch(Mismatch),
    /// Something was written that is not to be written.
    Stray {
        /// Bodies.
        n: usize,
        /// What, and where.
        what: String,
    },
    /// Two runs of a step that promises the same bits gave others.
    Unrepeated {
        /// Bodies.
        n: usize,
        /// The first body whose acceleration differs.
        body: usize,
        /// Its acceleration in either run.
        got: [[f64; 3]; 2],
    },
}

/// Results that are not what the reference says.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// What was compared: "accelerations".
    pub quantity: &'static str,
    /// Bodies.
    pub n: usize,
    /// The body that is most off.
    pub body: usize,
    /// What the step computed for it.
    pub got: [f64; 3],
    /// What it should have.
    pub expected: [f64; 3],
    /// How far off all are.
    pub errors: Errors,
    /// How far off they may be.
    pub tolerance: Tolerance,
}

impl Wrong {
    /// The errors, where there are some.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        match self {
            Wrong::Mismatch(mismatch) => Some(mismatch),
            Wrong::Stray { .. } | Wrong::Unrepeated { .. } => None,
        }
    }

    /// Bodies in the case that showed it.
    pub fn n(&self) -> usize {
        match self {
            Wrong::Mismatch(mismatch) => mismatch.n,
            Wrong::Stray { n, .. } | Wrong::Unrepeated { n, .. } => *n,
        }
    }
}

impl std::error::Error for Wrong {}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::Mismatch(mismatch) => mismatch.fmt(f),
            Wrong::Stray { n, what } => write!(f, "at n = {n}: {what}"),
            Wrong::Unrepeated { n, body, got: [first, second] } => write!(
                f,
                "at n = {n}: the step promises the same bits in every run, and body {body} got {} in \
                 one and {} in another: do its sums depend on which warp comes first?",
                vector(*first),
                vector(*second)
            ),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { quantity, n, body, errors, tolerance, .. } = self;
        write!(f, "{quantity} at n = {n}: body {body} ")?;
        if self.got.iter().any(|x| x.is_nan()) {
            write!(f, "is NaN, as is what no kernel has written; ")?;
        } else {
            write!(f, "got {}, ", vector(self.got))?;
        }
        write!(
            f,
            "expected {}; error {:.2e} (allowed {:.2e}), rms of all {:.2e} (allowed {:.2e})",
            vector(self.expected),
            errors.worst,
            tolerance.worst,
            errors.rms,
            tolerance.rms
        )
    }
}

fn vector([x, y, z]: [f64; 3]) -> String {
    format!("({x:.6e}, {y:.6e}, {z:.6e})")
}
