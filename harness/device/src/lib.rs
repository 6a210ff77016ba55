//! One small API over a CUDA GPU, over the PTX simulator and over the CPU, so that a step's host code is written once.
//!
//! What goes in is a [`Source`]: one step's CUDA C++ and the PTX that was made from it; or, for the CPU, a [`HostCode`]:
//! functions of this program. What comes out is a loaded
//! [`Module`], whose kernels are launched over [`Buffer`]s:
//!
//! ```text
//! kernels/<ladder>/NN-slug.{cu,ptx}
//!   └ Source            source.rs     read at run time, so an edited kernel needs no rebuild
//!       └ code          code.rs       which code may run: compiled here (nvrtc.rs) or committed (ptx.rs), never old code
//!           └ Device    device.rs     alloc, upload, set_constant, launch, time, download
//!               ├ cuda       cuda.rs       through the driver, loaded at run time: a machine without one still builds and runs
//!               ├ simulator  simulator.rs  the same PTX, on the CPU
//!               └ cpu        cpu.rs        functions of this program (host.rs), or of C that is compiled here (cc.rs)
//! ```
//!
//! Several devices compute together as a [`Group`]: GPUs through NCCL (nccl.rs), simulators through files.
//!
//! [`open`] chooses the device, a [`SimulatorDevice`] also says what it saw of each launch, [`survey()`] says what a machine has. Every failure is an [`Error`] that names its remedy;
//! a missing library is never a panic.

pub mod cc;
mod choice;
mod code;
mod cpu;
mod cuda;
mod device;
mod error;
mod graph;
mod group;
mod guard;
mod host;
mod machine;
mod module;
pub mod nccl;
pub mod nvrtc;
mod profile;
pub mod ptx;
pub mod sass;
mod simulator;
mod source;
mod survey;

pub use choice::{Choice, CodeRoute, described, open};
pub use cpu::{CpuDevice, processor};
pub use device::{Argument, Buffer, Conditions, Device, Info, Shape, TimeSource, Timing};
pub use error::Error;
pub use graph::{Graph, Node};
pub use group::{Group, Launched, Seat, job, launched};
pub use host::{HostArgument, HostCode, HostKernel};
pub use module::Module;
pub use profile::{Profile, Watching};
pub use simt::Scheduling;
pub use simulator::SimulatorDevice;
pub use source::{ANY_GPU, Ptx, Source};
pub use survey::{Compiler, Cpu, Driver, Gpu, Survey, survey};
