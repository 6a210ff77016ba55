//! Blocks, warps and lanes that wait for each other: all get their turns, in the same order in every run, and who waits
//! for ever is found.

mod fair;
mod grid;
mod interrupted;
mod order;
pub mod pattern;
mod stuck;
mod tree;
mod weak;
