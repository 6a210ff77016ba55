//! How results are held against the reference.

use super::values::Values;
use crate::judge::{Errors, Mismatch, Tolerance, vector};

/// How an output is judged.
#[derive(Debug, Clone, Copy)]
pub enum Judge {
    /// Every element must be equal.
    Exactly,
    /// Floats must be within the tolerance.
    Within(Tolerance),
    /// The same, and each float as near to its own value as the worst may be to the others': small ones count as much as
    /// large ones. What is smaller than the smallest normal float may be anything as small.
    Each(Tolerance),
    /// Floats have relative errors of either sign with this standard deviation, as [`Tolerance::of_deviation`] allows it.
    Deviating(f64),
    /// The same elements, in any order.
    InAnyOrder,
    /// No element may be less than expected.
    AtLeast,
    /// No element may be less than expected, or greater by more than this.
    UpTo(f64),
}

impl Judge {
    /// Judges an output.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn judge(
        self,
        name: &str,
        n: u64,
        (got, expected): (&Values, &Values),
        place: impl Fn(usize) -> String,
    ) -> Result<(Errors, Tolerance), Mismatch> {
        let exact = |errors| (errors, Tolerance::EXACT);
        let of_worst = |i| [place(i), vector([got.number(i)]), vector([expected.number(i)])];
        let within = |above, tolerance| {
            let errors = got.errors(expected, above).judged((name, n), tolerance, of_worst)?;
            Ok((errors, tolerance))
        };
        match self {
            Judge::Exactly => got.judge_equal(name, n, expected, &place).map(exact),
            // To sort many elements takes seconds: that is done where something is wrong.
            Judge::InAnyOrder if got.fingerprint() == expected.fingerprint() => {
                Ok(exact(Errors::NONE))
            }
            Judge::InAnyOrder => {
                let sorted = |i| format!("element {i} in ascending order");
                got.sorted().judge_equal(name, n, &expected.sorted(), sorted).map(exact)
            }
            Judge::AtLeast => within(f64::INFINITY, Tolerance::EXACT),
            Judge::UpTo(above) => {
                within(above, Tolerance::EXACT)?;
                // How much more it is tells what was not promised.
                let least = (0..expected.len()).map(|i| expected.number(i).abs());
                let least = least.fold(f64::MAX, f64::min);
                within(0.0, Tolerance { rms: above / least, worst: above / least })
            }
            Judge::Within(tolerance) => within(0.0, tolerance),
            Judge::Each(tolerance) => {
                let (errors, _) = within(0.0, tolerance)?;
                let least = f64::from(f32::MIN_POSITIVE);
                let apart = got.first_apart(expected, tolerance.worst, least);
                let errors = apart.map_or(errors, |i| {
                    let worst = (got.number(i) - expected.number(i)) / expected.number(i);
                    Errors { worst: worst.abs(), worst_index: i, ..errors }
                });
                Ok((errors.judged((name, n), tolerance, of_worst)?, tolerance))
            }
            Judge::Deviating(deviation) => {
                within(0.0, Tolerance::of_deviation(deviation, expected.len().max(1) as f64))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(judge: Judge, got: Vec<f32>) -> Result<(Errors, Tolerance), String> {
        let (got, expected) = (Values::from(got), Values::from(vec![1.0f32, 2.0, 4.0]));
        let place = |i| format!("element {i}");
        judge.judge("out", 3, (&got, &expected), place).map_err(|wrong| wrong.to_string())
    }

    #[test]
    fn exact_results_must_be_equal_and_in_their_places() {
        assert_eq!(judged(Judge::Exactly, vec![1.0, 2.0, 4.0]).expect("right").0, Errors::NONE);
        let wrong = judged(Judge::Exactly, vec![1.0, 4.0, 2.0]).expect_err("wrong");
        assert_eq!(wrong, "out at n = 3: element 1 got 4, expected 2 (2 of 3 are wrong)");
    }

    #[test]
    fn in_any_order_each_element_must_be_there_once() {
        assert!(judged(Judge::InAnyOrder, vec![4.0, 1.0, 2.0]).is_ok());
        let wrong = judged(Judge::InAnyOrder, vec![4.0, 2.0, 2.0]).expect_err("wrong");
        assert!(wrong.contains("element 0 in ascending order got 2, expected 1"), "{wrong}");
        assert!(judged(Judge::InAnyOrder, vec![4.0, f32::NAN, 1.0]).is_err());
    }

    #[test]
    fn what_must_be_at_least_so_much_may_be_more() {
        assert!(judged(Judge::AtLeast, vec![1.0, 2.5, 9.0]).is_ok());
        let wrong = judged(Judge::AtLeast, vec![1.0, 1.5, 9.0]).expect_err("wrong");
        assert!(wrong.contains("element 1 got 1.5"), "{wrong}");
        assert!(judged(Judge::AtLeast, vec![1.0, f32::NAN, 9.0]).is_err());
    }

    #[test]
    fn what_may_be_a_little_more_may_not_be_much_more() {
        let (errors, _) = judged(Judge::UpTo(1.0), vec![2.0, 2.0, 4.5]).expect("right");
        assert!(errors.rms > 0.1, "{errors:?}");
        for wrong in [[1.0, 1.5, 4.0], [1.0, 2.0, 5.5], [1.0, f32::NAN, 4.0]] {
            assert!(judged(Judge::UpTo(1.0), wrong.to_vec()).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn floats_must_be_as_near_as_the_tolerance_says() {
        let near = Judge::Within(Tolerance { rms: 1e-3, worst: 1e-3 });
        let (errors, _) = judged(near, vec![1.0, 2.0, 4.001]).expect("right");
        assert!((errors.worst - 2.5e-4).abs() < 1e-6, "{errors:?}");
        assert!(judged(near, vec![1.0, 2.0, 4.1]).expect_err("wrong").contains("element 2"));
    }

    #[test]
    fn each_float_must_be_near_its_own_value() {
        let near = Tolerance { rms: 1e-3, worst: 1e-3 };
        let (got, expected) = (Values::from(vec![1.0f32, 0.0]), Values::from(vec![1.0f32, 1e-6]));
        let judge =
            |judge: Judge| judge.judge("out", 2, (&got, &expected), |i| format!("element {i}"));
        assert!(judge(Judge::Within(near)).is_ok());
        let wrong = judge(Judge::Each(near)).expect_err("wrong").to_string();
        assert!(wrong.contains("element 1 got 0"), "{wrong}");
    }
}
