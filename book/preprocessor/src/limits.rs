//! Draws how near steps come to what a chip could do, from reports and counts of the simulator.

use std::path::Path;

use ::report::{Outcome, Report, Row};
use anyhow::{Context, Result, ensure};
use ladder::{Ladder, Step, residency};
use launches::accounting::{self, Timed, slide};
use launches::explain::running::{self, Task};
use show::table::Table;
use show::{heuristics, tuning};
use simt::model::Gpu;

use crate::report;

/// The limits of a report's rows.
pub fn table(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = report::read(root, machine)?;
    let note = show::limits::note(&report)
        .with_context(|| format!("reports/{machine} has no limits: it predates them; run again"))?;
    let table = show::limits::markdown(&report, &report::pages(above));
    Ok(format!("{}\n\n{table}\n{note}\n", report::caption(&report)))
}

/// The account of a step on a GPU: with the time of the report that has the GPU's name, where there is one, or with what
/// the tutorial published.
pub fn accounting(
    root: &Path,
    gpu: &str,
    ladder: &'static dyn Ladder,
    step: &Step,
) -> Result<String> {
    let kernels = &root.join("kernels").join(ladder.name());
    let gpu_report = root.join(format!("reports/{gpu}/report.json")).is_file();
    let described = &Gpu::named(gpu)?;
    let size = running::size(ladder, step, described)?;
    let side = running::run(&Task {
        ladder,
        step,
        file: None,
        kernels,
        size,
        gpu: described,
        timeline: false,
        whole: false,
    })?;
    let account = side.accounting.zip(side.figure.flop);
    let (mut account, flop) =
        account.with_context(|| format!("nobody counts the operations of {}", ladder.name()))?;
    if slide::is_of(&account) {
        account.timed = slide::accounting().timed;
    } else if gpu_report
        && let Some(timed) = measured(&report::read(root, gpu)?, ladder, step, flop)
    {
        account.timed = timed;
    }
    let title = format!(
        "{} on {}, clocks of an FP32 lane for one {}:",
        step.name,
        account.gpu,
        show::words::unit(&side.figure)
    );
    Ok(format!("{title}\n\n{}", accounting::markdown(&account)))
}

/// The measured time of a step in a report, of which a unit of work counts as `flop` operations.
fn measured(report: &Report, ladder: &dyn Ladder, step: &Step, flop: f64) -> Option<Timed> {
    let own = |row: &&Row| row.ladder == ladder.name() && row.step == step.name;
    let row = report.rows.iter().filter(|row| row.outcome == Outcome::Measured).find(own)?;
    let timed = row.main()?;
    Some(Timed::new("measured", flop * timed.work, timed.seconds))
}

/// How many blocks a multiprocessor holds of each step of a report: predicted, by the driver, and seen.
pub fn residency(root: &Path, machine: &str) -> Result<String> {
    let report = report::read(root, machine)?;
    let extra = |row: &Row, name: &str| {
        let found = row.extras.iter().find(|extra| extra.name == name);
        found.map_or_else(|| "–".to_owned(), |extra| extra.value.to_string())
    };
    let mut lines = vec![
        ["step", "threads of a block", "predicted", "limit", "by the driver", "seen"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for row in &report.rows {
        let Some(it) = &row.occupancy else { continue };
        lines.push(vec![
            row.title.clone(),
            it.block.to_string(),
            it.blocks.to_string(),
            it.limit.clone(),
            extra(row, residency::BY_THE_DRIVER),
            extra(row, residency::SEEN),
        ]);
    }
    ensure!(lines.len() > 1, "reports/{machine} does not say which blocks are resident");
    Ok(format!("{}\n\n{}\n", report::caption(&report), Table::lines(lines, 1).markdown()))
}

/// Which rules for block sizes held in a report's sweep.
pub fn blocks(root: &Path, machine: &str) -> Result<String> {
    let report = report::read(root, machine)?;
    let tables = heuristics::markdown(&report);
    ensure!(!tables.is_empty(), "reports/{machine}/report.json has no sweep over block sizes");
    Ok(format!("{}\n\n{tables}", report::caption(&report)))
}

/// The variants of steps in a report's sweep.
pub fn tuning(root: &Path, machine: &str) -> Result<String> {
    let report = report::read(root, machine)?;
    let tables = tuning::markdown(&report);
    ensure!(!tables.is_empty(), "reports/{machine}/report.json has no sweep over variants");
    Ok(format!("{}\n\n{tables}", report::caption(&report)))
}

#[cfg(test)]
mod tests {
    use ladders::LADDERS;

    use super::*;

    /// The workspace, with its committed reports.
    fn root() -> std::path::PathBuf {
        ladder::workspace::root().expect("the workspace")
    }

    #[test]
    fn every_measured_step_has_its_limits() {
        let text = table(&root(), "h200", "").expect("a table");
        let report = report::read(&root(), "h200").expect("a report");
        let own = |row: &&Row| row.ladder == LADDERS[0].name() && row.outcome == Outcome::Measured;
        let measured: Vec<&Row> = report.rows.iter().filter(own).collect();
        assert!(measured.len() > 20, "{}", measured.len());
        for row in measured {
            let line = text.lines().find(|line| line.contains(&format!("[{}]", row.step)));
            let line = line.unwrap_or_else(|| panic!("{}: {text}", row.step));
            let limit = line.split('|').nth(2).unwrap_or_default();
            assert!(limit.trim().ends_with(" %"), "{line}");
        }
        assert!(text.contains("**MEASURED**") && text.contains("LIMITS:"), "{text}");
    }

    #[test]
    fn an_account_has_the_time_of_its_machine() {
        let ladder = LADDERS[0];
        let of = |gpu: &str, step: &str| {
            accounting(&root(), gpu, ladder, &ladder.step(step).expect("a step"))
                .expect("an account")
        };
        assert!(of("h200", "10-fast-math").contains("| **measured** |"));
        assert!(of("tesla-c2050", "07-unroll").contains("| **published** |"));
        assert!(of("v100", "08-no-if").contains("| **modelled** |"));
    }

    #[test]
    fn a_report_without_a_sweep_says_so() {
        let message = blocks(&root(), "h200").expect_err("no sweep").to_string();
        assert!(message.contains("no sweep over block sizes"), "{message}");
        let message = tuning(&root(), "h200").expect_err("no sweep").to_string();
        assert!(message.contains("no sweep over variants"), "{message}");
    }
}
