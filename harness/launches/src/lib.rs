//! What the simulator saw of launches, as data, as text and as pictures.
//!
//! ```text
//! facts        counts, ratios, bounds and residency of one launch, or of all launches of a pass
//! format       counts, ratios and shapes as text
//! accounting   what a unit of work costs, instruction by instruction
//! measured     what a GPU showed of steps of which the time model says nothing
//! events       any kernels with typed arguments: events line by line, results
//! explain      two steps side by side: facts, code, timelines, and a verdict
//! readers      a reader's kernel in the place of a step's own: a verdict, then both side by side
//! ```
//!
//! Everything runs on the simulator, so counts are exact and the same on every machine; times are modelled. Nothing here
//! knows a ladder or a step by name.
//!
//! ```
//! use device::{CodeRoute, DEFAULT_GPU, Device, SimulatorDevice, Source, Watching};
//! use launches::events::{plan::Plan, run::run};
//!
//! # fn main() -> anyhow::Result<()> {
//! let ptx = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/device/examples/first/add.ptx");
//! let source = Source::from_file(ptx.as_ref(), &[])?;
//! let mut device = SimulatorDevice::open(CodeRoute::Committed, device::described(DEFAULT_GPU)?);
//! device.watch(Watching { hazards: true, ..Watching::default() });
//! let add = "add<<<4, 256>>>(i32=1000, a=f32[1000]=one, a, sum=f32[1000]=uninit)";
//! let plan = Plan {
//!     launches: vec![add.parse()?],
//!     prints: vec!["sum[0]".parse()?],
//!     ..Plan::default()
//! };
//! let outcome = run(&mut device, &source, &plan)?;
//! assert_eq!(outcome.printed[0].values[0].text, "2"); // 1 + 1
//! assert_eq!(outcome.facts.ratios.bytes_used_percent, Some(100.0));
//! # Ok(())
//! # }
//! ```

pub mod accounting;
pub mod events;
pub mod explain;
pub mod facts;
pub mod format;
pub mod measured;
pub mod readers;
