//! Where code may come from: what `--code` may say.

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// Where code may come from, as `--code` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CodeRoute {
    /// On a GPU compiled for it where an NVRTC is found, else committed; on the simulator the other way round.
    #[default]
    Auto,
    /// Compiled here, or not run.
    Nvrtc,
    /// Committed, or not run.
    Committed,
}

impl FromStr for CodeRoute {
    type Err = Error;

    fn from_str(text: &str) -> Result<CodeRoute, Error> {
        match text {
            "auto" => Ok(CodeRoute::Auto),
            "nvrtc" => Ok(CodeRoute::Nvrtc),
            "committed" => Ok(CodeRoute::Committed),
            _ => Err(Error::UnknownRoute(text.to_string())),
        }
    }
}

impl fmt::Display for CodeRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CodeRoute::Auto => "auto",
            CodeRoute::Nvrtc => "nvrtc",
            CodeRoute::Committed => "committed",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_read_as_they_are_written() {
        for route in [CodeRoute::Auto, CodeRoute::Nvrtc, CodeRoute::Committed] {
            assert_eq!(route.to_string().parse::<CodeRoute>().unwrap(), route);
        }
        assert!("ptx".parse::<CodeRoute>().is_err());
    }
}
