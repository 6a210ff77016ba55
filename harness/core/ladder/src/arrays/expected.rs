//! What is expected of an output: all of its elements, or some where the reference of all would take too long.

use std::borrow::Cow;

use super::values::Values;

/// Expected elements of an output.
#[derive(Debug, Clone)]
pub struct Expected {
    values: Values,
    some: Option<Places>,
}

/// Which they are, where they are not all.
#[derive(Debug, Clone)]
struct Places {
    /// How many elements the output has.
    count: usize,
    /// The places of those that are expected, in ascending order.
    at: Vec<usize>,
}

impl Expected {
    /// Expects every element of the output.
    pub fn all(values: impl Into<Values>) -> Expected {
        Expected { values: values.into(), some: None }
    }

    /// The elements at some places of an output of `count`: see [`chosen`](super::chosen).
    ///
    /// # Panics
    /// There is not a value for each place, or there is none; or a place is not among the elements, or not after the one
    /// before.
    pub fn some(count: usize, at: Vec<usize>, values: impl Into<Values>) -> Expected {
        let values = values.into();
        assert!(!at.is_empty() && at.len() == values.len(), "each place has its value");
        assert!(at.windows(2).all(|pair| pair[0] < pair[1]), "places are in ascending order");
        assert!(at.last().is_some_and(|&last| last < count), "places are among the elements");
        Expected { values, some: Some(Places { count, at }) }
    }

    /// The expected elements.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// The same, if they are all.
    pub(super) fn whole(&self) -> Option<&Values> {
        self.some.is_none().then_some(&self.values)
    }

    /// Expects one byte all over the first elements of an output whose elements are all expected.
    pub(super) fn fill_first(&mut self, elements: usize, byte: u8) {
        self.values.fill_first(elements, byte);
    }

    /// Elements of the output.
    pub(super) fn count(&self) -> usize {
        self.some.as_ref().map_or(self.values.len(), |some| some.count)
    }

    /// Bytes of the output.
    pub(super) fn bytes(&self) -> usize {
        self.count() * self.values.element_bytes()
    }

    /// Room for all elements of the output.
    pub(super) fn zeros(&self) -> Values {
        self.values.zeros(self.count())
    }

    /// Those of all elements of which something is expected.
    pub(super) fn picked<'a>(&self, all: &'a Values) -> Cow<'a, Values> {
        match &self.some {
            Some(some) => Cow::Owned(all.at(&some.at)),
            None => Cow::Borrowed(all),
        }
    }

    /// The place of an expected element among all.
    pub(super) fn place(&self, i: usize) -> usize {
        self.some.as_ref().map_or(i, |some| some.at[i])
    }

    /// How many elements no kernel has written, where only some are compared. An integer may be what poison is.
    pub(super) fn unwritten(&self, all: &Values, poison: u8) -> usize {
        let is_told = all.are_floats() && self.some.is_some();
        if is_told { all.len() - all.written(poison) } else { 0 }
    }
}
