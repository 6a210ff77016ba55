//! Each instruction, run through [`simt::Simulator`] from PTX text, against expectations that do
//! not come from `simt::semantics`, at every CPU level with identical bits.
//!
//! Arithmetic is in `tests/golden`: a line for each instruction, with what a GPU makes of it. Memory,
//! atomics, warp and control instructions have kernels of their own here. [`coverage`] checks that
//! nothing of `opcodes.txt` is left out.

mod atomics;
mod bits;
mod bytes;
mod control;
mod copies;
mod coverage;
mod halves;
mod harness;
mod matrix;
mod mbarrier;
mod memory;
mod products;
mod quarters;
mod recorded;
mod tiles;
mod video;
mod warp;
