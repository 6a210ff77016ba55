//! What is to be run and what is wanted of it, wherever that was written.

use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

use super::invocation::Invocation;
use super::value::{self, Contents, Value};

/// All of it.
#[derive(Debug, Default)]
pub struct Plan {
    pub buffers: Vec<(String, Contents)>,
    pub variables: Vec<(String, Value)>,
    pub launches: Vec<Invocation>,
    pub prints: Vec<Part>,
    /// Buffers and the text of what they must hold.
    pub expected: Vec<(String, String)>,
    pub tolerance: Tolerance,
    pub saves: Vec<(String, PathBuf)>,
    pub seed: u64,
    /// Where files that `expected` names are looked for.
    pub folder: PathBuf,
}

/// How far a number may be from the one that is expected.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tolerance {
    pub relative: f64,
    pub absolute: f64,
}

/// Some elements of a buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    /// All that it has, where none are named.
    pub range: Option<Range<u64>>,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
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
                    return Err(format!("`{text}` has no elements; the end is not one of them"));
                }
                (name, Some(range))
            }
        };
        let name = name.trim();
        if !value::is_name(name) {
            return Err(form());
        }
        Ok(Part { name: name.to_owned(), range })
    }
}

/// Reads `NAME=TEXT`.
pub fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, rest)) if value::is_name(name.trim()) && !rest.trim().is_empty() => {
            Ok((name.trim().to_owned(), rest.trim().to_owned()))
        }
        _ => Err("write the name of a buffer and what is for it: out=@want.npy".to_owned()),
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
            assert!(pair(wrong).is_err_and(|why| why.contains("@want.npy")), "{wrong}");
        }
    }
}
