//! The samples: how many, how far apart, under which conditions, and which are suspect.

use std::collections::{BTreeMap, BTreeSet};

use report::format;
use report::{Report, Row, Timed};

use crate::table::{Field, Table};
use crate::{steps, words};

type Size<'r> = (&'r Row, &'r Timed);

fn sizes(report: &Report) -> Vec<Size<'_>> {
    let sizes = report.verified().flat_map(|row| row.timed.iter().map(move |timed| (row, timed)));
    sizes.collect()
}

/// Whether any row has samples.
pub fn has_any(report: &Report) -> bool {
    sizes(report).iter().any(|(_, timed)| timed.samples.seconds.len() > 1)
}

/// Every step at every size.
pub fn table(report: &Report) -> Table {
    let whole = |values: fn(&Timed) -> &Vec<u32>| {
        move |(_, timed): &Size| format::range(values(timed).iter().map(|&it| f64::from(it)))
    };
    let fields = vec![
        Field::text("step", |(row, _): &Size| steps::named(row, None)),
        Field::number("n", |(_, timed): &Size| timed.n.to_string()),
        Field::number("samples", |(_, timed): &Size| timed.samples.seconds.len().to_string()),
        Field::number("passes each", |(_, timed): &Size| timed.passes.to_string()),
        Field::number("spread", |(_, timed): &Size| {
            timed.spread.map(|share| format!("{:.2}\u{2009}%", 100.0 * share))
        }),
        Field::number("95 % interval", |(_, timed): &Size| {
            timed.interval.map(|interval| format::around(timed.seconds, interval))
        }),
        Field::number("clock, MHz", whole(|timed| &timed.samples.clock_mhz)),
        Field::number("memory, MHz", whole(|timed| &timed.samples.memory_clock_mhz)),
        Field::number("°C", whole(|timed| &timed.samples.temperature_c)),
        Field::number("W", |(_, timed): &Size| {
            format::range(timed.samples.power_w.iter().copied())
        }),
        Field::number("suspect", |(_, timed): &Size| timed.samples.suspects.len().to_string()),
    ];
    let caption = "Spread: 1.4826 × the median distance of a sample from the median, which is the \
                   standard deviation where they are normally distributed. Interval: of the median, \
                   relative to it. Clocks, temperature and power: the range seen while the kernels \
                   ran.";
    Table::of(&sizes(report), fields).named("Samples", caption)
}

/// Why samples are suspect: each reason once, with the steps and how many of their samples:
/// "03-soa (2 of 30)". Samples far off the median count together, each way.
pub fn suspects(report: &Report) -> BTreeMap<&str, Vec<String>> {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in report.verified() {
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for Timed { samples, .. } in &row.timed {
            let kinds: Vec<&str> = samples.suspects.iter().map(|it| kind_of(&it.reason)).collect();
            for kind in kinds.iter().collect::<BTreeSet<_>>() {
                let (suspect, all) = counts.entry(kind).or_default();
                *suspect += kinds.iter().filter(|other| *other == kind).count();
                *all += samples.seconds.len();
            }
        }
        for (reason, (suspect, all)) in counts {
            let place = format!("{} ({suspect} of {all})", words::subject(row));
            reasons.entry(reason).or_default().push(place);
        }
    }
    reasons
}

/// A reason without its numbers.
fn kind_of(reason: &str) -> &str {
    match reason.split_once("% ") {
        Some((_, kind @ "off the median")) => kind,
        _ => reason,
    }
}
