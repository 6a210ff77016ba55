//! The chip's counters against the simulator's counts.

use std::path::Path;

use anyhow::{Context, Result};
use ladder::{Code, Ladder};
use simt::machine::MachineKind;
use simt::model::Gpu;
use simt::{Class, Counts};

use super::simulated::Steps;
use report::validation::Counter;

/// Size of the recording, and of its one step that runs in a single thread.
const SIZE: u64 = 4096;
const ONE_THREADS_SIZE: u64 = 1024;

/// What is compared: the profiler's metric, and in words.
const METRICS: [(&str, &str); 7] = [
    ("smsp__inst_executed.sum", "machine instructions"),
    ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "global load requests"),
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "global load sectors"),
    ("sm__inst_executed_pipe_xu.sum", "instructions of the special function unit"),
    ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "global store sectors"),
    (
        "smsp__sass_inst_executed_op_shared_ld.sum",
        "machine instructions that load from shared memory",
    ),
    ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "bank conflicts of shared loads"),
];

/// Loads from shared memory, by their width: the assembler merges neighbouring words.
const SHARED_LOADS: [MachineKind; 3] =
    [MachineKind::LoadShared, MachineKind::LoadShared64, MachineKind::LoadShared128];

/// Compares the recording in `file` (one line for each step of `ladder` in CUDA C++, in its order) with the simulator.
pub fn counters(ladder: &'static dyn Ladder, file: &Path, gpu: &Gpu) -> Result<Vec<Counter>> {
    let steps = Steps::new(ladder, gpu)?;
    let mut reader =
        csv::Reader::from_path(file).with_context(|| format!("cannot read {}", file.display()))?;
    let header = reader.headers()?.clone();
    let mut found = Vec::new();
    let recorded = ladder.steps();
    let recorded = recorded.iter().filter(|step| matches!(step.code, Code::Cuda { .. }));
    for (step, row) in recorded.zip(reader.records()) {
        let row = row.with_context(|| format!("{} is no table", file.display()))?;
        let n = if step.is_one_gpu_thread() { ONE_THREADS_SIZE } else { SIZE };
        let profiles = steps.profiles(step, n)?;
        let of = |class: Class| -> Counts {
            let instructions = profiles.iter().flat_map(|profile| {
                profile.kernel().instructions().zip(&profile.events.instructions)
            });
            instructions.filter(|(i, _)| i.class == class).map(|(_, counts)| *counts).sum()
        };
        let issued = |kind: MachineKind| -> f64 { profiles.iter().map(|p| p.issued[kind]).sum() };
        let (loads, stores) = (of(Class::LoadGlobal), of(Class::StoreGlobal));
        let shared = of(Class::LoadShared);
        let ours = [
            profiles.iter().map(|profile| profile.issued.total).sum(),
            loads.global_requests as f64,
            loads.global_sectors as f64,
            issued(MachineKind::Mufu),
            stores.global_sectors as f64,
            SHARED_LOADS.into_iter().map(issued).sum(),
            (shared.shared_wavefronts - shared.shared_requests) as f64,
        ];
        for ((metric, counter), simulator) in METRICS.into_iter().zip(ours) {
            let column = header.iter().position(|name| name == metric);
            let value = column.and_then(|column| row.get(column)?.parse().ok());
            let chip = value
                .with_context(|| format!("{} has no {metric} of {}", file.display(), step.name))?;
            let (step, counter) = (step.name.to_owned(), counter.to_owned());
            found.push(Counter { step, n, counter, chip, simulator });
        }
    }
    Ok(found)
}
