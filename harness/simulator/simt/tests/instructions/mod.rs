//! Each instruction, run through [`simt::Simulator`] from PTX text, against expectations that do
//! not come from `simt::semantics`, at every CPU level with identical bits.
//!
//! Arithmetic is table-driven ([`table`]): a case is one statement and what it should give; inputs
//! are the awkward values of its types. Memory, atomics, warp and control instructions have
//! kernels of their own. [`coverage`] checks that nothing of `opcodes.txt` is left out.

mod approximate;
mod atomics;
mod bits;
mod bytes;
mod compare;
mod control;
mod convert;
mod copies;
mod coverage;
mod float;
mod halves;
mod harness;
mod integer;
mod matrix;
mod mbarrier;
mod memory;
mod products;
mod quarters;
mod recorded;
mod table;
mod tiles;
mod video;
mod warp;

use crate::{exact, samples};
