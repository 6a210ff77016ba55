//! The parts of a multiprocessor that instructions compete for.

use super::gpu::Gpu;

/// A part of a multiprocessor that limits how many lanes it serves per clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Pipe {
    /// Single-precision arithmetic.
    Fp32,
    /// Double-precision arithmetic.
    Fp64,
    /// Approximate functions.
    Mufu,
    /// Integer add, compare, logic, shift.
    Integer,
    /// Integer multiply and multiply-add.
    IntegerMul,
    /// Conversions between types.
    Conversion,
    /// Loads, stores, shuffles, atomic operations.
    LoadStore,
}

impl Pipe {
    /// Number of pipes.
    pub const COUNT: usize = Pipe::ALL.len();

    /// Every pipe, in the order of [`super::Demand::pipes`].
    pub const ALL: [Pipe; 7] = [
        Pipe::Fp32,
        Pipe::Fp64,
        Pipe::Mufu,
        Pipe::Integer,
        Pipe::IntegerMul,
        Pipe::Conversion,
        Pipe::LoadStore,
    ];

    /// What a reader calls it.
    pub fn name(self) -> &'static str {
        match self {
            Pipe::Fp32 => "FP32",
            Pipe::Fp64 => "FP64",
            Pipe::Mufu => "special functions",
            Pipe::Integer => "integer",
            Pipe::IntegerMul => "integer multiply",
            Pipe::Conversion => "conversion",
            Pipe::LoadStore => "load/store",
        }
    }

    /// Lanes per clock and multiprocessor.
    pub fn lanes_per_clock(self, gpu: &Gpu) -> f64 {
        let throughput = &gpu.throughput;
        let figure = match self {
            Pipe::Fp32 => &throughput.fp32,
            Pipe::Fp64 => &throughput.fp64,
            Pipe::Mufu => &throughput.mufu,
            Pipe::Integer => &throughput.integer,
            Pipe::IntegerMul => &throughput.integer_mul,
            Pipe::Conversion => &throughput.conversion,
            Pipe::LoadStore => &throughput.load_store,
        };
        figure.value
    }
}
