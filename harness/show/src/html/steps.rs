//! The steps: what became of each, and how they compare.

use report::{Outcome, Report, Row};
use report::statistics::{Interval, Verdict};
use maud::{Markup, html};

use super::figures::{self, NONE};
use super::table::{number, scrolled};
use crate::plot::numbers;
use crate::table::figures as plain;

/// The table of all steps.
pub fn table(report: &Report) -> Markup {
    let heads = [
        "step",
        "outcome",
        "bodies n",
        "force evaluation",
        "time step",
        "10⁹/s",
        "×\u{a0}parent",
        "verdict",
        "×\u{a0}first",
        "error (rms)",
    ];
    let caption = "Median times of one force evaluation and of one whole time step, with their 95 % intervals; 10⁹ \
                   interactions per second; × parent: the speed over that of the step it comes from, both at the same \
                   n, with its 95 % interval.";
    let lines = html! {
        tbody {
            @for (at, row) in report.rows.iter().enumerate() {
                tr.detour[row.detour] {
                    (name(row, Some(at)))
                    td class=(row.outcome.word()) { (row.outcome.word()) }
                    (number(row.n().map(numbers::count)))
                    @if let Some(timed) = row.main().filter(|_| row.outcome.is_verified()) {
                        (time(timed.seconds, timed.interval))
                        (time(timed.step_seconds, timed.step_interval))
                        (number(Some(numbers::quantity(timed.interactions_per_second() / 1e9))))
                        (parent(row))
                        (number(row.times_first.map(numbers::factor)))
                    } @else {
                        @for _ in 0..6 { (number(None)) }
                    }
                    (number(row.accuracy().and_then(|it| it.rms).map(|rms| plain::error(Some(rms)))))
                }
            }
        }
    };
    scrolled("Steps", caption, &heads, lines)
}

/// A time and its interval.
fn time(seconds: f64, interval: Option<Interval>) -> Markup {
    html! {
        td {
            (plain::time(Some(seconds)))
            @if interval.is_some() { small { (figures::around(seconds, interval)) } }
        }
    }
}

/// A step's name as the head of its line; linked to what else is known of it.
pub fn name(row: &Row, at: Option<usize>) -> Markup {
    html! {
        th scope="row" {
            @match at {
                Some(at) => a href={ "#step-" (at) } { (row.step) },
                None => (row.step),
            }
            @if !row.is_own() { " · " (row.variant().words()) }
            small { @if row.detour { "detour · " } (row.title) }
        }
    }
}

/// × parent with its interval, and the verdict.
fn parent(row: &Row) -> Markup {
    let Some((n, ratio)) = row.parent() else {
        return html! { td { (NONE) } td { (NONE) } };
    };
    html! {
        td {
            (numbers::factor(ratio.ratio))
            @if ratio.interval.is_some() { small { (figures::ends(ratio.interval)) } }
            @if Some(n) != row.n() { small { "at n = " (numbers::count(n)) } }
        }
        td class=(class(ratio.verdict)) { (ratio.verdict.words()) }
    }
}

/// How a verdict looks.
fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Faster => "faster",
        Verdict::NoDifference => "no-difference",
        Verdict::Slower => "slower",
    }
}

/// What else is known of each step: what it changes, why it has no time, what ran.
pub fn notes(report: &Report) -> Markup {
    html! {
        @for (at, row) in report.rows.iter().enumerate() {
            article id={ "step-" (at) } {
                h3 {
                    (row.step)
                    @if !row.is_own() { ", " (row.variant().words()) }
                }
                p { (row.changes) }
                @if let Some(reason) = &row.reason {
                    p { span class=(row.outcome.word()) { (row.outcome.word()) } ": " (reason) }
                } @else if !row.outcome.is_verified() {
                    p { span class=(row.outcome.word()) { (row.outcome.word()) } ", without a reason" }
                }
                p.muted.small { (facts(row).join(" · ")) }
            }
        }
    }
}

/// What is worth knowing in a few words each.
fn facts(row: &Row) -> Vec<String> {
    let mut facts = vec![match &row.after {
        Some(after) => format!("comes from {after}"),
        None => "the first".to_owned(),
    }];
    if row.detour {
        facts.push("a detour: tried and not kept".to_owned());
    }
    if row.interrupted {
        facts.push("interrupted: it has fewer samples than were planned".to_owned());
    }
    facts.extend(row.code.clone().map(|code| format!("code: {code}")));
    if let Some(accuracy) = row.accuracy() {
        let rms = plain::error(accuracy.rms);
        let allowed = plain::error(Some(accuracy.tolerance));
        let n = numbers::count(accuracy.n);
        facts.push(format!("error (rms) {rms} of {allowed} allowed at n = {n}"));
        facts.extend(
            accuracy.worst.map(|worst| format!("worst body {}", plain::error(Some(worst)))),
        );
    }
    let drifts = [("energy", row.energy_drift), ("momentum", row.momentum_drift)];
    facts.extend(
        drifts.into_iter().filter_map(|(name, drift)| {
            Some(format!("{name} drift {}", plain::error(Some(drift?))))
        }),
    );
    if let Some(occupancy) = &row.occupancy {
        facts.push(format!(
            "{} of {} warps resident with {} threads a block, limited by {}",
            occupancy.warps, occupancy.most_warps, occupancy.block, occupancy.limit
        ));
    }
    facts
}

/// How many steps came how far: "12 steps: 11 measured, 1 wrong".
pub fn outcomes(report: &Report) -> String {
    let all =
        [Outcome::Measured, Outcome::Simulated, Outcome::Wrong, Outcome::Failed, Outcome::Skipped];
    let count = |outcome| report.rows.iter().filter(|row| row.outcome == outcome).count();
    let counts = all.into_iter().map(|outcome| (outcome.word(), count(outcome)));
    let counts: Vec<String> = counts
        .filter(|(_, count)| *count > 0)
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    match report.rows.len() {
        0 => "no step".to_owned(),
        rows => format!("{rows} rows: {}", counts.join(", ")),
    }
}
