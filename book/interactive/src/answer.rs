//! What the page draws.

use serde::Serialize;
use simt::Counts;

use crate::error::Error;
use crate::request::Request;
use crate::run::run;
use crate::trace::{Trace, trace};

/// A figure and its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What is counted.
    pub name: &'static str,
    /// How much of it.
    pub value: String,
}

/// Counts of a source line.
#[derive(Debug, Serialize)]
pub struct LineCounts {
    /// The file without its folders.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// What its instructions did.
    pub counts: Counts,
}

/// What is to be seen at some values of the knobs.
#[derive(Debug, Default, Serialize)]
pub struct Answer {
    /// What the reader looks at first.
    pub facts: Vec<Fact>,
    /// What gives the same in a terminal, where something does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// All counts of the launch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<Counts>,
    /// Counts of the source lines that did something.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<LineCounts>,
    /// The kernel's source.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub source: &'static str,
    /// What the first warps did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<Trace>,
    /// What the simulator found wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hazards: Vec<String>,
    /// Places for warps on a multiprocessor: taken, and all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<(u32, u32)>,
}

impl Answer {
    /// Runs a launch and says what it did; `facts` picks what the reader looks at first.
    pub(crate) fn of(
        request: &Request,
        facts: impl FnOnce(&Counts) -> Vec<Fact>,
    ) -> Result<Answer, Error> {
        let mut seen = run(request)?;
        let buffers = std::mem::take(&mut seen.buffers);
        let kernel = seen.kernel()?;
        let trace = seen.events.trace.as_ref().map(|it| trace(kernel, it, buffers));
        let total = seen.events.total();
        let lines = seen.events.lines(kernel).into_iter();
        let lines = lines.filter(|(_, counts)| counts.warps > 0).map(|(line, counts)| LineCounts {
            file: line.file.rsplit('/').next().unwrap_or_default().to_owned(),
            line: line.line,
            counts,
        });
        Ok(Answer {
            facts: facts(&total),
            command: Some(request.command()),
            lines: lines.collect(),
            total: Some(total),
            source: request.source,
            trace,
            hazards: seen.events.hazards.iter().map(ToString::to_string).collect(),
            places: None,
        })
    }
}

/// A figure with at most two decimals.
pub(crate) fn fact(name: &'static str, value: f64) -> Fact {
    let value = format!("{value:.2}");
    let value = value.trim_end_matches('0').trim_end_matches('.').to_owned();
    Fact { name, value }
}

/// One count for each of another.
pub(crate) fn per(name: &'static str, count: u64, of: u64) -> Fact {
    fact(name, count as f64 / of.max(1) as f64)
}

/// A share in percent.
pub(crate) fn percent(name: &'static str, part: u64, of: u64) -> Fact {
    let value = format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64);
    Fact { name, value }
}
