//! The start: the loop of a CPU program in C, run by a single GPU thread over an array of structs.
//! Device code: `kernels/nbody/01-one-thread.cu`.

use ladder::{Code, Layout, Parameters, Run, Step, Threads};

/// The first step of the n-body ladder.
pub const STEP: Step = Step {
    name: "01-one-thread",
    after: None,
    detour: false,
    title: "One thread",
    changes: "the C loop as it is, run by one thread",
    code: Code::Cuda { file: "01-one-thread", options: &[] },
    layout: Layout::ArrayOfStructs,
    padding: 1,
    parameters: Parameters::Arguments,
    threads: Threads::One,
    scratch: &[],
    needs: (5, 0),
    bits: ladder::F32_BITS,
    reproducible: true,
    division: None,
    run: Run::Launches,
};
