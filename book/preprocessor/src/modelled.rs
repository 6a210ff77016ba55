//! A ladder as the time model has it on several GPUs: for readers whose GPU was not measured.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use ladder::{Ladder, Step, Threads};
use launches::explain::running::{self, Side};
use report::format;
use show::table::{Cell, Field, Table};
use simt::model::Gpu;

use crate::report::pages;
use crate::sides;

/// Blocks of the usual size that each multiprocessor is given: as many as hide most waits.
const BLOCKS: u64 = 4;

/// A step on each GPU: its rate, and how many times that of its parent.
struct Row {
    step: Step,
    results: Vec<(f64, Option<f64>)>,
}

/// The steps `first..last` of a ladder, without detours, on the GPUs of these names.
pub fn table(
    root: &Path,
    ladder: &'static dyn Ladder,
    range: &str,
    gpus: &[&str],
    above: &str,
) -> Result<String> {
    let (first, last) = range
        .split_once("..")
        .with_context(|| format!("`{range}` is no range of steps: write 01..10"))?;
    let mut steps = ladder.steps();
    steps.retain(|step| {
        let number = step.name.split('-').next().unwrap_or_default();
        !step.detour && (first..=last).contains(&number)
    });
    ensure!(!steps.is_empty(), "{} has no steps {range}", ladder.name());
    let gpus: Vec<Gpu> = gpus.iter().map(|name| Gpu::named(name)).collect::<Result<_, _>>()?;
    let mut rows: Vec<Row> =
        steps.iter().map(|step| Row { step: *step, results: Vec::new() }).collect();
    let mut unit = String::new();
    for gpu in &gpus {
        let size = |step: &Step| size(ladder, step, gpu);
        let sides = sides::all(root, ladder, &steps, gpu, &size)?;
        let side =
            |name: &str| sides.iter().find(|(other, _)| *other == name).map(|(_, side)| side);
        for row in &mut rows {
            let own =
                side(row.step.name).with_context(|| format!("{} was not run", row.step.name))?;
            let parent = row.step.after.and_then(side).map(rate);
            unit.clone_from(&own.figure.unit);
            row.results.push((rate(own), parent.map(|parent| rate(own) / parent)));
        }
    }
    let link = pages(above);
    let mut fields = vec![Field::text("step", |row: &Row| {
        Cell::name(row.step.title, link(ladder.name(), row.step.name))
    })];
    for (place, gpu) in gpus.iter().enumerate() {
        fields.push(Field::number(&*gpu.name, move |row: &Row| {
            let (rate, factor) = row.results[place];
            let factor = factor.map(|factor| format!(" ({})", format::factor(factor)));
            format::number(Some(rate)) + &factor.unwrap_or_default()
        }));
    }
    let mut out = format!(
        "**MODELLED**, nothing here was measured: {unit}, in brackets how many times that of the step before. Each GPU \
         has {BLOCKS} blocks for each of its multiprocessors:"
    );
    for gpu in &gpus {
        // Writing to a String cannot fail.
        let _ = write!(
            out,
            " {} {} at {} MHz,",
            gpu.name, gpu.chip.multiprocessors.value, gpu.chip.clock_mhz.value
        );
    }
    out.pop();
    Ok(format!("{out}.\n\n{}", Table::all(&rows, fields).markdown()))
}

/// A size that gives every multiprocessor as many blocks; a step of one thread takes what it can do.
fn size(ladder: &dyn Ladder, step: &Step, gpu: &Gpu) -> Result<u64> {
    if step.threads == Threads::One {
        return running::size(ladder, step, gpu);
    }
    Ok(BLOCKS * 256 * gpu.chip.multiprocessors.value as u64)
}

/// In the unit of the figure.
fn rate(side: &Side) -> f64 {
    side.figure.rate(side.work / side.facts.model.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladders::LADDERS;

    #[test]
    fn every_gpu_has_a_column_and_every_step_a_row() {
        let root = ladder::workspace::root().expect("the workspace");
        let text = table(&root, LADDERS[0], "05..06", &["mx450", "gtx-1650-laptop"], "../")
            .expect("a table");
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| [")).collect();
        assert_eq!(rows.len(), 2, "{text}");
        // The parent of the first is in no row.
        assert!(!rows[0].contains('×') && rows[1].matches("×)").count() == 2, "{text}");
        assert!(text.starts_with("**MODELLED**"), "{text}");
        assert!(table(&root, LADDERS[0], "05", &["mx450"], "").is_err());
        assert!(table(&root, LADDERS[0], "90..91", &["mx450"], "").is_err());
        assert!(table(&root, LADDERS[0], "05..06", &["none"], "").is_err());
    }
}
