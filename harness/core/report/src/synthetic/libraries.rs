//! Reports with functions of libraries.

use super::{GPU, timed};
use crate::{Committed, Outcome, Report, Row, relate_to_libraries};

/// A function of a library, timed.
pub fn library(name: &str, n: u64, seconds: f64) -> Row {
    let title = format!("cuBLAS {name}");
    let changes = "its function".to_owned();
    Row { title, changes, library: Some(name.to_owned()), ..timed(name, None, n, seconds) }
}

/// The same where the library is not found: as a committed report has it.
pub fn committed(name: &str, n: u64, seconds: f64) -> Row {
    let device = GPU.to_owned();
    Row {
        outcome: Outcome::Skipped,
        reason: Some("cuBLAS: not found; get it: pip".to_owned()),
        time_source: None,
        timed: Vec::new(),
        committed: Some(Committed { device, n, work: (n * n) as f64, seconds }),
        ..library(name, n, seconds)
    }
}

/// The report with these functions, which its rows are compared with.
pub fn beside(libraries: Vec<Row>, mut report: Report) -> Report {
    relate_to_libraries(&mut report.rows, &libraries);
    Report { libraries, ..report }
}
