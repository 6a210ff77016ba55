//! What stands below the table of a run: the reasons in full, what limits each step, which are fast
//! and near to f64, where the times come from and how they were taken, what was verified.

use anstyle::Style;
use report::accuracy::Accuracies;
use report::against::Against;
use report::format;
use report::published::Published;
use report::statistics::Verdict;
use report::{LEAST_EFFECT, Outcome, Report, Row, TimeSource};

use crate::table::terminal::{colour, wrap};
use crate::{NO_LINK, accuracy, against, dips, limits, message, samples, words};

/// Everything that the table leaves open, in lines of at most `width` columns.
pub fn summary(report: &Report, published: &Published, width: usize) -> String {
    let rows = &report.rows;
    let wrapped = |text: String| format!("{}\n", wrap(&text, width));
    let reasons = reasons(report, width) + &noted(report, width);
    let limits = limits::tables(report, NO_LINK);
    let limits: String = limits.iter().map(|table| table.terminal(width)).collect();
    let accuracies = Accuracies::of(report, published);
    let notes = [
        limits::note(report),
        accuracies.map(|found| format!("ACCURACY {}", accuracy::sentence(&found))),
        times(report),
        method(rows),
        Some(suspects(report)),
        Some(dips::sentence(report)),
        Some(comparisons(rows)),
        end_to_end(report),
        verified(report),
    ];
    let notes = notes.into_iter().flatten().filter(|note| !note.is_empty());
    let parts = [reasons, limits, notes.map(wrapped).collect()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// What a GPU comes to against a CPU, in lines of at most `width` columns; `picture` shows it.
pub fn against(found: &Against, picture: &str, width: usize) -> String {
    let outcome = if found.top().modelled { Outcome::Simulated } else { Outcome::Measured };
    let paint = colour(outcome);
    let sentence = against::sentence(found);
    let text = format!("{paint}GPU AGAINST CPU:{paint:#} {sentence} See {picture}.");
    format!("{}\n", wrap(&text, width))
}

/// The most steps whose names are listed with a note that they share.
const MOST_NAMED: usize = 4;

/// What is noted of steps that were timed, once for all of which it is the same; in lines of at most `width`
/// columns.
pub fn noted(report: &Report, width: usize) -> String {
    let line = |(reason, steps): (&str, Vec<String>)| {
        let steps = match steps.len() {
            many if many > MOST_NAMED => format!("{many} steps"),
            _ => steps.join(", "),
        };
        wrap(&format!("{steps}: {}", words::reason(reason)), width) + "\n"
    };
    with_reasons(report.verified()).into_iter().map(line).collect()
}

/// What is wrong with steps that did not verify or did not end, in lines of at most `width` columns.
pub fn wrong(report: &Report, width: usize) -> String {
    let bad = |row: &&Row| matches!(row.outcome, Outcome::Wrong | Outcome::Failed);
    report.rows.iter().filter(bad).filter_map(|row| reason(row, width)).collect()
}

/// The same, and, once for all that have the same reason, which steps were left out.
pub fn reasons(report: &Report, width: usize) -> String {
    let dim = Style::new().dimmed();
    let skipped = report.rows.iter().filter(|row| row.outcome == Outcome::Skipped);
    let skipped = with_reasons(skipped).into_iter().map(|(reason, steps)| {
        let text = format!("skipped {}: {}", steps.join(", "), words::reason(reason));
        wrap(&text, width).lines().map(|line| format!("{dim}{line}{dim:#}\n")).collect::<String>()
    });
    wrong(report, width) + &skipped.collect::<String>()
}

/// Reasons in the order of the rows, each with the steps that have it.
fn with_reasons<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<(&'r str, Vec<String>)> {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows {
        let Some(reason) = row.reason.as_deref() else { continue };
        match found.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, steps)) => steps.push(words::subject(row)),
            None => found.push((reason, vec![words::subject(row)])),
        }
    }
    found
}

/// A step's whole reason.
fn reason(row: &Row, width: usize) -> Option<String> {
    let paint = colour(row.outcome);
    let head = format!("{paint}{} {}{paint:#}", words::subject(row), row.outcome);
    let reason = row.reason.as_ref()?;
    Some(match row.kernel {
        Some(_) => format!("{head}\n{}\n", message::painted(reason, width)),
        None => format!("{}\n", wrap(&format!("{head}: {}", words::reason(reason)), width)),
    })
}

/// Whether the times are measured or modelled, and of what.
fn times(report: &Report) -> Option<String> {
    let sources: Vec<TimeSource> = report.rows.iter().filter_map(|row| row.time_source).collect();
    let device = report.device.as_ref()?;
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
    let paint = colour(Outcome::Measured);
    let clock =
        if sources.contains(&TimeSource::Host) { "this computer's" } else { "the GPU's own" };
    Some(format!("{paint}MEASURED{paint:#} on {}, by {clock} clock.", device.name))
}

/// How the times were taken, and what is called a difference.
fn method(rows: &[Row]) -> Option<String> {
    let timed = measured(rows).flat_map(|row| &row.timed);
    let counts = timed.map(|timed| timed.samples.seconds.len());
    let (fewest, most) = (counts.clone().min()?, counts.max()?);
    let samples = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
    let verdicts: Vec<Verdict> =
        measured(rows).filter_map(|row| Some(row.parent()?.1.verdict)).collect();
    let [faster, slower, equal] = [Verdict::Faster, Verdict::Slower, Verdict::NoDifference]
        .map(|verdict| verdicts.iter().filter(|found| **found == verdict).count());
    let compared = match verdicts.len() {
        0 => String::new(),
        _ => format!(
            " Against their parents: {faster} faster, {slower} slower, {equal} without a difference."
        ),
    };
    Some(format!(
        "METHOD: medians of {samples} samples, taken round by round over all steps; a sample is \
         several passes back to back, after others that warm up caches and clocks. Intervals are \
         95 %. Steps are compared by samples of the same round; less than {:.0} % does not \
         count.{compared}",
        100.0 * LEAST_EFFECT
    ))
}

/// Samples that may not show what a step can do, by reason.
fn suspects(report: &Report) -> String {
    let reasons = samples::suspects(report).into_iter();
    let reasons = reasons.map(|(reason, steps)| format!("{reason}: {}", steps.join(", ")));
    let reasons = reasons.collect::<Vec<_>>().join("; ");
    let all = Some(reasons).filter(|reasons| !reasons.is_empty());
    words::listing("SUSPECT samples (included in the statistics)", all)
}

/// Which steps were compared with their parent at another size than the table's.
fn comparisons(rows: &[Row]) -> String {
    let at_other_size = rows.iter().filter(|row| row.parent().map(|(n, _)| n) != row.n());
    let sizes = at_other_size
        .filter_map(|row| Some(format!("for {} n = {}", row.number(), row.parent()?.0)));
    words::listing("× parent compares at equal n", sizes)
}

/// What the fastest step costs with all that it needs, and what was seen of the bus.
fn end_to_end(report: &Report) -> Option<String> {
    let fastest = measured(&report.rows)
        .filter(|row| row.end_to_end.is_some())
        .max_by(|one, other| one.rate().unwrap_or(0.0).total_cmp(&other.rate().unwrap_or(0.0)))?;
    let whole = fastest.end_to_end?;
    let all = report.rows.iter().filter_map(|row| Some(row.end_to_end?.bandwidth()));
    let most = |rates: &mut dyn Iterator<Item = f64>| {
        rates.filter(|rate| rate.is_finite()).fold(0.0, f64::max) / 1e9
    };
    let up = most(&mut all.clone().map(|(up, _)| up));
    let down = most(&mut all.map(|(_, down)| down));
    let time = |seconds| format::time(Some(seconds));
    // On the CPU nothing crosses a bus; where copies are part of the pass, none is timed apart.
    let has_bus = fastest.time_source != Some(TimeSource::Host) && up.max(down) > 0.0;
    let bus = has_bus.then(|| {
        let [up, down] = [up, down].map(format::significant);
        format!(" The bus (PCIe) moved up to {up} GB/s to the device and {down} GB/s back.")
    });
    Some(format!(
        "END TO END {} takes {}: code {}, memory {}, upload {}, first {} {}, download {}.{}",
        fastest.step,
        time(whole.seconds()),
        time(whole.code_seconds),
        time(whole.allocate_seconds),
        time(whole.upload_seconds),
        report.figure(fastest).pass,
        time(whole.pass_seconds),
        time(whole.download_seconds),
        bus.unwrap_or_default(),
    ))
}

/// What was verified, and how near it had to be.
fn verified(report: &Report) -> Option<String> {
    let tolerances = report.verified().filter_map(|row| Some(row.main()?.accuracy.tolerance));
    let allowed = tolerances.max_by(f64::total_cmp)?;
    let results = &words::figure(report)?.results;
    let judge = match allowed {
        0.0 => format!("{results} are exactly the reference's"),
        _ => format!(
            "{results} within a relative error (rms) of {} of a reference in f64",
            format::error(Some(allowed))
        ),
    };
    let at = match report.verified_size() {
        Some(n) => words::size(report, n, ""),
        None => "the n of the table".to_owned(),
    };
    let (of, all) = (report.verified().count(), report.rows.len());
    Some(format!(
        "VERIFIED before timing: {of} of {all} steps, at awkward sizes and at {at}: {judge}.{}",
        words::seed(report.options.seed)
    ))
}

fn measured(rows: &[Row]) -> impl Iterator<Item = &Row> + Clone {
    rows.iter().filter(|row| row.outcome == Outcome::Measured)
}

#[cfg(test)]
mod tests {
    use report::synthetic::{self, accuracies, blocks, exact, host, modelled, sweep};

    use super::*;
    use crate::{plain, says};

    fn of(report: &Report) -> String {
        plain(&summary(report, &Published::default(), 1000))
    }

    #[test]
    fn everything_that_the_table_leaves_open_is_said() {
        let text = of(&sweep());
        says(
            &text,
            &[
                "METHOD: medians of 30 samples",
                "less than 1 % does not count. Against their parents:",
                "SUSPECT samples (included in the statistics): the GPU lowered its clocks: power cap: \
             03-soa (2 of 30).",
                "END TO END 07-unroll takes",
                // 4 MiB in 0.16 ms there, 3 MiB in 0.15 ms back.
                "26.2 GB/s to the device and 21.0 GB/s back",
                "MEASURED on GPU <A&B>, by the GPU's own clock.",
                "× parent compares at equal n: for 02 n = 2000, for 03 ",
                "VERIFIED before timing: 8 of 8 steps, at awkward sizes and at the n of the table: sums \
             within a relative error (rms) of 1.0e-5 of a reference in f64.",
            ],
        );
        assert!(!of(&blocks()).contains("SUSPECT") && !of(&blocks()).contains("END TO END"));
        assert!(of(&accuracies()).contains("ACCURACY at n = 10\u{2009}000"));
        assert!(!of(&blocks()).contains("ACCURACY"));
    }

    #[test]
    fn modelled_times_are_no_measurement() {
        let text = of(&modelled(synthetic::report(sweep().rows, true)));
        assert!(text.contains("MODELLED for GPU <A&B>") && !text.contains("METHOD"), "{text}");
    }

    #[test]
    fn the_seed_is_said_where_it_is_known() {
        let mut report = sweep();
        assert!(!of(&report).contains("--seed"));
        report.options.seed = 12;
        assert!(of(&report).contains("reference in f64. Seed 12 drew what was random"));
    }

    #[test]
    fn exact_results_have_no_error() {
        let text = of(&exact());
        assert!(text.contains("elements are exactly the reference's."), "{text}");
        assert!(text.contains("04-vectors wrong: for a reason"), "{text}");
        assert!(!text.contains("ACCURACY") && !text.contains("flop"), "{text}");
    }

    #[test]
    fn steps_that_are_left_out_for_one_reason_are_listed_once() {
        let mut rows = exact().rows;
        for step in ["05-two", "06-four"] {
            let mut row = synthetic::row(step, None, Outcome::Skipped);
            row.reason = Some("it needs several GPUs".to_owned());
            rows.push(row);
        }
        let text = plain(&reasons(&synthetic::report(rows, false), 80));
        assert_eq!(
            text,
            "04-vectors wrong: for a reason\nskipped 05-two, 06-four: it needs several GPUs\n"
        );
    }

    #[test]
    fn samples_far_off_are_counted_together() {
        let mut report = sweep();
        let samples = &mut report.rows[0].timed[0].samples;
        for (sample, percent) in ["+1.6%", "+23.0%"].into_iter().enumerate() {
            let reason = format!("{percent} off the median");
            samples.suspects.push(report::Suspect { sample: sample as u32, reason });
        }
        let text = of(&report);
        assert!(text.contains("off the median: 01-one-thread (2 of 30)"), "{text}");
    }

    #[test]
    fn the_comparison_with_a_cpu_names_its_picture() {
        let found = Against::of(&sweep(), &host(), &Published::default()).expect("steps");
        let text = plain(&against(&found, "against-cpu.svg", 80));
        assert!(text.starts_with("GPU AGAINST CPU: 07-unroll on GPU <A&B> is "), "{text}");
        assert!(text.replace('\n', " ").ends_with("See against-cpu.svg. "), "{text}");
    }
}
