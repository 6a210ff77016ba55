//! A comparison as text for a terminal, as Markdown, as CSV and as JSON.

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use report::LEAST_EFFECT_OF_FEW;
use report::statistics::Verdict;

use super::{Comparison, Left, Line, Run};
use crate::export::defines;
use crate::table::layout::{self, Layout, wrap};
use crate::table::{figures, markdown_line};

const HEAD: [&str; 7] = ["step", "n", "A", "B", "B × A", "interval", "verdict"];

/// Where the terminal is narrow the interval is left out.
const LAYOUT: Layout = Layout { gives_way: 5, narrowest: 11, figures: 1 };

/// For a terminal of `width` columns.
pub fn terminal(comparison: &Comparison, width: usize) -> String {
    let yellow = AnsiColor::Yellow.on_default();
    let bold = Style::new().bold();
    let mut text = String::new();
    let mut say = |line: String| text += &format!("{}\n", wrap(&line, width));
    for (name, run) in [("A", &comparison.a), ("B", &comparison.b)] {
        say(format!("{bold}{name}{bold:#}  {}", facts(run)));
    }
    for warning in &comparison.warnings {
        say(format!("{yellow}warning{yellow:#}: {warning}"));
    }
    say(String::new());
    if !comparison.rows.is_empty() {
        let mut lines = vec![HEAD.map(|head| format!("{bold}{head}{bold:#}")).to_vec()];
        lines.extend(comparison.rows.iter().map(|line| cells(line, true).to_vec()));
        text += &layout::text(&LAYOUT.table(lines, width));
        text += "\n";
    }
    let mut say = |line: String| text += &format!("{}\n", wrap(&line, width));
    for left in &comparison.left {
        let red = AnsiColor::Red.on_default().bold();
        let paint = if left.regression { red } else { Style::new() };
        say(format!("{paint}{}{paint:#}: {}", place(left), left.why));
    }
    if !comparison.left.is_empty() {
        say(String::new());
    }
    for note in notes(comparison) {
        say(note);
    }
    say(format!("{bold}{}{bold:#}", result(comparison)));
    text
}

/// For a page.
pub fn markdown(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (name, run) in [("A", &comparison.a), ("B", &comparison.b)] {
        text += &format!("- **{name}** {}\n", facts(run));
    }
    for warning in &comparison.warnings {
        text += &format!("- warning: {warning}\n");
    }
    if !comparison.rows.is_empty() {
        text += "\n";
        text += &markdown_line(&HEAD.map(str::to_owned));
        text += "|:--|--:|--:|--:|--:|--:|:--|\n";
        for line in &comparison.rows {
            text += &markdown_line(&cells(line, false));
        }
    }
    text += "\n";
    for left in &comparison.left {
        text += &format!("- {}: {}\n", place(left), left.why.replace('\n', " "));
    }
    if !comparison.left.is_empty() {
        text += "\n";
    }
    for note in notes(comparison) {
        text += &format!("{note}\n");
    }
    text + &format!("\n**{}**\n", result(comparison))
}

/// One line for each step and size, in full precision; what could not be compared has no times.
pub fn csv(comparison: &Comparison) -> Result<String> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record([
        "ladder",
        "step",
        "block",
        "n",
        "modelled",
        "a_seconds",
        "b_seconds",
        "ratio",
        "ratio_low",
        "ratio_high",
        "verdict",
        "why_not",
        "defines",
    ])?;
    let number = |value: f64| value.to_string();
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    for line in &comparison.rows {
        csv.write_record([
            line.ladder.clone(),
            line.step.clone(),
            or_empty(line.variant.block.map(|block| block.to_string())),
            line.n.to_string(),
            line.modelled.to_string(),
            number(line.a_seconds),
            number(line.b_seconds),
            number(line.ratio),
            or_empty(line.interval.map(|interval| number(interval.low))),
            or_empty(line.interval.map(|interval| number(interval.high))),
            line.verdict.words().to_owned(),
            String::new(),
            defines(&line.variant.defines),
        ])?;
    }
    for left in &comparison.left {
        let mut record = vec![String::new(); 13];
        record[0] = left.ladder.clone();
        record[1] = left.step.clone();
        record[2] = or_empty(left.variant.block.map(|block| block.to_string()));
        record[3] = or_empty(left.n.map(|n| n.to_string()));
        record[11] = left.why.clone();
        record[12] = defines(&left.variant.defines);
        csv.write_record(record)?;
    }
    let text = csv.into_inner().context("cannot write CSV")?;
    String::from_utf8(text).context("cannot write CSV")
}

/// All of it as data.
pub fn json(comparison: &Comparison) -> Result<String> {
    Ok(serde_json::to_string_pretty(comparison)? + "\n")
}

/// Where and when a report was made, in a line.
fn facts(run: &Run) -> String {
    let device = match (&run.modelled, &run.device) {
        (Some(gpu), _) => Some(format!("{gpu} (modelled)")),
        (None, device) => device.clone(),
    };
    let driver = run.driver.as_ref().map(|driver| format!("driver {driver}"));
    let revision = run.revision.as_ref().map(|revision| format!("revision {revision}"));
    let known = [device, driver, run.cpu.clone(), Some(run.date.clone()), revision];
    let known: Vec<String> = known.into_iter().flatten().collect();
    format!("{}: {}", run.name, known.join(", "))
}

fn place(left: &Left) -> String {
    let name = format!("{}{}", left.step, left.variant.behind());
    left.n.map_or_else(|| name.clone(), |n| format!("{name} at n = {n}"))
}

fn cells(line: &Line, coloured: bool) -> [String; 7] {
    let paint = match line.verdict {
        _ if !coloured => Style::new(),
        Verdict::Faster => AnsiColor::Green.on_default(),
        Verdict::NoDifference => Style::new(),
        Verdict::Slower => AnsiColor::Red.on_default().bold(),
    };
    [
        format!("{}{}", line.step, line.variant.behind()),
        line.n.to_string(),
        figures::time(Some(line.a_seconds)),
        figures::time(Some(line.b_seconds)),
        figures::near_one(line.ratio),
        figures::interval(line.interval),
        format!("{paint}{}{paint:#}", line.verdict.words()),
    ]
}

/// What the figures mean.
fn notes(comparison: &Comparison) -> Vec<String> {
    let effect = figures::percent(comparison.effect);
    let mut notes = Vec::new();
    if comparison.rows.is_empty() {
        return notes;
    }
    notes.push(format!(
        "B × A: how many times A's speed B is, by the time of a force evaluation; less than \
         {effect} does not count."
    ));
    let measured = || comparison.rows.iter().filter(|line| !line.modelled);
    let sure = measured().filter(|line| line.interval.is_some()).count();
    let modelled = comparison.rows.len() - measured().count();
    if sure > 0 {
        notes.push(format!(
            "All {sure} intervals hold at once with {} (Bonferroni).",
            figures::percent(comparison.confidence)
        ));
    }
    if measured().count() > sure {
        let few = figures::percent(comparison.effect.max(LEAST_EFFECT_OF_FEW));
        notes.push(format!(
            "–: too few samples for an interval; there less than {few} does not count."
        ));
    }
    if modelled > 0 {
        let equal = |line: &&Line| line.modelled && line.a_seconds == line.b_seconds;
        let equal = comparison.rows.iter().filter(equal).count();
        notes.push(format!(
            "{modelled} times are modelled, no measurements: they have no interval; {equal} of them \
             are exactly equal."
        ));
    }
    notes
}

/// What it comes to.
fn result(comparison: &Comparison) -> String {
    let count = |verdict| comparison.count(verdict);
    let counts = format!(
        "{} faster, {} no difference, {} slower",
        count(Verdict::Faster),
        count(Verdict::NoDifference),
        count(Verdict::Slower)
    );
    let lost = comparison.left.iter().filter(|left| left.regression).count();
    let lost = match lost {
        0 => String::new(),
        1 => ", 1 step wrong or failed".to_owned(),
        more => format!(", {more} steps wrong or failed"),
    };
    let verdict = if comparison.regression { "REGRESSION in B" } else { "No regression in B" };
    format!("{verdict}: {counts}{lost}.")
}
