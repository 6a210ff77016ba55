//! Any kernels on the simulator: launches and their arguments as typed, events line by line, results.
//!
//! ```text
//! value            what a kernel gets: a number, a struct (`{i32=5; out}`) or a buffer
//!  └ buffer        memory on the device, and what is in it; from files with `npy`, `contents`
//!     └ element    the types of numbers
//! plan             all that is to be run and shown; from options (`request`) or a `file`
//!  └ invocation    a launch: `scale<<<4, 256>>>(x, f32=2)`
//! run              puts the values where the kernels (`entry`) look for them, and launches them; `outcome` also in other orders
//!  └ results       prints, compares and saves what they left
//! text             shows all of it
//! ```

pub mod buffer;
mod contents;
mod element;
mod entry;
mod file;
pub mod invocation;
mod npy;
pub mod outcome;
pub mod plan;
pub mod request;
pub mod results;
mod results_text;
pub mod run;
pub mod text;
pub mod value;
