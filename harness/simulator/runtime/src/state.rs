//! The state of the runtime: one device, the program's code, and what went wrong.
//!
//! Each part has a file. Nothing here calls an operation.

mod arrays;
mod binaries;
mod graphs;
mod launches;
mod memory;
mod pending;
mod streams;
mod work;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use simt::Simulator;
use simt::model::{Gpu, GpuError};

use crate::config::Config;
use crate::error::{CudaError, CudaResult};
use crate::record::{Log, LogError, Record};
pub(crate) use arrays::Arrays;
pub(crate) use binaries::{Binaries, DeviceCode, Refusal, Target};
pub(crate) use graphs::{Graph, Graphs};
pub(crate) use launches::{LaunchResult, Launches, PreparedLaunch};
pub(crate) use memory::Memory;
#[cfg(target_os = "linux")]
pub(crate) use memory::SharedMemory;
pub(crate) use pending::{PendingLaunch, Started};
pub(crate) use streams::Streams;
pub(crate) use work::{Choice, Conditional, CopyEnd, CopyKind, LaunchShape, Rows, Work};

/// Why the runtime cannot start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// The configuration names no GPU.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The log cannot be written.
    #[error(transparent)]
    Log(#[from] LogError),
}

/// The runtime under one program.
pub(crate) struct Runtime {
    pub(crate) config: Config,
    pub(crate) gpu: Gpu,
    pub(crate) simulator: Arc<Simulator>,
    pub(crate) log: Log,
    /// Name of the function that the program has called.
    pub(crate) call: &'static str,
    /// The error that a kernel's fault left. Later calls return it.
    pub(crate) broken: Option<CudaError>,
    /// Values of `cudaDeviceSetLimit` by the limit's number.
    pub(crate) limits: BTreeMap<u32, u64>,
    pub(crate) binaries: Binaries,
    pub(crate) memory: Memory,
    pub(crate) arrays: Arrays,
    pub(crate) streams: Streams,
    pub(crate) graphs: Graphs,
    pub(crate) launches: Launches,
    /// A launch whose kernel waits for the host, and the work queued after it.
    pub(crate) pending: Option<PendingLaunch>,
}

impl Runtime {
    /// A fresh device.
    ///
    /// # Errors
    /// An unknown GPU, or a log that cannot be written.
    pub(crate) fn new(config: Config) -> Result<Runtime, StartError> {
        Ok(Runtime {
            gpu: config.gpu()?,
            simulator: Arc::new(Simulator::new(config.memory)),
            log: Log::open(config.log.as_deref())?,
            call: "",
            broken: None,
            limits: BTreeMap::new(),
            binaries: Binaries::default(),
            memory: Memory::default(),
            arrays: Arrays::default(),
            streams: Streams::default(),
            graphs: Graphs::default(),
            launches: Launches::default(),
            pending: None,
            config,
        })
    }

    /// Logs why the call fails, and returns its error.
    pub(crate) fn refuse(&mut self, error: CudaError, message: impl Into<String>) -> CudaError {
        let (call, message) = (self.call.to_string(), message.into());
        self.log.write(&Record::Refused { call, message });
        error
    }

    /// Works with the program's device code, and logs why that fails.
    pub(crate) fn with_code<T>(
        &mut self,
        work: impl FnOnce(&mut Binaries, &Target) -> Result<T, Refusal>,
    ) -> CudaResult<T> {
        let target = Target {
            simulator: &self.simulator,
            capability: self.capability(),
            ptx: self.config.ptx.as_deref(),
        };
        let done = work(&mut self.binaries, &target);
        done.map_err(|refusal| self.refuse(refusal.error, refusal.message))
    }

    /// The GPU's compute capability: 90 for 9.0.
    pub(crate) fn capability(&self) -> u32 {
        self.gpu.compute_capability.replace('.', "").parse().unwrap_or(0)
    }

    /// The CPU time within which some block of a launch has to end.
    pub(crate) fn launch_limit(&self) -> Option<Duration> {
        self.config.limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    }

    /// A new allocation's name in messages, such as `cudaMalloc 3` for the program's third.
    pub(crate) fn allocation_name(&mut self) -> String {
        self.memory.allocations += 1;
        format!("{} {}", self.call, self.memory.allocations)
    }
}
