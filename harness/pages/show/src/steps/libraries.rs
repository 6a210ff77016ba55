//! Functions of libraries, below the steps that are compared with them.

use report::{Report, Row, format};

use crate::table::{Cell, Field};

/// All steps, then the libraries' functions.
pub(super) fn with(report: &Report) -> Vec<&Row> {
    report.rows.iter().chain(&report.libraries).collect()
}

/// The speed of each step over that of its library's function, in per cent.
pub(super) fn share(report: &Report) -> Field<'_, &Row> {
    let head = format!("% of {}", report.library().unwrap_or("the library"));
    Field::number(head, |row: &&Row| Some(format::significant(100.0 * row.times_library?.ratio)))
}

/// How a row ended; of a function that did not run, where its time comes from.
pub(super) fn outcome(row: &Row) -> Cell {
    match &row.committed {
        Some(it) => format!("{}, committed", it.device).into(),
        None => row.outcome.into(),
    }
}
