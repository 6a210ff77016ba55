//! How near the steps come to what the chip could do: a GPU here, the CPU in [`cpu`].

mod cpu;

use report::{Bound, Limits, Report, Row};
use maud::{Markup, html};

use super::figures::{self, NONE};
use super::steps::name;
use super::table::{number, scrolled};
use crate::plot::numbers;

/// Operations of an interaction by the convention of the field, whatever is executed: Nyland,
/// Harris and Prins, GPU Gems 3, chapter 31.
const CONVENTION: f64 = 20.0;

/// Whether there is anything to show.
pub fn has_any(report: &Report) -> bool {
    let is_known = |row: &Row| row.limits.is_some() || row.cpu_limits.is_some();
    report.rows.iter().any(|row| row.outcome.is_verified() && is_known(row))
}

/// The tables of what there is: of a GPU, of the CPU.
pub fn tables(report: &Report) -> Markup {
    let rows = || report.rows.iter().filter(|row| row.outcome.is_verified());
    html! {
        @if rows().any(|row| row.limits.is_some()) { (table(report)) }
        @if rows().any(|row| row.cpu_limits.is_some()) { (cpu::table(report)) }
    }
}

/// Rates, traffic and occupancy.
fn table(report: &Report) -> Markup {
    let heads = [
        "step",
        "TFLOP/s by 20 flop",
        "TFLOP/s executed",
        "flop/\u{200b}interaction",
        "instructions/\u{200b}interaction",
        "from/to L2",
        "from/to DRAM",
        "shared memory",
        "nearest bound",
        "warps resident",
        "clock",
    ];
    let caption = "By 20 flop: the field's convention of 20 operations an interaction, whatever is executed. Executed: an FMA \
                   is two operations, a special function one. Traffic is that of one force evaluation, with the bandwidth \
                   that it makes of the measured time.";
    let rows = report.rows.iter().filter(|row| row.outcome.is_verified());
    let lines = html! {
        tbody {
            @for row in rows {
                @if let Some(limits) = &row.limits { (line(row, limits)) }
            }
        }
    };
    scrolled("Limits", caption, &heads, lines)
}

/// The longest bound, or what stands for none.
fn nearest(bounds: &[Bound], none: &str) -> Markup {
    html! {
        @match bounds.first() {
            Some(bound) => td.binds {
                (format!("{:.1}\u{2009}%", 100.0 * bound.fraction))
                small { "of " (bound.name) }
            },
            None => td { (none) },
        }
    }
}

fn line(row: &Row, limits: &Limits) -> Markup {
    let seconds = row.at(limits.n).map(|timed| timed.seconds);
    let interactions = (limits.n as f64).powi(2);
    let teraflops = |flop: f64| seconds.map(|s| numbers::quantity(flop * interactions / s / 1e12));
    let traffic = |bytes: f64| {
        html! {
            td {
                (figures::bytes(bytes))
                @if let Some(seconds) = seconds.filter(|_| bytes > 0.0) { small { (figures::bytes(bytes / seconds)) "/s" } }
            }
        }
    };
    html! {
        tr.detour[row.detour] {
            (name(row, None))
            (number(teraflops(CONVENTION)))
            (number(teraflops(limits.flop_executed)))
            (number(Some(numbers::quantity(limits.flop_executed))))
            (number(Some(numbers::quantity(limits.instructions))))
            (traffic(limits.l2_bytes))
            (traffic(limits.dram_bytes))
            (traffic(limits.shared_bytes))
            (nearest(&limits.bounds, NONE))
            @match &row.occupancy {
                Some(it) => td { (it.warps) "/" (it.most_warps) small { (it.limit) } },
                None => td { (NONE) },
            }
            td {
                (format!("{:.0}\u{2009}MHz", limits.clock_mhz))
                small { (if limits.clock_was_seen { "seen" } else { "by its description" }) }
            }
        }
    }
}
