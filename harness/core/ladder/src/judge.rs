//! Compares results with the reference: how far they are off, how far they may be, and a message that helps to find the
//! mistake.

use std::fmt;

use bytemuck::Pod;
use elements::{Distance, distance};
use report::Accuracy;

/// The distance between computed and expected vectors (or numbers), relative to the expected ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// √(Σ|a−r|² / Σ|r|²) over all vectors, a computed and r expected.
    pub rms: f64,
    /// Greatest |a−r| / max(|r|, rms|r|) of one vector.
    pub worst: f64,
    /// Index of that vector.
    pub worst_index: usize,
}

/// What [`Errors`] may reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// The largest [`Errors::rms`] allowed.
    pub rms: f64,
    /// The largest [`Errors::worst`] allowed.
    pub worst: f64,
}

impl Errors {
    /// Compares `got` with `expected`, vector by vector.
    ///
    /// A value that is not finite makes both errors infinite. Where all of `expected` is zero,
    /// they are 0 if all of `got` is exactly zero too, else infinite.
    pub fn between<const D: usize>(got: &[[f64; D]], expected: &[[f64; D]]) -> Errors {
        assert_eq!(got.len(), expected.len(), "each vector has its reference");
        distance(expected.len(), |i| [got[i], expected[i]]).into()
    }

    /// The errors of results that are exact.
    pub const NONE: Errors = Errors { rms: 0.0, worst: 0.0, worst_index: 0 };

    /// The errors at a size as a report has them: NaN and infinity are no numbers there.
    pub fn accuracy(&self, n: u64, tolerance: Tolerance) -> Accuracy {
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        let (rms, worst) = (finite(self.rms), finite(self.worst));
        Accuracy { n, rms, worst, tolerance: tolerance.rms }
    }

    /// Whether both errors are within the tolerance. NaN is not within anything.
    pub fn within(&self, tolerance: Tolerance) -> bool {
        self.rms <= tolerance.rms && self.worst <= tolerance.worst
    }

    /// The errors, if they are within the tolerance; `of_worst` says of the result that is most off its place, what was
    /// computed and what was expected.
    ///
    /// # Errors
    /// [`Mismatch::Values`].
    pub(crate) fn judged(
        self,
        (quantity, n): (&str, u64),
        tolerance: Tolerance,
        of_worst: impl FnOnce(usize) -> [String; 3],
    ) -> Result<Errors, Mismatch> {
        if self.within(tolerance) {
            return Ok(self);
        }
        let quantity = quantity.to_owned();
        let [place, got, expected] = of_worst(self.worst_index);
        let errors = self;
        let mismatch = ValueMismatch { quantity, n, place, got, expected, errors, tolerance };
        Err(Mismatch::Values(Box::new(mismatch)))
    }
}

impl From<Distance> for Errors {
    fn from(Distance { rms, worst, worst_index }: Distance) -> Errors {
        Errors { rms, worst, worst_index }
    }
}

impl Tolerance {
    /// Of results that must be exact.
    pub const EXACT: Tolerance = Tolerance { rms: 0.0, worst: 0.0 };

    /// Of `count` results whose errors have either sign, one as likely as the other, and this standard deviation.
    ///
    /// Their rms is near it, the nearer the more there are: squares of N normal errors are [`FEW`]/√N above their mean once
    /// in a thousand times. One of them is more than √(22 + 2 ln N) standard deviations off once in about 10⁶ times.
    pub fn of_deviation(deviation: f64, count: f64) -> Tolerance {
        Tolerance {
            rms: (1.0 + FEW / count.sqrt()) * deviation,
            worst: (22.0 + 2.0 * count.ln()).sqrt() * deviation,
        }
    }
}

/// How far N errors may be above their mean, over √N.
const FEW: f64 = 2.6;

/// How a step's results differ from what they must be.
#[derive(Debug, Clone, PartialEq)]
pub enum Mismatch {
    /// Results are not what the reference says.
    Values(Box<ValueMismatch>),
    /// A defect without a numeric error: memory written that must stay unchanged, or two runs that differ.
    Other {
        /// Problem size `n`.
        n: u64,
        /// What is wrong, and where.
        what: String,
    },
}

/// Results that are not what the reference says.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueMismatch {
    /// What was compared: "sums".
    pub quantity: String,
    /// Problem size `n`.
    pub n: u64,
    /// The result that is most off: "element 7".
    pub place: String,
    /// What the step computed for it.
    pub got: String,
    /// What the reference has for it.
    pub expected: String,
    /// The errors of all results.
    pub errors: Errors,
    /// The errors that were allowed.
    pub tolerance: Tolerance,
}

impl Mismatch {
    /// The errors as a report has them, where there are some.
    pub fn accuracy(&self) -> Option<Accuracy> {
        match self {
            Mismatch::Values(it) => Some(it.errors.accuracy(it.n, it.tolerance)),
            Mismatch::Other { .. } => None,
        }
    }

    /// Says in the message that launches were planned for so many multiprocessors. 0 means that they divide no work
    /// among them.
    #[must_use]
    pub fn planned_for(mut self, multiprocessors: u32) -> Mismatch {
        let what = match &mut self {
            Mismatch::Values(mismatch) => &mut mismatch.quantity,
            Mismatch::Other { what, .. } => what,
        };
        what.push_str(&match multiprocessors {
            0 => " with launches that divide no work among multiprocessors".to_owned(),
            1 => " with launches planned for 1 multiprocessor".to_owned(),
            many => format!(" with launches planned for {many} multiprocessors"),
        });
        self
    }
}

impl std::error::Error for Mismatch {}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Values(mismatch) => mismatch.fmt(f),
            Mismatch::Other { n, what } => write!(f, "at n = {n}: {what}"),
        }
    }
}

impl fmt::Display for ValueMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValueMismatch { quantity, n, place, got, expected, errors, tolerance } = self;
        write!(f, "{quantity} at n = {n}: {place} ")?;
        if got.contains("NaN") {
            write!(f, "is NaN, which is what results hold that no kernel has written; ")?;
        } else {
            write!(f, "got {got}, ")?;
        }
        write!(f, "expected {expected}")?;
        match *tolerance == Tolerance::EXACT {
            true => Ok(()),
            false => write!(
                f,
                "; error {:.2e} (allowed {:.2e}), rms of all {:.2e} (allowed {:.2e})",
                errors.worst, tolerance.worst, errors.rms, tolerance.rms
            ),
        }
    }
}

/// Judges numbers or vectors by a tolerance; `place` names the result of an index.
///
/// # Errors
/// [`Mismatch::Values`].
pub fn judge<const D: usize>(
    quantity: &str,
    n: u64,
    (got, expected): (&[[f64; D]], &[[f64; D]]),
    tolerance: Tolerance,
    place: impl Fn(usize) -> String,
) -> Result<Errors, Mismatch> {
    let of_worst = |i| [place(i), vector(got[i]), vector(expected[i])];
    Errors::between(got, expected).judged((quantity, n), tolerance, of_worst)
}

/// Judges values that must be equal; `place` names the result of an index.
///
/// # Errors
/// [`Mismatch::Values`] with the first that is not, and how many are not.
///
/// # Panics
/// If there are not as many results as expected ones.
pub fn judge_exactly<T: Pod + PartialEq + fmt::Display>(
    quantity: &str,
    n: u64,
    (got, expected): (&[T], &[T]),
    place: impl Fn(usize) -> String,
) -> Result<Errors, Mismatch> {
    assert_eq!(got.len(), expected.len(), "each result has its reference");
    // The bytes of what is right are nearly always equal, and compared in no time.
    if bytemuck::cast_slice::<T, u8>(got) == bytemuck::cast_slice::<T, u8>(expected) {
        return Ok(Errors::NONE);
    }
    // Bits and not numbers: zeros have signs, and a NaN that is expected is right.
    let differs = |&i: &usize| bytemuck::bytes_of(&got[i]) != bytemuck::bytes_of(&expected[i]);
    let mut wrong = (0..got.len()).filter(differs);
    let Some(first) = wrong.next() else { return Ok(Errors::NONE) };
    let others = match wrong.count() {
        0 => String::new(),
        count => format!(" ({} of {} are wrong)", count + 1, got.len()),
    };
    Err(Mismatch::Values(Box::new(ValueMismatch {
        quantity: quantity.to_owned(),
        n,
        place: place(first),
        got: got[first].to_string(),
        expected: format!("{}{others}", expected[first]),
        errors: Errors { rms: f64::INFINITY, worst: f64::INFINITY, worst_index: first },
        tolerance: Tolerance::EXACT,
    })))
}

pub(crate) fn vector<const D: usize>(v: [f64; D]) -> String {
    let numbers: Vec<String> = v.iter().map(|x| format!("{x:.6e}")).collect();
    match numbers.as_slice() {
        [one] => one.clone(),
        several => format!("({})", several.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: expected lengths 3 and 4, rms √12.5; errors of length 0.5 and 0.
    #[test]
    fn errors_by_hand() {
        let expected = [[3.0, 0.0, 0.0], [0.0, 0.0, 4.0]];
        let errors = Errors::between(&[[3.3, 0.4, 0.0], [0.0, 0.0, 4.0]], &expected);
        assert!((errors.rms - 0.1).abs() < 1e-12, "{errors:?}");
        // Vector 0 is shorter than the rms, so the rms is what its error is relative to.
        assert!((errors.worst - 0.5 / 12.5f64.sqrt()).abs() < 1e-12, "{errors:?}");
        assert_eq!(errors.worst_index, 0);
        let errors = Errors::between(&[[3.0, 0.0, 0.0], [0.0, 0.0, 5.0]], &expected);
        assert!((errors.worst - 0.25).abs() < 1e-12, "{errors:?}");
        assert_eq!(errors.worst_index, 1);
    }

    #[test]
    fn nothing_that_is_not_finite_is_within_anything() {
        let expected = [[1.0, 0.0, 0.0]; 4];
        let all = Tolerance { rms: f64::MAX, worst: f64::MAX };
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for index in [0, 2, 3] {
                let mut got = expected;
                got[index][1] = bad;
                let errors = Errors::between(&got, &expected);
                assert!(!errors.within(all), "{errors:?}");
                assert_eq!(errors.worst_index, index);
            }
        }
        let nan = Errors { rms: f64::NAN, worst: 0.0, worst_index: 0 };
        assert!(!nan.within(all));
    }

    #[test]
    fn what_must_be_equal_is_named_where_it_is_not() {
        let place = |i: usize| format!("element {i}");
        assert_eq!(judge_exactly("sums", 3, (&[1, 2, 3], &[1, 2, 3]), place), Ok(Errors::NONE));
        let wrong = judge_exactly("sums", 3, (&[1, 0, 0], &[1, 2, 3]), place).expect_err("wrong");
        assert_eq!(
            wrong.to_string(),
            "sums at n = 3: element 1 got 0, expected 2 (2 of 3 are wrong)"
        );
        let accuracy = wrong.accuracy().expect("errors");
        assert_eq!((accuracy.rms, accuracy.tolerance), (None, 0.0));
    }

    #[test]
    fn of_a_zero_reference_only_zero_is_right() {
        let none = Tolerance { rms: 0.0, worst: 0.0 };
        assert!(Errors::between(&[[0.0, -0.0, 0.0]], &[[0.0; 3]]).within(none));
        let all = Tolerance { rms: f64::MAX, worst: f64::MAX };
        assert!(!Errors::between(&[[1e-30, 0.0, 0.0]], &[[0.0; 3]]).within(all));
    }
}
