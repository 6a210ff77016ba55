//! Mistakes in the command line, and the nearest name to a mistyped one.

use std::fmt::Display;

/// A mistake in the command line: reported with exit code 2.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

impl Usage {
    /// The words of an error whose cause is in the command line.
    pub fn of(error: impl Display) -> Usage {
        Usage(error.to_string())
    }
}

impl From<String> for Usage {
    fn from(message: String) -> Usage {
        Usage(message)
    }
}

impl From<&str> for Usage {
    fn from(message: &str) -> Usage {
        Usage(message.to_owned())
    }
}

/// `; did you mean …?` where one of `known` is near enough to be worth asking about, else nothing.
pub fn nearest(name: &str, known: &[&str]) -> String {
    known
        .iter()
        .map(|known| (known, strsim::jaro_winkler(name, known)))
        .filter(|(_, likeness)| *likeness > 0.7)
        .max_by(|(_, one), (_, other)| one.total_cmp(other))
        .map_or_else(String::new, |(known, _)| format!("; did you mean `{known}`?"))
}
