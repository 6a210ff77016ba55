//! A report in forms that other programs read: CSV for spreadsheets, Markdown for pages.

mod markdown;
mod samples;
mod sizes;

pub use markdown::markdown;
pub use samples::csv as samples_csv;
pub use sizes::csv;

use anyhow::{Context, Result};
use report::Define;
use report::{Row, Suspect};

/// Lines of cells, the first with their names, as CSV.
fn table<const COLUMNS: usize>(
    names: [&str; COLUMNS],
    lines: impl IntoIterator<Item = [String; COLUMNS]>,
) -> Result<String> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(names)?;
    for line in lines {
        csv.write_record(line)?;
    }
    let text = csv.into_inner().context("cannot write CSV")?;
    String::from_utf8(text).context("cannot write CSV")
}

/// A cell that is empty where there is nothing. Numbers are written so that they are read back as
/// they were.
fn cell<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// The cells that tell one row from all others, beside its [`defines`].
fn key(row: &Row) -> [String; 3] {
    [row.ladder.clone(), row.step.clone(), cell(row.block)]
}

/// Values of a kernel's parameters in one cell: "UNROLL=4 FLUSH=2".
pub fn defines(defines: &[Define]) -> String {
    defines.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Why a sample is suspect; empty where it is not.
fn reasons(suspects: &[Suspect], sample: usize) -> String {
    let of_sample = suspects.iter().filter(|suspect| suspect.sample as usize == sample);
    of_sample.map(|suspect| suspect.reason.as_str()).collect::<Vec<_>>().join("; ")
}
