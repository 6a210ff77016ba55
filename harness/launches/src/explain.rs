//! Why a step is faster or slower than another, from what the simulator saw of both.
//!
//! ```text
//! running            runs a step; its facts, and a timeline of its first warps
//! compare            the metrics of two steps, side by side
//! pass               the modelled times of whole passes
//! verdict            the result in words
//! code, instructions   what differs in sources, PTX and machine code
//! difference         lines that differ
//! text               all of it, as data and for the terminal
//! ```

mod code;
pub mod compare;
pub mod difference;
pub mod instructions;
mod metrics;
pub mod pass;
pub mod running;
pub mod text;
pub mod timeline;
pub mod verdict;
