//! CSV with a line for each sample.

use anyhow::Result;
use report::{Report, Row, Timed};

use super::{cell, defines, key, reasons, table};

const NAMES: [&str; 15] = [
    "ladder",
    "step",
    "block",
    "n",
    "session",
    "sample",
    "round",
    "seconds",
    "step_seconds",
    "clock_mhz",
    "memory_clock_mhz",
    "temperature_c",
    "power_w",
    "suspect",
    "defines",
];

/// A line for each sample in the order in which they were taken, with what was seen of the GPU
/// meanwhile and why it is suspect.
///
/// # Errors
/// None that a report can cause.
pub fn csv(report: &Report) -> Result<String> {
    let sizes = report.rows.iter().flat_map(|row| row.timed.iter().map(move |at| (row, at)));
    table(NAMES, sizes.flat_map(|(row, timed)| lines(row, timed)))
}

fn lines(row: &Row, timed: &Timed) -> Vec<[String; 15]> {
    let samples = &timed.samples;
    let columns = [samples.round.len(), samples.seconds.len(), samples.step_seconds.len()];
    let count = columns.into_iter().max().unwrap_or(0);
    let line = |at: usize| {
        let [ladder, step, block] = key(row);
        [
            ladder,
            step,
            block,
            timed.n.to_string(),
            row.session.to_string(),
            at.to_string(),
            cell(samples.round.get(at)),
            cell(samples.seconds.get(at)),
            cell(samples.step_seconds.get(at)),
            cell(samples.clock_mhz.get(at)),
            cell(samples.memory_clock_mhz.get(at)),
            cell(samples.temperature_c.get(at)),
            cell(samples.power_w.get(at)),
            reasons(&samples.suspects, at),
            defines(&row.defines),
        ]
    };
    (0..count).map(line).collect()
}
