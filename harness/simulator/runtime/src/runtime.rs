//! The state of the runtime: one device, the program's code, and what went wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use simt::Simulator;
use simt::model::Gpu;
use simt::texture::Array;

use crate::beside::Beside;
use crate::binaries::{Binaries, Refusal, Target};
use crate::code::{Code, Done};
use crate::config::Config;
#[cfg(target_os = "linux")]
use crate::exports::sharing::Shared;
use crate::graphs::Graphs;
use crate::record::{Log, Record};
use crate::streams::Streams;

/// The runtime under one program.
pub struct Runtime {
    pub(crate) config: Config,
    pub(crate) gpu: Gpu,
    pub(crate) simulator: Arc<Simulator>,
    pub(crate) binaries: Binaries,
    pub(crate) streams: Streams,
    pub(crate) graphs: Graphs,
    /// Memory of graphs: addresses, and bytes of each.
    pub(crate) graph_memory: BTreeMap<u64, u64>,
    pub(crate) log: Log,
    /// The call that is being served.
    pub(crate) call: &'static str,
    /// What a kernel's fault left: every later call gives it.
    pub(crate) broken: Option<Code>,
    /// Dynamic shared memory that kernels were allowed beyond the usual, by the host's address of each.
    pub(crate) allowed_shared: BTreeMap<u64, u32>,
    /// `cudaDeviceSetLimit`, by number.
    pub(crate) limits: BTreeMap<u32, u64>,
    /// Arrays by their handles.
    pub(crate) arrays: BTreeMap<u64, Array>,
    /// Mipmaps by their handles; their levels are among the arrays.
    pub(crate) mipmaps: BTreeMap<u64, Array>,
    /// Addresses of managed memory.
    pub(crate) managed: BTreeSet<u64>,
    /// How many allocations there were.
    pub(crate) allocations: u64,
    /// Launches of each function with a grid, a block and dynamic shared memory, and the time of the last one.
    pub(crate) watched: BTreeMap<Like, (u32, f64)>,
    /// Allocations that other processes share, by their addresses.
    #[cfg(target_os = "linux")]
    pub(crate) shared: BTreeMap<u64, Shared>,
    /// A launch that waits for the host.
    pub(crate) beside: Option<Beside>,
}

/// A function, its grid, its block and its dynamic shared memory.
pub(crate) type Like = (u64, [u32; 3], [u32; 3], usize);

impl Runtime {
    /// A fresh device.
    ///
    /// # Errors
    /// An unknown GPU, or a log that cannot be written.
    pub fn new(config: Config) -> Result<Runtime, String> {
        let gpu = config.gpu().map_err(|error| error.to_string())?;
        Ok(Runtime {
            simulator: Arc::new(Simulator::new(config.memory)),
            gpu,
            binaries: Binaries::default(),
            streams: Streams::default(),
            graphs: Graphs::default(),
            graph_memory: BTreeMap::new(),
            log: Log::open(config.log.as_deref())?,
            call: "",
            broken: None,
            allowed_shared: BTreeMap::new(),
            limits: BTreeMap::new(),
            arrays: BTreeMap::new(),
            mipmaps: BTreeMap::new(),
            managed: BTreeSet::new(),
            allocations: 0,
            watched: BTreeMap::new(),
            #[cfg(target_os = "linux")]
            shared: BTreeMap::new(),
            beside: None,
            config,
        })
    }

    /// Notes why a call is refused.
    pub(crate) fn refuse(&mut self, code: Code, message: impl Into<String>) -> Code {
        let (call, message) = (self.call.to_string(), message.into());
        self.log.write(&Record::Refused { call, message });
        code
    }

    /// Does something with the program's code.
    pub(crate) fn with_code<T>(
        &mut self,
        work: impl FnOnce(&mut Binaries, &Target) -> Result<T, Refusal>,
    ) -> Done<T> {
        let target = Target {
            simulator: &self.simulator,
            capability: self.capability(),
            ptx: self.config.ptx.as_deref(),
        };
        work(&mut self.binaries, &target).map_err(|(code, message)| self.refuse(code, message))
    }

    /// Reads the device code of a number.
    pub(crate) fn load(&mut self, binary: usize) -> Done {
        self.with_code(|binaries, target| binaries.load(binary, target).map(|_| ()))
    }

    /// The GPU's compute capability: 90 for 9.0.
    pub(crate) fn capability(&self) -> u32 {
        self.gpu.compute_capability.replace('.', "").parse().unwrap_or(0)
    }

    /// How long a launch may go on without the end of a block.
    pub(crate) fn limit(&self) -> Option<Duration> {
        self.config.limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }
}
