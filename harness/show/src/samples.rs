//! The samples: how many, how far apart, under which conditions, and which are suspect.

use std::collections::BTreeMap;

use report::format::{self, grouped};
use report::{Report, Row, Timed};

use crate::table::{Field, Table};
use crate::{steps, words};

type Size<'r> = (&'r Row, &'r Timed);

fn sizes(report: &Report) -> Vec<Size<'_>> {
    let rows = report.rows.iter().filter(|row| row.outcome.is_verified());
    rows.flat_map(|row| row.timed.iter().map(move |timed| (row, timed))).collect()
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

/// Why samples are suspect: each reason once, with where it was seen: "03-soa at n = 131 072 (2)".
pub fn suspects(report: &Report) -> BTreeMap<&str, Vec<String>> {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (row, timed) in sizes(report) {
        for (reason, count) in counted(timed) {
            let place = format!("{} at n = {} ({count})", words::subject(row), grouped(timed.n));
            reasons.entry(reason).or_default().push(place);
        }
    }
    reasons
}

/// How many samples are suspect for each reason; samples far off the median count together.
pub fn counted(timed: &Timed) -> BTreeMap<&str, usize> {
    let kind = |reason: &'_ str| match reason.split_once("% ") {
        Some((_, "off the median")) => reason.len() - "off the median".len(),
        _ => 0,
    };
    let mut counted = BTreeMap::new();
    for suspect in &timed.samples.suspects {
        *counted.entry(&suspect.reason[kind(&suspect.reason)..]).or_default() += 1;
    }
    counted
}
