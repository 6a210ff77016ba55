//! What a report must satisfy beyond its fields' types.

mod limits;
mod numbers;
mod timed;

use std::collections::BTreeMap;

use crate::device::TimeSource;
use crate::row::{Outcome, Row};
use crate::variant::is_name;
use crate::{Figure, Report, SCHEMA};
use numbers::{not_negative, positive};

/// Which field is wrong, and why.
type Check = Result<(), String>;

impl Report {
    /// Checks all that a reader of reports relies on.
    ///
    /// # Errors
    /// Which value of which row is impossible, and why.
    pub fn check(&self) -> Result<(), String> {
        if self.schema != SCHEMA {
            return Err(format!("schema is {} and not {SCHEMA}", self.schema));
        }
        check_date(&self.date)?;
        if self.machine.cores == 0 {
            return Err("machine.cores is 0".to_owned());
        }
        if let Some(device) = &self.device {
            positive("device.launch_limit_seconds", device.launch_limit_seconds)?;
        }
        for (ladder, figure) in &self.figures {
            check_figure(figure).map_err(|problem| format!("figures.{ladder}: {problem}"))?;
        }
        let mut seen = BTreeMap::new();
        for (number, row) in (1..).zip(&self.rows) {
            let name = if row.step.is_empty() {
                format!("row {number}")
            } else {
                format!("row {number} ({})", row.step)
            };
            check_row(row).map_err(|problem| format!("{name}: {problem}"))?;
            if !self.figures.contains_key(&row.ladder) {
                return Err(format!("{name}: figures has nothing of the ladder `{}`", row.ladder));
            }
            if let Some(twin) = seen.insert((&row.ladder, &row.step, row.variant()), number) {
                return Err(format!("{name} repeats row {twin}"));
            }
        }
        Ok(())
    }
}

/// A day as [`crate::today`] writes it.
fn check_date(date: &str) -> Check {
    let is_date = date.len() == 10
        && (date.bytes().enumerate()).all(|(at, byte)| {
            if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() }
        });
    if is_date { Ok(()) } else { Err(format!("date is `{date}` and not a day as 2026-11-20")) }
}

fn check_figure(figure: &Figure) -> Check {
    positive("scale", figure.scale)?;
    figure.flop.map_or(Ok(()), |flop| positive("flop", flop))
}

/// Checks one row.
fn check_row(row: &Row) -> Check {
    for (name, text) in [("ladder", &row.ladder), ("step", &row.step)] {
        if text.is_empty() {
            return Err(format!("{name} is empty"));
        }
    }
    if row.block == Some(0) {
        return Err("block is 0".to_owned());
    }
    if let Some(define) = row.defines.iter().find(|define| !is_name(&define.name)) {
        return Err(format!("defines has `{}`, which is no name", define.name));
    }
    if row.threads == Some(0) {
        return Err("threads is 0".to_owned());
    }
    check_outcome(row)?;
    timed::check(row)?;
    if let Some(wrong) = &row.wrong {
        if row.outcome != Outcome::Wrong {
            return Err(format!("wrong is there though the outcome is {}", row.outcome));
        }
        timed::check_accuracy(wrong).map_err(|problem| format!("wrong.{problem}"))?;
    }
    for extra in &row.extras {
        not_negative(&extra.name, extra.value)?;
    }
    row.times_first.map_or(Ok(()), |times| positive("times_first", times))?;
    limits::check(row)
}

/// Whether what is there is what the outcome says: times of verified steps only, and a reason where
/// there are none.
fn check_outcome(row: &Row) -> Check {
    let outcome = row.outcome;
    let (needed, forbidden) = if outcome.is_verified() {
        let needed = [
            ("timed", !row.timed.is_empty()),
            ("time_source", row.time_source.is_some()),
            ("device", row.device.is_some()),
        ];
        (needed.to_vec(), vec![])
    } else {
        let reason = row.reason.as_deref().is_some_and(|reason| !reason.is_empty());
        let forbidden = [
            ("timed", !row.timed.is_empty()),
            ("times_first", row.times_first.is_some()),
            ("limits", row.limits.is_some()),
            ("cpu_limits", row.cpu_limits.is_some()),
        ];
        (vec![("reason", reason)], forbidden.to_vec())
    };
    if let Some((name, _)) = needed.iter().find(|(_, is_there)| !is_there) {
        return Err(format!("{name} is missing though the outcome is {outcome}"));
    }
    if let Some((name, _)) = forbidden.iter().find(|(_, is_there)| *is_there) {
        return Err(format!("{name} is there though the outcome is {outcome}"));
    }
    let is_modelled = row.time_source == Some(TimeSource::Model);
    match outcome {
        Outcome::Measured if is_modelled => {
            Err("time_source is a model though the outcome is measured".to_owned())
        }
        Outcome::Simulated if !is_modelled => {
            Err("time_source is a clock though the outcome is simulated".to_owned())
        }
        _ => Ok(()),
    }
}
