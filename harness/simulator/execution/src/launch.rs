//! A launch, and why it may not happen.

use std::time::Duration;

use crate::argument::{Argument, Arguments};
use crate::fault::Fault;
use crate::scheduling::Scheduling;
use program::KernelError;

/// A launch of a kernel: its shape, its arguments, and how its blocks are scheduled.
///
/// ```
/// # let (out, n) = (0u64, 7u32);
/// let launch = execution::Launch::new([4, 1, 1], [256, 1, 1]).argument(out).argument(n).seed(1);
/// assert_eq!(launch.grid, [4, 1, 1]);
/// ```
#[derive(Clone)]
pub struct Launch<'a> {
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z; at most 1024.
    pub block: [u32; 3],
    /// Blocks of a cluster in x, y, z; `None` if the launch does not name them: then it is the kernel's shape, or each block
    /// is a cluster.
    pub cluster: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory, which a block has in addition to what the kernel declares.
    pub shared_bytes: u32,
    pub(crate) arguments: Arguments,
    /// Draws the order of blocks and warps; 0 is ascending.
    pub seed: u64,
    pub(crate) only: Option<&'a [u64]>,
    /// How the lanes of a diverged warp are scheduled.
    pub scheduling: Scheduling,
    /// Whether all blocks are resident, so that barriers of the grid work.
    pub cooperative: bool,
    pub(crate) limit: Option<Duration>,
    pub(crate) resident: Option<u64>,
    pub(crate) staggered: bool,
    pub(crate) host: Option<Host<'a>>,
}

/// A program that runs beside a launch. While all blocks wait, it is asked again and again whether it may still write what
/// they read; `false` ends the launch with a fault.
pub type Host<'a> = &'a (dyn Fn() -> bool + Sync);

impl<'a> Launch<'a> {
    /// A launch of `grid` blocks of `block` threads each, without arguments and dynamic shared memory. All blocks run, in
    /// ascending order, and without a time limit.
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> Launch<'a> {
        Launch {
            grid,
            block,
            cluster: None,
            shared_bytes: 0,
            arguments: Arguments::default(),
            seed: 0,
            only: None,
            scheduling: Scheduling::default(),
            cooperative: false,
            limit: None,
            resident: None,
            staggered: false,
            host: None,
        }
    }

    /// Adds bytes of dynamic shared memory to each block.
    pub fn shared_bytes(self, shared_bytes: u32) -> Launch<'a> {
        Launch { shared_bytes, ..self }
    }

    /// Groups blocks in clusters of this shape.
    pub fn cluster(self, cluster: Option<[u32; 3]>) -> Launch<'a> {
        Launch { cluster, ..self }
    }

    /// Appends the value of the kernel's next parameter.
    pub fn argument(mut self, value: impl Argument) -> Launch<'a> {
        self.arguments.push(value);
        self
    }

    /// Appends the values of several parameters.
    pub fn arguments(self, values: impl IntoIterator<Item = impl Argument>) -> Launch<'a> {
        values.into_iter().fold(self, Launch::argument)
    }

    /// Draws the order in which blocks begin and warps take turns; 0 is ascending order. Results that depend on it lack a
    /// barrier, or are sums that are rounded in that order.
    pub fn seed(self, seed: u64) -> Launch<'a> {
        Launch { seed, ..self }
    }

    /// Runs only these blocks, by linear index; `None` is all. Shows results of a launch that is too large to run, if its
    /// blocks do not communicate.
    pub fn only(self, blocks: Option<&'a [u64]>) -> Launch<'a> {
        Launch { only: blocks, ..self }
    }

    /// How the lanes of a diverged warp are scheduled.
    pub fn scheduling(self, scheduling: Scheduling) -> Launch<'a> {
        Launch { scheduling, ..self }
    }

    /// Whether the launch is cooperative: all blocks are resident, and barriers of the grid work.
    pub fn cooperative(self, cooperative: bool) -> Launch<'a> {
        Launch { cooperative, ..self }
    }

    /// Stops the launch with a fault if no block ends for this long, or if the launch takes 60 times as long. Without a
    /// limit, an infinite loop may run for hours.
    pub fn limit(self, limit: Option<Duration>) -> Launch<'a> {
        Launch { limit, ..self }
    }

    /// Most blocks that communicate and are resident at a time: another begins only when one of these has ended. `None` is
    /// as many as wait for each other.
    pub fn resident(self, resident: Option<u64>) -> Launch<'a> {
        Launch { resident, ..self }
    }

    /// Whether the warps of blocks that communicate begin one long after the other, in ascending order, where hazards are looked
    /// for: what waits for an earlier warp then finds it done, and what an earlier one waits for comes late.
    pub fn staggered(self, staggered: bool) -> Launch<'a> {
        Launch { staggered, ..self }
    }

    /// Runs beside a program that may write what the blocks read.
    pub fn host(self, host: Option<Host<'a>>) -> Launch<'a> {
        Launch { host, ..self }
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().fold(1, |all, &n| all.saturating_mul(n.into()))
    }
}

/// Why a launch did not happen or was stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// The module has no such kernel, or it cannot run.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// The number of arguments or the size of one is wrong.
    #[error("wrong arguments for kernel `{kernel}`: {message}")]
    Arguments {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        message: String,
    },
    /// A grid or block that no GPU accepts, or too much shared memory.
    #[error("cannot launch kernel `{kernel}`: {message}")]
    Shape {
        /// The kernel.
        kernel: String,
        /// What is wrong.
        message: String,
    },
    /// The kernel was stopped.
    #[error(transparent)]
    Fault(#[from] Box<Fault>),
}
