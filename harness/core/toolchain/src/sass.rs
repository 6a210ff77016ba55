//! The machine code (SASS) of a source: compiled by NVRTC, printed by nvdisasm, and read from its text.
//!
//! ```text
//! source.cu ─ NVRTC ─┬ log    log.rs      registers, stack, spills, shared memory
//!                    └ cubin ─ nvdisasm ─ listing.rs   instructions, source lines, basic blocks
//!                                             └ waits.rs   what one warp waits for in each block
//! ```
//!
//! A step that is PTX from the first, one in Rust, takes the same way with ptxas (`ptxas.rs`) in the place of NVRTC.
//!
//! Few readers have both programs, so what they make of a ladder's kernels is committed ([`Committed`], `file.rs`), made
//! by pinned versions. [`disassemble`] does the same for a reader's own file, with whatever versions are there.

mod file;
mod find;
mod listing;
mod log;
mod ptxas;
mod tools;
mod waits;

pub use file::{Committed, Variant};
pub use find::{INSTALL as NVDISASM_INSTALL, Nvdisasm, any as disassembler};
pub use listing::SassLine;
pub use ptxas::COMPILER;
pub use tools::{ARCHITECTURES, RESOURCES_ONLY, Tools, disassemble, registers, text};
