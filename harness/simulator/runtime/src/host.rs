//! The program's side: pointers that it hands over, memory that it shares with other processes, and its process.

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linked;
#[cfg(target_os = "linux")]
mod mapping;
mod pointer;
mod process;

#[cfg(target_os = "linux")]
pub(crate) use mapping::Mapping;
pub(crate) use pointer::{HostFunction, In, Out, Pointer, Text};
pub(crate) use process::{leave, print};
