//! What an instruction class costs on hardware: machine instructions, the pipe that runs them, latency.
//!
//! PTX is not what a GPU runs. The number of machine instructions per PTX instruction was counted in the
//! output of NVIDIA's assembler (`ptxas` 12.9, sm_75 to sm_90, one instruction at a time); sequences
//! with a slow path count their fast path.

use super::gpu::Gpu;
use super::pipe::Pipe;
use crate::Class;

/// What one PTX instruction of a class costs.
pub(super) struct Cost {
    /// Machine instructions issued for it.
    pub(super) issues: f64,
    /// The pipe that limits it, if any, and how many of the machine instructions go there.
    pub(super) pipe: Option<Pipe>,
    pub(super) on_pipe: f64,
    /// Clocks from issue to the use of the result.
    pub(super) latency: f64,
}

/// The cost of a PTX instruction of class `class` on `gpu`.
pub(super) fn cost(class: Class, gpu: &Gpu) -> Cost {
    let alu = gpu.latency.arithmetic.value;
    let special = gpu.latency.mufu.value;
    // A sequence of `issues` dependent instructions around one of the special function unit.
    let sequence = |issues: f64| Cost {
        issues,
        pipe: Some(Pipe::Fp32),
        on_pipe: issues - 1.0,
        latency: special + (issues - 1.0) * alu,
    };
    let single =
        |pipe: Pipe, latency: f64| Cost { issues: 1.0, pipe: Some(pipe), on_pipe: 1.0, latency };
    // Takes an issue slot only.
    let plain = |latency: f64| Cost { issues: 1.0, pipe: None, on_pipe: 0.0, latency };
    match class {
        Class::Fp32Add | Class::Fp32Mul | Class::Fp32Fma => single(Pipe::Fp32, alu),
        Class::Mufu => single(Pipe::Mufu, special),
        // Compare, scale up, MUFU, scale down: what keeps subnormal numbers.
        Class::MufuSubnormal => {
            Cost { issues: 4.0, pipe: Some(Pipe::Mufu), on_pipe: 1.0, latency: special + 3.0 * alu }
        }
        Class::SqrtRn => sequence(10.0),
        Class::RcpRn => sequence(9.0),
        Class::DivRn => sequence(11.0),
        Class::Fp64 => single(Pipe::Fp64, gpu.latency.fp64.value),
        Class::Integer | Class::Predicate => single(Pipe::Integer, alu),
        Class::IntegerMul => single(Pipe::IntegerMul, alu),
        Class::IntegerDiv => {
            Cost { issues: 20.0, pipe: Some(Pipe::Integer), on_pipe: 19.0, latency: 20.0 * alu }
        }
        Class::Conversion => single(Pipe::Conversion, special),
        Class::LoadGlobal | Class::StoreGlobal | Class::Local => {
            single(Pipe::LoadStore, gpu.latency.l1.value)
        }
        Class::LoadShared | Class::StoreShared => single(Pipe::LoadStore, gpu.latency.shared.value),
        Class::Atomic => single(Pipe::LoadStore, gpu.latency.atomic.value),
        Class::Shuffle => single(Pipe::LoadStore, gpu.latency.shared.value),
        Class::LoadConst => plain(gpu.latency.constant.value),
        // Parameters and moves are operands of other machine instructions.
        Class::LoadParam | Class::Move => {
            Cost { issues: 0.0, pipe: None, on_pipe: 0.0, latency: 0.0 }
        }
        Class::Barrier | Class::Fence => plain(gpu.latency.barrier.value),
        Class::Branch | Class::Other => plain(alu),
    }
}
