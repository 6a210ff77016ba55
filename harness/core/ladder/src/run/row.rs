//! The outcome of a step, written into its row.

use device::TimeSource;
use report::{Extra, Outcome, Row, Timed};
use simt::Gaps;

use crate::measure::{Point, ROUNDS};
use crate::verify::Failure;

/// A step that verified and was timed at its points; `interrupted` says after how many rounds that
/// ended early.
pub(super) fn fill(
    mut row: Row,
    points: &[Point],
    timed: Vec<Timed>,
    interrupted: Option<u32>,
) -> Row {
    row.interrupted = interrupted.is_some();
    if timed.len() < points.len() {
        skip(&mut row, "interrupted".to_owned());
        return row;
    }
    let source = points.first().map(Point::source);
    row.outcome = match source {
        Some(TimeSource::Model) => Outcome::Simulated,
        _ => Outcome::Measured,
    };
    row.time_source = source;
    row.timed = timed;
    if let Some(rounds) = interrupted {
        note(&mut row, format!("interrupted after {rounds} of {ROUNDS} rounds"));
    }
    row
}

/// What is worth knowing of a step, after what was noted before.
pub(super) fn note(row: &mut Row, note: String) {
    row.reason = Some(match row.reason.take() {
        Some(reason) if reason.contains('\n') => format!("{reason}\n{note}"),
        Some(reason) => format!("{reason}; {note}"),
        None => note,
    });
}

/// What a problem says of the results at the size that is timed, in the place of what it said of smaller ones.
pub(super) fn add_extras(row: &mut Row, extras: &[Extra]) {
    row.extras.retain(|old| extras.iter().all(|new| new.name != old.name));
    row.extras.extend_from_slice(extras);
}

/// What of a reader's code never ran while it was verified: there a mistake shows in no result.
pub(super) fn note_gaps(row: &mut Row, gaps: &[Gaps]) {
    if !gaps.is_empty() {
        let gaps: Vec<String> = gaps.iter().map(ToString::to_string).collect();
        note(row, format!("not all of it was verified: {}", gaps.join("; ")));
    }
}

/// A step that cannot run here, for a reason that is not its fault.
pub(super) fn skip(row: &mut Row, reason: String) {
    (row.outcome, row.reason) = (Outcome::Skipped, Some(reason));
}

/// A step that did not verify, or not when it was timed.
pub(super) fn explain(row: &mut Row, failure: &Failure) {
    row.reason = Some(failure.to_string());
    row.outcome = match failure {
        Failure::Device(error) if error.is_skipped() => Outcome::Skipped,
        Failure::Device(_)
        | Failure::Clock(_)
        | Failure::Impossible { .. }
        | Failure::Kept { .. } => Outcome::Failed,
        Failure::Wrong(wrong) => {
            row.wrong = wrong.accuracy();
            Outcome::Wrong
        }
    };
}
