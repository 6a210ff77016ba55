//! What the simulator saw of a launch.

use std::sync::Arc;

/// What the simulator saw of one launch, and what the time model makes of it.
#[derive(Debug)]
pub struct Profile {
    /// The code that ran.
    pub module: Arc<simt::Module>,
    /// The kernel's name in it.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Shared memory of a block in bytes, what the kernel declares and what the launch adds.
    pub shared_bytes: u32,
    /// What was counted.
    pub events: simt::Events,
    /// The modelled time and its bounds.
    pub estimate: simt::model::Estimate,
}

impl Profile {
    /// The kernel that ran.
    pub fn kernel(&self) -> &simt::Kernel {
        self.module.kernel(&self.kernel).expect("a kernel that ran is in its module")
    }
}
