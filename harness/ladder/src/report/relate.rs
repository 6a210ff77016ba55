//! How rows compare: × parent and × first.

use super::Row;

/// Fills in how many times its parent's and the first step's speed each row reached. Rows stay in
/// their order, which is the ladder's: parents before children.
///
/// A row and its parent are compared at the greatest size at which both were timed. Only verified
/// rows are compared, and only times of the same source: a modelled time says nothing of a
/// measured one.
pub fn relate(rows: &mut [Row]) {
    for index in 0..rows.len() {
        let (before, rest) = rows.split_at_mut(index);
        let row = &mut rest[0];
        (row.times_parent, row.times_parent_n, row.times_first) = (None, None, None);
        if !row.outcome.is_verified() {
            continue;
        }
        let Some(after) = row.after.as_deref() else {
            row.times_first = Some(1.0);
            continue;
        };
        let parent = before.iter().find(|other| other.ladder == row.ladder && other.step == after);
        let Some(parent) = parent else { continue };
        if let Some((n, times)) = compare(parent, row) {
            row.times_parent = Some(times);
            row.times_parent_n = Some(n);
            row.times_first = parent.times_first.map(|first| first * times);
        }
    }
}

/// The greatest common size and how many times the parent's speed `row` reached there.
fn compare(parent: &Row, row: &Row) -> Option<(u64, f64)> {
    if !parent.outcome.is_verified() || parent.time_source != row.time_source {
        return None;
    }
    timed(row)
        .filter_map(|(n, seconds)| {
            let (_, of_parent) = timed(parent).find(|&(other, _)| other == n)?;
            Some((n, of_parent / seconds))
        })
        .max_by_key(|&(n, _)| n)
}

/// Sizes at which a row's force evaluation was timed, with the times; its own size first.
fn timed(row: &Row) -> impl Iterator<Item = (u64, f64)> + '_ {
    let also = row.also.iter().map(|also| (also.n, also.seconds));
    row.n.zip(row.seconds).into_iter().chain(also)
}
