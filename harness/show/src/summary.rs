//! What stands below the table of a run: the reasons in full, what limits each step, which are near
//! enough to f64, where the times come from and how they were taken, what was verified.

pub mod limits;
mod notes;

use ladder::Step;
use report::{Outcome, Report, Row, TimeSource};
use ladder::verify::SIZES;

use crate::accuracy::{self, Accuracies};
use crate::against::{Against, words};
use crate::ladders::LADDERS;
use crate::names;
use crate::plot::AGAINST;
use crate::table::layout::wrap;
use crate::table::{colour, figures};

/// Everything that the table leaves open, in lines of at most `width` columns.
pub fn summary(report: &Report, width: usize) -> String {
    let rows = &report.rows;
    let wrapped = |text: String| format!("{}\n", wrap(&text, width));
    let reasons: String = rows.iter().filter_map(reason).map(wrapped).collect();
    let limits = limits::table(rows, width);
    let notes = [
        limits::note(rows),
        accuracy(report),
        times(report),
        notes::method(rows),
        notes::suspects(rows),
        comparisons(rows),
        notes::end_to_end(rows),
        verified(rows),
    ];
    let notes: String = notes.into_iter().flatten().map(wrapped).collect();
    let parts = [reasons, limits, notes];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What the GPU comes to against a CPU, in lines of at most `width` columns.
pub fn against(against: &Against, width: usize) -> String {
    let modelled = against.top().modelled;
    let paint = colour(if modelled { Outcome::Simulated } else { Outcome::Measured });
    let sentence = words::sentence(against);
    let text = format!("{paint}GPU AGAINST CPU:{paint:#} {sentence} See {AGAINST}.png.");
    format!("{}\n", wrap(&text, width))
}

/// A step's whole reason.
fn reason(row: &Row) -> Option<String> {
    let paint = colour(row.outcome);
    let reason = row.reason.as_ref()?;
    let variant = row.variant().behind();
    Some(format!("{paint}{}{variant} {}{paint:#}: {reason}", row.step, row.outcome))
}

/// Whether the times are measured or modelled, and of what.
fn times(report: &Report) -> Option<String> {
    let sources: Vec<TimeSource> = report.rows.iter().filter_map(|row| row.time_source).collect();
    let device = report.device.as_ref()?;
    let paint = colour(Outcome::Measured);
    if sources.is_empty() {
        return None;
    }
    if sources.contains(&TimeSource::Model) {
        let paint = colour(Outcome::Simulated);
        let gpu = device.modelled.as_deref().unwrap_or("a GPU");
        return Some(format!(
            "{paint}MODELLED{paint:#} for {gpu}, from events counted while the simulator ran the \
             kernels' PTX on this CPU. No time in this table is a measurement."
        ));
    }
    let clock =
        if sources.contains(&TimeSource::Host) { "this computer's" } else { "the GPU's own" };
    Some(format!("{paint}MEASURED{paint:#} on {}, by {clock} clock.", device.name))
}

/// The fastest step of those that are near enough to f64.
fn accuracy(report: &Report) -> Option<String> {
    let accuracies = Accuracies::of(report)?;
    Some(format!("ACCURACY {}", accuracy::words::sentence(&accuracies)))
}

/// Which steps were compared with their parent at another size than the table's.
fn comparisons(rows: &[Row]) -> Option<String> {
    let at_other_size: Vec<String> = rows
        .iter()
        .filter(|row| row.parent().map(|(n, _)| n) != row.n())
        .filter_map(|row| {
            Some(format!("for {} n = {}", names::split(&row.step).0, row.parent().map(|(n, _)| n)?))
        })
        .collect();
    (!at_other_size.is_empty())
        .then(|| format!("× parent compares at equal n: {}.", at_other_size.join(", ")))
}

/// Whether a row is of a step that a single thread of a GPU does: such a one is not verified at the largest size.
fn is_one_gpu_thread(row: &&Row) -> bool {
    let ladders = LADDERS.iter().filter(|ladder| ladder.name == row.ladder);
    ladders.filter_map(|ladder| ladder.step(&row.step)).any(Step::is_one_gpu_thread)
}

/// What was verified, and how near it had to be.
fn verified(rows: &[Row]) -> Option<String> {
    let verified: Vec<&Row> = rows.iter().filter(|row| row.outcome.is_verified()).collect();
    let allowed = verified
        .iter()
        .filter_map(|row| row.main().map(|timed| timed.accuracy.tolerance))
        .max_by(f64::total_cmp)?;
    Some(format!(
        "VERIFIED before it was timed: {} of {} steps, against forces in f64, at n = {}{} and at \
         the n of the table, with a relative error (rms) of at most {}.",
        verified.len(),
        rows.len(),
        SIZES.map(|n| n.to_string()).join(", "),
        if verified.iter().any(is_one_gpu_thread) { " (one thread: but the last)" } else { "" },
        figures::error(Some(allowed)),
    ))
}

#[cfg(test)]
mod tests {
    use tabled::grid::util::string::get_text_width;

    use super::{against, summary};
    use crate::against::Against;
    use crate::output::plain;
    use crate::synthetic::{accuracies, blocks, host, sweep};

    #[test]
    fn the_comparison_with_a_cpu_is_wrapped() {
        let found = Against::of(&sweep(), &host(), &[]).unwrap().unwrap();
        for width in [80, 120] {
            let text = plain(&against(&found, width));
            assert!(text.lines().all(|line| get_text_width(line) <= width), "{text}");
            assert!(text.starts_with("GPU AGAINST CPU: 07-unroll on GPU <A&B> is "), "{text}");
            let end = "See against-cpu.png.\n";
            assert!(text.ends_with(end) && text.ends_with('\n'), "{text}");
        }
    }
    #[test]
    fn the_fastest_of_a_stated_accuracy_is_told() {
        let text = plain(&summary(&accuracies(), 100));
        assert!(text.lines().all(|line| get_text_width(line) <= 100), "{text}");
        let found = text.replace('\n', " ");
        assert!(found.contains("ACCURACY at n = 10\u{2009}000"), "{text}");
        assert!(found.contains("at most 1e-6 the fastest is 14-pairs with 58.0 TFLOP/s"), "{text}");
        assert!(!plain(&summary(&blocks(), 100)).contains("ACCURACY"));
    }
}
