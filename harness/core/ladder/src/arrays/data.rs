//! Named arrays, and what is expected of those that kernels write.

use std::sync::Arc;

use bytemuck::Pod;
use device::Argument;
use device::texture::{Format, Sampler, Shape};

use super::expected::Expected;
use super::residues::Residues;
use super::values::Values;
use crate::judge::{Errors, Mismatch, Tolerance, vector};

/// Dimensions of data: [columns, rows, planes], or [elements, 1, 1].
pub type Extent = [u64; 3];

/// The arrays and constants of a problem.
#[derive(Debug, Clone, Default)]
pub struct Data {
    /// The arrays.
    pub arrays: Vec<Array>,
    /// `__constant__` variables as name and bytes. They are set in steps whose kernels declare them.
    pub constants: Vec<(&'static str, Vec<u8>)>,
    /// Numbers by name, which kernels get as they are ([`KernelArgument::Scalar`](super::KernelArgument::Scalar)).
    pub scalars: Vec<(&'static str, Argument<'static>)>,
}

/// An array in a GPU's memory.
#[derive(Debug, Clone)]
pub struct Array {
    /// Its name in calls and messages.
    pub name: &'static str,
    /// Whether kernels read or write it.
    pub role: Role,
    /// How texture and surface objects see it. `None` if kernels use only its pointer.
    pub texels: Option<Texels>,
    /// The output whose only element says how many elements of this one count, from the first; none where all do.
    pub counted_by: Option<&'static str>,
    /// How many of the first elements no kernel may write.
    pub unwritten: usize,
    /// What an output holds before a pass, where kernels read it too. `None`: poison.
    pub initial: Option<Values>,
    /// Finds a wrong element of an output of which only some are compared.
    pub residues: Option<Arc<dyn Residues>>,
}

impl Array {
    /// An array whose elements kernels know only by its pointer, and may read or write as its role says.
    pub fn new(name: &'static str, role: Role) -> Array {
        Array {
            name,
            role,
            texels: None,
            counted_by: None,
            unwritten: 0,
            initial: None,
            residues: None,
        }
    }
}

/// How texture and surface objects see an array.
#[derive(Debug, Clone, Copy)]
pub enum Texels {
    /// Linear memory. It has an address, and kernels can also fetch its elements with `tex1Dfetch`.
    Linear(Format),
    /// A CUDA array, which has no address. Kernels sample it, or access it through a surface.
    Array(Shape, Sampler),
}

/// What an array is for.
#[derive(Debug, Clone)]
pub enum Role {
    /// Kernels read it. It must be unchanged after a pass.
    Input(Values),
    /// Kernels write it. The expected values and their judge. Steps that compute different outputs name their own
    /// in their calls.
    Output(Expected, Judge),
    /// Scratch memory between launches, in bytes. It is poisoned before a pass.
    Scratch(usize),
}

/// How an output is judged.
#[derive(Debug, Clone, Copy)]
pub enum Judge {
    /// Every element must be equal.
    Exactly,
    /// Floats must be within the tolerance.
    Within(Tolerance),
    /// Floats have relative errors of either sign with this standard deviation, as [`Tolerance::of_deviation`] allows it.
    Deviating(f64),
    /// The same elements, in any order.
    InAnyOrder,
    /// No element may be less than expected.
    AtLeast,
    /// No element may be less than expected, or greater by more than this.
    UpTo(f64),
}

impl Data {
    /// An array that kernels read.
    #[must_use]
    pub fn input(self, name: &'static str, values: impl Into<Values>) -> Data {
        self.with(name, Role::Input(values.into()))
    }

    /// An array that kernels write.
    #[must_use]
    pub fn output(self, name: &'static str, expected: impl Into<Values>, judge: Judge) -> Data {
        self.with(name, Role::Output(Expected::all(expected), judge))
    }

    /// An array of `count` elements that kernels write, of which some are compared: those `at` these places, of which the
    /// reference is computed. The others must be written, where elements are floats.
    ///
    /// # Panics
    /// As [`Expected::some`]; or the elements may be in any order, so that none has a place.
    #[must_use]
    pub fn sampled_output(
        self,
        name: &'static str,
        count: usize,
        (at, expected): (Vec<usize>, impl Into<Values>),
        judge: Judge,
    ) -> Data {
        assert!(!matches!(judge, Judge::InAnyOrder), "an element has its place");
        self.with(name, Role::Output(Expected::some(count, at, expected), judge))
    }

    /// Scratch memory between launches.
    #[must_use]
    pub fn scratch(self, name: &'static str, bytes: usize) -> Data {
        self.with(name, Role::Scratch(bytes))
    }

    /// Gives kernels texture and surface objects of the array that was added last.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn as_texels(mut self, texels: Texels) -> Data {
        self.arrays.last_mut().expect("an array comes first").texels = Some(texels);
        self
    }

    /// Only as many elements of the array before count as another output says, which is one `u32`.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn counted_by(mut self, output: &'static str) -> Data {
        self.arrays.last_mut().expect("an array comes first").counted_by = Some(output);
        self
    }

    /// No kernel may write the first elements of the array before; whatever is expected there counts for nothing.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn with_unwritten(mut self, first: usize) -> Data {
        self.arrays.last_mut().expect("an array comes first").unwritten = first;
        self
    }

    /// The array before, an output, holds these values before a pass: kernels read them too.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn holding(mut self, values: impl Into<Values>) -> Data {
        self.arrays.last_mut().expect("an array comes first").initial = Some(values.into());
        self
    }

    /// Residues tell whether the elements of the array before that are not compared are right.
    ///
    /// # Panics
    /// There is none yet.
    #[must_use]
    pub fn with_residues(mut self, residues: Arc<dyn Residues>) -> Data {
        self.arrays.last_mut().expect("an array comes first").residues = Some(residues);
        self
    }

    /// A number that kernels get by value.
    #[must_use]
    pub fn scalar(mut self, name: &'static str, value: impl Into<Argument<'static>>) -> Data {
        self.scalars.push((name, value.into()));
        self
    }

    /// A `__constant__` variable of those steps whose kernels declare it.
    #[must_use]
    pub fn constant<T: Pod>(mut self, name: &'static str, values: &[T]) -> Data {
        self.constants.push((name, bytemuck::cast_slice(values).to_vec()));
        self
    }

    fn with(mut self, name: &'static str, role: Role) -> Data {
        self.arrays.push(Array::new(name, role));
        self
    }
}

impl Role {
    /// Bytes of the array.
    pub fn bytes(&self) -> usize {
        match self {
            Role::Input(values) => values.bytes().len(),
            Role::Output(expected, _) => expected.bytes(),
            Role::Scratch(bytes) => *bytes,
        }
    }
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
        let within = |above, tolerance| {
            let of_worst = |i| [place(i), vector([got.number(i)]), vector([expected.number(i)])];
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
}
