//! Each instruction, run through [`simt::Simulator`] from PTX text, against expectations that do
//! not come from `simt::semantics`, at every CPU level with identical bits.
//!
//! Arithmetic is in `tests/golden`: a line for each instruction, with what a GPU makes of it. Memory,
//! atomics, warp, control and matrix instructions have kernels of their own in `cases/`, which [`cases`]
//! runs. [`coverage`] checks that nothing of `opcodes.txt` is left out.

mod cases;
mod control;
mod coverage;
mod halves;
pub mod harness;
mod recorded;
mod tiles;
