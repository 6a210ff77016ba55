//! Runs programs: a warp's lanes, memory, barriers, one block at a time.

mod atomics;
mod barrier;
pub(crate) mod block;
#[expect(unsafe_code, reason = "calls code for instructions that the CPU was asked for")]
pub(crate) mod build;
pub(crate) mod calls;
pub(crate) mod cause;
mod clock;
pub(crate) mod context;
mod control;
mod copies;
pub(crate) mod exchange;
pub(crate) mod listener;
mod matrix;
mod mbarrier;
mod memory;
pub(crate) mod patience;
mod queries;
pub(crate) mod reads;
mod request;
mod run;
mod services;
pub(crate) mod spaces;
mod start;
mod stillness;
mod stuck;
mod texture;
mod turns;
mod units;
mod warp;
pub(crate) mod work;
