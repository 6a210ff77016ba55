//! Clusters of blocks. What is expected follows from the PTX ISA, sections "Special Registers", "barrier.cluster", "mapa" and
//! "getctarank".

mod barriers;
mod copies;
mod distributed;
mod faults;
mod fixture;
mod hazards;
mod registers;
