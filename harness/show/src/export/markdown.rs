//! A report as a Markdown page.

use report::{Report, Row, TimeSource};

use crate::accuracy::{Accuracies, words};
use crate::table::{self, figures, markdown_line};

/// Where the times come from, the table of the steps, the fastest of those that are near enough to f64,
/// the times at all sizes where there are several, the costs from end to end where they are known, and the reasons.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("# {}\n\n", title(report));
    for fact in facts(report) {
        text += &format!("- {fact}\n");
    }
    text += &format!("\n{}", table::markdown(report));
    if let Some(accuracies) = Accuracies::of(report) {
        text += &format!("\nSpeed and error {}\n", words::sentence(&accuracies));
    }
    if report.rows.iter().any(|row| row.timed.len() > 1) {
        text += &format!("\n## All sizes\n\n{}", sizes(&report.rows));
    }
    if report.rows.iter().any(|row| row.end_to_end.is_some()) {
        text += &format!("\n## From end to end\n\n{}", costs(&report.rows));
    }
    let reasons: Vec<String> = report.rows.iter().filter_map(reason).collect();
    if !reasons.is_empty() {
        text += &format!("\n## Notes\n\n{}", reasons.concat());
    }
    text
}

fn title(report: &Report) -> String {
    let device = report.device.as_ref();
    let modelled = device.and_then(|device| device.modelled.as_deref());
    let place = match (modelled, device) {
        (Some(gpu), _) => format!(" on a modelled {gpu}"),
        (None, Some(device)) => format!(" on {}", device.name),
        (None, None) => String::new(),
    };
    format!("The {} ladder{place}", report.options.ladder)
}

fn facts(report: &Report) -> Vec<String> {
    let is_modelled = |row: &Row| row.time_source == Some(TimeSource::Model);
    let device = report.device.as_ref();
    let driver = device.and_then(|device| device.driver_version.as_ref());
    let mut facts = vec![format!("Day of the run: {}", report.date)];
    facts.extend(driver.map(|driver| format!("Driver: {driver}")));
    facts.extend(report.machine.cpu.as_ref().map(|cpu| format!("Processor: {cpu}")));
    facts.extend(report.revision.as_ref().map(|revision| format!("Revision: `{revision}`")));
    if report.rows.iter().any(is_modelled) {
        facts.push("Times are **modelled**, none is a measurement".to_owned());
    }
    facts.push(
        "× parent: how many times the parent's speed, with half the length of its 95% interval; \
         `=` where no difference of 1% was shown"
            .to_owned(),
    );
    facts
}

/// A line for each step and size.
fn sizes(rows: &[Row]) -> String {
    let head = ["step", "n", "time", "time step", "10⁹ interactions/s", "× parent", "error"];
    let mut text = markdown_line(&head.map(str::to_owned));
    text += "|:--|--:|--:|--:|--:|--:|--:|\n";
    for row in rows {
        for timed in &row.timed {
            text += &markdown_line(&[
                format!("`{}`{}", row.step, row.variant().behind()),
                timed.n.to_string(),
                figures::time(Some(timed.seconds)),
                figures::time(Some(timed.step_seconds)),
                figures::rate(Some(timed.interactions_per_second())),
                figures::ratio(timed.parent.as_ref()),
                figures::error(timed.accuracy.rms),
            ]);
        }
    }
    text
}

/// What a first force evaluation costs with all that it needs, by the host's clock, and the bandwidth
/// of the bus that was seen.
fn costs(rows: &[Row]) -> String {
    let head =
        ["step", "n", "code", "memory", "upload", "forces", "download", "all", "GB/s up", "down"];
    let mut text = markdown_line(&head.map(str::to_owned));
    text += "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    let time = |seconds| figures::time(Some(seconds));
    let bandwidth = |bytes: f64| figures::times(Some(bytes / 1e9).filter(|rate| rate.is_finite()));
    for row in rows {
        let Some(costs) = row.end_to_end else { continue };
        let (up, down) = costs.bandwidth();
        text += &markdown_line(&[
            format!("`{}`{}", row.step, row.variant().behind()),
            figures::count(row.n()),
            time(costs.code_seconds),
            time(costs.allocate_seconds),
            time(costs.upload_seconds),
            time(costs.force_seconds),
            time(costs.download_seconds),
            time(costs.seconds()),
            bandwidth(up),
            bandwidth(down),
        ]);
    }
    text
}

fn reason(row: &Row) -> Option<String> {
    let reason = row.reason.as_ref()?.replace('\n', " ");
    Some(format!("- `{}`{} {}: {reason}\n", row.step, row.variant().behind(), row.outcome))
}
