//! What a report must satisfy beyond its fields' types.

use super::{Report, Row, Timed};

impl Report {
    /// Checks every row.
    ///
    /// # Errors
    /// Which value of which row is impossible, and why.
    pub fn check(&self) -> Result<(), String> {
        for (index, row) in self.rows.iter().enumerate() {
            let name = if row.step.is_empty() {
                format!("row {}", index + 1)
            } else {
                format!("row {} ({})", index + 1, row.step)
            };
            check_row(row).map_err(|problem| format!("{name}: {problem}"))?;
            let twin = self.rows[..index].iter().position(|other| {
                (&other.ladder, &other.step, other.block) == (&row.ladder, &row.step, row.block)
            });
            if let Some(twin) = twin {
                return Err(format!("{name} repeats row {}", twin + 1));
            }
        }
        Ok(())
    }
}

/// Checks one row.
fn check_row(row: &Row) -> Result<(), String> {
    if row.ladder.is_empty() || row.step.is_empty() {
        return Err("it names no ladder or no step".to_owned());
    }
    for (name, value) in not_negative(row) {
        if value.is_some_and(|v| !(v >= 0.0 && v.is_finite())) {
            return Err(format!("{name} is not a number from 0 up"));
        }
    }
    for timed in &row.timed {
        check_timed(timed).map_err(|problem| format!("at n = {}: {problem}", timed.n))?;
    }
    if row.outcome.is_verified() {
        for (name, missing) in [
            ("timed", row.timed.is_empty()),
            ("time_source", row.time_source.is_none()),
            ("device", row.device.is_none()),
        ] {
            if missing {
                return Err(format!("{name} is missing though the outcome is {}", row.outcome));
            }
        }
    } else if row.reason.as_deref().is_none_or(str::is_empty) {
        return Err(format!("reason is missing though the outcome is {}", row.outcome));
    }
    Ok(())
}

fn check_timed(timed: &Timed) -> Result<(), String> {
    let samples = timed.samples.seconds.iter().chain(&timed.samples.step_seconds);
    let samples = samples.map(|&sample| ("samples", sample));
    let times = [("seconds", timed.seconds), ("step_seconds", timed.step_seconds)];
    for (name, value) in times.into_iter().chain(samples) {
        if !(value > 0.0 && value.is_finite()) {
            return Err(format!("{name} is not a positive number"));
        }
    }
    if timed.n == 0 || timed.time_steps == 0 || timed.launches == 0 {
        return Err("n, launches and time_steps must be at least 1".to_owned());
    }
    Ok(())
}

/// Errors and drifts, by name.
fn not_negative(row: &Row) -> impl Iterator<Item = (&'static str, Option<f64>)> {
    let accuracies = row.timed.iter().map(|timed| timed.accuracy).chain(row.wrong);
    let errors = accuracies.flat_map(|accuracy| [("rms", accuracy.rms), ("worst", accuracy.worst)]);
    [("energy_drift", row.energy_drift), ("momentum_drift", row.momentum_drift)]
        .into_iter()
        .chain(errors)
}
