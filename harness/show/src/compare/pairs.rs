//! Which rows and sizes two reports have in common.

use report::{Outcome, Report, Row, TimeSource, Timed};

use super::Left;

/// What can be compared, and what cannot.
pub(super) struct Pairs<'r> {
    pub both: Vec<Pair<'r>>,
    pub left: Vec<Left>,
}

/// One size that both reports have a time of.
pub(super) struct Pair<'r> {
    pub row: &'r Row,
    pub a: &'r Timed,
    pub b: &'r Timed,
}

/// Matches rows by ladder, step and variant, their sizes by n.
pub(super) fn match_rows<'r>(a: &'r Report, b: &'r Report) -> Pairs<'r> {
    let mut pairs = Pairs { both: Vec::new(), left: Vec::new() };
    for row in &a.rows {
        match twin(row, b) {
            None => pairs.left.push(left(row, None, "only in A".to_owned())),
            Some(other) => match_sizes(row, other, &mut pairs),
        }
    }
    let only_in_b = b.rows.iter().filter(|row| twin(row, a).is_none());
    pairs.left.extend(only_in_b.map(|row| left(row, None, "only in B".to_owned())));
    pairs
}

/// The row of another report about the same.
pub(super) fn twin<'r>(row: &Row, report: &'r Report) -> Option<&'r Row> {
    report.rows.iter().find(|other| {
        (&other.ladder, &other.step) == (&row.ladder, &row.step) && other.has_variant_of(row)
    })
}

fn match_sizes<'r>(a: &'r Row, b: &'r Row, pairs: &mut Pairs<'r>) {
    match (a.outcome.is_verified(), b.outcome.is_verified()) {
        (false, false) => {}
        (true, false) => {
            let why = format!("{} in B: {}", b.outcome, b.reason.as_deref().unwrap_or_default());
            let regression = matches!(b.outcome, Outcome::Wrong | Outcome::Failed);
            pairs.left.push(Left { regression, ..left(a, None, why) });
        }
        (false, true) => {
            let why = format!("{} in A: {}", a.outcome, a.reason.as_deref().unwrap_or_default());
            pairs.left.push(left(a, None, why));
        }
        (true, true) if a.time_source != b.time_source => {
            let clocks = [a, b].map(|row| match row.time_source {
                Some(TimeSource::Device) => "timed by the GPU",
                Some(TimeSource::Host) => "timed by the host",
                Some(TimeSource::Model) => "modelled",
                None => "not timed",
            });
            let why = format!("{} in A, {} in B", clocks[0], clocks[1]);
            pairs.left.push(left(a, None, why));
        }
        (true, true) => {
            for timed in &a.timed {
                match b.at(timed.n) {
                    Some(other) => pairs.both.push(Pair { row: a, a: timed, b: other }),
                    None => {
                        pairs.left.push(left(a, Some(timed.n), "only in A".to_owned()));
                    }
                }
            }
            let only_in_b = b.timed.iter().filter(|timed| a.at(timed.n).is_none());
            let only_in_b = only_in_b.map(|timed| left(b, Some(timed.n), "only in B".to_owned()));
            pairs.left.extend(only_in_b);
        }
    }
}

fn left(row: &Row, n: Option<u64>, why: String) -> Left {
    Left {
        ladder: row.ladder.clone(),
        step: row.step.clone(),
        variant: row.variant(),
        n,
        why,
        regression: false,
    }
}
