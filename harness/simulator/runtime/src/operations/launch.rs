//! Launches: checked, run, and recorded with their modelled times.

use crate::error::{self, CudaError, CudaResult};
use crate::host::print;
use crate::record::{Launched, Record};
use crate::state::{
    DeviceCode, LaunchResult, LaunchShape, PendingLaunch, PreparedLaunch, Runtime, Started,
};
use simt::machine::MachineCounts;
use simt::model::{Engine, Residency, ResidencyError, Work, estimate};
use simt::{
    AccessError, Events, Fault, FaultKind, Kernel, KernelError, Launch, LaunchError, Module,
    Printed, Watch,
};

impl Runtime {
    /// Reads a kernel's arguments. `argument` returns the bytes of one, from its number and its size in bytes.
    pub(crate) fn arguments(
        &mut self,
        function: u64,
        argument: impl Fn(usize, usize) -> CudaResult<Vec<u8>>,
    ) -> CudaResult<Vec<Vec<u8>>> {
        let (name, code) = self.kernel(function)?;
        let kernel = self.find(&name, code.loaded.module())?;
        let sizes = kernel.parameters().iter().map(|parameter| parameter.bytes as usize);
        sizes.enumerate().map(|(number, bytes)| argument(number, bytes)).collect()
    }

    /// A kernel that can be launched. The program gets the reason where one cannot.
    pub(crate) fn find<'m>(&mut self, name: &str, module: &'m Module) -> CudaResult<&'m Kernel> {
        module.find(name).map_err(|error| {
            let code = match error {
                KernelError::Unsupported { .. } => error::NOT_SUPPORTED,
                KernelError::NoSuchKernel { .. } => error::INVALID_FUNCTION,
            };
            self.refuse(code, error.to_string())
        })
    }

    /// Launches a kernel. It has ended when this returns, or is pending because it waits for the host.
    pub(crate) fn launch(
        &mut self,
        function: u64,
        shape: LaunchShape,
        arguments: &[Vec<u8>],
        stream: Option<u64>,
    ) -> CudaResult {
        let (name, DeviceCode { loaded, .. }) = self.kernel(function)?;
        let module = loaded.module().clone();
        let kernel = self.find(&name, &module)?;
        let residency = self.check(function, kernel, &shape)?;
        let key = (function, shape.grid, shape.block, shape.shared_bytes);
        let before = self.launches.count(&key);
        let only_executes = self.config.watched.is_some_and(|watched| before >= watched);
        let watch = Watch {
            traffic: (!only_executes).then(|| self.gpu.machine(&residency)),
            hazards: self.config.hazards && !only_executes,
            ..Watch::default()
        };
        let launch = Launch::new(shape.grid, shape.block)
            .shared_bytes(shape.shared_bytes as u32)
            .arguments(arguments)
            .cluster(shape.cluster)
            .cooperative(shape.cooperative)
            .limit(self.launch_limit());
        let order = u64::from(before) + 1;
        let launch =
            PreparedLaunch { name, loaded, shape, launch, stream, residency, watch, order, key };
        match PendingLaunch::start(launch, &self.simulator)? {
            Started::Ended(ended) => self.finish(&ended.launch, ended.result),
            Started::Waits(pending) => {
                self.pending = Some(pending);
                Ok(())
            }
        }
    }

    /// Notes how a launch ended.
    pub(crate) fn finish(&mut self, launch: &PreparedLaunch, result: LaunchResult) -> CudaResult {
        self.show_printed();
        match result {
            Ok(events) => {
                let only_executed = launch.watch.traffic.is_none();
                let known = self.launches.last_seconds(&launch.key).filter(|_| only_executed);
                let seconds = self.record(launch, known, &events)?;
                self.launches.add(launch.key, seconds);
                Ok(())
            }
            Err(LaunchError::Fault(fault)) => {
                // A launch is asynchronous: the next call returns the error.
                self.broken = Some(error_of(&fault));
                let (kernel, message) = (launch.name.clone(), fault.to_string());
                self.log.write(&Record::Fault { kernel, message });
                Ok(())
            }
            Err(error) => Err(self.refuse(error::INVALID_CONFIGURATION, error.to_string())),
        }
    }

    /// Shows what kernels printed, in the order of the program's own output.
    fn show_printed(&mut self) {
        let Printed { text, cut } = self.simulator.take_printed();
        if !text.is_empty() {
            print(&text);
        }
        if cut > 0 {
            let message =
                format!("{cut} calls of printf in kernels wrote more than its buffer holds");
            self.refuse(error::OUT_OF_MEMORY, message);
        }
    }

    /// A kernel's name and code, by the address that stands for it on the host.
    pub(crate) fn kernel(&mut self, function: u64) -> CudaResult<(String, DeviceCode)> {
        self.with_code(|binaries, target| binaries.kernel(function, target))
    }

    /// How the blocks of a launch are resident.
    ///
    /// # Errors
    /// A launch that a GPU would refuse.
    fn check(
        &mut self,
        function: u64,
        kernel: &Kernel,
        shape: &LaunchShape,
    ) -> CudaResult<Residency> {
        let allowed = self.launches.allowed_shared(function, kernel.shared_bytes());
        if shape.shared_bytes > allowed as usize {
            let message = format!(
                "kernel `{}` is launched with {} bytes of dynamic shared memory, and {allowed} are allowed\n  to do: \
                 cudaFuncSetAttribute(…, cudaFuncAttributeMaxDynamicSharedMemorySize, …)",
                kernel.name(),
                shape.shared_bytes
            );
            return Err(self.refuse(error::INVALID_VALUE, message));
        }
        let shared = kernel.shared_bytes() + shape.shared_bytes as u32;
        let residency = self.gpu.residency(shape.threads(), None, shared, shape.blocks());
        let residency = residency.map_err(|error| {
            let code = match error {
                ResidencyError::Threads { .. } | ResidencyError::NoBlocks => {
                    error::INVALID_CONFIGURATION
                }
                _ => error::OUT_OF_RESOURCES,
            };
            self.refuse(code, format!("kernel `{}`: {error}", kernel.name()))
        })?;
        let most = u64::from(residency.blocks) * self.gpu.chip.multiprocessors.value as u64;
        if shape.cooperative && shape.blocks() > most {
            let message = format!(
                "kernel `{}`: {} blocks of a cooperative launch do not all run at once on {}, which runs {most}",
                kernel.name(),
                shape.blocks(),
                self.gpu.name
            );
            return Err(self.refuse(error::TOO_LARGE, message));
        }
        Ok(residency)
    }

    /// Records what a launch did, and adds its modelled time to its stream. Returns that time in seconds, which is `known`
    /// where it need not be estimated.
    fn record(
        &mut self,
        launch: &PreparedLaunch,
        known: Option<f64>,
        events: &Events,
    ) -> CudaResult<f64> {
        let PreparedLaunch { name, loaded, shape, residency, stream, .. } = launch;
        let module = loaded.module().clone();
        let kernel = self.find(name, &module)?;
        let (seconds, binding) = match known {
            Some(seconds) => (seconds, None),
            None => {
                let counts = &MachineCounts::expanded(kernel, events);
                let work = Work { kernel, events, counts, residency, warm_l2: false, ran: 1.0 };
                let estimate = estimate(&self.gpu, &work);
                (estimate.seconds, estimate.binding().map(|bound| bound.name.to_string()))
            }
        };
        let most = u64::from(residency.blocks) * self.gpu.chip.multiprocessors.value as u64;
        let share = (shape.blocks() as f64 / most as f64).min(1.0);
        self.streams.add(*stream, Engine::Multiprocessors, seconds, share);
        let total = events.total();
        let messages = |is_meant: &dyn Fn(&Fault) -> bool| {
            let meant = events.hazards.iter().filter(|fault| is_meant(fault));
            meant.map(ToString::to_string).collect()
        };
        self.log.write(&Record::Launch(Launched {
            kernel: kernel.name().to_string(),
            grid: shape.grid,
            block: shape.block,
            shared_bytes: kernel.shared_bytes() + shape.shared_bytes as u32,
            warp_instructions: events.warp_instructions,
            thread_instructions: events.thread_instructions,
            global_sectors: total.global_sectors,
            shared_wavefronts: total.shared_wavefronts,
            atomics: total.atomics,
            seconds,
            binding,
            hazards: messages(&|fault| !fault.is_of_model_only()),
            warnings: messages(&Fault::is_of_model_only),
            unwatched: launch.watch.traffic.is_none(),
        }));
        Ok(seconds)
    }
}

/// The error that a GPU's driver gives for a fault.
fn error_of(fault: &Fault) -> CudaError {
    match &fault.kind {
        FaultKind::InvalidAccess(access) if access.error == AccessError::Misaligned => {
            error::MISALIGNED
        }
        FaultKind::InvalidAccess(_) => error::ILLEGAL_ADDRESS,
        FaultKind::Assertion(_) => error::ASSERT,
        // On a GPU these would never end.
        FaultKind::BlockTimeout(_)
        | FaultKind::Deadlock(_)
        | FaultKind::InfiniteLoop(_)
        | FaultKind::WarpDeadlock(_) => error::TIMEOUT,
        _ => error::LAUNCH_FAILURE,
    }
}
