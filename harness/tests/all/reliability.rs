//! What goes wrong costs what it happened to and nothing else: kernels that fault or never end, processes that are
//! killed, disks that are full. All of it with the whole program and its worker, on the simulator.

mod disk;
mod kernels;
#[cfg(target_os = "linux")]
mod killed;
mod program;
mod together;
