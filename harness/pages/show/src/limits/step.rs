//! Steps with limits, and the columns that a GPU's and a CPU's tables share.

use report::{Bound, Figure, Report, Row, Timed};

use crate::steps::variant;
use crate::table::Field;
use crate::{Link, words};

/// A step with limits of a kind.
pub(super) struct Step<'r, L> {
    pub(super) row: &'r Row,
    pub(super) figure: &'r Figure,
    /// What was timed at the size of the limits.
    pub(super) timed: &'r Timed,
    pub(super) limits: &'r L,
    pub(super) bounds: &'r [Bound],
}

/// Stands for the limit of a step that was faster than its counts allow.
pub(super) const UNKNOWN: &str = "unknown";

/// A column of such steps.
pub(super) type Column<'f, 'r, L> = Field<'f, Step<'r, L>>;

impl<L> Step<'_, L> {
    /// The longest bound and its part of the time, or that it is not known.
    pub(super) fn binding(&self) -> Option<String> {
        if self.row.refuted().is_some() {
            return Some(UNKNOWN.to_owned());
        }
        let bound = self.bounds.first()?;
        Some(format!("{} {} %", bound.name, whole(bound.fraction)))
    }
}

/// The columns that both kinds have first: the name, with its variant; operations per second by the
/// convention of the report's figure; those that were executed.
pub(super) fn first<'f, 'r: 'f, L: 'r>(
    report: &Report,
    link: Link<'f>,
    rate: &str,
    scaled: fn(f64) -> String,
    executed: impl Fn(&Step<L>) -> Option<f64> + 'f,
) -> Vec<Column<'f, 'r, L>> {
    let flop = words::figure(report).and_then(|figure| figure.flop);
    let convention = flop.map_or_else(|| rate.to_owned(), |flop| format!("{rate} at {flop}"));
    let name = move |step: &Step<L>| variant(step.row, link(&step.row.ladder, &step.row.step));
    let by_convention = move |step: &Step<L>| Some(scaled(step.figure.flop? * step.timed.rate()));
    vec![
        Field::text("step", name),
        Field::number(convention, by_convention).rank(1),
        Field::number("exe\u{ad}cuted", move |step: &Step<L>| executed(step).map(scaled)).rank(5),
    ]
}

/// The part of the time of a bound, in whole %.
pub(super) fn part<'f, 'r: 'f, L: 'r>(
    head: &str,
    name: &'static str,
    rank: u8,
) -> Column<'f, 'r, L> {
    let percent = move |step: &Step<L>| {
        let bound = step.bounds.iter().find(|bound| bound.name == name)?;
        Some(whole(bound.fraction))
    };
    Field::number(head, percent).rank(rank)
}

/// The steps of a report that have limits of one kind.
pub(super) fn steps<'r, L>(
    report: &'r Report,
    limits: fn(&'r Row) -> Option<&'r L>,
    n: fn(&L) -> u64,
) -> Vec<Step<'r, L>> {
    let step = |row: &'r Row| {
        let limits = limits(row)?;
        let (figure, timed) = (report.figure(row), row.at(n(limits))?);
        let bounds = row.bounds().map_or(&[][..], |(_, bounds)| bounds);
        Some(Step { row, figure, timed, limits, bounds })
    };
    report.verified().filter_map(step).collect()
}

/// What an unknown limit means, as a sentence; nothing where all are known.
pub(super) fn unknown<L>(steps: &[Step<L>]) -> String {
    if steps.iter().all(|step| step.row.refuted().is_none()) {
        return String::new();
    }
    format!(
        " Limit {UNKNOWN}: the step took less time than its counts allow, so the counts are too high."
    )
}

/// What a rate counts, as a sentence; nothing where the figure has no convention.
pub(super) fn counted(figure: &Figure, rate: &str) -> String {
    words::convention(figure).map_or_else(String::new, |it| format!(" {rate} {it}."))
}

/// A part in whole %.
pub(super) fn whole(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    if percent > 0.0 && percent < 0.5 { "<1".to_owned() } else { format!("{percent:.0}") }
}
