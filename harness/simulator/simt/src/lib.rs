//! Executes PTX on the CPU, warp by warp, and counts what it did.
//!
//! The way of a kernel: text → `ptx` (lexer, parser: the file as written) → `lower` (registers resolved, types
//! checked, basic blocks with their post-dominators: a [`Module`]) → [`Simulator::launch`] → `exec` (32 lanes at a
//! time, blocks over the cores) → [`Events`] or a [`Fault`].
//!
//! Uses point one way. `space`, `class`, `registers`, `semantics`, `alu`, `texture`, `program` and `kernel` are data and arithmetic;
//! `lower` and `module` make them from text; `exec` runs them and tells a `listener`; `watch` listens; `schedule` and
//! `simulator` put a launch together; `model` and `machine` read what was counted. `mutate` makes small mistakes in a text.
//!
//! ```
//! use std::sync::Arc;
//! let text = "
//!     .version 7.8
//!     .target sm_50
//!     .address_size 64
//!     .visible .entry square(.param .u64 p) {
//!         .reg .b32 %r<3>; .reg .b64 %rd<4>;
//!         ld.param.u64 %rd1, [p];
//!         mov.u32 %r1, %tid.x;
//!         mul.lo.s32 %r2, %r1, %r1;
//!         mul.wide.u32 %rd2, %r1, 4;
//!         add.s64 %rd3, %rd1, %rd2;
//!         st.global.u32 [%rd3], %r2;
//!         ret;
//!     }";
//! let simulator = simt::Simulator::new(1 << 20);
//! let module = Arc::new(simt::Module::parse("square.ptx", text)?);
//! let loaded = simulator.load(module)?;
//! let out = simulator.alloc("out", 4 * 64)?;
//! let launch = simt::Launch { grid: [1, 1, 1], block: [64, 1, 1], shared_bytes: 0, arguments: &[&out.to_le_bytes()] };
//! let events = simulator.launch(&loaded, "square", &launch)?;
//! let mut last = [0; 4];
//! simulator.read(out + 4 * 63, &mut last)?;
//! assert_eq!(u32::from_le_bytes(last), 63 * 63);
//! assert_eq!(events.warp_instructions, 2 * 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(
    clippy::needless_range_loop,
    reason = "lane loops index several arrays alike, and that form is the one that vectorises"
)]

mod alu;
mod cfg;
mod class;
mod communication;
mod coverage;
mod events;
mod exec;
mod fault;
mod hardware;
mod heap;
mod kernel;
mod launch;
mod level;
mod lower;
pub mod machine;
#[expect(unsafe_code, reason = "shows words as bytes")]
mod memory;
pub mod model;
mod module;
pub mod mutate;
mod printed;
mod program;
mod ptx;
#[expect(unsafe_code, reason = "reads without a check of the index")]
mod registers;
mod schedule;
mod scheduling;
pub mod semantics;
mod simulator;
mod space;
pub mod texture;
mod watch;

pub use class::Class;
pub use coverage::{Coverage, ExecutedLines, Gaps, OneRound};
pub use events::{
    BlockCount, ClassCount, Counts, Events, Trace, TraceBarrier, TraceEvent, TraceRequest,
    TraceTouch,
};
pub use fault::{
    AccessError, AccessKind, Assertion, Fault, FaultKind, InvalidAccess, InvalidFree,
    NearestAllocation, Overrun, Race, RaceScope, RacingAccess, StackOverflow, Uninitialised,
};
pub use hardware::{Coalescing, Machine};
pub use heap::{HeapBlock, HeapOperation};
pub use kernel::{Block, Kernel, Line, Parameter, Summary};
pub use launch::{Host, Launch, LaunchError};
pub use level::Level;
pub use memory::MemoryError;
pub use module::Module;
pub use printed::Printed;
pub use ptx::error::PtxError;
pub use scheduling::{Scheduling, UnknownScheduling};
pub use simulator::{Loaded, Simulator};
pub use space::Space;
pub use watch::Watch;
