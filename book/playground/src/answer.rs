//! What the page shows.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;
use ui::output::plain;

/// What came of a request.
#[derive(Serialize)]
pub struct Answer {
    verdict: Verdict,
    /// As a terminal shows it, without colours.
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Right,
    Wrong,
    /// There is none; the text says why, and what to do.
    Impossible,
}

impl Answer {
    /// What was typed is right.
    pub fn right(text: String) -> Answer {
        Answer { verdict: Verdict::Right, text: plain(&text) }
    }

    /// It is wrong.
    pub fn wrong(text: String) -> Answer {
        Answer { verdict: Verdict::Wrong, text: plain(&text) }
    }

    /// It cannot be checked.
    pub fn impossible(text: String) -> Answer {
        Answer { verdict: Verdict::Impossible, text: plain(&text) }
    }
}

/// Puts what was typed into a file, which messages name.
pub fn write(name: &str, ending: &str, text: &str) -> Result<PathBuf> {
    let file = PathBuf::from(format!("{name}.{ending}"));
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}
