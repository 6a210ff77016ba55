//! Checks of what a step costs as a whole, how its blocks are resident, and how near it comes to the
//! chip's limits.

use super::Check;
use super::numbers::{at_least_one, not_negative, positive};
use crate::{Bound, CpuLimits, EndToEnd, Executed, Limits, Occupancy, Rates, Row};

pub(super) fn check(row: &Row) -> Check {
    let within = |field: &str, check: Check| check.map_err(|problem| format!("{field}.{problem}"));
    row.end_to_end.map_or(Ok(()), |costs| within("end_to_end", check_end_to_end(&costs)))?;
    row.occupancy.as_ref().map_or(Ok(()), |it| within("occupancy", check_occupancy(it)))?;
    if let Some(limits) = &row.limits {
        within("limits", check_limits(limits))?;
        was_timed("limits", limits.n, row)?;
    }
    let Some(limits) = &row.cpu_limits else { return Ok(()) };
    within("cpu_limits", check_cpu_limits(limits))?;
    if row.limits.is_some() {
        return Err("limits and cpu_limits are both there".to_owned());
    }
    if row.threads != Some(limits.threads) {
        return Err(format!("cpu_limits.threads is {} and not the row's", limits.threads));
    }
    was_timed("cpu_limits", limits.n, row)
}

fn was_timed(field: &str, n: u64, row: &Row) -> Check {
    match row.at(n) {
        Some(_) => Ok(()),
        None => Err(format!("{field}.n is {n} and nothing was timed there")),
    }
}

fn check_end_to_end(costs: &EndToEnd) -> Check {
    for (name, seconds) in [
        ("code_seconds", costs.code_seconds),
        ("allocate_seconds", costs.allocate_seconds),
        ("upload_seconds", costs.upload_seconds),
        ("pass_seconds", costs.pass_seconds),
        ("download_seconds", costs.download_seconds),
    ] {
        not_negative(name, seconds)?;
    }
    Ok(())
}

fn check_occupancy(occupancy: &Occupancy) -> Check {
    for (name, count) in [
        ("block", occupancy.block),
        ("blocks", occupancy.blocks),
        ("warps", occupancy.warps),
        ("most_warps", occupancy.most_warps),
    ] {
        at_least_one(name, u64::from(count))?;
    }
    if occupancy.warps > occupancy.most_warps {
        return Err(format!(
            "warps is {} and more than the most, {}",
            occupancy.warps, occupancy.most_warps
        ));
    }
    Ok(())
}

fn check_limits(limits: &Limits) -> Check {
    positive("clock_mhz", limits.clock_mhz)?;
    let peak = limits.peak_flop_per_second;
    peak.map_or(Ok(()), |peak| positive("peak_flop_per_second", peak))?;
    at_least_one("counted_n", limits.counted_n)?;
    at_least_one("n", limits.n)?;
    for (name, value) in [
        ("flop_executed", limits.flop_executed),
        ("instructions", limits.instructions),
        ("global_bytes", limits.global_bytes),
        ("l2_bytes", limits.l2_bytes),
        ("dram_bytes", limits.dram_bytes),
        ("shared_bytes", limits.shared_bytes),
    ] {
        not_negative(name, value)?;
    }
    check_bounds(&limits.bounds)
}

fn check_cpu_limits(limits: &CpuLimits) -> Check {
    at_least_one("threads", u64::from(limits.threads))?;
    limits.clock_mhz.map_or(Ok(()), |clock| positive("clock_mhz", clock))?;
    positive("peak_flop_per_second", limits.peak_flop_per_second)?;
    at_least_one("n", limits.n)?;
    if limits.vectors.is_empty() {
        return Err("vectors is empty".to_owned());
    }
    at_least_one("lanes", u64::from(limits.lanes))?;
    let Rates { add, mul, mul_add, mixed, rsqrt, rsqrt_mul, div_sqrt, load, store } = limits.rates;
    for (name, rate) in [
        ("add", add),
        ("mul", mul),
        ("mul_add", mul_add),
        ("mixed", mixed),
        ("rsqrt", rsqrt),
        ("rsqrt_mul", rsqrt_mul),
        ("div_sqrt", div_sqrt),
        ("load", load),
        ("store", store),
    ] {
        positive(&format!("rates.{name}"), rate)?;
    }
    check_bounds(&limits.bounds)?;
    let Some(executed) = limits.executed else {
        return match limits.bounds.is_empty() {
            true => Ok(()),
            false => Err("bounds are there though executed is not".to_owned()),
        };
    };
    let Executed { counted_n, add, mul, mul_add, rsqrt, sqrt, div, load, store } = executed;
    at_least_one("executed.counted_n", counted_n)?;
    for (name, count) in [
        ("add", add),
        ("mul", mul),
        ("mul_add", mul_add),
        ("rsqrt", rsqrt),
        ("sqrt", sqrt),
        ("div", div),
        ("load", load),
        ("store", store),
    ] {
        not_negative(&format!("executed.{name}"), count)?;
    }
    Ok(())
}

fn check_bounds(bounds: &[Bound]) -> Check {
    for (place, bound) in bounds.iter().enumerate() {
        not_negative(&format!("bounds[{place}].seconds"), bound.seconds)?;
        not_negative(&format!("bounds[{place}].fraction"), bound.fraction)?;
    }
    if !bounds.is_sorted_by(|one, next| one.seconds >= next.seconds) {
        return Err("bounds are not in order, longest first".to_owned());
    }
    Ok(())
}
