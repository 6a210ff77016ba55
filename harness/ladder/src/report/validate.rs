//! What a report must satisfy beyond its fields' types.

use super::{Report, Row};

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
            let twin = self.rows[..index]
                .iter()
                .position(|other| other.ladder == row.ladder && other.step == row.step);
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
    for (name, value) in positive(row) {
        if value.is_some_and(|v| !(v > 0.0 && v.is_finite())) {
            return Err(format!("{name} is not a positive number"));
        }
    }
    for (name, value) in not_negative(row) {
        if value.is_some_and(|v| !(v >= 0.0 && v.is_finite())) {
            return Err(format!("{name} is not a number from 0 up"));
        }
    }
    if row.n == Some(0) || row.also.iter().any(|also| also.n == 0 || also.time_steps == 0) {
        return Err("n and time_steps must be at least 1".to_owned());
    }
    if row.outcome.is_verified() {
        for (name, missing) in [
            ("n", row.n.is_none()),
            ("seconds", row.seconds.is_none()),
            ("step_seconds", row.step_seconds.is_none()),
            ("interactions_per_second", row.interactions_per_second.is_none()),
            ("time_source", row.time_source.is_none()),
            ("device", row.device.is_none()),
            ("error_rms", row.error_rms.is_none()),
            ("tolerance", row.tolerance.is_none()),
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

/// Times and rates, by name.
fn positive(row: &Row) -> impl Iterator<Item = (&'static str, Option<f64>)> + '_ {
    let fields = [
        ("seconds", row.seconds),
        ("step_seconds", row.step_seconds),
        ("interactions_per_second", row.interactions_per_second),
        ("times_parent", row.times_parent),
        ("times_first", row.times_first),
        ("tolerance", row.tolerance),
    ];
    let samples = row.samples.iter().map(|&sample| ("samples", Some(sample)));
    let also = row.also.iter().flat_map(|also| {
        [("also.seconds", Some(also.seconds)), ("also.step_seconds", Some(also.step_seconds))]
    });
    fields.into_iter().chain(samples).chain(also)
}

/// Errors and drifts, by name.
fn not_negative(row: &Row) -> impl Iterator<Item = (&'static str, Option<f64>)> {
    [
        ("error_rms", row.error_rms),
        ("error_worst", row.error_worst),
        ("energy_drift", row.energy_drift),
        ("momentum_drift", row.momentum_drift),
    ]
    .into_iter()
}
