//! What else is known of each step: what it changes, why it has no time, what ran.

use maud::{Markup, html};
use report::format::{self, grouped};
use report::{Report, Row};

use crate::{dips, samples, words};

/// All steps, one below the other.
pub fn steps(report: &Report) -> Markup {
    html! {
        @for (at, row) in report.rows.iter().chain(&report.libraries).enumerate() {
            article id={ "step-" (at) } {
                h3 {
                    (row.step)
                    @if !row.is_own() { ", " (row.variant().words()) }
                }
                p { (row.changes) }
                @if let Some(reason) = &row.reason {
                    p { span class=(row.outcome.word()) { (row.outcome.word()) } ": " (words::reason(reason)) }
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
        None if row.is_library() => "a library's function".to_owned(),
        None => "the first".to_owned(),
    }];
    if row.detour {
        facts.push("a detour, not part of the main ladder".to_owned());
    }
    if row.interrupted {
        facts.push("interrupted: it has fewer samples than were planned".to_owned());
    }
    facts.extend(row.code.clone().map(|code| format!("code: {code}")));
    if let Some(accuracy) = row.accuracy() {
        let n = grouped(accuracy.n);
        let rms = format::error(accuracy.rms);
        facts.push(match accuracy.tolerance {
            0.0 if accuracy.rms == Some(0.0) => format!("exact at n = {n}"),
            allowed => {
                let allowed = format::error(Some(allowed));
                format!("error (rms) {rms} of {allowed} allowed at n = {n}")
            }
        });
        let worst = accuracy.worst.filter(|worst| *worst > 0.0);
        facts.extend(worst.map(|worst| format!("worst result {}", format::error(Some(worst)))));
    }
    let extras = row.extras.iter();
    facts.extend(extras.map(|it| format!("{} {}", it.name, format::error(Some(it.value)))));
    if let Some(occupancy) = &row.occupancy {
        facts.push(format!(
            "{} of {} warps resident with {} threads a block, limited by {}",
            occupancy.warps, occupancy.most_warps, occupancy.block, occupancy.limit
        ));
    }
    facts
}

/// Why samples are suspect: each reason once, with where it was seen.
pub fn suspects(report: &Report) -> Markup {
    let reasons = samples::suspects(report);
    html! {
        @if reasons.is_empty() {
            p { "No sample looks disturbed." }
        } @else {
            p { "Possibly disturbed samples (included in the statistics):" }
            ul { @for (reason, places) in &reasons { li { (reason) ": " (places.join(", ")) } } }
        }
        @let dips = dips::sentence(report);
        @if !dips.is_empty() { p { (dips) } }
    }
}
