//! A whole CUDA program on the simulator: [`child`] runs it with the library of the crate `runtime` in the place of the CUDA
//! runtime, [`outcome`] gathers what its launches did, [`text`] shows it.

pub mod child;
pub mod outcome;
pub mod program;
pub mod text;
