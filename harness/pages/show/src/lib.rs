//! Reports as people look at them: tables, sentences, pages and files for other programs.
//!
//! ```text
//! table        one table; its writers for terminal, Markdown, HTML and CSV
//! steps        the steps of a report          limits     how near they come to what the chip can do
//! costs        end to end                     samples    what the times were computed from
//! dips         sizes that were probably disturbed
//! tuning       variants of steps              heuristics rules of thumb for blocks
//! accuracy     speed against error            against    a GPU against a CPU
//! scaling      several GPUs                   compare    two reports
//! tradeoff     several reports: by the values of an option, by size
//! rungs        the ladder, drawn on a terminal
//! mutation     mutants that verification found
//! summary      the sentences below a run's table
//! page, export a report as a page, as Markdown, as CSV
//! ```
//!
//! Everything is drawn from a [`report::Report`], in the words and units of its figure:
//! nothing here knows a ladder, a problem or a device.
//!
//! # Example
//! ```
//! use std::path::Path;
//!
//! use report::Report;
//!
//! let report = Report::read(Path::new("../../../reports/h200/report.json"))?;
//! let table = show::steps::table(&report);
//! println!("{}", table.terminal(100));
//! assert!(table.markdown().starts_with("| step |"));
//! assert_eq!(table.csv().lines().count(), 1 + report.rows.len());
//! # Ok::<(), report::ReportError>(())
//! ```

pub mod accuracy;
pub mod against;
pub mod compare;
mod costs;
mod dips;
pub mod export;
pub mod heuristics;
pub mod limits;
pub mod message;
pub mod mutation;
pub mod page;
pub mod rungs;
mod samples;
pub mod scaling;
pub mod steps;
pub mod summary;
pub mod table;
#[cfg(test)]
mod tests;
pub mod tradeoff;
pub mod tuning;

pub use report::words;

/// Where a step's name leads, by ladder and folder.
pub type Link<'l> = &'l dyn Fn(&str, &str) -> Option<String>;

/// No link at all.
pub const NO_LINK: Link = &|_, _| None;

/// The text has all of these.
#[cfg(test)]
fn says(text: &str, wanted: &[impl AsRef<str>]) {
    for wanted in wanted.iter().map(AsRef::as_ref) {
        assert!(text.contains(wanted), "{wanted} in {text}");
    }
}

/// Text without its colours.
#[cfg(test)]
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}
