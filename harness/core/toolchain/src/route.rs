//! Where code may come from: what `--code` may say.

use std::fmt;
use std::str::FromStr;

use crate::compiler::Maker;
use crate::error::Error;

/// Where code may come from, as `--code` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CodeRoute {
    /// On a GPU compiled for it where an NVRTC is found, else committed; on the simulator the other way round. Where a compiler
    /// is [chosen](crate::compiler::chosen), compiled by it.
    #[default]
    Auto,
    /// Compiled here by this compiler, or by the first that can, or not run.
    Compiled(Option<Maker>),
    /// Committed, or not run.
    Committed,
}

impl FromStr for CodeRoute {
    type Err = Error;

    fn from_str(text: &str) -> Result<CodeRoute, Error> {
        match text {
            "auto" => Ok(CodeRoute::Auto),
            "compiled" => Ok(CodeRoute::Compiled(None)),
            "committed" => Ok(CodeRoute::Committed),
            maker => match maker.parse() {
                Ok(maker) => Ok(CodeRoute::Compiled(Some(maker))),
                Err(_) => Err(Error::UnknownRoute(text.to_string())),
            },
        }
    }
}

impl fmt::Display for CodeRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodeRoute::Auto => f.write_str("auto"),
            CodeRoute::Compiled(None) => f.write_str("compiled"),
            CodeRoute::Compiled(Some(maker)) => maker.fmt(f),
            CodeRoute::Committed => f.write_str("committed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_read_as_they_are_written() {
        for text in ["auto", "compiled", "nvrtc", "clang", "committed"] {
            assert_eq!(text.parse::<CodeRoute>().unwrap().to_string(), text);
        }
        assert!("ptx".parse::<CodeRoute>().is_err());
    }
}
