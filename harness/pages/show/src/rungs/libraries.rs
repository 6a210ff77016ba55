//! Lines of libraries' functions, below the steps.

use anstyle::Style;
use report::{Report, Row, format, words};

use super::cells::{RATE, padded, right, trouble};
use crate::table::terminal::wrap;

/// Columns for names, and of a whole line; and whether there is room for rates.
#[derive(Clone, Copy)]
pub struct Room {
    pub names: usize,
    pub has_rate: bool,
    pub width: usize,
}

/// A function with its rate, and where that comes from where it is not of this run; or why it has none.
pub fn line(report: &Report, row: &Row, room: Room) -> String {
    let name = padded(&name(row), room.names);
    let rest = room.width.saturating_sub(room.names + 2);
    let Some(rate) = row.shown_rate() else { return format!("{name}  {}", trouble(row, rest)) };
    if !room.has_rate {
        return name;
    }
    let rate = right(&format::significant(report.figure(row).rate(rate)), RATE);
    let from = row.committed.as_ref().map(|it| format!("  {}, committed", it.device));
    let from: String =
        from.iter().flat_map(|it| it.chars()).take(rest.saturating_sub(RATE)).collect();
    let dim = Style::new().dimmed();
    format!("{name}{rate}{dim}{from}{dim:#}")
}

/// What a function is called among the steps.
pub fn name(row: &Row) -> String {
    row.title.clone()
}

/// Why functions did not run, in lines of at most `width` columns, each reason once.
pub fn reasons(report: &Report, width: usize) -> String {
    let mut told: Vec<&str> = Vec::new();
    let rows = report.libraries.iter().filter(|row| row.committed.is_some());
    for reason in rows.filter_map(|row| row.reason.as_deref()) {
        if !told.contains(&reason) {
            told.push(reason);
        }
    }
    told.into_iter().map(|reason| wrap(&words::reason(reason), width) + "\n").collect()
}

/// The last step's speed over that of the library, for a sentence: "; 94.1 % of CUB".
pub fn share(report: &Report, last: &Row) -> String {
    let share = last.times_library.zip(report.library());
    share.map_or_else(String::new, |(times, library)| {
        format!("; {} % of {library}", format::significant(100.0 * times.ratio))
    })
}
