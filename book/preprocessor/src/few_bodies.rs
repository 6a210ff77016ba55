//! n-body with few bodies: what the profiler counted of the forces on an H200.

use std::collections::BTreeMap;
use std::path::Path;

use ::report::format::{grouped, significant};
use anyhow::{Context, Result, ensure};
use show::table::Table;

/// Recorded with so many bodies, each in a file of its own.
const BODIES: [u64; 5] = [1024, 4096, 8192, 16_384, 65_536];

/// The steps whose kernel `force` was counted, in the order of the rows of a file.
const STEPS: [&str; 4] = ["13-lanes", "14-pairs", "17-tensor-distances", "18-longer-sums"];

/// Operations of an interaction, as the ladder counts them.
const OPERATIONS: f64 = 20.0;

/// What a warp waits for: the profiler's name, and ours.
const WAITS: [(&str, &str); 10] = [
    ("barrier", "a barrier"),
    ("dispatch_stall", "operands"),
    ("long_scoreboard", "global memory"),
    ("math_pipe_throttle", "a busy pipe"),
    ("membar", "a fence"),
    ("mio_throttle", "a full queue"),
    ("no_instruction", "the next instruction to be fetched"),
    ("not_selected", "its turn"),
    ("short_scoreboard", "shared memory or the MUFU"),
    ("wait", "its last instruction"),
];

/// The counters of a kernel, by the profiler's names.
type Counters = BTreeMap<String, f64>;

/// A table of all of them.
pub fn table(root: &Path) -> Result<String> {
    let head = [
        "bodies",
        "step",
        "blocks",
        "µs",
        "TFLOP/s",
        "% of clocks with warps",
        "warps then",
        "% of issue then",
        "waits most for",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for bodies in BODIES {
        let all = counted(root, bodies)?;
        for (step, counters) in STEPS.iter().zip(&all) {
            lines.push(line(bodies, step, counters)?);
        }
    }
    Ok(Table::lines(lines, 2).markdown())
}

fn line(bodies: u64, step: &str, counters: &Counters) -> Result<Vec<String>> {
    let of = |name: &str| {
        let value = counters.get(name).copied();
        value.with_context(|| format!("{name} was not counted of {step} with {bodies} bodies"))
    };
    let seconds = of("gpu__time_duration.sum")? * 1e-9;
    let rate = OPERATIONS * (bodies as f64).powi(2) / seconds / 1e12;
    let active = of("sm__cycles_active.avg")? / of("sm__cycles_elapsed.max")?;
    let wait = |(name, words): &(&str, &'static str)| {
        let metric = format!("smsp__average_warps_issue_stalled_{name}_per_issue_active.ratio");
        Ok((of(&metric)?, *words))
    };
    let waits: Vec<(f64, &str)> = WAITS.iter().map(wait).collect::<Result<_>>()?;
    let most = waits.into_iter().max_by(|(one, _), (other, _)| one.total_cmp(other));
    let (_, most) = most.context("there are waits")?;
    Ok(vec![
        grouped(bodies),
        step.to_owned(),
        format!("{}", of("launch__grid_size")?),
        significant(seconds * 1e6),
        significant(rate),
        format!("{:.0}", 100.0 * active),
        significant(of("sm__warps_active.avg.per_cycle_active")?),
        format!("{:.0}", 100.0 * of("smsp__issue_active.avg.per_cycle_active")?),
        most.to_owned(),
    ])
}

/// The counters of each step with so many bodies.
fn counted(root: &Path, bodies: u64) -> Result<Vec<Counters>> {
    let file = format!("reports/h200-counters/few-{bodies}.csv");
    let text =
        std::fs::read_to_string(root.join(&file)).with_context(|| format!("cannot read {file}"))?;
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().with_context(|| format!("{file} is empty"))?;
    let rows: Vec<Counters> = lines
        .map(|row| {
            let values = header.iter().zip(&row);
            values.filter_map(|(name, it)| Some(((*name).to_owned(), it.parse().ok()?))).collect()
        })
        .collect();
    ensure!(rows.len() == STEPS.len(), "{file} has {} kernels, not {}", rows.len(), STEPS.len());
    Ok(rows)
}
