//! The CUDA runtime on the simulator.
//!
//! `harness exec` loads this crate as a dynamic library (`LD_PRELOAD`) under a program that nvcc compiled. The library exports
//! the C functions of `libcudart`, and takes the place of a `libcudart` that is linked into the program; kernels run on
//! [`simt::Simulator`], so the program needs no GPU.
//!
//! ```text
//! exports      the C functions, in tables; pointers become values here
//! operations   what they do: memory, arrays, launches, graphs, in safe Rust
//! state        the device, streams, graphs, device code, and the work that waits
//! host         pointers and memory of the program, and its process
//! data         error, config, record, properties (of the modelled GPU), fatbin (device code), stub
//! ```
//!
//! Each uses only what is below it. The harness asks for a GPU and for checks with a [`Config`] in the environment. What a
//! launch did is appended as a [`Record`] to a log, which the harness [reads](read()) when the program has ended.
//!
//! # Example
//! From Rust the functions are called as from C:
//!
//! ```
//! use runtime::error;
//!
//! unsafe extern "C" {
//!     fn cudaMalloc(out: *mut u64, bytes: usize) -> i32;
//!     fn cudaMemset(to: u64, byte: i32, bytes: usize) -> i32;
//!     fn cudaMemcpy(to: *mut u8, from: u64, bytes: usize, kind: i32) -> i32;
//!     fn cudaFree(address: u64) -> i32;
//! }
//!
//! let (mut address, mut bytes) = (0, [0_u8; 4]);
//! let device_to_host = 2;
//! // SAFETY: each pointer leads to as many bytes as its call writes.
//! unsafe {
//!     assert_eq!(cudaMalloc(&mut address, 4), error::SUCCESS.0);
//!     assert_eq!(cudaMemset(address, 7, 4), error::SUCCESS.0);
//!     assert_eq!(cudaMemcpy(bytes.as_mut_ptr(), address, 4, device_to_host), error::SUCCESS.0);
//!     assert_eq!(cudaFree(address + 1), error::INVALID_VALUE.0);
//!     assert_eq!(cudaFree(address), error::SUCCESS.0);
//! }
//! assert_eq!(bytes, [7; 4]);
//! ```

mod config;
pub mod error;
#[expect(unsafe_code, reason = "is called from C")]
mod exports;
mod fatbin;
#[expect(unsafe_code, reason = "pointers from C")]
mod host;
mod operations;
mod properties;
mod record;
mod state;
pub mod stub;

pub use config::{Config, ConfigError, VARIABLE};
pub use record::{Launched, Record, read};
