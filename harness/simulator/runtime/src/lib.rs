//! The calls of the CUDA runtime that ordinary programs make, on the simulator: `harness exec` puts this library under a
//! program that was compiled with `nvcc -cudart shared`.
//!
//! The way of a call: `exports` (C functions, one table for each group; pointers become values there) → [`Runtime`]
//! (memory, streams, events, launches, in safe Rust) → [`simt::Simulator`]. What a launch did is written as a [`Record`]
//! to a log that the harness reads when the program has ended; [`Config`] is what the harness asks for.
//!
//! Uses point one way. `code` (numbers and names of errors), `config`, `record`, `fatbin` (PTX in a program's fat
//! binaries), `properties` (a modelled GPU as programs see it) and [`stub`] (what the loader wants to see) are data; `binaries`
//! knows what a program registered; `work` is what streams do: at once, as nodes of `graphs`, or
//! after a launch that waits for the host (`beside`); `runtime` has the rest of the state.

mod arrays;
mod beside;
mod binaries;
pub mod code;
mod config;
#[expect(unsafe_code, reason = "is called from C")]
mod exports;
pub mod fatbin;
mod graphs;
mod launch;
mod memory;
mod properties;
mod record;
mod runtime;
mod streams;
pub mod stub;
mod work;

pub use config::{Config, VARIABLE};
pub use record::{Launched, Record, read};
pub use runtime::Runtime;
