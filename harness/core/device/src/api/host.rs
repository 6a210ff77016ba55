//! Code that runs on the CPU: functions instead of kernels, called as those are launched.

use std::fmt;

use super::argument::HostArgument;

/// Functions that together stand for a step's kernels.
#[derive(Debug)]
pub struct HostCode {
    /// What messages and reports call it, e.g. "cpu/02-soa".
    pub name: String,
    /// What it is, for the report: "Rust, AVX-512, 2 threads".
    pub description: String,
    /// The functions.
    pub kernels: Vec<HostKernel>,
}

/// One of them.
pub struct HostKernel {
    /// Under which it is launched.
    pub name: &'static str,
    /// Whether it runs inside the device's pool of threads, which is then rayon's for everything in it; if not, on the
    /// thread that launches it.
    pub in_pool: bool,
    /// What it does. A panic is an error of the launch.
    pub run: Box<HostFunction>,
}

/// A function over the arguments of a launch.
pub type HostFunction = dyn Fn(&mut [HostArgument]) + Send + Sync;

impl fmt::Debug for HostKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HostKernel({})", self.name)
    }
}
