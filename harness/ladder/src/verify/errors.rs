//! How far computed vectors are from those of the reference.

/// The distance between computed and expected vectors, relative to the expected ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// √(Σ|a−r|² / Σ|r|²).
    pub rms: f64,
    /// Greatest |a−r| / max(|r|, rms|r|) of one vector.
    pub worst: f64,
    /// Index of that vector.
    pub worst_index: usize,
}

/// What [`Errors`] may reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Of all vectors together.
    pub rms: f64,
    /// Of any one vector.
    pub worst: f64,
}

impl Errors {
    /// Compares `got` with `expected`, vector by vector.
    ///
    /// A value that is not finite makes both errors infinite. Where all of `expected` is zero,
    /// they are 0 if all of `got` is exactly zero too, else infinite.
    pub fn between(got: &[[f64; 3]], expected: &[[f64; 3]]) -> Errors {
        assert_eq!(got.len(), expected.len(), "each vector has its reference");
        let expected_sum: f64 = expected.iter().map(|r| square(*r)).sum();
        let expected_rms = (expected_sum / expected.len().max(1) as f64).sqrt();
        let mut found = Errors { rms: 0.0, worst: 0.0, worst_index: 0 };
        let mut sum = 0.0;
        for (index, (a, r)) in got.iter().zip(expected).enumerate() {
            let off = square([a[0] - r[0], a[1] - r[1], a[2] - r[2]]);
            let error = match off.sqrt() / square(*r).sqrt().max(expected_rms) {
                _ if off == 0.0 => 0.0,
                finite if finite.is_finite() => finite,
                _ => f64::INFINITY, // NaN would hide in a maximum
            };
            sum += off;
            if error > found.worst {
                (found.worst, found.worst_index) = (error, index);
            }
        }
        found.rms = if found.worst.is_finite() && sum > 0.0 {
            (sum / expected_sum).sqrt()
        } else {
            found.worst
        };
        found
    }

    /// Whether both errors are within the tolerance. NaN is not within anything.
    pub fn within(&self, tolerance: Tolerance) -> bool {
        self.rms <= tolerance.rms && self.worst <= tolerance.worst
    }
}

fn square(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum()
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
        // Body 0 is shorter than the rms, so the rms is what its error is relative to.
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
    fn of_a_zero_reference_only_zero_is_right() {
        let none = Tolerance { rms: 0.0, worst: 0.0 };
        assert!(Errors::between(&[[0.0, -0.0, 0.0]], &[[0.0; 3]]).within(none));
        let all = Tolerance { rms: f64::MAX, worst: f64::MAX };
        assert!(!Errors::between(&[[1e-30, 0.0, 0.0]], &[[0.0; 3]]).within(all));
    }
}
