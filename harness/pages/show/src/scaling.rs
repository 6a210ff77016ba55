//! How speed grows with the number of GPUs.

use std::collections::BTreeSet;

use report::format::{self, significant};
use report::scaling::{Row, Scaling, Series, Timed};
use report::{Figure, Outcome};

use crate::table::terminal::wrap;
use crate::table::{Field, Table};
use crate::words;

/// Strong and weak scaling, in lines of at most `width` columns where that can be.
pub fn text(scaling: &Scaling, width: usize) -> String {
    let figure = &scaling.figure;
    let mut text = String::new();
    for (series, title) in [
        (Series::Strong, format!("Strong scaling: as many {} on any number of GPUs", figure.size)),
        (Series::Weak, "Weak scaling: as much to compute for each GPU".to_owned()),
    ] {
        let table = table(scaling, series);
        if !table.is_empty() {
            text += &format!("\n{title}\n\n{}", table.terminal(width));
        }
    }
    let reasons: BTreeSet<String> = scaling.rows.iter().filter_map(reason).collect();
    text.extend(reasons.iter().map(|reason| format!("\n{}\n", wrap(reason, width))));
    let exchange = scaling.exchange.as_deref().unwrap_or("nothing");
    let gpu = scaling.gpu.as_deref().unwrap_or("no GPU");
    let note = format!(
        "\n{}: the pass and all exchanges, on the slowest GPU. launches: the same without exchanges. \
         × one GPU: {} per second over those of the fastest step on one GPU. {gpu}, data through \
         {exchange}.{}\n",
        whole(figure),
        figure.work,
        words::seed(scaling.seed),
    );
    text + &wrap(&note, width) + "\n"
}

/// The rows of one series that have a time.
pub fn table(scaling: &Scaling, series: Series) -> Table {
    type Item<'r> = (&'r Row, &'r Timed);
    let rows = scaling.rows.iter().filter(|row| row.series == series);
    let mut rows: Vec<Item> = rows.filter_map(|row| Some((row, row.timed.as_ref()?))).collect();
    // Weak scaling has another n on each number of GPUs.
    let n = |row: &Row| if series == Series::Strong { row.n } else { 0 };
    rows.sort_by_key(|(row, _)| (n(row), row.step.clone(), row.gpus));
    let figure = &scaling.figure;
    let (rate, unit) = match figure.flop {
        Some(flop) => (format!("TFLOP/s at {flop}"), 1e12 / flop),
        None => (figure.unit.clone(), figure.scale),
    };
    let milliseconds = |seconds: f64| significant(1e3 * seconds);
    let fields = vec![
        Field::text("step", |(row, _): &Item| row.step.clone()),
        Field::text("", |(row, _): &Item| match row.outcome {
            Outcome::Simulated => "modelled",
            _ => "",
        }),
        Field::number("n", |(row, _): &Item| row.n.to_string()),
        Field::number("GPUs", |(row, _): &Item| row.gpus.to_string()),
        Field::number(format!("ms per\u{a0}{}", whole(figure)), move |(_, timed): &Item| {
            milliseconds(timed.seconds)
        }),
        Field::number("ms of launches", move |(_, timed): &Item| {
            milliseconds(timed.launches_seconds)
        }),
        Field::number(rate, move |(_, timed): &Item| significant(timed.rate() / unit)),
        Field::number("× one\u{a0}GPU", |(row, _): &Item| {
            row.gain.as_ref().map(|gain| format!("{:.2}", gain.speed))
        }),
        Field::number("effi\u{ad}ciency", |(row, _): &Item| {
            row.gain.as_ref().map(|gain| format!("{:.0} %", 100.0 * gain.efficiency))
        }),
        Field::number("error", |(row, _): &Item| {
            format::error(row.accuracy.and_then(|accuracy| accuracy.rms))
        }),
    ];
    Table::of(&rows, fields).named(format!("{} scaling", series.word()), "")
}

fn whole(figure: &Figure) -> &str {
    figure.whole.as_deref().unwrap_or(&figure.pass)
}

/// Why a row has no time.
fn reason(row: &Row) -> Option<String> {
    let reason = words::reason(row.reason.as_deref().unwrap_or("no reason is known"));
    let gpus = words::count(row.gpus, "GPU");
    let untimed = row.timed.is_none();
    untimed.then(|| format!("{} on {gpus}: {}: {reason}", row.step, row.outcome))
}

#[cfg(test)]
mod tests {
    use report::synthetic::{self, scaled};

    use super::*;
    use crate::plain;

    #[test]
    fn rows_without_a_time_have_their_reason_once() {
        let skipped = |n| Row {
            outcome: Outcome::Skipped,
            reason: Some("one GPU is here".to_owned()),
            timed: None,
            ..scaled("20-pairs-divided", 2, Series::Strong, n, 1.0)
        };
        let alone = scaled("14-pairs", 1, Series::Strong, 1000, 0.002);
        let scaling = synthetic::scaling(vec![alone, skipped(1000), skipped(2000)]);
        let text = plain(&text(&scaling, 80));
        assert!(text.contains("14-pairs") && text.contains("time step: the pass and"), "{text}");
        assert_eq!(text.matches("one GPU is here").count(), 1, "{text}");
    }
}
