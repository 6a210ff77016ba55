//! Executes PTX on the CPU, warp by warp, and counts what it did.
//!
//! What happens to a kernel: text → `ptx` (the file as written) → `program` (registers resolved, types checked, basic blocks: a
//! [`Module`]) → [`Simulator::launch`] → `execution` (32 lanes at a time, blocks over the cores; `events` and `hazards` listen) →
//! [`Events`] or a [`Fault`] → `timing` ([`model`], [`machine`]).
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
//! let launch = simt::Launch::new([1, 1, 1], [64, 1, 1]).argument(out);
//! let events = simulator.launch(&loaded, "square", &launch, &simt::Watch::default())?;
//! let mut last = [0; 4];
//! simulator.read(out + 4 * 63, &mut last)?;
//! assert_eq!(u32::from_le_bytes(last), 63 * 63);
//! assert_eq!(events.warp_instructions, 2 * 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod simulator;
mod watch;

pub use events::{
    BlockCount, ClassCount, Coalescing, Counts, Coverage, Engines, Events, ExecutedLines, Gaps,
    Machine, Trace, TraceBarrier, TraceEvent, TraceRequest, TraceTouch,
};
pub use execution::{
    AccessError, AccessKind, Argument, Assertion, EarlyRead, Fault, FaultKind, HeapBlock,
    HeapOperation, Host, InvalidAccess, InvalidFree, Launch, LaunchError, Level, Missing, Overrun,
    Printed, Race, RaceScope, RacingAccess, Scheduling, StackOverflow, Uninitialised,
    UnknownScheduling, Unwaited,
};
pub use memory::{MemoryError, NearestAllocation, SavedMemory};
pub use program::{Block, Class, Kernel, KernelError, Module, Parameter, Summary, Unfinished};
pub use ptx::{Line, Origin, PtxError, Space, mutate};
pub use semantics;
pub use simulator::{EarlyReadError, Loaded, Simulator};
pub use textures as texture;
pub use timing::{machine, model};
pub use watch::Watch;
