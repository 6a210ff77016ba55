//! Checks of what a step costs as a whole, how its blocks are resident, and how near it comes to the
//! chip's limits.

use super::Check;
use super::numbers::{at_least_one, not_negative, positive};
use crate::report::{EndToEnd, Limits, Occupancy, Row};

pub(super) fn check(row: &Row) -> Check {
    let within = |field: &str, check: Check| check.map_err(|problem| format!("{field}.{problem}"));
    row.end_to_end.map_or(Ok(()), |costs| within("end_to_end", check_end_to_end(&costs)))?;
    row.occupancy.as_ref().map_or(Ok(()), |it| within("occupancy", check_occupancy(it)))?;
    let Some(limits) = &row.limits else { return Ok(()) };
    within("limits", check_limits(limits))?;
    if row.at(limits.n).is_none() {
        return Err(format!("limits.n is {} and nothing was timed there", limits.n));
    }
    Ok(())
}

fn check_end_to_end(costs: &EndToEnd) -> Check {
    for (name, seconds) in [
        ("code_seconds", costs.code_seconds),
        ("allocate_seconds", costs.allocate_seconds),
        ("upload_seconds", costs.upload_seconds),
        ("force_seconds", costs.force_seconds),
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
    for (place, bound) in limits.bounds.iter().enumerate() {
        not_negative(&format!("bounds[{place}].seconds"), bound.seconds)?;
        not_negative(&format!("bounds[{place}].fraction"), bound.fraction)?;
    }
    if !limits.bounds.is_sorted_by(|one, next| one.seconds >= next.seconds) {
        return Err("bounds are not in order, longest first".to_owned());
    }
    Ok(())
}
