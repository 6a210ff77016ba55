#![doc = include_str!("../README.md")]
#![allow(
    clippy::needless_range_loop,
    reason = "lane loops index several arrays alike, and that form is the one that vectorises"
)]

mod accesses;
mod argument;
mod assembly;
mod atomics;
mod attendance;
mod barrier;
mod block;
#[expect(unsafe_code, reason = "calls code for instructions that the CPU was asked for")]
pub mod build;
mod calls;
mod cause;
mod checks;
mod clock;
mod cluster;
mod cluster_barrier;
mod completion;
pub mod context;
mod control;
mod copies;
mod counts;
mod deadline;
pub mod exchange;
mod fault;
mod garbage;
mod grid;
mod guards;
mod heap;
mod landings;
mod launch;
mod level;
pub mod listener;
mod matrix;
mod mbarrier;
mod meeting;
pub mod peers;
mod printed;
pub mod products;
mod queries;
pub mod random;
mod reads;
mod request;
mod run;
mod sampling;
mod schedule;
mod scheduling;
mod services;
pub mod spaces;
mod spin;
mod stale;
mod start;
mod stuck;
mod tensor;
mod texture;
mod touch;
mod transfer;
mod turns;
mod unit;
mod units;
mod warp;
mod warpgroup;
mod weak;
mod weak_access;
pub mod work;

pub use argument::Argument;
pub use checks::check_residency;
pub use counts::BlockCount;
pub use fault::{
    AccessError, AccessKind, Assertion, EarlyRead, Fault, FaultKind, InvalidAccess, InvalidFree,
    Missing, Overrun, Race, RaceScope, RacingAccess, StackOverflow, Uninitialised, Unwaited,
};
pub use grid::{DeviceMemory, Grid};
pub use heap::{Heap, HeapBlock, HeapOperation};
pub use launch::{Host, Launch, LaunchError};
pub use level::Level;
pub use printed::Printed;
pub use sampling::{Multiprocessors, Sampling};
pub use schedule::Ended;
pub use scheduling::{Scheduling, UnknownScheduling};
