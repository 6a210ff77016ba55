//! The C functions that programs call, in a table for each group. A line has a function's name, its parameters, and what to
//! do with the runtime. Functions of the driver (`cu…`) stand beside those of the runtime with the same parameters; `driver` has
//! the others.

mod binaries;
mod capture;
mod conditional;
mod copies;
mod device;
mod driver;
mod entry;
mod events;
mod graphs;
mod launches;
mod libraries;
mod memory;
mod missing;
mod nodes;
#[cfg(target_os = "linux")]
mod sharing;
mod structures;
mod tensors;
#[cfg(test)]
mod tests;
mod textures;
