//! Checks of what was timed.

use std::collections::BTreeSet;

use super::numbers::{self, Check};
use crate::statistics::{Interval, Verdict};
use crate::{Ratio, Row, Samples, Timed};

/// How far a median may be outside of its samples: what rounding can do.
const ROUNDING: f64 = 1e-9;

/// Checks all sizes at which a step was timed.
pub(super) fn check(row: &Row) -> Check {
    let mut sizes = BTreeSet::new();
    for timed in &row.timed {
        let named = |problem| format!("at n = {}: {problem}", timed.n);
        check_size(timed, row.is_modelled()).map_err(named)?;
        if !sizes.insert(timed.n) {
            return Err(named("this size is there twice".to_owned()));
        }
        if timed.parent.is_some() && row.after.is_none() {
            return Err(named("parent is there though the step comes after none".to_owned()));
        }
    }
    Ok(())
}

fn check_size(timed: &Timed, is_modelled: bool) -> Check {
    numbers::check(timed)?;
    if !timed.rate().is_finite() || timed.rate() <= 0.0 {
        return Err(format!("work / seconds is {} and not a positive number", timed.rate()));
    }
    holds("interval", timed.interval, timed.seconds)?;
    if let Some(whole) = &timed.whole {
        holds("whole.interval", whole.interval, whole.seconds)?;
        within_samples("whole.seconds", whole.seconds, &timed.samples.whole_seconds)?;
    }
    // Of a size that is too large to be simulated a smaller one is verified.
    if timed.accuracy.n != timed.n && !(is_modelled && timed.accuracy.n < timed.n) {
        return Err(format!("accuracy.n is {}: errors of another size", timed.accuracy.n));
    }
    if timed.accuracy.rms.is_some_and(|rms| rms > timed.accuracy.tolerance) {
        return Err("accuracy.rms is above its tolerance though the step is verified".to_owned());
    }
    timed.parent.as_ref().map_or(Ok(()), check_parent)?;
    check_samples(&timed.samples).map_err(|problem| format!("samples.{problem}"))?;
    within_samples("seconds", timed.seconds, &timed.samples.seconds)
}

fn check_parent(parent: &Ratio) -> Check {
    holds("parent.interval", parent.interval, parent.ratio)?;
    let (low, high) = parent.interval.map_or((parent.ratio, parent.ratio), |i| (i.low, i.high));
    let contradicts = match parent.verdict {
        Verdict::Faster => low <= 1.0,
        Verdict::Slower => high >= 1.0,
        Verdict::NoDifference => false,
    };
    if contradicts {
        return Err(format!(
            "parent.verdict is `{}` though the ratio is from {low} to {high}",
            parent.verdict.words()
        ));
    }
    Ok(())
}

/// An interval holds its median.
fn holds(name: &str, interval: Option<Interval>, median: f64) -> Check {
    match interval {
        Some(Interval { low, high }) if !(low..=high).contains(&median) => {
            Err(format!("{name} is from {low} to {high} and does not hold {median}"))
        }
        _ => Ok(()),
    }
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
    for (place, suspect) in samples.suspects.iter().enumerate() {
        if suspect.sample as usize >= count {
            let sample = suspect.sample;
            return Err(format!(
                "suspects[{place}].sample is {sample} and there are {count} samples"
            ));
        }
        if suspect.reason.is_empty() {
            return Err(format!("suspects[{place}].reason is empty"));
        }
    }
    Ok(())
}
