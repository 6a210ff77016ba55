//! All pairs of bodies, on a GPU, on several and on a CPU.

pub mod cutting;
pub mod exchange;
pub mod fragments;
pub mod halves;
pub mod registers;
pub mod ring;
pub mod stages;
pub mod sums;
pub mod times;
pub mod triangle;
pub mod turns;
