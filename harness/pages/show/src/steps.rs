//! The steps of a report, in the ladder's order, never by speed.

mod libraries;

use std::collections::BTreeSet;

use report::format::{self, NONE};
use report::statistics::{Interval, Verdict};
use report::{Outcome, Ratio, Report, Row, Timed};

use crate::table::{Cell, Field, Table, Tone};
use crate::{Link, dips, words};

/// The head of the column that no table has whose results were verified at its n.
const VERIFIED: &str = "verified n";

/// A column of rows.
type Rows<'f> = Field<'f, &'f Row>;

/// All steps, for a terminal.
pub fn table(report: &Report) -> Table {
    let [outcome, n, verified, time, whole, rate, parent, first, library, error] = results(report);
    let hangs =
        |row: &&Row| format!("{}{}", if row.detour { "└ " } else { "" }, words::subject(row));
    let end = |row: &&Row| format::time(row.end_to_end.map(|costs| costs.seconds()));
    let fields = vec![
        Field::text("step", hangs),
        Field::text("what it changes", |row: &&Row| row.changes.as_str()).rank(5).wraps(32),
        outcome,
        n,
        verified,
        time,
        whole.rank(3),
        Field::number("end to end", end).rank(4),
        rate,
        parent,
        first,
        library,
        error.rank(2),
    ];
    Table::of(&libraries::with(report), fields)
}

/// All steps with what they change, for a page of text: first what is looked at first, as a phone shows no more.
pub fn linked(report: &Report, link: Link) -> Table {
    let [outcome, n, verified, time, _, rate, parent, first, library, error] = results(report);
    let page = |row: &Row| link(&row.ladder, &row.step).filter(|_| !row.is_library());
    let name = |row: &&Row| idea(&row.step, page(row), row.detour, &row.changes);
    let name = Field::text("step", name);
    let fields = vec![name, parent, error, rate, library, time, n, verified, first, outcome];
    Table::of(&libraries::with(report), fields)
}

/// All steps with their intervals and verdicts, for the report's own page: a name leads to what else
/// is known of the step.
pub fn detailed(report: &Report) -> Table {
    let [outcome, n, verified, _, _, rate, _, first, library, error] = results(report);
    let places: Vec<&Row> = libraries::with(report);
    let name = |row: &&Row| {
        let place = places.iter().position(|other| std::ptr::eq(*other, *row));
        named(row, place.map(|place| format!("#step-{place}")))
    };
    let (pass, whole) = names(report);
    let fields = vec![
        Field::text("step", name),
        outcome,
        n,
        verified,
        Field::number(pass, |row: &&Row| timed(row).map(|it| time(it.seconds, it.interval))),
        Field::number(whole, |row: &&Row| {
            timed(row).and_then(|it| it.whole).map(|it| time(it.seconds, it.interval))
        }),
        rate,
        Field::number("× parent", |row: &&Row| {
            let (n, ratio) = row.parent()?;
            let other = (Some(n) != row.n()).then(|| format!("at n = {}", format::grouped(n)));
            let text = Cell::from(format::factor(ratio.ratio));
            Some(text.detail(ratio.interval.map(format::ends)).detail(other))
        }),
        Field::number("verdict", |row: &&Row| verdict(row, row.parent().map(|(_, ratio)| ratio))),
        first,
        library,
        error,
    ];
    let caption = "Median times with their 95 % intervals. × parent: the speed over that of the step \
                   it comes from, both at the same n, with its 95 % interval.";
    Table::of(&places, fields).named("Steps", caption)
}

/// Every step at every size at which it was timed.
pub fn sizes(report: &Report) -> Table {
    type Size<'r> = (&'r Row, &'r Timed);
    let sizes = report.rows.iter().flat_map(|row| row.timed.iter().map(move |timed| (row, timed)));
    let name = |(row, _): &Size| variant(row, None);
    let dips = dips::dips(report);
    let rate = |(row, timed): &Size| {
        let rate = Cell::from(format::number(Some(report.figure(row).rate(timed.rate()))));
        match dips.iter().any(|dip| dip.is(row, timed)) {
            true => rate.then("?").tone(Tone::Doubtful),
            false => rate,
        }
    };
    let fields = vec![
        Field::text("step", name),
        Field::number(words::size_names(report), |(_, timed): &Size| timed.size_text()),
        Field::number(VERIFIED, |(_, timed): &Size| format::count(timed.verified())),
        Field::number("time", |(_, timed): &Size| format::time(Some(timed.seconds))),
        Field::number(names(report).1, |(_, timed): &Size| {
            format::time(timed.whole.map(|it| it.seconds))
        })
        .rank(2),
        Field::number(unit(report), rate),
        Field::number("× parent", |(row, timed): &Size| ratio(row, timed.parent)),
        Field::number("error", |(_, timed): &Size| format::error(timed.accuracy.rms)).rank(1),
    ];
    Table::of(&sizes.collect::<Vec<_>>(), fields)
}

/// A step at each size, from the smallest: how long, how fast, and how it compares with its parent
/// there.
pub fn one(report: &Report, row: &Row) -> Table {
    let mut sizes: Vec<&Timed> = row.timed.iter().collect();
    sizes.sort_by_key(|timed| timed.n);
    let figure = report.figure(row);
    let fields = vec![
        Field::number(words::size_names(report), |it: &&Timed| it.size_text()),
        Field::number(VERIFIED, |it: &&Timed| format::count(it.verified())),
        Field::number("time", |it: &&Timed| format::time(Some(it.seconds))),
        Field::number(&*figure.unit, |it: &&Timed| format::number(Some(figure.rate(it.rate())))),
        Field::number("× parent", |it: &&Timed| Some(format::near_one(it.parent?.ratio))),
        Field::number("95% interval", |it: &&Timed| {
            format::interval(it.parent.and_then(|parent| parent.interval))
        }),
        Field::text("verdict", |it: &&Timed| verdict(row, it.parent)),
    ];
    Table::of(&sizes, fields)
}

/// The rates of all steps that were timed, a column for each size.
pub fn rates(report: &Report, link: Link) -> Table {
    by_size(report, link, &|row, timed| format::number(Some(report.figure(row).rate(timed.rate()))))
}

/// How long the figure's `whole` takes with each of them, in the same way.
pub fn wholes(report: &Report, link: Link) -> Table {
    by_size(report, link, &|_, timed| format::time(timed.whole.map(|whole| whole.seconds)))
}

fn by_size(report: &Report, link: Link, cell: &dyn Fn(&Row, &Timed) -> String) -> Table {
    let rows: Vec<&Row> = report.rows.iter().filter(|row| !row.timed.is_empty()).collect();
    let sizes: BTreeSet<u64> =
        rows.iter().flat_map(|row| &row.timed).map(|timed| timed.n).collect();
    let name = |row: &&Row| variant(row, link(&row.ladder, &row.step));
    let mut fields = vec![Field::text("n =", name)];
    fields.extend(sizes.into_iter().map(|n| {
        Field::number(n.to_string(), move |row: &&Row| row.at(n).map(|timed| cell(row, timed)))
    }));
    Table::of(&rows, fields)
}

/// Outcome, size, what was verified where that is less, time, time of the whole, rate, × parent, × first, % of the library
/// and error.
fn results(report: &Report) -> [Rows<'_>; 10] {
    [
        Field::text("outcome", |row: &&Row| libraries::outcome(row)),
        Field::number(words::size_names(report), |row: &&Row| {
            let n = || row.n().or(row.committed.as_ref().map(|it| it.n));
            row.main().map_or_else(|| format::count(n()), Timed::size_text)
        }),
        Field::number(VERIFIED, |row: &&Row| format::count(row.main().and_then(Timed::verified))),
        Field::number("time", |row: &&Row| {
            format::time(row.seconds().or(row.committed.as_ref().map(|it| it.seconds)))
        }),
        Field::number(names(report).1, |row: &&Row| {
            format::time(row.main().and_then(|timed| timed.whole).map(|whole| whole.seconds))
        }),
        Field::number(unit(report), |row: &&Row| {
            format::number(row.shown_rate().map(|rate| report.figure(row).rate(rate)))
        }),
        Field::number("× parent", over_parent),
        Field::number("× first", |row: &&Row| format::number(row.times_first)),
        libraries::share(report),
        Field::number("error", |row: &&Row| {
            format::error(row.accuracy().and_then(|errors| errors.rms))
        }),
    ]
}

/// A step's folder with its variant.
pub(crate) fn variant(row: &Row, link: Option<String>) -> Cell {
    Cell::name(&*row.step, link).then(row.variant().suffix())
}

/// A step's name, and what it is about: "05-rsqrt (detour): one instruction for the root".
pub(crate) fn idea(name: &str, link: Option<String>, detour: bool, about: &str) -> Cell {
    Cell::name(name, link).then(format!("{}: {about}", if detour { " (detour)" } else { "" }))
}

/// A step's folder and variant, below them its title; linked where there is somewhere to go.
pub(crate) fn named(row: &Row, link: Option<String>) -> Cell {
    let variant =
        if row.is_own() { String::new() } else { format!(" · {}", row.variant().words()) };
    let detour = if row.detour { "detour · " } else { "" };
    Cell::name(row.step.as_str(), link).then(variant).detail(format!("{detour}{}", row.title))
}

/// What was timed at a verified step's own size.
fn timed(row: &Row) -> Option<&Timed> {
    row.main().filter(|_| row.outcome.is_verified())
}

fn time(seconds: f64, interval: Option<Interval>) -> Cell {
    Cell::from(format::time(Some(seconds))).detail(interval.map(|it| format::around(seconds, it)))
}

/// What a measured ratio says; a model's is what it is.
fn verdict(row: &Row, ratio: Option<Ratio>) -> Option<Verdict> {
    ratio.filter(|_| !row.is_modelled()).map(|ratio| ratio.verdict)
}

/// A ratio with its interval, without it where there is no room.
/// The speed over the parent's; where the model says nothing of it, that on a GPU.
fn over_parent(row: &&Row) -> Cell {
    match &row.measured {
        Some(it) => format!("{} ({})", format::number(Some(it.ratio)), it.device).into(),
        None => ratio(row, row.parent().map(|(_, parent)| parent)),
    }
}

fn ratio(row: &Row, ratio: Option<Ratio>) -> Cell {
    if row.is_modelled() {
        return format::number(ratio.map(|ratio| ratio.ratio)).into();
    }
    Cell::from(format::ratio(ratio.as_ref())).brief(format::plain_ratio(ratio.as_ref()))
}

fn unit(report: &Report) -> String {
    words::figure(report).map_or_else(|| NONE.to_owned(), |figure| figure.unit.clone())
}

/// What is timed, and what consists of it and more.
fn names(report: &Report) -> (String, String) {
    let figure = words::figure(report);
    let pass = figure.map(|figure| figure.pass.clone());
    let whole = figure.and_then(|figure| figure.whole.clone());
    (pass.unwrap_or_else(|| "pass".to_owned()), whole.unwrap_or_else(|| "whole".to_owned()))
}

/// How many steps came how far: "12 rows: 11 measured, 1 wrong".
pub fn outcomes(report: &Report) -> String {
    use Outcome::{Failed, Measured, Simulated, Skipped, Wrong};
    let counts = [Measured, Simulated, Wrong, Failed, Skipped].map(|outcome| {
        match report.rows.iter().filter(|row| row.outcome == outcome).count() {
            0 => None,
            count => Some(format!("{count} {outcome}")),
        }
    });
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    match report.rows.len() {
        0 => "no step".to_owned(),
        rows => format!("{}: {}", words::count(rows as u64, "row"), counts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use report::synthetic;

    use super::*;
    use crate::{NO_LINK, plain, says};

    #[test]
    fn the_size_that_was_verified_is_in_every_table_where_it_is_less() {
        let all = |report: &Report| {
            let row = &report.rows[1];
            [
                table(report),
                linked(report, NO_LINK),
                detailed(report),
                sizes(report),
                one(report, row),
            ]
        };
        for table in all(&synthetic::sweep()) {
            assert!(!table.markdown().contains(VERIFIED), "{}", table.markdown());
        }
        for table in all(&synthetic::verified_up_to(4096, synthetic::sweep())) {
            says(&table.markdown(), &[VERIFIED, " 4096 |"]);
            for width in [80, 120] {
                says(&plain(&table.terminal(width)), &["verified", " 4096 "]);
            }
        }
    }

    #[test]
    fn a_step_is_compared_at_each_size_from_the_smallest_on() {
        let report = synthetic::sweep();
        let row = report.rows.iter().find(|row| row.step == "07-unroll").expect("a step");
        let text = one(&report, row).markdown();
        let size = |line: &str| line.split('|').nth(1)?.trim().parse().ok();
        let sizes: Vec<u64> = text.lines().filter_map(size).collect();
        assert_eq!(sizes.len(), row.timed.len());
        assert!(sizes.is_sorted(), "{sizes:?}");
        let at = row.at(131_072).and_then(|timed| timed.parent).expect("it has a parent there");
        let own = text.lines().find(|line| line.starts_with("| 131072 |")).expect("its line");
        let (verdict, interval) = (at.verdict.words(), format::interval(at.interval));
        assert!(own.ends_with(&format!(" | {interval} | {verdict} |")), "{own}");
    }

    #[test]
    fn rates_have_a_column_for_each_size_and_a_dash_where_none_was_timed() {
        let mut fast = synthetic::timed("02-n-threads", Some("01-one-thread"), 2000, 0.002);
        fast.timed.push(synthetic::at(1000, 0.001));
        let slow = synthetic::timed("01-one-thread", None, 1000, 1.0);
        let failed = synthetic::row("03-soa", None, Outcome::Failed);
        let report = synthetic::report(vec![slow, fast, failed], false);
        let table = rates(&report, &|_, step| Some(format!("{step}.md")));
        assert_eq!(
            table.markdown(),
            "| n = | 1000 | 2000 |\n|:--|--:|--:|\n\
             | [01-one-thread](01-one-thread.md) | 0.00100 | – |\n\
             | [02-n-threads](02-n-threads.md) | 1.00 | 2.00 |\n"
        );
        let wholes = wholes(&report, NO_LINK).markdown();
        assert!(wholes.ends_with("| `02-n-threads` | 1.02 ms | 2.04 ms |\n"), "{wholes}");
    }

    /// Steps of made-up times with samples of eight rounds, and the costs of a run on a GPU.
    fn sampled() -> Report {
        let steps = [
            ("01-one-thread", None, 8192, 16.54),
            ("02-n-threads", Some("01-one-thread"), 131_072, 0.0336),
            ("03-soa", Some("02-n-threads"), 131_072, 0.0300),
            ("04-constant-params", Some("03-soa"), 131_072, 0.0365),
            ("05-rsqrt", Some("04-constant-params"), 131_072, 0.0365),
            ("05x-two-loops", Some("05-rsqrt"), 131_072, 0.0178),
        ];
        let costs = synthetic::sweep().rows[0].end_to_end;
        let rows = steps.into_iter().enumerate().map(|(place, (step, after, n, seconds))| {
            let mut row = synthetic::timed(step, after, n, seconds);
            // A step is slower by 0.4% in every second round; the fifth is as its parent.
            let place = if place == 4 { 3 } else { place as u32 };
            let noise = |round: u32| 1.0 + 0.004 * f64::from((round + place) % 2);
            row.timed[0].samples.round = (0..8).collect();
            row.timed[0].samples.seconds = (0..8).map(|round| seconds * noise(round)).collect();
            row.end_to_end = costs;
            row
        });
        synthetic::report(rows.collect(), false)
    }

    #[test]
    fn ratios_have_intervals_and_a_mark_where_no_difference_was_shown() {
        let report = sampled();
        let text = plain(&table(&report).terminal(80));
        let line = |step: &str| text.lines().find(|line| line.contains(step)).expect("a line");
        // 131072² / 0.0300 s = 573·10⁹; the ratios of the rounds are 1.116 and 1.124.
        says(line("03-soa"), &["measured", "131072", "30.0 ms", "573", " 1.12 ±0.4%", "2.0e-7"]);
        says(line("04-constant"), &["0.822 ±0.4%"]);
        says(line("05-rsqrt"), &["= 1.00 ±<0.01%"]);
        assert!(linked(&report, NO_LINK).markdown().contains("| = 1.00 ±&lt;0.01% |"));
        // Where that is too wide the interval goes, the verdict stays.
        let narrow = plain(&table(&report).terminal(64));
        assert!(narrow.contains("= 1.00 ") && !narrow.contains('±'), "{narrow}");
    }

    /// The narrower the terminal, the less is shown; what is most wanted stays longest.
    #[test]
    fn columns_give_way_in_their_order() {
        let report = sampled();
        let shown = |width: usize| {
            let text = plain(&table(&report).terminal(width));
            let head: String = text.lines().take_while(|line| !line.contains('─')).collect();
            ["what it changes", "to end", "step", "error", "outcome", "parent", "first"]
                .map(|column| head.matches(column).count())
        };
        // The step's folder and the time of a time step both have "step" in their head.
        assert_eq!(shown(180), [1, 1, 2, 1, 1, 1, 1]);
        assert_eq!(shown(110), [0, 1, 2, 1, 1, 1, 1]);
        assert_eq!(shown(90), [0, 0, 2, 1, 1, 1, 1]);
        assert_eq!(shown(80), [0, 0, 1, 1, 1, 1, 1]);
        assert_eq!(shown(72), [0, 0, 1, 0, 1, 1, 1]);
    }

    #[test]
    fn what_no_row_has_needs_no_column() {
        let exact = synthetic::exact();
        let text = linked(&exact, NO_LINK).markdown();
        assert!(text.starts_with("| step | × parent | error | GB/s | time | n |"), "{text}");
        assert!(!table(&exact).terminal(200).contains("whole"));
        assert_eq!(outcomes(&exact), "4 rows: 3 measured, 1 wrong");
        // A wrong step has no time.
        assert!(
            text.contains("what 04-vectors changes | – | – | – | – | – | – | wrong |"),
            "{text}"
        );
    }
}
