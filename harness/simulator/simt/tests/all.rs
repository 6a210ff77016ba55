//! The simulator from outside. All in one test program: to link each file alone costs more than it runs.

mod arrays;
mod calls;
mod clusters;
mod common;
mod control;
mod events;
mod faults;
mod golden;
mod hazards;
mod instructions;
mod machine;
mod maps;
mod matrix;
mod model;
mod products;
mod shared;
mod tensors;
mod textures;
mod texturing;
mod waiting;
mod warpgroups;

// Shared with the tests of the semantics, which use all of them.
#[path = "../../semantics/tests/samples.rs"]
#[allow(dead_code)]
mod samples;
