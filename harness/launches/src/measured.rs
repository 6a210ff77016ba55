//! What a GPU showed of steps of which the time model says nothing, and of libraries that are not here: from the committed
//! reports.

use std::collections::BTreeMap;

use ladder::workspace;
use report::{Committed, MeasuredRatio, Outcome, Report, Row, format};

/// Where the reports of the GPU are that stands in, from the workspace's root: that of a ladder in a folder of its name, or
/// the first ladder's here.
const REPORTS: &str = "reports/h200";

/// Adds to rows that are not modelled, and to those whose parents are not, what was measured of them; to a library's
/// function that did not run, what a committed report has of it.
pub fn fill(report: &mut Report) {
    let n = report.rows.iter().filter_map(Row::n).max();
    for row in report.libraries.iter_mut().filter(|row| row.outcome == Outcome::Skipped) {
        row.committed = committed(&row.ladder).and_then(|committed| of_library(&committed, row, n));
    }
    let is_left_out = |row: &&Row| row.not_modelled.is_some();
    let left_out: Vec<(String, String)> = report
        .rows
        .iter()
        .filter(is_left_out)
        .map(|row| (row.ladder.clone(), row.step.clone()))
        .collect();
    if left_out.is_empty() {
        return;
    }
    let mut known: BTreeMap<String, Option<Report>> = BTreeMap::new();
    for row in report.rows.iter_mut().filter(|row| row.outcome == Outcome::Simulated) {
        let has_parent = |after: &String| left_out.contains(&(row.ladder.clone(), after.clone()));
        if row.not_modelled.is_none() && !row.after.as_ref().is_some_and(has_parent) {
            continue;
        }
        let committed = known.entry(row.ladder.clone()).or_insert_with_key(|name| committed(name));
        row.measured =
            committed.as_ref().and_then(|committed| measured(committed, &row.ladder, &row.step));
        if let Some(why) = &row.not_modelled {
            row.reason = Some(words(why, row.measured.as_ref()));
        }
    }
}

/// Why a step is not modelled, and what was measured instead.
pub fn words(why: &str, measured: Option<&MeasuredRatio>) -> String {
    let instead = measured.map_or_else(
        || "no measurement is at hand".to_owned(),
        |it| {
            let (n, ratio) = (format::grouped(it.n), format::factor(it.ratio));
            format!("measured on an {} at n = {n}: {ratio}", it.device)
        },
    );
    format!("not modelled: {why}; {instead}")
}

/// How a step compared with its parent on a GPU; `None` where no report of that is here.
pub fn of_step(ladder: &str, step: &str) -> Option<MeasuredRatio> {
    measured(&committed(ladder)?, ladder, step)
}

/// The committed report of a ladder, if it is here.
fn committed(ladder: &str) -> Option<Report> {
    let reports = workspace::root().ok()?.join(REPORTS);
    let of_ladder = [reports.join(ladder), reports]
        .into_iter()
        .filter_map(|folder| Report::read(&folder.join("report.json")).ok());
    of_ladder.into_iter().find(|report| report.rows.iter().any(|row| row.ladder == ladder))
}

/// A library's function in a committed report: at size `n` if that was timed, else at its own.
fn of_library(committed: &Report, row: &Row, n: Option<u64>) -> Option<Committed> {
    let same = |other: &&Row| other.ladder == row.ladder && other.step == row.step;
    let found = committed.libraries.iter().find(same)?;
    let timed = n.and_then(|n| found.at(n)).or(found.main())?;
    let device = found.device.clone()?;
    Some(Committed { device, n: timed.n, work: timed.work, seconds: timed.seconds })
}

fn measured(committed: &Report, ladder: &str, step: &str) -> Option<MeasuredRatio> {
    let same = |other: &&Row| other.ladder == ladder && other.step == step && other.is_own();
    let found = committed.rows.iter().find(same).filter(|it| it.outcome == Outcome::Measured)?;
    let (n, over) = found.parent()?;
    Some(MeasuredRatio { device: found.device.clone()?, n, ratio: over.ratio })
}
