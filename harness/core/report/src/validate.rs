//! What a report must satisfy beyond its fields' types.

mod numbers;
mod timed;

use std::collections::BTreeMap;

use crate::device::TimeSource;
use crate::row::{Outcome, Row};
use crate::variant::is_name;
use crate::{Bound, Report, SCHEMA};
use numbers::Check;

/// A value that no run can have written: which value of which row, and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidReport(String);

impl Report {
    /// Checks all that a reader of reports relies on.
    ///
    /// # Errors
    /// A value that no run can have written.
    pub fn check(&self) -> Result<(), InvalidReport> {
        self.problem().map_err(InvalidReport)
    }

    /// Describes the first impossible value.
    fn problem(&self) -> Check {
        if self.schema != SCHEMA {
            return Err(format!("schema is {} and not {SCHEMA}", self.schema));
        }
        check_date("date", &self.date)?;
        if let Some(recounted) = &self.recounted {
            check_date("recounted.date", &recounted.date)?;
        }
        numbers::check(&self.machine).map_err(|problem| format!("machine.{problem}"))?;
        numbers::check(&self.device).map_err(|problem| format!("device.{problem}"))?;
        for (ladder, figure) in &self.figures {
            numbers::check(figure).map_err(|problem| format!("figures.{ladder}: {problem}"))?;
        }
        let mut seen = BTreeMap::new();
        for (number, row) in (1..).zip(self.rows.iter().chain(&self.libraries)) {
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
fn check_date(field: &str, date: &str) -> Check {
    let is_date = date.len() == 10
        && (date.bytes().enumerate()).all(|(at, byte)| {
            if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() }
        });
    if is_date { Ok(()) } else { Err(format!("{field} is `{date}` and not a day as 2026-11-20")) }
}

/// Checks one row.
fn check_row(row: &Row) -> Check {
    for (name, text) in [("ladder", &row.ladder), ("step", &row.step)] {
        if text.is_empty() {
            return Err(format!("{name} is empty"));
        }
    }
    if let Some(define) = row.defines.iter().find(|define| !is_name(&define.name)) {
        return Err(format!("defines has `{}`, which is no name", define.name));
    }
    check_outcome(row)?;
    timed::check(row)?;
    if row.wrong.is_some() && row.outcome != Outcome::Wrong {
        return Err(format!("wrong is there though the outcome is {}", row.outcome));
    }
    for extra in &row.extras {
        if extra.value < 0.0 {
            return Err(format!("{} is {} and not a number from 0 up", extra.name, extra.value));
        }
    }
    // Sizes have been checked one by one, so that an error names the size.
    let rest = Row { timed: Vec::new(), extras: Vec::new(), ..row.clone() };
    numbers::check(&rest)?;
    check_limits(row)
}

/// Checks how the blocks are resident, and how near the step comes to the limits of its chip.
fn check_limits(row: &Row) -> Check {
    let was_timed = |field: &str, n: u64| match row.at(n) {
        Some(_) => Ok(()),
        None => Err(format!("{field}.n is {n} and nothing was timed there")),
    };
    if let Some(it) = row.occupancy.as_ref().filter(|it| it.warps > it.most_warps) {
        let (warps, most) = (it.warps, it.most_warps);
        return Err(format!("occupancy.warps is {warps} and more than the most, {most}"));
    }
    if let Some(limits) = &row.limits {
        check_order("limits", &limits.bounds)?;
        was_timed("limits", limits.n)?;
    }
    let Some(limits) = &row.cpu_limits else { return Ok(()) };
    check_order("cpu_limits", &limits.bounds)?;
    if limits.vectors.is_empty() {
        return Err("cpu_limits.vectors is empty".to_owned());
    }
    if limits.executed.is_none() && !limits.bounds.is_empty() {
        return Err("cpu_limits.bounds are there though executed is not".to_owned());
    }
    if row.limits.is_some() {
        return Err("limits and cpu_limits are both there".to_owned());
    }
    if row.threads != Some(limits.threads) {
        return Err(format!("cpu_limits.threads is {} and not the row's", limits.threads));
    }
    was_timed("cpu_limits", limits.n)
}

fn check_order(field: &str, bounds: &[Bound]) -> Check {
    match bounds.is_sorted_by(|one, next| one.seconds >= next.seconds) {
        true => Ok(()),
        false => Err(format!("{field}.bounds are not in order, longest first")),
    }
}

/// Whether what is there is what the outcome says: times of verified steps only, and a reason where
/// there are none.
fn check_outcome(row: &Row) -> Check {
    let outcome = row.outcome;
    let (needed, forbidden) = if outcome.is_verified() {
        let needed = [
            ("timed", !row.timed.is_empty() || row.not_modelled.is_some()),
            ("time_source", row.time_source.is_some()),
            ("device", row.device.is_some()),
        ];
        let forbidden = [("not_modelled", row.not_modelled.is_some() && !row.timed.is_empty())];
        (needed.to_vec(), forbidden.to_vec())
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
