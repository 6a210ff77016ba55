//! Sizes of problems that have several, by name.

use report::{NamedSize, Request};

use super::{OptionError, ProblemOption};

/// The sizes of a problem that has `D` of them, such as the m, n and k of a matrix product. A run is of one size `n`, which
/// stands for all: the options state the sizes at `n`, and at any other size they are in the same proportion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape<const D: usize> {
    /// The sizes that were asked for.
    sizes: [u64; D],
    /// The size of a run that they stand for.
    at: u64,
    /// Whether one was named.
    is_named: bool,
}

/// All are equal.
impl<const D: usize> Default for Shape<D> {
    fn default() -> Shape<D> {
        Shape { sizes: [1; D], at: 1, is_named: false }
    }
}

impl<const D: usize> Shape<D> {
    /// As the options say, which are in `Problem::OPTIONS` ([`ProblemOption::size`]). A size that they do not name is that of
    /// the run: `measured`, unless the run says another.
    ///
    /// # Errors
    /// One is no number from 1 to `most`.
    pub fn open(
        request: &Request,
        names: [&'static str; D],
        measured: u64,
        most: u64,
    ) -> Result<Shape<D>, OptionError> {
        let run = request.size.unwrap_or(measured);
        let mut shape = Shape { sizes: [run; D], at: run, is_named: false };
        for (size, name) in shape.sizes.iter_mut().zip(names) {
            let Some(text) = request.problem.get(name) else { continue };
            let number = text.parse().ok().filter(|size| (1..=most).contains(size));
            *size = number.ok_or_else(|| OptionError::Value {
                option: name,
                value: text.clone(),
                possible: format!("it is a number from 1 to {most}"),
            })?;
            shape.is_named = true;
        }
        // The largest is what a run is of, where it says nothing.
        if request.size.is_none() && shape.is_named {
            shape.at = shape.sizes.into_iter().max().unwrap_or(run);
        }
        Ok(shape)
    }

    /// The sizes for a size of a run, each at least 1.
    pub fn at(&self, n: u64) -> [u64; D] {
        let scaled = |size: u64| u128::from(size) * u128::from(n) / u128::from(self.at.max(1));
        self.sizes.map(|size| u64::try_from(scaled(size)).unwrap_or(u64::MAX).max(1))
    }

    /// The same with their names, for a report.
    pub fn named(&self, names: [&str; D], n: u64) -> Vec<NamedSize> {
        let of = |(name, size): (&str, u64)| NamedSize { name: name.to_owned(), size };
        names.into_iter().zip(self.at(n)).map(of).collect()
    }

    /// The largest size that an option named, and which option that is.
    pub fn largest_named(&self, names: [&'static str; D]) -> Option<(&'static str, u64)> {
        let sizes = names.into_iter().zip(self.sizes).filter(|_| self.is_named);
        sizes.max_by_key(|(_, size)| *size)
    }

    /// The size of the run that the options imply.
    pub fn implied_size(&self) -> Option<u64> {
        self.is_named.then_some(self.at)
    }
}

impl ProblemOption {
    /// One of several sizes.
    pub const fn size(name: &'static str, help: &'static str) -> ProblemOption {
        ProblemOption { name, value: "N", help }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 3] = ["m", "n", "k"];

    fn opened(size: Option<u64>, options: &[(&str, &str)]) -> Result<Shape<3>, OptionError> {
        let option = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let problem = options.iter().map(option).collect();
        Shape::open(&Request { size, problem, ..Request::default() }, NAMES, 4096, 8192)
    }

    #[test]
    fn sizes_that_are_not_named_are_that_of_the_run() {
        let shape = opened(None, &[]).expect("nothing is asked for");
        assert_eq!(
            (shape.implied_size(), shape.at(4096), shape.at(31)),
            (None, [4096; 3], [31; 3])
        );
        assert_eq!(Shape::default().at(31), [31; 3]);
        let narrow = opened(None, &[("n", "64")]).expect("a size");
        assert_eq!((narrow.implied_size(), narrow.at(4096)), (Some(4096), [4096, 64, 4096]));
        let of_512 = opened(Some(512), &[("m", "1024")]).expect("a size");
        assert_eq!((of_512.implied_size(), of_512.at(512)), (Some(512), [1024, 512, 512]));
    }

    #[test]
    fn other_sizes_are_in_the_same_proportion() {
        let all = [("m", "512"), ("n", "256"), ("k", "64")];
        let shape = opened(None, &all).expect("sizes");
        assert_eq!(shape.implied_size(), Some(512));
        assert_eq!(
            (shape.at(512), shape.at(128), shape.at(1)),
            ([512, 256, 64], [128, 64, 16], [1; 3])
        );
        let named = shape.named(NAMES, 1024);
        assert_eq!(named[2], NamedSize { name: "k".to_owned(), size: 128 });
    }

    #[test]
    fn a_size_is_a_number_within_bounds() {
        for text in ["0", "-1", "8193", "many", ""] {
            let error = opened(None, &[("k", text)]).expect_err(text).to_string();
            assert!(error.starts_with("--k ") && error.contains("1 to 8192"), "{error}");
        }
    }
}
