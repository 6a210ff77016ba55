//! A comparison, to read: the verdict, sources, events, bounds.

use report::format;
use serde::Serialize;
use show::table::terminal::{bold, wrap};
use show::table::{Field, Table};
use ui::output::{hazard, section};

use super::code;
use super::compare::{Change, Row, UNITS, compare};
use super::metrics::{Kind, Metric};
use super::pass::Passes;
use super::running::Side;
use super::verdict::{Known, because, verdict};
use crate::accounting;
use crate::facts::{bounds, resident};
use crate::format::{amount, percent, ratio, shape};

/// Changed events that are shown where there is little room.
const MOST_CHANGES: usize = 6;

/// What was compared and what it comes to, as `--format json` writes it.
#[derive(Serialize)]
pub struct Comparison<'s> {
    before: &'s Side,
    after: &'s Side,
    /// Units of work of which the rows give the events.
    units: f64,
    /// What changed most first.
    #[serde(rename = "changes")]
    rows: Vec<Row>,
    /// The times of passes at the size of a run; none where a size was asked for.
    passes: Option<&'s Passes>,
    /// Hazards of a reader's kernel.
    hazards: &'s [String],
    verdict: String,
}

impl<'s> Comparison<'s> {
    /// Compares a step with the one before it. `passes` are the times at the size of a run, none where a size was asked for;
    /// `hazards` are those of a reader's kernel.
    pub fn new(
        (before, after): (&'s Side, &'s Side),
        passes: Option<&'s Passes>,
        hazards: &'s [String],
    ) -> Comparison<'s> {
        let rows = compare(before, after);
        let known = passes.map_or(Known::Watched, Passes::known);
        let verdict = verdict(before, after, known, &rows);
        Comparison { before, after, units: UNITS, rows, passes, hazards, verdict }
    }

    /// The comparison in lines of at most `width` columns where that can be; `instructions` is what is shown of PTX and machine
    /// code.
    pub fn text(&self, instructions: &str, width: usize) -> String {
        let Comparison { before, after, .. } = self;
        let (old, new, figure) = (&before.name, &after.name, &after.figure);
        let title = format!("{} against {}: {}", bold(new), bold(old), after.changes);
        let mut text = wrap(&title, width);
        text += "\n\n";
        text += &bold(&wrap(&self.verdict, width));
        text += "\n";
        text += &section("Source");
        text += &code::sources(before, after);
        text += instructions;
        text += &section(&format!("Events of a {}, for each {UNITS} {}", figure.pass, figure.work));
        text += &wrap(&conditions(before, after), width);
        text += "\n\n";
        text += &self.events("", &self.rows).terminal(width);
        text += &section(&format!("Time modelled for {}", after.facts.model.gpu));
        if let Some(passes) = self.passes {
            text += &wrap(&passes.line(old, new), width);
            text += "\n";
            text += &format!("Of the pass at n = {} above:\n", format::grouped(after.size));
        }
        text += &bounds::table(&[(&before.facts.model, old), (&after.facts.model, new)], width);
        if before.size != after.size {
            let each = |side: &Side| format::time(Some(side.facts.model.seconds / side.work));
            let (work, before, after) = (&figure.work, each(before), each(after));
            text += &format!("that is, for each of the {work}: {before} and {after}\n");
        }
        text += &launches(before, width);
        text += &launches(after, width);
        text += "\n";
        text += &resident::table(&[(&before.facts, old), (&after.facts, new)], width);
        if let Some(account) = &after.accounting {
            let title = format!("One of the {} of {new}, in clocks of an FP32 lane", figure.work);
            text += &section(&title);
            text += &accounting::terminal(account, width);
        }
        for message in self.hazards {
            text += &format!("\n{}", hazard(message, width));
        }
        text
    }

    /// How many times as fast a pass is at a size, and what changed most: for a reader who edits the kernel and asks again.
    pub fn brief(&self, (n, times): (u64, f64), width: usize) -> String {
        let Comparison { before, after, .. } = self;
        let times = bold(&format::factor(times));
        let (gpu, n) = (&after.facts.model.gpu, format::grouped(n));
        let text = format!("{times} against {} (modelled for {gpu} at n = {n})", before.name);
        let changed = self.rows.iter().filter(|row| row.change != Change::Same);
        let rows: Vec<Row> = changed.take(MOST_CHANGES).copied().collect();
        if rows.is_empty() {
            return wrap(&format!("{text}; no event changed"), width) + "\n";
        }
        let what = format!("for each {UNITS} {}", after.figure.work);
        let why = because(before, after)
            .map_or_else(String::new, |why| wrap(&format!("Because {why}."), width) + "\n");
        wrap(&text, width) + "\n" + &self.events(&what, &rows).terminal(width) + "\n" + &why
    }

    /// The figures side by side.
    fn events(&self, what: &str, rows: &[Row]) -> Table {
        let fields = vec![
            Field::text(what, |row: &Row| row.metric.name),
            Field::number(&self.before.name, |row: &Row| figure(row.metric, row.before)),
            Field::number(&self.after.name, |row: &Row| figure(row.metric, row.after)),
            Field::number("change", |row: &Row| changed(row.change)),
        ];
        Table::all(rows, fields)
    }
}

/// What was run.
fn conditions(before: &Side, after: &Side) -> String {
    let of = |side: &Side| {
        let blocks: u64 = side.facts.grid.iter().map(|&blocks| u64::from(blocks)).product();
        let run = side.facts.blocks_run;
        let sampled = match run < blocks {
            true => format!("; {run} of {blocks} blocks were run, as many as one SM has"),
            false => String::new(),
        };
        format!("n = {}{sampled}.", side.size)
    };
    match before.size == after.size {
        true => of(after),
        false => format!("{}: {} {}: {}", before.name, of(before), after.name, of(after)),
    }
}

/// The launches of a pass, where there are several, each in a line.
fn launches(side: &Side, width: usize) -> String {
    let launches = &side.facts.launches;
    if launches.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{} launches of {}, one after another:\n", launches.len(), side.name);
    for launch in launches {
        let line = format!(
            "{}: {} × {} threads, {}, limited by {}",
            launch.kernel,
            shape(launch.grid),
            shape(launch.block),
            format::time(Some(launch.seconds)),
            launch.binding.unwrap_or("nothing")
        );
        text += &format!("  {}\n", wrap(&line, width.saturating_sub(2)));
    }
    text
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
