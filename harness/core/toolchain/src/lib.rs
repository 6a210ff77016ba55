//! A kernel's source, and the compilers and tools that make code for a device of it.
//!
//! The committed PTX of a kernel, as the simulator reads it. Nothing is compiled.
//!
//! ```
//! use toolchain::compiler::INSTALLED;
//! use toolchain::{CodeRoute, Source, choose, ptx::Reader};
//! # fn main() -> Result<(), toolchain::Error> {
//! let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../device/examples/first/add.ptx");
//! let source = Source::from_file(file.as_ref(), &[])?;
//! let code = choose(&source, CodeRoute::Committed, Reader::Simulator, INSTALLED)?;
//! assert!(code.ptx.contains(".visible .entry add"));
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! error       what can go wrong, each with its remedy
//! search      where libraries, programs and the workspace's files are looked for
//! source      a step's Source: its text, what it includes, and what is committed of it
//! ptx, sass   PTX and machine code (SASS): which are committed, whether they are up to date, and how they are made
//! machine     the machine code of a kernel, for the time model
//! nvrtc       NVIDIA's compiler, as a library; headers are those of CUDA that it is given
//! clang       LLVM's compiler, with headers of our own in `cuda/`
//! nvcc        NVIDIA's compiler with its own driver; cc and rust are compilers for C and Rust
//! compiler    which of them is used, and what it is called
//! route       which code is asked for: committed, or compiled by one of them
//! choose      the code that a device loads; ahead makes it before it is needed
//! sanitizer   NVIDIA's compute-sanitizer
//! untrusted   code of strangers: what it may include
//! ```

mod ahead;
#[expect(unsafe_code, reason = "loads what a C compiler made")]
pub mod cc;
mod choose;
pub mod clang;
mod comparable;
pub mod compiler;
mod error;
pub mod headers;
mod include;
mod library;
mod machine;
pub mod nvcc;
#[expect(unsafe_code, reason = "calls a library in C")]
pub mod nvrtc;
pub mod ptx;
mod route;
pub mod rust;
pub mod sanitizer;
pub mod sass;
pub mod search;
mod source;
mod standard;
pub mod untrusted;

pub use ahead::Ahead;
pub use choose::{Code, choose};
pub use comparable::comparable;
pub use error::Error;
pub use include::Include;
pub use machine::Machine;
pub use ptx::{OWN_INSTRUCTIONS, Ptx};
pub use route::CodeRoute;
pub use search::set_workspace;
pub use source::{ANY_GPU, Source};
