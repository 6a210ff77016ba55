//! Speed against accuracy over the values of an option, and times of several reports by size, as tables.

use report::crossing::{self, Crossing};
use report::format::{self, grouped};
use report::split;
use report::tradeoff::{Curve, Point, Tradeoff};

use crate::Link;
use crate::table::{Cell, Field, Table};

/// What a problem calls the error that one in a hundred results exceeds.
const PERCENTILE: &str = "99th percentile of errors";

/// Every step with every value of the option.
pub fn tradeoff(tradeoff: &Tradeoff, link: Link) -> Table {
    type Item<'c> = (&'c Curve<'c>, &'c Point<'c>);
    let curves = tradeoff.curves.iter();
    let items: Vec<Item> =
        curves.flat_map(|curve| curve.points.iter().map(move |point| (curve, point))).collect();
    let name = |(curve, _): &Item| Cell::name(split(curve.step).1, link(curve.ladder, curve.step));
    let fields = vec![
        Field::text("step", name),
        Field::number(tradeoff.option, |(_, point): &Item| point.value.unwrap_or_default()),
        Field::number("time", |(_, point): &Item| format::time(Some(point.seconds))),
        Field::number("error (rms)", |(_, point): &Item| format::error(Some(point.error))),
        Field::number(PERCENTILE, |(_, point): &Item| {
            point.extra(PERCENTILE).map(|error| format::error(Some(error)))
        }),
    ];
    let caption = format!("n = {}, errors against f64", grouped(tradeoff.n));
    Table::of(&items, fields).named("Time and error", caption)
}

/// A line for each size, a column for each step.
pub fn crossing(crossing: &Crossing) -> Table {
    let mut sizes: Vec<u64> =
        crossing.curves.iter().flat_map(|curve| curve.points.iter().map(|it| it.n)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let size = Field::number("n", |n: &u64| grouped(*n));
    let column = |curve: &'_ crossing::Curve| {
        let times: Vec<(u64, f64)> = curve.points.iter().map(|it| (it.n, it.seconds)).collect();
        Field::number(curve.name.clone(), move |n: &u64| {
            let found = times.iter().find(|(size, _)| size == n);
            found.map(|(_, seconds)| format::time(Some(*seconds)))
        })
    };
    let fields = std::iter::once(size).chain(crossing.curves.iter().map(column)).collect();
    Table::of(&sizes, fields).named("Time by size", "")
}

#[cfg(test)]
mod tests {
    use report::synthetic::{self, reaching, timed};
    use report::{Extra, Report};

    use super::*;
    use crate::says;

    fn with(value: &str, rate: f64, error: f64) -> Report {
        let mut row = reaching("07-walk", rate, error);
        row.extras = vec![Extra { name: PERCENTILE.to_owned(), value: 3.0 * error }];
        let mut report = synthetic::report(vec![row], false);
        report.options.problem.insert("limit".to_owned(), value.to_owned());
        report
    }

    #[test]
    fn a_line_for_each_value() {
        let reports = [with("0.1", 100.0, 1e-4), with("0.5", 900.0, 1e-2)];
        let found = Tradeoff::of(&reports, &[], None).expect("two values");
        let text = tradeoff(&found, &|ladder, step| Some(format!("{ladder}/{step}.md"))).markdown();
        says(&text, &["| limit |", "[walk](pairs/07-walk.md) | 0.5 |", "| 1.0e-4 | 3.0e-4 |"]);
    }

    #[test]
    fn a_line_for_each_size_and_a_column_for_each_step() {
        let of = |step, n| synthetic::report(vec![timed(step, None, n, 1e-3)], false);
        let reports = [of("01-pairs", 1000), of("02-tree", 20_000)];
        let found = Crossing::of(&reports).expect("two steps");
        let text = crossing(&found).markdown();
        says(&text, &["| 01-pairs | 02-tree |", "| 1.02 ms | – |"]);
        assert_eq!(text.lines().count(), 4, "{text}");
    }
}
