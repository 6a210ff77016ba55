//! The same ladder for a narrow page, on which the picture would be too wide.

use maud::{Markup, html};
use report::statistics::Verdict;
use report::{Report, Row, format};

use super::{Axis, is_shown, speed};

/// Parts of a bar: per mille of its box.
const PARTS: usize = 1000;

/// The steps as a list, each with its factors above its bar. Nothing of a report that has but
/// variants of steps.
pub fn html(report: &Report) -> Markup {
    let rows: Vec<&Row> = report.rows.iter().filter(|row| is_shown(row)).collect();
    let axis = Axis::new(rows.iter().filter_map(|row| speed(row)).collect(), PARTS);
    html! {
        @if !rows.is_empty() {
            div.rungs {
                p { b { (pictures::message(report)) } }
                p.muted.small { "× parent and × first; bars are logarithmic" @if axis.is_cut() { ", and cut at a great gap" } "." }
                ul {
                    @for row in rows {
                        li.detour[row.detour] { (words(row)) @if let Some(speed) = speed(row) { (bar(&axis, row, speed)) } }
                    }
                }
            }
        }
    }
}

fn words(row: &Row) -> Markup {
    let class = row.parent().and_then(|(_, over)| match over.verdict {
        Verdict::Faster => Some("faster"),
        Verdict::Slower => Some("slower"),
        Verdict::NoDifference => None,
    });
    html! {
        span.name { (report::words::subject(row)) }
        @if speed(row).is_some() {
            span class=[class] { @if let Some((_, over)) = row.parent() { (format::factor(over.ratio)) } }
            span { @if let Some(times) = row.times_first { (format::factor(times)) } }
        } @else {
            span class=(row.outcome.word()) { (row.outcome.word()) }
        }
    }
}

/// Thin up to the parent's speed, thick for what is gained or lost.
fn bar(axis: &Axis, row: &Row, speed: f64) -> Markup {
    let own = axis.column(speed);
    let parents = row.parent().map_or(own, |(_, over)| axis.column(speed / over.ratio));
    let (low, high) = (own.min(parents), own.max(parents));
    let percent = |parts: usize| format!("{:.1}%", 100.0 * parts as f64 / PARTS as f64);
    let change = format!("left:{};width:{}", percent(low), percent(high - low));
    html! {
        span.bar aria-hidden="true" {
            span style={ "width:" (percent(low)) } {}
            span.gain[parents < own].loss[own < parents] style=(change) {}
        }
    }
}
