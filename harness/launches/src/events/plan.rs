//! What is to be run and what is wanted of it, wherever that was written.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use ui::Usage;

use super::invocation::Invocation;

use super::buffer::Contents;
use super::value::{self, Value};

/// All of it.
#[derive(Debug, Default)]
pub struct Plan {
    /// Memory of the device, by name.
    pub buffers: Vec<(String, Contents)>,
    /// Variables of the module, by name, and what they are set to.
    pub variables: Vec<(String, Value)>,
    /// One after the other.
    pub launches: Vec<Invocation>,
    /// Elements that are printed at the end.
    pub prints: Vec<Part>,
    /// Buffers and the text of what they must hold.
    pub expected: Vec<(String, String)>,
    /// How far a number may be from the one that is expected.
    pub tolerance: Tolerance,
    /// Buffers, and the files that they are written to at the end.
    pub saves: Vec<(String, PathBuf)>,
    /// Of random numbers.
    pub seed: u64,
    /// Where files that `expected` names are looked for.
    pub folder: PathBuf,
}

/// How far a number may be from the one that is expected.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tolerance {
    /// As a fraction of what is expected.
    pub relative: f64,
    /// In the units of the number.
    pub absolute: f64,
}

/// Some elements of a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The buffer.
    pub name: String,
    /// All that it has, where none are named.
    pub range: Option<Range<u64>>,
}

impl FromStr for Part {
    type Err = Usage;

    fn from_str(text: &str) -> Result<Part, Usage> {
        let form = || format!("`{text}`: write out, out[5] or out[0..16]");
        let (name, range) = match text.split_once('[') {
            None => (text, None),
            Some((name, range)) => {
                let range = range.trim_end().strip_suffix(']').ok_or_else(form)?;
                let number = |text: &str| text.trim().parse::<u64>().map_err(|_| form());
                let range = match range.split_once("..") {
                    Some((first, end)) => number(first)?..number(end)?,
                    None => {
                        let only = number(range)?;
                        only..only.checked_add(1).ok_or_else(form)?
                    }
                };
                if range.is_empty() {
                    let why = "has no elements; the end is not one of them";
                    return Err(format!("`{text}` {why}").into());
                }
                (name, Some(range))
            }
        };
        let name = name.trim();
        if !value::is_name(name) {
            return Err(form().into());
        }
        Ok(Part { name: name.to_owned(), range })
    }
}

/// Reads `NAME=TEXT`.
///
/// # Errors
/// The text has another form.
pub fn pair(text: &str) -> Result<(String, String), Usage> {
    match text.split_once('=') {
        Some((name, rest)) if value::is_name(name.trim()) && !rest.trim().is_empty() => {
            Ok((name.trim().to_owned(), rest.trim().to_owned()))
        }
        _ => Err("write the name of a buffer and what is for it: out=@want.npy".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_ranges_without_their_end() {
        let part = |text: &str| text.parse::<Part>().map(|part| (part.name, part.range));
        assert_eq!(part("out"), Ok(("out".to_owned(), None)));
        assert_eq!(part("out[0..16]"), Ok(("out".to_owned(), Some(0..16))));
        assert_eq!(part("out[5]"), Ok(("out".to_owned(), Some(5..6))));
        for wrong in
            ["", "out[", "out[1", "out[a]", "out[3..3]", "out[4..2]", "[1]", "o-t", "out[-1]"]
        {
            assert!(part(wrong).is_err(), "{wrong}");
        }
        assert!(part("out[18446744073709551615]").is_err());
    }

    #[test]
    fn pairs_have_two_parts() {
        assert_eq!(pair("out=@a=b.npy"), Ok(("out".to_owned(), "@a=b.npy".to_owned())));
        for wrong in ["out", "=1", "out=", "1=2"] {
            assert!(pair(wrong).is_err_and(|why| why.0.contains("@want.npy")), "{wrong}");
        }
    }
}
