//! Draws what several committed reports of one device say together.

use std::path::Path;

use ::report::Report;
use ::report::crossing::Crossing;
use ::report::tradeoff::Tradeoff;
use anyhow::{Result, anyhow};

use crate::report;

/// Time against error of all reports in folders of `reports/FOLDER`, next to those of `others`: picture and table.
pub fn tradeoff(root: &Path, folder: &str, others: &[&str], above: &str) -> Result<String> {
    let reports = Report::read_below(&root.join("reports").join(folder))?;
    let others = read(root, others)?;
    let found =
        Tradeoff::of(&reports, &others, None).map_err(|problem| anyhow!("{folder}: {problem}"))?;
    let figure = report::figure(&pictures::tradeoff(&found, &reports[0]));
    let table = show::tradeoff::tradeoff(&found, &report::pages(above)).markdown();
    Ok(format!("{figure}\n\n{}\n\n{table}", report::caption(&reports[0])))
}

/// The steps of several reports by size, held against the first: picture and table.
pub fn crossing(root: &Path, machines: &[&str]) -> Result<String> {
    let reports = read(root, machines)?;
    let found =
        Crossing::of(&reports).map_err(|problem| anyhow!("{}: {problem}", machines.join(" ")))?;
    let figure = report::figure(&pictures::crossing(&found, &reports[0]));
    let table = show::tradeoff::crossing(&found).markdown();
    Ok(format!("{figure}\n\n{}\n\n{table}", report::caption(&reports[0])))
}

fn read(root: &Path, machines: &[&str]) -> Result<Vec<Report>> {
    machines.iter().map(|machine| report::read(root, machine)).collect()
}
