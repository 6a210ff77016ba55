//! How near the steps on the CPU come to what it was seen to do.

use report::{CpuLimits, Report, Row};
use maud::{Markup, html};

use super::{CONVENTION, nearest};
use crate::html::figures::NONE;
use crate::html::steps::name;
use crate::html::table::{number, scrolled};
use crate::plot::bounds::percent;
use crate::plot::numbers;

/// Rates and instructions, against the peak and the longest bound.
pub(super) fn table(report: &Report) -> Markup {
    let heads = [
        "step",
        "GFLOP/s by 20 flop",
        "GFLOP/s executed",
        "peak, GFLOP/s",
        "of the peak",
        "flop/\u{200b}interaction",
        "vector instructions/\u{200b}interaction",
        "nearest bound",
        "vectors",
        "clock",
    ];
    let caption = "By 20 flop: the field's convention of 20 operations an interaction, whatever is executed. Executed: \
                   counted while the step itself ran with vectors that count; a multiply-add is two operations, all others \
                   one. Peak: multiply-adds alone, as they were measured between the samples, as were all other rates. Code \
                   without vectors of its own is not counted: a compiler made of it what it could.";
    let rows = report.rows.iter().filter(|row| row.outcome.is_verified());
    let lines = html! {
        tbody {
            @for row in rows {
                @if let Some(limits) = &row.cpu_limits { (line(row, limits)) }
            }
        }
    };
    scrolled("Limits of the CPU", caption, &heads, lines)
}

fn line(row: &Row, limits: &CpuLimits) -> Markup {
    let seconds = row.at(limits.n).map(|timed| timed.seconds);
    let interactions = (limits.n as f64).powi(2);
    let rate = |flop: f64| seconds.map(|seconds| flop / seconds);
    let giga = |rate: f64| numbers::quantity(rate / 1e9);
    let executed = limits.flop().and_then(rate);
    let instructions = limits.executed.map(|executed| executed.arithmetic() / interactions);
    html! {
        tr.detour[row.detour] {
            (name(row, None))
            (number(rate(CONVENTION * interactions).map(giga)))
            (number(executed.map(giga)))
            (number(Some(giga(limits.peak_flop_per_second))))
            (number(executed.map(|rate| percent(rate / limits.peak_flop_per_second))))
            (number(limits.flop().map(|flop| numbers::quantity(flop / interactions))))
            (number(instructions.map(numbers::quantity)))
            (nearest(&limits.bounds, "not counted"))
            td { (limits.vectors) small { (limits.lanes) " lanes" } }
            @match limits.clock_mhz {
                Some(clock) => td { (format!("{clock:.0}\u{2009}MHz")) small { "seen" } },
                None => td { (NONE) },
            }
        }
    }
}
