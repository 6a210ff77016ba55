//! Launches.

use simt::machine::MachineCounts;
use simt::model::{Engine, Residency, ResidencyError, Work, estimate};
use simt::{
    AccessError, Events, Fault, FaultKind, Kernel, LaunchError, Loaded, Module, Printed, Watch,
};

use crate::binaries;
use crate::code::{self, Code, Done};
use crate::exports::pointer::print_as_program;
use crate::record::{Launched, Record};
use crate::runtime::{Like, Runtime};

/// Dynamic shared memory that needs no permission, in bytes.
pub(crate) const USUAL_SHARED: u32 = 48 << 10;

/// How a kernel is launched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared_bytes: usize,
    /// All blocks at once.
    pub(crate) together: bool,
}

impl Shape {
    fn blocks(&self) -> u64 {
        self.grid.iter().fold(1, |all, &more| all.saturating_mul(u64::from(more)))
    }

    fn threads(&self) -> u32 {
        self.block.iter().fold(1, |all, &more| all.saturating_mul(more))
    }
}

/// A launch that was checked.
pub(crate) struct Prepared {
    pub(crate) name: String,
    pub(crate) loaded: Loaded,
    pub(crate) shape: Shape,
    pub(crate) arguments: Vec<Vec<u8>>,
    stream: Option<u64>,
    residency: Residency,
    pub(crate) watch: Watch,
    like: Like,
}

impl Runtime {
    /// Reads a kernel's arguments; `argument` gives the bytes of the parameter of a number and size.
    pub(crate) fn arguments(
        &mut self,
        function: u64,
        argument: impl Fn(usize, usize) -> Done<Vec<u8>>,
    ) -> Done<Vec<Vec<u8>>> {
        let (name, code) = self.kernel(function)?;
        let kernel = self.find(&name, code.loaded.module())?;
        let sizes = kernel.parameters().iter().map(|parameter| parameter.bytes as usize);
        sizes.enumerate().map(|(number, bytes)| argument(number, bytes)).collect()
    }

    /// A kernel that can be launched.
    fn find<'m>(&mut self, name: &str, module: &'m Module) -> Done<&'m Kernel> {
        module.find(name).map_err(|error| {
            let code = match error {
                LaunchError::Unsupported { .. } => code::NOT_SUPPORTED,
                _ => code::INVALID_FUNCTION,
            };
            self.refuse(code, error.to_string())
        })
    }

    /// Runs a kernel.
    pub(crate) fn launch(
        &mut self,
        function: u64,
        shape: Shape,
        arguments: &[Vec<u8>],
        stream: Option<u64>,
    ) -> Done {
        let (name, binaries::Code { loaded, .. }) = self.kernel(function)?;
        let module = loaded.module().clone();
        let kernel = self.find(&name, &module)?;
        let residency = self.check(function, kernel, &shape)?;
        let like = (function, shape.grid, shape.block, shape.shared_bytes);
        let before = self.watched.get(&like).map_or(0, |(launches, _)| *launches);
        let only_executes = self.config.watched.is_some_and(|watched| before >= watched);
        let watch = Watch {
            traffic: (!only_executes).then(|| self.gpu.machine(&residency)),
            hazards: self.config.hazards && !only_executes,
            limit: self.limit(),
            cooperative: shape.together,
            ..Watch::default()
        };
        let arguments = arguments.to_vec();
        self.run(Prepared { name, loaded, shape, arguments, stream, residency, watch, like })
    }

    /// Notes how a launch ended.
    pub(crate) fn finish(&mut self, launch: &Prepared, ended: Result<Events, LaunchError>) -> Done {
        self.show_printed();
        match ended {
            Ok(events) => {
                let known = self.watched.get(&launch.like).copied();
                let only_executed = launch.watch.traffic.is_none();
                let seconds = known.map(|(_, seconds)| seconds).filter(|_| only_executed);
                let seconds = self.record(launch, seconds, &events)?;
                let launches = known.map_or(0, |(launches, _)| launches);
                self.watched.insert(launch.like, (launches.saturating_add(1), seconds));
                Ok(())
            }
            Err(LaunchError::Fault(fault)) => {
                // A kernel runs after its launch: the program sees the error with its next call.
                self.broken = Some(code_of(&fault));
                let (kernel, message) = (launch.name.clone(), fault.to_string());
                self.log.write(&Record::Fault { kernel, message });
                Ok(())
            }
            Err(error) => Err(self.refuse(code::INVALID_CONFIGURATION, error.to_string())),
        }
    }

    /// Shows what kernels printed, among what the program prints.
    fn show_printed(&mut self) {
        let Printed { text, cut } = self.simulator.take_printed();
        if !text.is_empty() {
            print_as_program(&text);
        }
        if cut > 0 {
            let message =
                format!("{cut} calls of printf in kernels wrote more than its buffer holds");
            self.refuse(code::OUT_OF_MEMORY, message);
        }
    }

    /// A kernel's name and code, by the host's address.
    pub(crate) fn kernel(&mut self, function: u64) -> Done<(String, binaries::Code)> {
        // Variables of code have memory, which nobody gets beside a launch.
        if !self.binaries.is_loaded(function) {
            self.settle()?;
        }
        self.with_code(|binaries, target| binaries.kernel(function, target))
    }

    /// Refuses what the GPU refuses; else says how the blocks are resident.
    fn check(&mut self, function: u64, kernel: &Kernel, shape: &Shape) -> Done<Residency> {
        let allowed = self.allowed_shared.get(&function).copied().unwrap_or(USUAL_SHARED);
        if shape.shared_bytes > allowed as usize {
            let message = format!(
                "kernel `{}` is launched with {} bytes of dynamic shared memory, and {allowed} are allowed\n  to do: \
                 cudaFuncSetAttribute(…, cudaFuncAttributeMaxDynamicSharedMemorySize, …)",
                kernel.name(),
                shape.shared_bytes
            );
            return Err(self.refuse(code::INVALID_VALUE, message));
        }
        let shared = kernel.shared_bytes() + shape.shared_bytes as u32;
        let residency = self.gpu.residency(shape.threads(), None, shared, shape.blocks());
        let residency = residency.map_err(|error| {
            let code = match error {
                ResidencyError::Threads { .. } | ResidencyError::NoBlocks => {
                    code::INVALID_CONFIGURATION
                }
                _ => code::OUT_OF_RESOURCES,
            };
            self.refuse(code, format!("kernel `{}`: {error}", kernel.name()))
        })?;
        let most = u64::from(residency.blocks) * self.gpu.chip.multiprocessors.value as u64;
        if shape.together && shape.blocks() > most {
            let message = format!(
                "kernel `{}`: {} blocks of a cooperative launch do not all run at once on {}, which runs {most}",
                kernel.name(),
                shape.blocks(),
                self.gpu.name
            );
            return Err(self.refuse(code::TOO_LARGE, message));
        }
        Ok(residency)
    }

    /// Notes what a launch did and when; of one that was not watched, its time is given if one like it was before. Gives
    /// its time.
    fn record(&mut self, launch: &Prepared, known: Option<f64>, events: &Events) -> Done<f64> {
        let Prepared { name, loaded, shape, residency, stream, .. } = launch;
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
            hazards: events.hazards.iter().map(ToString::to_string).collect(),
            unwatched: launch.watch.traffic.is_none(),
        }));
        Ok(seconds)
    }
}

/// The error that a GPU's driver gives for a fault.
fn code_of(fault: &Fault) -> Code {
    match &fault.kind {
        FaultKind::InvalidAccess(access) if access.error == AccessError::Misaligned => {
            code::MISALIGNED
        }
        FaultKind::InvalidAccess(_) => code::ILLEGAL_ADDRESS,
        FaultKind::Assertion(_) => code::ASSERT,
        // On a GPU these would last until somebody's patience ends.
        FaultKind::BlockTimeout(_)
        | FaultKind::Deadlock(_)
        | FaultKind::InfiniteLoop(_)
        | FaultKind::WarpDeadlock(_) => code::TIMEOUT,
        _ => code::LAUNCH_FAILURE,
    }
}
