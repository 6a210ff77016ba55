//! Code that runs on the CPU: functions instead of kernels, called as those are launched.

use std::fmt;

use super::argument::HostArgument;

/// Functions that take the place of a step's kernels on the CPU.
#[derive(Debug)]
pub struct HostCode {
    /// Its name in messages and reports, e.g. "cpu/02-soa".
    pub name: String,
    /// What it is, for the report: "Rust, AVX-512, 2 threads".
    pub description: String,
    /// The functions.
    pub kernels: Vec<HostKernel>,
}

/// A function that is launched like a kernel.
pub struct HostKernel {
    /// The name under which it is launched.
    pub name: &'static str,
    /// Whether it runs inside the device's pool of threads, which is then rayon's for everything in it; if not, on the
    /// thread that launches it.
    pub in_pool: bool,
    /// The function. If it panics, the launch fails with an error.
    pub run: Box<HostFunction>,
}

/// A function over the arguments of a launch.
pub type HostFunction = dyn Fn(&mut [HostArgument]) + Send + Sync;

impl fmt::Debug for HostKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostKernel({})", self.name)
    }
}
