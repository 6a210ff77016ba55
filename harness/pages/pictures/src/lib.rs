//! Pictures of reports, as SVG drawn by plotters.
//!
//! [`of_report`] draws what a report has the data for. Each picture has a file that says what it
//! shows. [`scaling`] and [`model`] draw other data than a report, [`tradeoff()`] and [`crossing`]
//! several reports. The module `kit` has what all of them are drawn with.
//!
//! Texts use the words and units of the report's figure: nothing here knows a problem.
//!
//! # Example
//! ```
//! use std::path::Path;
//!
//! use pictures::Context;
//! use report::Report;
//! use report::published::Published;
//!
//! let report = Report::read(Path::new("../../../reports/h200/report.json"))?;
//! let context = Context { published: &Published::default(), against: None };
//! let pictures = pictures::of_report(&report, &context);
//! assert_eq!(pictures[0].name, "ladder");
//! assert!(pictures[0].svg.starts_with("<svg"));
//! # Ok::<(), report::ReportError>(())
//! ```

mod ablation;
mod accuracy;
mod against;
mod bounds;
mod kit;
mod ladder;
mod machines;
mod model;
mod picture;
mod roofline;
mod scaling;
mod sizes;
mod spread;
#[cfg(test)]
mod tests;
mod tradeoff;
mod tuning;

use report::Report;
use report::against::Against;
use report::published::Published;

pub use ablation::{Idea, ablation};
pub use against::against;
pub use ladder::{Reach, message, reach};
pub use machines::{MachinesError, machines};
pub use model::model;
pub use picture::{AGAINST, MACHINES, NAMES, Picture};
pub use scaling::scaling;
pub use tradeoff::{crossing, tradeoff};

/// What a report is drawn next to.
#[derive(Debug, Clone, Copy)]
pub struct Context<'c> {
    /// What a document published for the report's ladder.
    pub published: &'c Published,
    /// The comparison of the report with one of another processor.
    pub against: Option<&'c Against>,
}

/// The pictures that a report has the data for, in the order in which they are read. What was not
/// verified is in none of them; the ladder alone shows its place and the reason.
pub fn of_report(report: &Report, context: &Context) -> Vec<Picture> {
    let pictures = [
        ladder::ladder(report),
        bounds::bounds(report),
        roofline::roofline(report),
        accuracy::accuracy(report, context.published),
        sizes::sizes(report),
        tuning::blocks(report),
        tuning::tuning(report),
        spread::spread(report),
        context.against.map(against),
    ];
    pictures.into_iter().flatten().collect()
}
