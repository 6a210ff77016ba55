//! A check of all elements of an output of which only some are compared with the reference.

use std::fmt::Debug;

use super::judge::Judge;
use super::values::Values;

/// Sums over an output that are known without its reference: they tell whether any element is wrong, at the cost of a
/// pass over the elements.
pub trait Residues: Debug + Send + Sync + 'static {
    /// What is wrong with the output, in words that follow its name: "row 3, column 5 got 7, expected 8". `None` if the
    /// sums are off by no more than the elements may be, as `judge` has it.
    fn defect(&self, got: &Values, judge: Judge) -> Option<String>;
}
