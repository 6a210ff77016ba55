//! The parts of a multiprocessor that instructions compete for.

use super::gpu::Gpu;
use crate::machine::{MachineKind, OF_PRODUCT};

program::kinds! {
    /// A part of a multiprocessor that limits how many lanes it serves per clock.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[repr(u8)]
    pub enum Pipe {
        /// Single-precision arithmetic.
        Fp32 = "FP32",
        /// Double-precision arithmetic.
        Fp64 = "FP64",
        /// Approximate functions.
        Mufu = "special functions",
        /// Integer add, compare, logic, shift.
        Integer = "integer",
        /// Integer multiply and multiply-add.
        IntegerMul = "integer multiply",
        /// Conversions between types.
        Conversion = "conversion",
        /// Loads, stores, shuffles, atomic operations.
        LoadStore = "load/store",
        /// Matrix multiply-add.
        Tensor = "tensor",
    }
}

impl Pipe {
    /// The pipe on which a kind of machine instruction runs; none for those that take only an issue slot.
    pub fn of(kind: MachineKind) -> Option<Pipe> {
        match kind {
            MachineKind::Fp32 | MachineKind::Fp16 => Some(Pipe::Fp32),
            MachineKind::Fp64 => Some(Pipe::Fp64),
            MachineKind::Mufu => Some(Pipe::Mufu),
            MachineKind::Integer | MachineKind::Compare => Some(Pipe::Integer),
            MachineKind::IntegerMul => Some(Pipe::IntegerMul),
            MachineKind::Conversion => Some(Pipe::Conversion),
            MachineKind::LoadGlobal
            | MachineKind::StoreGlobal
            | MachineKind::LoadShared
            | MachineKind::LoadShared64
            | MachineKind::LoadShared128
            | MachineKind::StoreShared
            | MachineKind::Local
            | MachineKind::Atomic
            | MachineKind::Shuffle => Some(Pipe::LoadStore),
            MachineKind::Tensor => Some(Pipe::Tensor),
            MachineKind::Move
            | MachineKind::Uniform
            | MachineKind::Constant
            | MachineKind::Barrier
            | MachineKind::Branch
            | MachineKind::Other => None,
        }
    }

    /// Lanes per clock and multiprocessor; of a matrix product a lane has 64 multiply-adds of 16-bit numbers.
    pub fn lanes_per_clock(self, gpu: &Gpu) -> f64 {
        const OF_A_LANE: f64 = OF_PRODUCT / 32.0;
        let throughput = &gpu.throughput;
        let figure = match self {
            Pipe::Fp32 => &throughput.fp32,
            Pipe::Fp64 => &throughput.fp64,
            Pipe::Mufu => &throughput.mufu,
            Pipe::Integer => &throughput.integer,
            Pipe::IntegerMul => &throughput.integer_mul,
            Pipe::Conversion => &throughput.conversion,
            Pipe::LoadStore => &throughput.load_store,
            Pipe::Tensor => return throughput.tensor.value / OF_A_LANE,
        };
        figure.value
    }
}
