//! What the page shows.

use std::path::PathBuf;

use anyhow::{Context, Result};
use device::Profile;
use interactive::{Trace, trace};
use serde::Serialize;
use simt::TraceRequest;
use ui::output::plain;

/// What came of a request.
#[derive(Serialize)]
pub struct Answer {
    verdict: Verdict,
    /// As a terminal shows it, without colours.
    text: String,
    /// The steps of the first warps, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<Trace>,
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
    fn of(verdict: Verdict, text: &str) -> Answer {
        Answer { verdict, text: plain(text), trace: None }
    }

    /// The steps of the first of these launches.
    ///
    /// # Errors
    /// Nothing was recorded.
    pub fn steps(profiles: &[Profile]) -> Result<Answer> {
        let first = profiles.first().context("nothing was launched")?;
        let recorded = first.events.trace.as_ref().context("no steps were recorded")?;
        let kernel = first.module.find(&first.kernel)?;
        let [grid, block] =
            [first.grid, first.block].map(|it| it.map(|it| it.to_string()).join(", "));
        let text =
            format!("The first warps of {}<<<({grid}), ({block})>>>, step by step", first.kernel);
        let trace = Some(trace(kernel, recorded, Vec::new()));
        Ok(Answer { trace, ..Answer::right(text) })
    }

    /// What was typed is right.
    pub fn right(text: String) -> Answer {
        Answer::of(Verdict::Right, &text)
    }

    /// It is wrong.
    pub fn wrong(text: String) -> Answer {
        Answer::of(Verdict::Wrong, &text)
    }

    /// It cannot be checked.
    pub fn impossible(text: String) -> Answer {
        Answer::of(Verdict::Impossible, &text)
    }
}

/// What is recorded of a launch: as much as a page can draw.
pub const RECORDED: TraceRequest = TraceRequest { warps: 4, instructions: 2000 };

/// Puts what was typed into a file, which messages name.
pub fn write(name: &str, ending: &str, text: &str) -> Result<PathBuf> {
    let file = PathBuf::from(format!("{name}.{ending}"));
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}
