//! What limits a step: how near its time comes to the least that each part of a chip needs.
//!
//! ```text
//! watched   one force evaluation on the simulator, watched
//! count     two of them at few bodies: how what they execute and move grows with n
//! bounds    the least time that each part of the chip needs for it at any n; what is resident
//! floor     the least time that any kernel can take, whatever it does
//! cpu       the same for steps on the CPU: counted as they run there, against rates measured there
//! ```
//!
//! A bound is what the part needs at its peak, with all multiprocessors at work and none waiting for
//! another part. So none can be beaten, and how near the longest is to the time says how much could
//! be gained without changing what is executed.

mod bounds;
mod count;
mod cpu;
mod floor;
mod watched;

pub use bounds::{
    BUSIEST, DRAM, FP32_PEAK, FP32_PIPE, ISSUE, L1, L2, LATENCY, LOAD_STORE, MUFU, SHARED, limits,
    occupancy, peak_flop_per_second,
};
pub use count::{Counted, count};
pub use cpu::{
    ADD, CpuCounted, ESTIMATE, LOAD, MULTIPLY, MULTIPLY_ADD, MULTIPLY_ESTIMATE, ROOT, STORE,
    count_on_cpu, cpu_lanes_per_second, cpu_limits, cpu_peak,
};
pub use floor::{Chip, floor_seconds};
pub use watched::{Watched, longest, watch};

#[cfg(test)]
mod tests {
    use crate::{Code, Layout, Parameters, Run, Step, Threads};

    /// A step of no ladder.
    pub(super) const STEP: Step = Step {
        name: "01-toy",
        after: None,
        detour: false,
        title: "Toy",
        changes: "nothing",
        code: Code::Cuda { file: "01-toy", options: &[] },
        layout: Layout::ScalarArrays,
        padding: 1,
        parameters: Parameters::Arguments,
        threads: Threads::One,
        scratch: &[],
        needs: (5, 0),
        bits: crate::F32_BITS,
        reproducible: true,
        division: None,
        run: Run::Launches,
    };
}
