//! The scalar semantics against expectations that were reached another way: exact arithmetic of
//! any length, the ISA's pseudo-code bit by bit, the standard library, the CPU's own instructions.

mod approximate;
mod compare;
mod convert;
mod exact;
mod float;
mod fma;
mod integer;
mod samples;
