//! The table of a scaling report.

use report::Outcome;

use super::data::{Row, Scaling, Series};
use crate::table::figures;
use crate::table::layout::{self, Layout};

/// Floating-point operations that the field counts for an interaction.
const CONVENTION: f64 = 20.0;

/// Strong and weak scaling, in lines of at most `width` columns where that can be.
pub fn text(scaling: &Scaling, width: usize) -> String {
    let mut text = String::new();
    for (series, title) in [
        (Series::Strong, "Strong scaling: as many bodies on any number of GPUs"),
        (Series::Weak, "Weak scaling: as much to compute for each GPU"),
    ] {
        let mut rows: Vec<&Row> = scaling.rows.iter().filter(|row| row.series == series).collect();
        // Weak scaling has another n on each number of GPUs.
        let n = |row: &Row| if series == Series::Strong { row.n } else { 0 };
        rows.sort_by_key(|&row| (n(row), row.step.clone(), row.gpus));
        if rows.iter().any(|row| row.timed.is_some()) {
            text += &format!("\n{title}\n\n{}", table(&rows, width));
        }
    }
    text += &reasons(&scaling.rows, width);
    let exchange = scaling.exchange.as_deref().unwrap_or("nothing");
    let gpu = scaling.gpu.as_deref().unwrap_or("no GPU");
    let note = format!(
        "\ntime step: force evaluation, advance and exchanges, on the slowest GPU. launches: the same without exchanges. \
         × one GPU: interactions per second over those of the fastest step on one GPU. {gpu}, data through {exchange}.\n"
    );
    text + &layout::wrap(&note, width) + "\n"
}

fn table(rows: &[&Row], width: usize) -> String {
    let head = [
        "step",
        "",
        "n",
        "GPUs",
        "ms a\ntime step",
        "ms of\nlaunches",
        "TFLOP/s\nat 20",
        "×\none GPU",
        "effi-\nciency",
        "error",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for row in rows {
        let Some(timed) = &row.timed else { continue };
        let milliseconds = |seconds: f64| figures::significant(1e3 * seconds);
        let gain = row.gain.as_ref();
        let flops = CONVENTION * timed.interactions_per_second(row.n) / 1e12;
        lines.push(vec![
            row.step.clone(),
            if row.outcome == Outcome::Simulated { "modelled" } else { "" }.to_owned(),
            row.n.to_string(),
            row.gpus.to_string(),
            milliseconds(timed.seconds),
            milliseconds(timed.launches_seconds),
            figures::significant(flops),
            gain.map_or("–".to_owned(), |gain| format!("{:.2}", gain.speed)),
            gain.map_or("–".to_owned(), |gain| format!("{:.0} %", 100.0 * gain.efficiency)),
            figures::error(row.accuracy.and_then(|accuracy| accuracy.rms)),
        ]);
    }
    layout::text(&Layout { gives_way: 1, narrowest: 8, figures: 2 }.table(lines, width))
}

/// Why rows have no time: each reason once.
fn reasons(rows: &[Row], width: usize) -> String {
    let mut told: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| row.timed.is_none()) {
        let reason = row.reason.as_deref().unwrap_or("no reason is known");
        let word = format!("{:?}", row.outcome).to_lowercase();
        let gpus = if row.gpus == 1 { "1 GPU".to_owned() } else { format!("{} GPUs", row.gpus) };
        let line = layout::wrap(&format!("{} on {gpus}: {word}: {reason}", row.step), width);
        if !told.contains(&line) {
            told.push(line);
        }
    }
    told.iter().map(|line| format!("\n{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scaling::data::tests::{of, row};

    #[test]
    fn rows_without_a_time_have_their_reason_once() {
        let skipped = |n| Row {
            outcome: Outcome::Skipped,
            reason: Some("one GPU is here".to_owned()),
            timed: None,
            ..row("19-pairs-divided", 2, Series::Strong, n, 1.0)
        };
        let mut scaling =
            of(vec![row("14-pairs", 1, Series::Strong, 1000, 0.002), skipped(1000), skipped(2000)]);
        scaling.relate();
        let text = text(&scaling, 100);
        assert!(text.contains("14-pairs"), "{text}");
        assert_eq!(text.matches("one GPU is here").count(), 1, "{text}");
    }
}
