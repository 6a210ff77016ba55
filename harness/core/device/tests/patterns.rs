//! The simulator counts what a GPU's profiler counted: the access patterns of `patterns/patterns.cu`, against
//! `reports/h200-counters/patterns.csv`. Runs everywhere; the GPU was needed once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use simt::model::Gpu;
use simt::{Class, Counts, Kernel, Launch, Module, Simulator, Watch};

fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(relative)
}

/// The chip's assembler unrolls this loop anew and so lets lanes meet elsewhere than the PTX does: 47 loads a warp where
/// the PTX has 35.
const UNROLLED_ANEW: &str = "trips_by_lane";

/// The chip's assembler merges the loads of two passes of this loop into one of 16 bytes.
const MERGED: &str = "shared_float2_broadcast";

/// By kernel and metric what the profiler counted. The values hold no commas and no quotes.
fn counted() -> BTreeMap<String, BTreeMap<String, u64>> {
    let text = fs::read_to_string(path("../../../reports/h200-counters/patterns.csv"))
        .expect("the recording is committed");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    lines
        .map(|row| {
            let values = header.iter().zip(&row).skip(1);
            let values = values.filter_map(|(name, v)| Some(((*name).to_owned(), v.parse().ok()?)));
            (row[0].to_owned(), values.collect())
        })
        .collect()
}

/// What the simulator counts of a kernel on the model of an H200: its instructions and their counts.
fn simulated(simulator: &Simulator, loaded: &simt::Loaded, kernel: &Kernel) -> simt::Events {
    let [out, input] = ["out", "in"].map(|name| simulator.alloc(name, 4 * 65536).unwrap());
    simulator.write(input, &[0; 4 * 65536]).unwrap();
    let launch = Launch::new([4, 1, 1], [256, 1, 1]).argument(out).argument(input).argument(1024);
    let gpu = Gpu::named("h200").unwrap();
    let residency = gpu.residency(256, None, kernel.shared_bytes(), 4).unwrap();
    let watch = Watch { traffic: Some(gpu.machine(&residency)), ..Watch::default() };
    simulator.launch(loaded, kernel.name(), &launch, &watch).unwrap()
}

#[test]
fn the_patterns_ptx_is_what_its_source_gives() {
    let Some(nvrtc) = toolchain::ptx::EVERY_GPU.compiler() else {
        let install = toolchain::ptx::EVERY_GPU.install();
        eprintln!("skipped: the pinned NVRTC is not here; to get it: {install}");
        return;
    };
    let source = fs::read_to_string(path("tests/patterns/patterns.cu")).unwrap();
    let options = ["--gpu-architecture=compute_50", "-lineinfo"].map(str::to_owned);
    let made = nvrtc.compile("/kernels/patterns.cu", &source, &options).unwrap().ptx;
    let committed = fs::read_to_string(path("tests/patterns/patterns.ptx")).unwrap();
    assert!(made.trim_end_matches('\0') == committed.replace("\r\n", "\n").trim_end_matches('\0'));
}

#[test]
fn requests_sectors_and_wavefronts_are_those_of_the_chip() {
    let text = fs::read_to_string(path("tests/patterns/patterns.ptx")).unwrap();
    let module = Arc::new(Module::parse("patterns.ptx", &text).unwrap());
    let simulator = Simulator::new(1 << 26);
    let loaded = simulator.load(module.clone()).unwrap();
    let chip = counted();
    assert_eq!(chip.len(), module.kernels().count(), "every pattern was recorded");
    let mut wrong = Vec::new();
    for kernel in module.kernels().filter(|kernel| kernel.name() != UNROLLED_ANEW) {
        let events = simulated(&simulator, &loaded, kernel);
        let of = |class: Class| -> Counts {
            let pairs = kernel.instructions().zip(&events.instructions);
            pairs.filter(|(i, _)| i.class == class).map(|(_, counts)| *counts).sum()
        };
        let (loads, stores) = (of(Class::LoadGlobal), of(Class::StoreGlobal));
        let (from_shared, to_shared) = (of(Class::LoadShared), of(Class::StoreShared));
        let pairs = [
            ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", loads.global_requests),
            ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", loads.global_sectors),
            ("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", stores.global_requests),
            ("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", stores.global_sectors),
            ("smsp__sass_inst_executed_op_shared_ld.sum", from_shared.shared_requests),
            ("smsp__sass_inst_executed_op_shared_st.sum", to_shared.shared_requests),
            (
                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                from_shared.shared_wavefronts,
            ),
            (
                "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
                to_shared.shared_wavefronts,
            ),
            ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", loads.l1_hits),
        ];
        for (metric, ours) in pairs {
            let theirs = chip[kernel.name()][metric];
            let is_merged =
                kernel.name() == MERGED && metric.contains("inst_executed_op_shared_ld");
            if ours != theirs && !is_merged {
                wrong.push(format!("{}: {metric}: chip {theirs}, simulator {ours}", kernel.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
