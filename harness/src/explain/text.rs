//! A comparison, to read: sources, events, bounds, the verdict.

use super::bounds;
use super::code;
use super::compare::{Change, Row, UNITS};
use super::instructions;
use super::metrics::{Kind, Metric};
use super::paint::{amount, bold, percent, ratio, section};
use super::resident;
use super::running::Side;
use crate::accounting;
use report::format;
use show::table::Table;
use show::table::terminal::wrap;

/// What was compared, and all that is shown of it.
pub struct Comparison<'c> {
    /// The step that is compared with.
    pub before: &'c Side,
    /// The step that is explained.
    pub after: &'c Side,
    /// The figures, what changed most first.
    pub rows: &'c [Row],
    /// What it comes to.
    pub verdict: &'c str,
    /// Hazards of a reader's kernel.
    pub hazards: &'c [String],
    /// Whether the PTX is compared too.
    pub ptx: bool,
    /// Whether the machine code is.
    pub sass: bool,
    /// The GPU that was modelled.
    pub gpu: &'c simt::model::Gpu,
}

/// The comparison in lines of at most `width` columns where that can be.
pub fn text(comparison: &Comparison, width: usize) -> String {
    let Comparison { before, after, .. } = comparison;
    let figure = &after.figure;
    let mut text = wrap(
        &format!("{} against {}: {}", bold(&after.name), bold(&before.name), after.changes),
        width,
    );
    text += "\n";
    text += &section("Source");
    text += &code::sources(before, after);
    if comparison.ptx {
        text += &instructions::ptx(before, after, width);
    }
    if comparison.sass {
        text += &instructions::sass(before, after, comparison.gpu, width);
    }
    text += &section(&format!("Events of a {}, for each {UNITS} {}", figure.pass, figure.work));
    text += &wrap(&conditions(before, after), width);
    text += "\n\n";
    text += &events(comparison, width);
    text += &section(&format!("Time modelled for {}", after.facts.model.gpu));
    text += &bounds::table(
        &[(&before.facts.model, &before.name), (&after.facts.model, &after.name)],
        width,
    );
    if before.size != after.size {
        let each = |side: &Side| format::time(Some(side.facts.model.seconds / side.work));
        let work = &figure.work;
        text += &format!("that is, for each of the {work}: {} and {}\n", each(before), each(after));
    }
    for side in [before, after] {
        text += &resident::launches(side, width);
    }
    text += "\n";
    text += &resident::table(&[(&before.facts, &before.name), (&after.facts, &after.name)], width);
    if let Some(accounting) = &after.accounting {
        let of = format!("One of the {} of {}, in clocks of an FP32 lane", figure.work, after.name);
        text += &section(&of);
        text += &accounting::text::text(accounting, width);
    }
    for hazard in comparison.hazards {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        text += &format!("\n{red}hazard:{red:#} {}\n", wrap(hazard, width));
    }
    text += &section("Verdict");
    text += &bold(&wrap(comparison.verdict, width));
    text + "\n"
}

/// What was run.
fn conditions(before: &Side, after: &Side) -> String {
    let sampled = |side: &Side| {
        let blocks: u64 = side.facts.grid.iter().map(|&blocks| u64::from(blocks)).product();
        let run = side.facts.blocks_run;
        match run < blocks {
            true => format!("; {run} of {blocks} blocks were run, those of one SM"),
            false => String::new(),
        }
    };
    if before.size == after.size {
        return format!("n = {}{}.", after.size, sampled(after));
    }
    format!(
        "{}: n = {}{}. {}: n = {}{}.",
        before.name,
        before.size,
        sampled(before),
        after.name,
        after.size,
        sampled(after)
    )
}

/// The figures side by side.
fn events(comparison: &Comparison, width: usize) -> String {
    let (before, after) = (comparison.before, comparison.after);
    let mut rows = vec![["", &before.name, &after.name, "change"].map(str::to_owned).to_vec()];
    rows.extend(comparison.rows.iter().map(|row| {
        let value = |value| figure(row.metric, value);
        vec![row.metric.name.to_owned(), value(row.before), value(row.after), changed(row.change)]
    }));
    Table::lines(rows, 1).terminal(width)
}

/// A value of a figure, as tables show it.
pub fn figure(metric: &Metric, value: Option<f64>) -> String {
    match metric.kind {
        Kind::Amount(_) => value.map_or_else(String::new, amount),
        Kind::Each(..) => ratio(value),
        Kind::Percent(..) => value.map_or_else(String::new, |_| format!("{} %", percent(value))),
    }
}

/// A change in a few characters.
pub fn changed(change: Change) -> String {
    match change {
        Change::Same => "=".to_owned(),
        Change::New => "new".to_owned(),
        Change::Gone => "gone".to_owned(),
        Change::Points(points) => format!("{points:+.1} points"),
        Change::Factor(factor) if factor <= 0.5 => {
            format!("{}× fewer", format::significant(1.0 / factor))
        }
        Change::Factor(factor) if factor >= 2.0 => {
            format!("{}× more", format::significant(factor))
        }
        Change::Factor(factor) => format!("{:+.0} %", 100.0 * (factor - 1.0)),
    }
}
