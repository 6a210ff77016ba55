//! One small API over a CUDA GPU, over the PTX simulator and over the CPU, so that a step's host code is written once.
//!
//! A whole program, on the simulator. With `Choice::Auto` it runs on a GPU where there is one.
//!
//! ```
//! use device::{Argument, Choice, CodeRoute, Shape, Source};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200")?;
//! // add(int n, const float* a, const float* b, float* sum)
//! let ptx = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/first/add.ptx");
//! let module = device.load(&Source::from_file(ptx.as_ref(), &[])?)?;
//!
//! let n = 1000;
//! let a = device.alloc("a", 4 * n)?; // 4 bytes for each of n floats
//! let sum = device.alloc("sum", 4 * n)?;
//! device.upload(&a, bytemuck::cast_slice(&vec![1.5f32; n]))?;
//!
//! let arguments = [Argument::I32(n as i32), (&a).into(), (&a).into(), (&sum).into()];
//! let shape = Shape::row(n.div_ceil(256) as u32, 256); // blocks, and threads of a block
//! device.launch(&module, "add", shape, &arguments)?;
//! assert_eq!(device.read::<f32>(&sum)?, vec![3.0; n]);
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! error       what can go wrong, each with its remedy
//! patience    how long is waited for what may never end
//! api         the Device trait and its values: Shape, Argument, Buffer, Array, Object, TensorMap, Stream, Event, Graph, Module
//! group       several devices that exchange data
//! cuda        a GPU through the driver and NCCL, loaded at run time: a machine without them still builds and runs
//! simulator   the same PTX on the CPU, with a modelled time
//! cpu         functions of this program, or of C that is compiled here
//! choice      open() makes a device of a name
//! survey      what a machine has
//! ```
//!
//! Each module uses only those above it in this list. A step's [`Source`], or a [`HostCode`] on the CPU, is loaded as a
//! [`Module`], whose kernels are launched over [`Buffer`]s. Every failure is an [`Error`] that names its remedy; a missing
//! library is never a panic.

// Without GPUs some of it has no use.
#![cfg_attr(target_family = "wasm", allow(dead_code, unused_imports))]

mod api;
mod choice;
mod cpu;
#[cfg(not(target_family = "wasm"))]
#[expect(unsafe_code, reason = "calls the driver and NCCL")]
mod cuda;
#[cfg(target_family = "wasm")]
#[path = "cuda/absent.rs"]
mod cuda;
mod error;
mod group;
mod patience;
mod simulator;
mod survey;

pub use api::argument::{Argument, HostArgument};
pub use api::buffer::{Buffer, Place};
pub use api::device::{Device, Group};
pub use api::graph::{Graph, Node};
pub use api::host::{HostCode, HostKernel};
pub use api::library::{Attention, Library, PADDED_TO, Precision, Product, Routine};
pub use api::member::Member;
pub use api::module::Module;
pub use api::shape::Shape;
pub use api::simulation::Simulation;
pub use api::state::{Conditions, Info, TimeSource, Timing};
pub use api::stream::{Event, Start, Stream};
pub use api::tensor::{Boxes, TensorMap};
pub use api::texture::{Array, Object, TextureOf};
pub use choice::{Choice, DEFAULT_GPU, described, open};
pub use cpu::{CpuDevice, processor};
pub use cuda::{Driver, Gpu, count as gpus, leave_if_driver_hangs};
#[cfg(not(target_family = "wasm"))]
pub use cuda::{cublas, cudnn, nccl};
pub use error::Error;
pub use group::{Launched, LauncherError, job, launched};
pub use patience::{LAUNCH_SECONDS, choose_launch_limit, launch_limit, long_launch_limit};
pub use simt::{Scheduling, texture};
pub use simulator::{Profile, SimulatorDevice, Watching};
pub use survey::{Compiler, Cpu, Survey, survey};
pub use toolchain::{ANY_GPU, CodeRoute, Ptx, Source};
