//! How the times were taken, and what stands beside them.

use std::collections::BTreeMap;

use ladder::climb::subject;
use report::{EndToEnd, LEAST_EFFECT, Outcome, Row, TimeSource, Timed};
use report::statistics::Verdict;

use crate::table::figures;

/// How the times were taken, and what is called a difference.
pub fn method(rows: &[Row]) -> Option<String> {
    let measured: Vec<&Row> = measured(rows).collect();
    let samples =
        measured.iter().flat_map(|row| &row.timed).map(|timed| timed.samples.seconds.len());
    let (fewest, most) = (samples.clone().min()?, samples.max()?);
    let samples = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
    let verdicts: Vec<Verdict> =
        measured.iter().filter_map(|row| Some(row.parent()?.1.verdict)).collect();
    let count = |verdict| verdicts.iter().filter(|found| **found == verdict).count();
    let compared = match verdicts.len() {
        0 => String::new(),
        _ => format!(
            " Against their parents {} are faster, {} slower; of {} no difference was shown.",
            count(Verdict::Faster),
            count(Verdict::Slower),
            count(Verdict::NoDifference)
        ),
    };
    Some(format!(
        "METHOD: medians of {samples} samples, taken round by round over all steps; a sample is \
         several launches one after another, after others that warm up caches and clocks. \
         Intervals are of 95 %. Steps are compared by samples of the same round, and less than \
         {:.0} % is no difference.{compared}",
        100.0 * LEAST_EFFECT
    ))
}

/// Samples that may not show what a step can do, by reason.
pub fn suspects(rows: &[Row]) -> Option<String> {
    let mut steps: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows {
        let mut found: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for Timed { samples, .. } in &row.timed {
            let mut of_size: BTreeMap<&str, usize> = BTreeMap::new();
            for suspect in &samples.suspects {
                *of_size.entry(kind(&suspect.reason)).or_default() += 1;
            }
            for (reason, count) in of_size {
                let (suspect, all) = found.entry(reason).or_default();
                *suspect += count;
                *all += samples.seconds.len();
            }
        }
        for (reason, (suspect, all)) in found {
            steps
                .entry(reason)
                .or_default()
                .push(format!("{suspect} of {all} of {}", subject(row)));
        }
    }
    if steps.is_empty() {
        return None;
    }
    let told: Vec<String> = steps
        .into_iter()
        .map(|(reason, steps)| format!("{} ({reason})", steps.join(", ")))
        .collect();
    Some(format!("SUSPECT samples, counted all the same: {}.", told.join("; ")))
}

/// A reason without its numbers: samples far off are told together, each way.
fn kind(reason: &str) -> &str {
    match reason.split_once("% ") {
        Some((_, "off the median")) => "off the median",
        _ => reason,
    }
}

/// What the fastest step costs with all that it needs, and what was seen of the bus.
pub fn end_to_end(rows: &[Row]) -> Option<String> {
    let rate = |row: &&Row| row.interactions_per_second().unwrap_or(0.0);
    let fastest = measured(rows)
        .filter(|row| row.end_to_end.is_some())
        .max_by(|one, other| rate(one).total_cmp(&rate(other)))?;
    let whole = fastest.end_to_end?;
    let all = rows.iter().filter_map(|row| row.end_to_end.as_ref());
    let (up, down) = all
        .map(EndToEnd::bandwidth)
        .fold((0.0f64, 0.0f64), |(up, down), seen| (finite(up, seen.0), finite(down, seen.1)));
    let time = |seconds| figures::time(Some(seconds));
    // On the CPU nothing crosses a bus.
    let bus = match fastest.time_source {
        Some(TimeSource::Host) => String::new(),
        _ => format!(
            " Of the bus (PCIe) up to {} GB/s there and {} GB/s back were seen.",
            figures::significant(up / 1e9),
            figures::significant(down / 1e9)
        ),
    };
    Some(format!(
        "END TO END {} takes {}: code {}, memory {}, bodies there {}, forces {}, all back {}.{bus}",
        fastest.step,
        time(whole.seconds()),
        time(whole.code_seconds),
        time(whole.allocate_seconds),
        time(whole.upload_seconds),
        time(whole.force_seconds),
        time(whole.download_seconds),
    ))
}

/// The greater of two rates; one of no time is none.
fn finite(most: f64, rate: f64) -> f64 {
    if rate.is_finite() { most.max(rate) } else { most }
}

fn measured(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.outcome == Outcome::Measured)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    #[test]
    fn the_method_is_told_of_measured_times_alone() {
        let text = method(&synthetic::sweep().rows).expect("a note");
        assert!(text.contains("medians of 30 samples") && text.contains("less than 1 %"), "{text}");
        // Of seven steps with a parent: constants and blocking gain nothing.
        assert!(text.contains("Against their parents"), "{text}");
        let mut rows = synthetic::sweep().rows;
        rows.iter_mut().for_each(|row| row.outcome = Outcome::Simulated);
        assert_eq!(method(&rows), None);
    }

    #[test]
    fn suspects_are_told_with_their_reason() {
        let text = suspects(&synthetic::sweep().rows).expect("a note");
        assert!(
            text.contains("2 of 30 of 03-soa (the GPU lowered its clocks: power cap)"),
            "{text}"
        );
        assert_eq!(suspects(&synthetic::blocks().rows), None);
        let mut rows = synthetic::sweep().rows;
        let samples = &mut rows[0].timed[0].samples;
        for (sample, percent) in ["+1.6%", "+23.0%"].into_iter().enumerate() {
            let reason = format!("{percent} off the median");
            samples.suspects.push(report::Suspect { sample: sample as u32, reason });
        }
        let text = suspects(&rows).expect("a note");
        assert!(text.contains(&format!("2 of 30 of {} (off the median)", rows[0].step)), "{text}");
    }

    #[test]
    fn the_bus_is_told_with_the_fastest_step() {
        let text = end_to_end(&synthetic::sweep().rows).expect("a note");
        assert!(text.starts_with("END TO END 07-unroll takes"), "{text}");
        // 4 MiB in 0.16 ms there, 3 MiB in 0.15 ms back.
        assert!(text.contains("26.2 GB/s there") && text.contains("21.0 GB/s back"), "{text}");
        assert_eq!(end_to_end(&synthetic::blocks().rows), None);
    }
}
