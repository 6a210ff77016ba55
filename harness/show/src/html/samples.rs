//! The samples: how many, how far apart, under which conditions, and which are suspect.

use report::{Report, Samples, Timed};
use maud::{Markup, html};

use super::figures;
use super::table::{number, scrolled};
use crate::plot::numbers;

/// Whether any row has samples.
pub fn has_any(report: &Report) -> bool {
    let timed = report.rows.iter().flat_map(|row| &row.timed);
    timed.map(|timed| &timed.samples.seconds).any(|samples| samples.len() > 1)
}

/// Every step at every size.
pub fn table(report: &Report) -> Markup {
    let heads = [
        "step",
        "bodies n",
        "samples",
        "launches each",
        "spread",
        "95 % interval",
        "clock, MHz",
        "memory, MHz",
        "°C",
        "W",
        "suspect",
    ];
    let caption = "Spread: 1.4826 × the median distance of a sample from the median, which is the standard deviation where they \
                   are normally distributed. Interval: of the median, relative to it. Clocks, temperature and power: \
                   the least and the most that was seen while the kernels ran.";
    let lines = html! {
        @for row in report.rows.iter().filter(|row| row.outcome.is_verified()) {
            tbody.detour[row.detour] {
                @for (at, timed) in row.timed.iter().enumerate() {
                    tr {
                        @if at == 0 {
                            th scope="rowgroup" rowspan=(row.timed.len()) {
                                (row.step)
                                @if !row.is_own() { small { (row.variant().words()) } }
                            }
                        }
                        (line(timed))
                    }
                }
            }
        }
    };
    scrolled("Samples", caption, &heads, lines)
}

fn line(timed: &Timed) -> Markup {
    let samples = &timed.samples;
    html! {
        (number(Some(numbers::count(timed.n))))
        (number(Some(samples.seconds.len().to_string())))
        (number(Some(timed.launches.to_string())))
        (number(Some(figures::share(timed.spread))))
        (number(Some(figures::around(timed.seconds, timed.interval))))
        (number(Some(figures::range(whole(&samples.clock_mhz)))))
        (number(Some(figures::range(whole(&samples.memory_clock_mhz)))))
        (number(Some(figures::range(whole(&samples.temperature_c)))))
        (number(Some(figures::range(samples.power_w.iter().copied()))))
        (number(Some(samples.suspects.len().to_string())))
    }
}

fn whole(values: &[u32]) -> impl Iterator<Item = f64> {
    values.iter().copied().map(f64::from)
}

/// Why samples are suspect: each reason once, with where it was seen.
pub fn suspects(report: &Report) -> Markup {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for row in report.rows.iter().filter(|row| row.outcome.is_verified()) {
        for timed in &row.timed {
            for (reason, count) in counted(&timed.samples) {
                let place = format!("{} at n = {} ({count})", row.step, numbers::count(timed.n));
                match reasons.iter_mut().find(|(other, _)| *other == reason) {
                    Some((_, places)) => places.push(place),
                    None => reasons.push((reason, vec![place])),
                }
            }
        }
    }
    html! {
        @if reasons.is_empty() {
            p { "No sample is suspect." }
        } @else {
            p { "Suspect samples may not show what a step can do. They count like the others:" }
            ul { @for (reason, places) in &reasons { li { (reason) ": " (places.join(", ")) } } }
        }
    }
}

/// How many samples are suspect for each reason.
fn counted(samples: &Samples) -> Vec<(&str, usize)> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for suspect in &samples.suspects {
        match counted.iter_mut().find(|(reason, _)| *reason == suspect.reason) {
            Some((_, count)) => *count += 1,
            None => counted.push((&suspect.reason, 1)),
        }
    }
    counted
}
