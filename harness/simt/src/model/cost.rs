//! What an instruction class costs on hardware: machine instructions, the pipe that runs them, latency.
//!
//! PTX is not what a GPU runs. The number of machine instructions per PTX instruction was counted in the
//! output of NVIDIA's assembler (`ptxas` 12.9, sm_75 to sm_90, one instruction at a time); sequences
//! with a slow path count their fast path.

use super::gpu::Gpu;
use crate::Class;

/// A part of a multiprocessor that limits how many lanes it serves per clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pipe {
    Fp32,
    Fp64,
    Integer,
    Special,
    Conversion,
    Memory,
    /// Moves, branches, barriers: they cost an issue slot only.
    None,
}

impl Pipe {
    /// The pipes with a limit of their own, and what a reader calls them.
    pub(super) const ALL: [(Pipe, &'static str); 6] = [
        (Pipe::Fp32, "FP32"),
        (Pipe::Fp64, "FP64"),
        (Pipe::Integer, "integer"),
        (Pipe::Special, "special functions"),
        (Pipe::Conversion, "conversion"),
        (Pipe::Memory, "load/store"),
    ];

    /// Lanes per clock and multiprocessor.
    pub(super) fn lanes_per_clock(self, gpu: &Gpu) -> f64 {
        let throughput = &gpu.throughput;
        match self {
            Pipe::Fp32 => throughput.fp32.value,
            Pipe::Fp64 => throughput.fp64.value,
            Pipe::Integer => throughput.integer.value,
            Pipe::Special => throughput.special.value,
            Pipe::Conversion => throughput.conversion.value,
            Pipe::Memory => throughput.memory.value,
            Pipe::None => throughput.issue.value,
        }
    }
}

/// What one PTX instruction of a class costs.
pub(super) struct Cost {
    /// Machine instructions issued for it.
    pub(super) issues: f64,
    /// The pipe that limits it, and how many of the machine instructions go there.
    pub(super) pipe: Pipe,
    pub(super) on_pipe: f64,
    /// Clocks from issue to the use of the result.
    pub(super) latency: f64,
}

/// The cost of a PTX instruction of class `class` on `gpu`.
pub(super) fn cost(class: Class, gpu: &Gpu) -> Cost {
    let alu = gpu.latency.arithmetic.value;
    let special = gpu.latency.special.value;
    // A sequence of `issues` dependent instructions around one of the special function unit.
    let sequence = |issues: f64| Cost {
        issues,
        pipe: Pipe::Fp32,
        on_pipe: issues - 1.0,
        latency: special + (issues - 1.0) * alu,
    };
    let single = |pipe: Pipe, latency: f64| Cost { issues: 1.0, pipe, on_pipe: 1.0, latency };
    match class {
        Class::Fp32Add | Class::Fp32Mul | Class::Fp32Fma => single(Pipe::Fp32, alu),
        Class::Mufu => single(Pipe::Special, special),
        // Compare, scale up, MUFU, scale down: what keeps subnormal numbers.
        Class::MufuSubnormal => {
            Cost { issues: 4.0, pipe: Pipe::Special, on_pipe: 1.0, latency: special + 3.0 * alu }
        }
        Class::SqrtRn => sequence(10.0),
        Class::RcpRn => sequence(9.0),
        Class::DivRn => sequence(11.0),
        Class::Fp64 => single(Pipe::Fp64, 4.0 * alu),
        Class::Integer | Class::Predicate => single(Pipe::Integer, alu),
        Class::IntegerMul => single(Pipe::Integer, alu),
        Class::IntegerDiv => {
            Cost { issues: 20.0, pipe: Pipe::Integer, on_pipe: 19.0, latency: 20.0 * alu }
        }
        Class::Conversion => single(Pipe::Conversion, 2.0 * alu),
        Class::LoadGlobal | Class::StoreGlobal | Class::Local => {
            single(Pipe::Memory, gpu.latency.global.value)
        }
        Class::LoadShared | Class::StoreShared => single(Pipe::Memory, gpu.latency.shared.value),
        Class::Atomic => single(Pipe::Memory, 4.0 * gpu.latency.global.value),
        Class::Shuffle => single(Pipe::Memory, gpu.latency.shared.value),
        Class::LoadConst => single(Pipe::None, gpu.latency.constant.value),
        // Parameters and moves are operands of other machine instructions.
        Class::LoadParam | Class::Move => {
            Cost { issues: 0.0, pipe: Pipe::None, on_pipe: 0.0, latency: 0.0 }
        }
        Class::Barrier | Class::Fence => single(Pipe::None, gpu.latency.barrier.value),
        Class::Branch | Class::Other => single(Pipe::None, alu),
    }
}
