//! CSV with a line for each step and size.

use anyhow::Result;
use report::{Report, Row, TimeSource, Timed};

use super::{cell, defines, key, table};

const NAMES: [&str; 47] = [
    "ladder",
    "step",
    "block",
    "title",
    "after",
    "detour",
    "outcome",
    "reason",
    "device",
    "time_source",
    "code",
    "session",
    "n",
    "seconds",
    "seconds_low",
    "seconds_high",
    "spread",
    "step_seconds",
    "step_seconds_low",
    "step_seconds_high",
    "launches",
    "time_steps",
    "samples",
    "suspects",
    "interactions_per_second",
    "error_rms",
    "error_worst",
    "tolerance",
    "times_parent",
    "times_parent_low",
    "times_parent_high",
    "verdict",
    "times_first",
    "energy_drift",
    "momentum_drift",
    "end_to_end_seconds",
    "code_seconds",
    "allocate_seconds",
    "upload_seconds",
    "upload_bytes",
    "download_seconds",
    "download_bytes",
    "registers",
    "resident_warps",
    "bound",
    "bound_fraction",
    "defines",
];

/// A line for each step and size, and one for each step without a time. What is known of a step as
/// a whole stands in the line of its own size, which is the first.
///
/// # Errors
/// None that a report can cause.
pub fn csv(report: &Report) -> Result<String> {
    table(NAMES, report.rows.iter().flat_map(lines))
}

fn lines(row: &Row) -> Vec<[String; 47]> {
    match row.timed.as_slice() {
        [] => vec![line(row, None, true)],
        sizes => {
            let sizes = sizes.iter().enumerate();
            sizes.map(|(place, timed)| line(row, Some(timed), place == 0)).collect()
        }
    }
}

fn line(row: &Row, timed: Option<&Timed>, is_own: bool) -> [String; 47] {
    let accuracy = timed.map(|timed| timed.accuracy).or(row.wrong);
    let parent = timed.and_then(|timed| timed.parent);
    let interval = timed.and_then(|timed| timed.interval);
    let step_interval = timed.and_then(|timed| timed.step_interval);
    let costs = row.end_to_end.filter(|_| is_own);
    let bounds = row.bounds().filter(|(n, _)| timed.is_some_and(|at| at.n == *n));
    let bound = bounds.and_then(|(_, bounds)| bounds.first());
    let occupancy = row.occupancy.as_ref().filter(|_| is_own);
    let of_ratio = parent.and_then(|parent| parent.interval);
    let source = row.time_source.map(|source| match source {
        TimeSource::Device => "device",
        TimeSource::Host => "host",
        TimeSource::Model => "model",
    });
    let [ladder, step, block] = key(row);
    [
        ladder,
        step,
        block,
        row.title.clone(),
        cell(row.after.as_ref()),
        row.detour.to_string(),
        row.outcome.to_string(),
        cell(row.reason.as_ref()),
        cell(row.device.as_ref()),
        cell(source),
        cell(row.code.as_ref()),
        row.session.to_string(),
        cell(timed.map(|timed| timed.n).or(row.n())),
        cell(timed.map(|timed| timed.seconds)),
        cell(interval.map(|interval| interval.low)),
        cell(interval.map(|interval| interval.high)),
        cell(timed.and_then(|timed| timed.spread)),
        cell(timed.map(|timed| timed.step_seconds)),
        cell(step_interval.map(|interval| interval.low)),
        cell(step_interval.map(|interval| interval.high)),
        cell(timed.map(|timed| timed.launches)),
        cell(timed.map(|timed| timed.time_steps)),
        cell(timed.map(|timed| timed.samples.seconds.len())),
        cell(timed.map(|timed| timed.samples.suspects.len())),
        cell(timed.map(Timed::interactions_per_second)),
        cell(accuracy.and_then(|errors| errors.rms)),
        cell(accuracy.and_then(|errors| errors.worst)),
        cell(accuracy.map(|errors| errors.tolerance)),
        cell(parent.map(|parent| parent.ratio)),
        cell(of_ratio.map(|interval| interval.low)),
        cell(of_ratio.map(|interval| interval.high)),
        cell(parent.map(|parent| parent.verdict.words())),
        cell(row.times_first.filter(|_| is_own)),
        cell(row.energy_drift.filter(|_| is_own)),
        cell(row.momentum_drift.filter(|_| is_own)),
        cell(costs.map(|costs| costs.seconds())),
        cell(costs.map(|costs| costs.code_seconds)),
        cell(costs.map(|costs| costs.allocate_seconds)),
        cell(costs.map(|costs| costs.upload_seconds)),
        cell(costs.map(|costs| costs.upload_bytes)),
        cell(costs.map(|costs| costs.download_seconds)),
        cell(costs.map(|costs| costs.download_bytes)),
        cell(occupancy.and_then(|occupancy| occupancy.registers)),
        cell(occupancy.map(|occupancy| occupancy.warps)),
        cell(bound.map(|bound| bound.name.clone())),
        cell(bound.map(|bound| bound.fraction)),
        defines(&row.defines),
    ]
}
