//! What the vendor's library takes for a ladder's problem, from the recording of one machine.

use std::path::Path;

use anyhow::{Context, Result, bail};
use report::format::significant;
use serde::Deserialize;
use show::table::Table;

/// The recording; what made it is beside it.
const FILE: &str = "reports/h200-cub/cub.csv";

/// A line of it.
#[derive(Deserialize)]
struct Line {
    ladder: String,
    data: String,
    function: String,
    n: u64,
    /// That the problem reads and writes.
    bytes: f64,
    /// Of a pass, s.
    seconds: f64,
}

/// The library's functions for a ladder's problem, with their times.
pub fn table(root: &Path, ladder: &str) -> Result<String> {
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_path(root.join(FILE))
        .with_context(|| format!("cannot read {FILE}"))?;
    let all: Vec<Line> = reader
        .deserialize()
        .collect::<Result<_, _>>()
        .with_context(|| format!("{FILE}: no table"))?;
    let head = ["function", "data", "n", "µs", "GB/s"].map(str::to_owned).to_vec();
    let lines = all.iter().filter(|line| line.ladder == ladder).map(|line| {
        let (microseconds, rate) = (1e6 * line.seconds, 1e-9 * line.bytes / line.seconds);
        let [function, data] = [&line.function, &line.data].map(String::clone);
        vec![function, data, line.n.to_string(), significant(microseconds), significant(rate)]
    });
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(lines).collect();
    if lines.len() == 1 {
        bail!("{FILE} has no line of the ladder `{ladder}`");
    }
    Ok(Table::lines(lines, 2).markdown())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ladder_has_its_functions() {
        let root = ladder::workspace::root().expect("the workspace");
        let scan = table(&root, "scan").expect("the committed recording");
        assert!(
            scan.contains("DeviceScan::InclusiveSum") && !scan.contains("DeviceReduce"),
            "{scan}"
        );
        let error = table(&root, "nbody").expect_err("no line");
        assert!(error.to_string().contains("no line of the ladder `nbody`"), "{error}");
    }
}
