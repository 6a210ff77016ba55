//! Checks of what was timed.

use std::collections::BTreeSet;

use super::Check;
use super::numbers::{at_least_one, holds, not_negative, positive};
use crate::statistics::Verdict;
use crate::{Accuracy, Ratio, Row, Samples, Timed};

/// How far a median may be outside of its samples: what rounding can do.
const ROUNDING: f64 = 1e-9;

/// Checks all sizes at which a step was timed.
pub(super) fn check(row: &Row) -> Check {
    let mut sizes = BTreeSet::new();
    for timed in &row.timed {
        let named = |problem| format!("at n = {}: {problem}", timed.n);
        check_size(timed).map_err(named)?;
        if !sizes.insert(timed.n) {
            return Err(named("this size is there twice".to_owned()));
        }
        if timed.parent.is_some() && row.after.is_none() {
            return Err(named("parent is there though the step comes after none".to_owned()));
        }
    }
    Ok(())
}

fn check_size(timed: &Timed) -> Check {
    at_least_one("n", timed.n)?;
    at_least_one("passes", u64::from(timed.passes))?;
    positive("work", timed.work)?;
    positive("seconds", timed.seconds)?;
    positive("work / seconds", timed.rate())?;
    holds("interval", timed.interval, timed.seconds)?;
    if let Some(whole) = &timed.whole {
        at_least_one("whole.count", u64::from(whole.count))?;
        positive("whole.seconds", whole.seconds)?;
        holds("whole.interval", whole.interval, whole.seconds)?;
        within_samples("whole.seconds", whole.seconds, &timed.samples.whole_seconds)?;
    }
    timed.spread.map_or(Ok(()), |spread| not_negative("spread", spread))?;

    let within = |field: &str, check: Check| check.map_err(|problem| format!("{field}.{problem}"));
    within("accuracy", check_accuracy(&timed.accuracy))?;
    let Accuracy { n, rms, tolerance, .. } = timed.accuracy;
    if n != timed.n {
        return Err(format!("accuracy.n is {n}: errors of another size"));
    }
    if rms.is_some_and(|rms| rms > tolerance) {
        return Err("accuracy.rms is above its tolerance though the step is verified".to_owned());
    }
    within("parent", timed.parent.as_ref().map_or(Ok(()), check_ratio))?;
    within("samples", check_samples(&timed.samples))?;
    within_samples("seconds", timed.seconds, &timed.samples.seconds)
}

/// Checks errors, which need not be within their tolerance.
pub(super) fn check_accuracy(accuracy: &Accuracy) -> Check {
    at_least_one("n", accuracy.n)?;
    not_negative("tolerance", accuracy.tolerance)?;
    for (name, error) in [("rms", accuracy.rms), ("worst", accuracy.worst)] {
        error.map_or(Ok(()), |error| not_negative(name, error))?;
    }
    Ok(())
}

fn check_ratio(parent: &Ratio) -> Check {
    positive("ratio", parent.ratio)?;
    holds("interval", parent.interval, parent.ratio)?;
    let (low, high) = parent.interval.map_or((parent.ratio, parent.ratio), |i| (i.low, i.high));
    let contradicts = match parent.verdict {
        Verdict::Faster => low <= 1.0,
        Verdict::Slower => high >= 1.0,
        Verdict::NoDifference => false,
    };
    if contradicts {
        return Err(format!(
            "verdict is `{}` though the ratio is from {low} to {high}",
            parent.verdict.words()
        ));
    }
    Ok(())
}

/// A median lies among what it is the median of.
fn within_samples(name: &str, median: f64, samples: &[f64]) -> Check {
    let least = samples.iter().copied().min_by(f64::total_cmp);
    let most = samples.iter().copied().max_by(f64::total_cmp);
    match least.zip(most) {
        Some((least, most))
            if median < least * (1.0 - ROUNDING) || median > most * (1.0 + ROUNDING) =>
        {
            Err(format!("{name} is {median} though its samples are from {least} to {most}"))
        }
        _ => Ok(()),
    }
}

fn check_samples(samples: &Samples) -> Check {
    let columns = [
        ("round", samples.round.len()),
        ("seconds", samples.seconds.len()),
        ("whole_seconds", samples.whole_seconds.len()),
        ("clock_mhz", samples.clock_mhz.len()),
        ("memory_clock_mhz", samples.memory_clock_mhz.len()),
        ("temperature_c", samples.temperature_c.len()),
        ("power_w", samples.power_w.len()),
    ];
    let count = columns.iter().map(|&(_, len)| len).max().unwrap_or(0);
    if let Some((name, len)) = columns.iter().find(|&&(_, len)| len != 0 && len != count) {
        return Err(format!("{name} has {len} values where another column has {count}"));
    }
    if !samples.round.is_sorted_by(|one, next| one < next) {
        return Err("round does not rise from sample to sample".to_owned());
    }
    for (name, values) in [("seconds", &samples.seconds), ("whole_seconds", &samples.whole_seconds)]
    {
        for (place, &value) in values.iter().enumerate() {
            positive(&format!("{name}[{place}]"), value)?;
        }
    }
    for (place, &power) in samples.power_w.iter().enumerate() {
        not_negative(&format!("power_w[{place}]"), power)?;
    }
    for (place, suspect) in samples.suspects.iter().enumerate() {
        if suspect.sample as usize >= count {
            return Err(format!(
                "suspects[{place}].sample is {} and there are {count} samples",
                suspect.sample
            ));
        }
        if suspect.reason.is_empty() {
            return Err(format!("suspects[{place}].reason is empty"));
        }
    }
    Ok(())
}
