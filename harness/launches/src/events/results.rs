//! What is wanted of the results: printed, compared, saved.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail};
use report::files::write_whole;
use serde::Serialize;
use serde_json::Value as Json;
use ui::Usage;

use super::buffer::{Contents, fill, is_npy};
use super::element::{Element, Number};
use super::npy::Array;
use super::plan::{Part, Plan, Tolerance};
use crate::facts::Facts;

/// A buffer's elements.
pub type Values = Array;

/// Elements that are printed where no range says which.
const PRINTED: u64 = 64;

/// Elements that differ and are shown.
const SHOWN: usize = 8;

/// What a run was asked for: data as `--format json` writes it.
#[derive(Debug, Serialize)]
pub struct Outcome {
    /// What the launches did.
    #[serde(flatten)]
    pub facts: Facts,
    /// What `--print` asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<Printed>,
    /// What `--expect` asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub expected: Vec<Compared>,
    /// Files that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub saved: Vec<String>,
}

/// Some elements of a buffer.
#[derive(Debug, Serialize)]
pub struct Printed {
    /// The buffer.
    pub name: String,
    /// The type of its elements.
    #[serde(rename = "type")]
    pub element: &'static str,
    /// The index of the first.
    pub first: u64,
    /// All that the buffer has.
    pub of: u64,
    /// The elements, in order.
    pub values: Vec<Cell>,
}

/// A buffer compared with what it must hold.
#[derive(Debug, Serialize)]
pub struct Compared {
    /// The buffer.
    pub name: String,
    /// All that it has.
    pub elements: u64,
    /// Those that differ by more than is allowed.
    pub different: u64,
    /// The greatest difference of any; none where one cannot be told, as of a NaN.
    pub greatest: Option<f64>,
    /// The first that differ.
    pub first: Vec<Difference>,
}

/// An element that is not what it must be.
#[derive(Debug, Serialize)]
pub struct Difference {
    /// Its index along each axis.
    pub index: Vec<u64>,
    /// What the kernels left.
    pub got: Cell,
    /// What was to be there.
    pub expected: Cell,
}

/// A number as text and as data.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// As it is shortest to type.
    pub text: String,
    number: Number,
}

impl Cell {
    fn of(element: Element, bytes: &[u8]) -> Cell {
        let number = element.decode(bytes);
        Cell { text: element.text(number), number }
    }
}

impl Serialize for Cell {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // JSON has no NaN and no infinity: these are texts.
        match serde_json::from_str::<Json>(&self.text) {
            Ok(number) => number.serialize(to),
            Err(_) => to.serialize_str(&self.text),
        }
    }
}

impl Outcome {
    /// Does what the plan wants of the results; `values` looks them up by name.
    ///
    /// # Errors
    /// A name or range that is not there, a file that cannot be read or written.
    pub fn of(
        facts: Facts,
        plan: &Plan,
        mut values: impl FnMut(&str) -> Result<Values>,
    ) -> Result<Outcome> {
        let mut outcome =
            Outcome { facts, printed: Vec::new(), expected: Vec::new(), saved: Vec::new() };
        for part in &plan.prints {
            outcome.printed.push(Printed::of(part, &values(&part.name)?)?);
        }
        outcome.expected = Compared::all(plan, &mut values)?;
        for (name, file) in &plan.saves {
            save(&values(name)?, file)?;
            outcome.saved.push(file.display().to_string());
        }
        Ok(outcome)
    }

    /// Whether nothing is wrong: no hazard, no difference.
    pub fn is_good(&self) -> bool {
        self.facts.hazards.is_empty() && self.expected.iter().all(|one| one.different == 0)
    }
}

impl Printed {
    fn of(part: &Part, values: &Values) -> Result<Printed> {
        let (name, of) = (&part.name, values.count());
        let Range { start, end } = part.range.clone().unwrap_or(0..of.min(PRINTED));
        if end > of {
            bail!(Usage(format!("--print {name}[{start}..{end}]: `{name}` has {of} elements")));
        }
        let size = values.element.bytes as usize;
        let bytes = &values.bytes[start as usize * size..end as usize * size];
        Ok(Printed {
            name: name.clone(),
            element: values.element.name,
            first: start,
            of,
            values: bytes.chunks_exact(size).map(|one| Cell::of(values.element, one)).collect(),
        })
    }
}

impl Compared {
    /// Of all buffers of which the plan expects something.
    pub(super) fn all(
        plan: &Plan,
        mut values: impl FnMut(&str) -> Result<Values>,
    ) -> Result<Vec<Compared>> {
        let compared = plan.expected.iter().map(|(name, text)| {
            let got = values(name)?;
            let wanted = wanted(name, text, &got, &plan.folder, plan.seed)?;
            Ok(Compared::of(name, &got, &wanted, plan.tolerance))
        });
        compared.collect()
    }

    /// What is said of it if it differs where blocks ran in another order.
    pub(super) fn in_another_order(&self) -> Option<String> {
        let Difference { index, got, expected } = self.first.first()?;
        let index: String = index.iter().map(|at| format!("[{at}]")).collect();
        Some(format!(
            "wrong in another order of the blocks: {}{index} is {} in place of {}\n  \
             to do: what one block reads of another needs a fence or a barrier of the grid before it, or an atomic",
            self.name, got.text, expected.text
        ))
    }

    fn of(name: &str, got: &Values, wanted: &[u8], tolerance: Tolerance) -> Compared {
        let (element, size) = (got.element, got.element.bytes as usize);
        let mut all = Compared {
            name: name.to_owned(),
            elements: got.count(),
            different: 0,
            greatest: Some(0.0),
            first: Vec::new(),
        };
        let pairs = got.bytes.chunks_exact(size).zip(wanted.chunks_exact(size));
        for (at, (one, other)) in (0..).zip(pairs) {
            let (got_number, wanted_number) = (element.decode(one), element.decode(other));
            let difference = difference(got_number, wanted_number);
            let allowed = tolerance.absolute + tolerance.relative * magnitude(wanted_number);
            all.greatest =
                all.greatest.filter(|_| !difference.is_nan()).map(|most| most.max(difference));
            // A comparison that NaN cannot pass.
            if difference <= allowed {
                continue;
            }
            all.different += 1;
            if all.first.len() < SHOWN {
                all.first.push(Difference {
                    index: index(at, &got.shape),
                    got: Cell::of(element, one),
                    expected: Cell::of(element, other),
                });
            }
        }
        all
    }
}

/// How far two numbers are apart: 0 where they are equal, or both are NaN.
fn difference(got: Number, wanted: Number) -> f64 {
    match (got, wanted) {
        (Number::Whole(got), Number::Whole(wanted)) => (got - wanted).abs() as f64,
        (Number::Float(got), Number::Float(wanted)) => {
            let equal = got == wanted || got.is_nan() && wanted.is_nan();
            if equal { 0.0 } else { (got - wanted).abs() }
        }
        _ => f64::NAN,
    }
}

fn magnitude(number: Number) -> f64 {
    match number {
        Number::Whole(value) => value.abs() as f64,
        // An infinite one would allow everything.
        Number::Float(value) if value.is_finite() => value.abs(),
        Number::Float(_) => 0.0,
    }
}

/// The index along each axis.
fn index(mut at: u64, shape: &[u64]) -> Vec<u64> {
    let mut index: Vec<u64> = shape
        .iter()
        .rev()
        .map(|&n| {
            let along = at % n.max(1);
            at /= n.max(1);
            along
        })
        .collect();
    index.reverse();
    index
}

/// The bytes that a buffer must hold.
fn wanted(name: &str, text: &str, got: &Values, folder: &Path, seed: u64) -> Result<Vec<u8>> {
    let fill = fill(got.element, got.count(), text, folder)
        .map_err(|why| Usage(format!("--expect {name}: {why}")))?;
    let contents = Contents { element: got.element, count: got.count(), fill };
    let bytes = contents.make(seed).with_context(|| format!("--expect {name}"));
    // A mistake in the command line stays one.
    let bytes = bytes.map_err(|error| match error.downcast_ref::<Usage>() {
        Some(why) => Usage(format!("--expect {name}: {why}")).into(),
        None => error,
    })?;
    bytes.ok_or_else(|| Usage(format!("--expect {name}: nothing is expected of `uninit`")).into())
}

/// Writes a buffer: a `.npy`, or any other file with its bytes.
fn save(values: &Values, file: &Path) -> Result<()> {
    let npy;
    let bytes = if is_npy(file) {
        npy = values.to_file();
        &npy
    } else {
        &values.bytes
    };
    write_whole(file, |to| to.write_all(bytes))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(element: &str, got: &str, wanted: &str, tolerance: Tolerance) -> Compared {
        let element: Element = element.parse().expect("a type");
        let bytes = |list: &str| -> Vec<u8> {
            list.split(' ').flat_map(|one| element.encode(one).expect(one)).collect()
        };
        let count = got.split(' ').count() as u64;
        let got = Array { element, shape: vec![count / 2, 2], bytes: bytes(got) };
        Compared::of("out", &got, &bytes(wanted), tolerance)
    }

    #[test]
    fn what_differs_is_counted_and_placed() {
        let exact = Tolerance::default();
        let found = compare("f32", "1 2 3 4", "1 2 3.5 4", exact);
        assert_eq!((found.different, found.greatest), (1, Some(0.5)));
        assert_eq!(found.first[0].index, [1, 0]);
        assert_eq!((&*found.first[0].got.text, &*found.first[0].expected.text), ("3", "3.5"));
        let near = Tolerance { relative: 0.1, absolute: 0.2 };
        assert_eq!(compare("f32", "1 2 3 4", "1 2 3.5 4", near).different, 0);
        assert_eq!(compare("f32", "0 2 3 4", "0.21 2 3 4", near).different, 0, "0.2 + 0.021");
        assert_eq!(
            compare("u64", "18446744073709551615 1", "18446744073709551614 1", exact).different,
            1
        );
    }

    #[test]
    fn nan_equals_nothing_but_nan() {
        let wide = Tolerance { relative: 1e9, absolute: 1e9 };
        let found = compare("f64", "NaN NaN 1 inf", "NaN 1 inf inf", wide);
        assert_eq!((found.different, found.greatest), (2, None));
        let json = serde_json::to_string(&found.first[0]).expect("JSON");
        assert_eq!(json, r#"{"index":[0,1],"got":"NaN","expected":1}"#);
    }
}
