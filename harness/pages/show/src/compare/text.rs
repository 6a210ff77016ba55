//! A comparison as text for a terminal, as Markdown, as CSV and as JSON.

use report::format;
use report::statistics::{Interval, Verdict};
use report::{LEAST_EFFECT_OF_FEW, Outcome};

use super::{Comparison, Left, Line, Run, Subject};
use crate::export::defines;
use crate::table::terminal::{bold, wrap};
use crate::table::{Cell, Field, Table, Tone, escaped};

/// What both reports have. Where a terminal is narrow, intervals are left out.
fn table(comparison: &Comparison) -> Table {
    let fields = vec![
        Field::text("step", |line: &Line| line.subject.name()),
        Field::number("n", |line: &Line| line.n.to_string()),
        Field::number("A", |line: &Line| format::time(Some(line.a_seconds))),
        Field::number("B", |line: &Line| format::time(Some(line.b_seconds))),
        Field::number("B × A", |line: &Line| format::near_one(line.ratio)),
        Field::number("interval", |line: &Line| format::interval(line.interval)).rank(1),
        Field::text("verdict", |line: &Line| match line.modelled {
            true => Cell::from("modelled"),
            false => line.verdict.into(),
        }),
    ];
    Table::of(&comparison.rows, fields)
}

/// For a terminal of `width` columns.
pub fn terminal(comparison: &Comparison, width: usize) -> String {
    let yellow = Tone::Doubtful.colour();
    let mut lines: Vec<String> =
        runs(comparison).map(|(name, run)| format!("{}  {}", bold(name), facts(run))).collect();
    let warning = |warning: &String| format!("{yellow}warning{yellow:#}: {warning}");
    lines.extend(comparison.warnings.iter().map(warning));
    let mut text = wrapped(&lines, width) + "\n";
    if !comparison.rows.is_empty() {
        text += &format!("{}\n", table(comparison).terminal(width));
    }
    let left = comparison.left.iter().map(|left| {
        let tone = if left.regression { Tone::Outcome(Outcome::Wrong) } else { Tone::Plain };
        let paint = tone.colour();
        format!("{paint}{}{paint:#}: {}", place(left), left.why)
    });
    text += &wrapped(&left.collect::<Vec<_>>(), width);
    if !comparison.left.is_empty() {
        text += "\n";
    }
    text += &wrapped(&notes(comparison), width);
    text + &wrapped(&[bold(&result(comparison))], width)
}

/// How fast B is now, `before` being the name of A: a line for each step, for a terminal of `width` columns.
pub fn since(comparison: &Comparison, before: &str, width: usize) -> String {
    let measured = |line: &Line| !line.modelled;
    let fields = vec![
        Field::text("step", |line: &Line| line.subject.name()),
        Field::number("n", |line: &Line| line.n.to_string()),
        Field::number("before", |line: &Line| format::time(Some(line.a_seconds))).rank(1),
        Field::number("now", |line: &Line| format::time(Some(line.b_seconds))).rank(1),
        Field::number("× before", |line: &Line| format::near_one(line.ratio)),
        Field::text("interval", |line: &Line| match line.modelled {
            true => "modelled".to_owned(),
            false => format::interval(line.interval),
        }),
        Field::text("", move |line: &Line| if measured(line) { line.verdict.words() } else { "" }),
    ];
    let table = Table::of(&comparison.rows, fields).terminal(width);
    format!("\n{}\n{table}", wrap(&format!("{} {before}", bold("Since")), width))
}

/// For a page.
pub fn markdown(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (name, run) in runs(comparison) {
        text += &format!("- **{name}** {}\n", escaped(&facts(run)));
    }
    for warning in &comparison.warnings {
        text += &format!("- warning: {}\n", escaped(warning));
    }
    if !comparison.rows.is_empty() {
        text += &format!("\n{}", table(comparison).markdown());
    }
    text += "\n";
    for left in &comparison.left {
        let left = format!("{}: {}", place(left), left.why.replace('\n', " "));
        text += &format!("- {}\n", escaped(&left));
    }
    if !comparison.left.is_empty() {
        text += "\n";
    }
    for note in notes(comparison) {
        text += &format!("{note}\n");
    }
    text + &format!("\n**{}**\n", result(comparison))
}

fn runs(comparison: &Comparison) -> impl Iterator<Item = (&'static str, &Run)> {
    [("A", &comparison.a), ("B", &comparison.b)].into_iter()
}

fn wrapped(lines: &[String], width: usize) -> String {
    lines.iter().map(|line| format!("{}\n", wrap(line, width))).collect()
}

/// One line for each step and size, in full precision; what could not be compared has no times.
pub fn csv(comparison: &Comparison) -> String {
    let heads = "ladder step block n modelled a_seconds b_seconds ratio ratio_low ratio_high verdict \
                 why_not defines";
    let line = |of: &Subject, n: Option<u64>, found: [String; 8]| {
        let (block, n) = (of.variant.block.map(u64::from), n);
        let key = [of.ladder.clone(), of.step.clone()];
        let numbers = [block, n].map(|it| it.map_or_else(String::new, |it| it.to_string()));
        let last = [defines(&of.variant.defines)];
        key.into_iter().chain(numbers).chain(found).chain(last).collect()
    };
    let both = comparison.rows.iter().map(|it| {
        let end = |end: fn(Interval) -> f64| it.interval.map(end);
        let [low, high] = [end(|it| it.low), end(|it| it.high)]
            .map(|it| it.map_or_else(String::new, |it| it.to_string()));
        let [a, b, ratio] = [it.a_seconds, it.b_seconds, it.ratio].map(|it| it.to_string());
        let (modelled, verdict) = (it.modelled.to_string(), it.verdict.words().to_owned());
        let found = [modelled, a, b, ratio, low, high, verdict, String::new()];
        line(&it.subject, Some(it.n), found)
    });
    let left = comparison.left.iter().map(|it| {
        let mut found = [const { String::new() }; 8];
        found[7] = it.why.clone();
        line(&it.subject, it.n, found)
    });
    let heads: Vec<String> = heads.split(' ').map(str::to_owned).collect();
    Table::lines([heads].into_iter().chain(both).chain(left).collect(), 0).csv()
}

/// All of it as data.
pub fn json(comparison: &Comparison) -> String {
    // Names and finite numbers are JSON.
    serde_json::to_string_pretty(comparison).unwrap_or_default() + "\n"
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
    let name = left.subject.name();
    left.n.map_or_else(|| name.clone(), |n| format!("{name} at n = {n}"))
}

/// What the figures mean.
fn notes(comparison: &Comparison) -> Vec<String> {
    let effect = format::percent(comparison.effect);
    let mut notes = Vec::new();
    if comparison.rows.is_empty() {
        return notes;
    }
    notes.push(format!(
        "B × A: how many times A's speed B is, by the time of one pass; less than {effect} \
         does not count."
    ));
    let measured = || comparison.rows.iter().filter(|line| !line.modelled);
    let sure = measured().filter(|line| line.interval.is_some()).count();
    let modelled = comparison.rows.len() - measured().count();
    if sure > 0 {
        notes.push(format!(
            "All {sure} intervals hold at once with {} (Bonferroni).",
            format::percent(comparison.confidence)
        ));
    }
    if measured().count() > sure {
        let few = format::percent(comparison.effect.max(LEAST_EFFECT_OF_FEW));
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
    let count = |modelled, verdict| {
        let of = |line: &&Line| line.modelled == modelled && line.verdict == verdict;
        comparison.rows.iter().filter(of).count()
    };
    let [up, equal, down] = [Verdict::Faster, Verdict::NoDifference, Verdict::Slower];
    let of = |modelled| [up, equal, down].map(|verdict| count(modelled, verdict));
    let effect = format::percent(comparison.effect);
    let has = |modelled| comparison.rows.iter().any(|line| line.modelled == modelled);
    let measured = (has(false) || !has(true)).then(|| {
        let [faster, equal, slower] = of(false);
        format!("{faster} faster, {equal} no difference, {slower} slower")
    });
    // A model's ratio has no error: it is above, within or below.
    let modelled = has(true).then(|| {
        let [above, within, below] = of(true);
        format!("modelled: {above} above 1× by {effect}, {within} within, {below} below")
    });
    let counts: Vec<String> = measured.into_iter().chain(modelled).collect();
    let counts = counts.join(", ");
    let lost = comparison.left.iter().filter(|left| left.regression).count();
    let lost = match lost {
        0 => String::new(),
        1 => ", 1 step wrong or failed".to_owned(),
        more => format!(", {more} steps wrong or failed"),
    };
    let verdict = if comparison.regression { "REGRESSION in B" } else { "No regression in B" };
    format!("{verdict}: {counts}{lost}.")
}
