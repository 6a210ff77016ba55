//! A time model: how long would a GPU take for what the simulator counted, and what would limit it?
//!
//! A few bounds, as in Zhang & Owens, *A quantitative performance analysis model for GPU
//! architectures* (HPCA 2011): issue slots, each pipe, shared memory, caches, memory, atomic operations; and the latency
//! of one warp's dependent instructions (Little's law; Volkov, *Understanding latency hiding on GPUs*, 2016):
//!
//! `T = launch + max(L1, DRAM, atomics, …, ‖issue, pipes, shared memory, L2, latency‖₄)`
//!
//! for the multiprocessor with the most blocks: what its warps share and wait for hides each other in part, like the terms of
//! a norm. It takes three things apart that a profiler shows together: the machine
//! instructions ([`crate::machine`]), what they ask of memory ([`events::Counts`]) and what the GPU can do ([`Gpu`]). What the
//! copy engine and tensor cores do beside warps is followed while a launch runs ([`events::watch::engines`]).
//!
//! Known to be missing:
//! - Reads of one address by all multiprocessors at a time queue up at one slice of L2, or at one partition of memory
//!   ("partition camping"), where no L1 cache keeps them away. So the steps before shared blocking come out too fast on a
//!   Quadro FX 5800 and, less so, on a GTX 680: `reports/h200-model` has the ratios.
//! - Register banks: the part of the issue slots that is filled is one figure of a GPU, not of the code.
//! - Instruction caches, address translation, the tail of a grid's last blocks beyond whole rounds.

mod approximate;
mod attributes;
mod catalogue;
mod copies;
mod demand;
mod error;
mod estimate;
mod figure;
mod gpu;
mod hardware;
mod names;
mod needs;
mod pipe;
mod residency;
mod timeline;
mod work;

pub use attributes::Attributes;
pub use copies::End;
pub use demand::{longest_warp, warp_clocks};
pub use error::GpuError;
pub use estimate::{Bound, Demand, Estimate, estimate};
pub use figure::{Chip, Engines, Figure, Latency, Limits, Memory, Start, Throughput};
pub use gpu::Gpu;
pub use needs::{Need, Owner, access_clocks, needs};
pub use pipe::Pipe;
pub use residency::{Limit, Residency, ResidencyError};
pub use timeline::{Engine, Mark, Operation, Timeline};
pub use work::Work;
