//! How near each step comes to what a GPU could do.

use report::bound::{DRAM, FP32_PEAK, ISSUE, L2, MUFU, SHARED};
use report::{Limits, Report, format};

use super::step::{Step, counted, first, part, steps, unknown};
use crate::table::{Cell, Field, Table};
use crate::{Link, words};

fn of_gpu(report: &Report) -> Vec<Step<'_, Limits>> {
    steps(report, |row| row.limits.as_ref(), |limits| limits.n)
}

type OfGpu<'r> = Step<'r, Limits>;

/// The table of the steps on a GPU.
pub(super) fn table(report: &Report, link: Link) -> Table {
    let unit = words::figure(report).map_or("unit", words::unit);
    let per_unit = |value: f64| (value > 0.0).then(|| format::quantity(value));
    let traffic = |bytes: f64, step: &OfGpu| {
        let rate = format::bytes(bytes / step.timed.seconds);
        Cell::from(format::bytes(bytes)).detail((bytes > 0.0).then(|| format!("{rate}/s")))
    };
    let executed = |step: &OfGpu| {
        let flop = step.limits.flop_executed * step.timed.rate();
        (flop > 0.0).then_some(flop)
    };
    let asked = |step: &OfGpu| match step.limits.global_bytes / step.timed.seconds / 1e9 {
        rate if rate < 10.0 => format::significant(rate),
        rate => format!("{rate:.0}"),
    };
    let resident = |step: &OfGpu| {
        let it = step.row.occupancy.as_ref()?;
        Some(Cell::from(format!("{}/{}", it.warps, it.most_warps)).detail(it.limit.clone()))
    };
    let clock = |step: &OfGpu| {
        let basis = if step.limits.clock_was_seen { "seen" } else { "by its description" };
        Cell::from(format!("{:.0}\u{2009}MHz", step.limits.clock_mhz)).detail(basis.to_owned())
    };
    let mut fields = first(report, link, "TFLOP/s", tera, executed);
    // What the others explain, where a narrow screen shows it.
    fields.insert(1, Field::number("limit", |step: &OfGpu| step.binding()));
    fields.extend([
        Field::number("GB/s asked", asked).rank(6),
        part("% of peak", FP32_PEAK, 0),
        part("% of issue", ISSUE, 0),
        part("% of MUFU", MUFU, 0),
        part("% of shared", SHARED, 2),
        part("% of L2", L2, 3),
        part("% of DRAM", DRAM, 4),
        Field::number(format!("flop per {unit}"), |it: &OfGpu| per_unit(it.limits.flop_executed))
            .on_pages(),
        Field::number(format!("instructions per {unit}"), |it: &OfGpu| {
            per_unit(it.limits.instructions)
        })
        .on_pages(),
        Field::number("from/to L2", |it: &OfGpu| traffic(it.limits.l2_bytes, it)).on_pages(),
        Field::number("from/to DRAM", |it: &OfGpu| traffic(it.limits.dram_bytes, it)).on_pages(),
        Field::number("shared memory", |it: &OfGpu| traffic(it.limits.shared_bytes, it)).on_pages(),
        Field::number("warps resident", resident).on_pages(),
        Field::number("clock", clock).on_pages(),
    ]);
    let note = note(report).unwrap_or_default();
    let caption = "Executed: an FMA is two operations, a special function one. Traffic is that of \
                   one pass, with the bandwidth that follows from the measured time.";
    Table::of(&of_gpu(report), fields).named("Limits", format!("{note} {caption}"))
}

/// What the table's figures are parts of.
pub(super) fn note(report: &Report) -> Option<String> {
    let steps = of_gpu(report);
    let gpu = &steps.first()?.limits.gpu;
    let clocks = || steps.iter().map(|step| step.limits.clock_mhz);
    let (low, high) = (clocks().fold(f64::INFINITY, f64::min), clocks().fold(0.0, f64::max));
    let range =
        if high - low < 0.5 { format!("{low:.0}") } else { format!("{low:.0} to {high:.0}") };
    let basis = match steps.iter().filter(|step| step.limits.clock_was_seen).count() {
        0 => "from its description",
        seen if seen == steps.len() => "as seen while it was timed",
        _ => "as seen or, where it was not, from its description",
    };
    Some(format!(
        "LIMITS: how busy each part of {gpu} is, in % of the step's time, from the simulator's counts. \
         Near 100 %: the bottleneck. Clock: {range} MHz, {basis}.{}{}",
        counted(steps.first()?.figure, "TFLOP/s"),
        unknown(&steps),
    ))
}

/// In units of 10¹².
fn tera(rate: f64) -> String {
    let rate = rate / 1e12;
    if rate < 0.001 { format!("{rate:.0e}") } else { format::significant(rate) }
}
