//! The simulator as a device. A launch runs to its end before the call returns, and its time is a model's.

use std::sync::Arc;

use simt::{LaunchError, MemoryError};

use crate::choice::CodeRoute;
use crate::code;
use crate::device::{Argument, Buffer, Device, DeviceId, Info, Shape, TimeSource, Timing};
use crate::error::Error;
use crate::machine::Machine;
use crate::module::{Module, OnDevice, check_shape};
use crate::nvrtc;
use crate::profile::{Plan, Profile, Watching};
use crate::ptx::Reader;
use crate::source::{Ptx, Source};

/// Memory of the simulated device in bytes: plenty for what the simulator can run in a sitting, and less than a small
/// machine has.
const MEMORY: u64 = 2 << 30;

/// How long one launch may last, in seconds; the simulator has no watchdog.
const LAUNCH_LIMIT: f64 = 20.0;

/// The simulator. What it can do beyond a [`Device`]: say what it saw of every launch, and launch in three dimensions.
pub struct SimulatorDevice {
    id: DeviceId,
    info: Info,
    route: CodeRoute,
    simulator: Arc<simt::Simulator>,
    /// The GPU whose time is modelled.
    gpu: simt::model::Gpu,
    /// Whether launches are searched for hazards.
    checks_hazards: bool,
    /// Modelled seconds of the launches so far; counted only inside `time`, since the model takes time itself.
    modelled: Option<f64>,
    /// What launches are watched for, and what was seen of those so far; none where nobody asked.
    watching: Option<(Watching, Vec<Profile>)>,
}

/// The simulator's half of a [`Buffer`].
struct Allocation {
    simulator: Arc<simt::Simulator>,
    address: u64,
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.simulator.free(self.address);
    }
}

/// The simulator's half of a [`Module`].
pub(crate) struct Loaded {
    code: simt::Loaded,
    ptx: Ptx,
    /// The machine code of the same source, where it is known.
    machine: Option<Machine>,
}

impl Loaded {
    /// Address and size of a variable.
    pub(crate) fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        self.code.symbol(name)
    }
}

impl SimulatorDevice {
    /// A fresh simulator whose time is that of `gpu`.
    pub fn open(route: CodeRoute, gpu: simt::model::Gpu) -> SimulatorDevice {
        let info = Info {
            kind: "simt".to_string(),
            name: "simulator".to_string(),
            compute_capability: None,
            driver_version: None,
            cuda_version: None,
            memory_bytes: MEMORY,
            memory_free_bytes: MEMORY,
            multiprocessors: None,
            clock_mhz: None,
            launch_limit_seconds: LAUNCH_LIMIT,
            modelled: Some(gpu.name.clone()),
        };
        SimulatorDevice {
            id: DeviceId::next(),
            info,
            route,
            simulator: Arc::new(simt::Simulator::new(MEMORY)),
            gpu,
            modelled: None,
            watching: None,
            checks_hazards: false,
        }
    }

    /// Watches every launch from now on.
    pub fn watch(&mut self, watching: Watching) {
        self.watching = Some((watching, Vec::new()));
    }

    /// What was seen of the launches since [`SimulatorDevice::watch`] or the last call, in order.
    pub fn take_profiles(&mut self) -> Vec<Profile> {
        self.watching.as_mut().map(|(_, seen)| std::mem::take(seen)).unwrap_or_default()
    }

    /// The code of a module that was loaded here, and where its variables are.
    ///
    /// # Errors
    /// The module belongs to another device.
    pub fn code<'a>(&self, module: &'a Module) -> Result<&'a simt::Loaded, Error> {
        self.loaded(module).map(|loaded| &loaded.code)
    }

    /// The PTX of a module that was loaded here.
    ///
    /// # Errors
    /// The module belongs to another device.
    pub fn ptx<'a>(&self, module: &'a Module) -> Result<&'a Ptx, Error> {
        self.loaded(module).map(|loaded| &loaded.ptx)
    }

    fn loaded<'a>(&self, module: &'a Module) -> Result<&'a Loaded, Error> {
        match &module.loaded {
            OnDevice::Simulator(loaded) if module.device == self.id => Ok(loaded),
            _ => Err(Error::Foreign(module.name.clone())),
        }
    }

    /// Runs a kernel in a grid of up to three dimensions, with its arguments as raw bytes.
    ///
    /// # Errors
    /// As [`Device::launch`].
    pub fn launch_grid(
        &mut self,
        module: &Module,
        kernel: &str,
        launch: &simt::Launch,
    ) -> Result<(), Error> {
        self.start(module, kernel, launch, false)
    }

    /// Runs a kernel; `together`: on a GPU all blocks would have to run at once.
    fn start(
        &mut self,
        module: &Module,
        kernel: &str,
        launch: &simt::Launch,
        together: bool,
    ) -> Result<(), Error> {
        let Loaded { code: loaded, machine, .. } = self.loaded(module)?;
        let Some(found) = loaded.module().kernel(kernel) else {
            return Err(module.no_kernel(kernel, loaded.module().kernels().map(simt::Kernel::name)));
        };
        let watching = match (&self.watching, self.modelled) {
            (Some((watching, _)), _) => Some(*watching),
            // What is timed is launched again and again.
            (None, Some(_)) => Some(Watching { warm_l2: true, ..Watching::default() }),
            (None, None) => None,
        };
        let plan =
            |watching: Watching| Plan::new(&self.gpu, found, launch, machine.as_ref(), watching);
        if together {
            let residency = plan(Watching::default())?.residency;
            let most = u64::from(residency.blocks) * self.gpu.chip.multiprocessors.value as u64;
            if residency.grid_blocks > most {
                return Err(Error::BadShape {
                    kernel: kernel.to_string(),
                    message: format!(
                        "{} blocks of {} threads do not all run at once on {}, which runs {most}",
                        residency.grid_blocks, launch.block[0], self.gpu.name
                    ),
                });
            }
        }
        let plan = watching.map(plan).transpose()?;
        let mut watch = plan.as_ref().map(Plan::watch).unwrap_or_default();
        watch.hazards |= self.checks_hazards;
        watch.together = together;
        let events = self
            .simulator
            .watch(loaded, kernel, launch, &watch)
            .map_err(|error| launch_error(module, error))?;
        if self.checks_hazards
            && let Some(told) = told(&events.hazards)
        {
            return Err(Error::Fault(told));
        }
        let Some(plan) = plan else { return Ok(()) };
        let profile = plan.profile(loaded.module().clone(), events);
        if let Some(seconds) = &mut self.modelled {
            *seconds += profile.estimate.seconds;
        }
        if let Some((_, seen)) = &mut self.watching {
            seen.push(profile);
        }
        Ok(())
    }

    /// Runs a kernel over a grid of one dimension; `together` as for [`SimulatorDevice::start`].
    fn start_row(
        &mut self,
        module: &Module,
        (kernel, shape): (&str, Shape),
        arguments: &[Argument],
        together: bool,
    ) -> Result<(), Error> {
        let loaded = self.code(module)?;
        let Some(found) = loaded.module().kernel(kernel) else {
            return Err(module.no_kernel(kernel, loaded.module().kernels().map(simt::Kernel::name)));
        };
        check_shape(kernel, shape)?;
        let declared = found.parameters().iter().map(|parameter| parameter.bytes as usize);
        module.check_arguments(kernel, declared, arguments)?;
        let values: Vec<([u8; 8], usize)> = arguments
            .iter()
            .map(|argument| {
                let (bits, bytes) = argument.bits();
                (bits.to_le_bytes(), bytes)
            })
            .collect();
        let values: Vec<&[u8]> = values.iter().map(|(value, bytes)| &value[..*bytes]).collect();
        let launch = simt::Launch {
            grid: [shape.blocks, 1, 1],
            block: [shape.threads, 1, 1],
            shared_bytes: shape.shared_bytes,
            arguments: &values,
        };
        self.start(module, kernel, &launch, together)
    }

    fn memory_error(&self, error: MemoryError) -> Error {
        match error {
            MemoryError::OutOfMemory { name, bytes, used, limit }
                if bytes <= limit.saturating_sub(used) =>
            {
                Error::HostMemory { name, bytes }
            }
            MemoryError::OutOfMemory { name, bytes, used, limit } => Error::OutOfMemory {
                name,
                bytes,
                free: limit.saturating_sub(used),
                device: self.info.name.clone(),
            },
            other => Error::Fault(other.to_string()),
        }
    }
}

impl Device for SimulatorDevice {
    fn info(&self) -> &Info {
        &self.info
    }

    fn load(&mut self, source: &Source) -> Result<Module, Error> {
        let code = code::choose(source, self.route, Reader::Simulator, nvrtc::installed)?;
        let parsed = simt::Module::parse(&code.file, &code.ptx)
            .map_err(|error| Error::BadPtx(error.to_string()))?;
        let loaded =
            self.simulator.load(Arc::new(parsed)).map_err(|error| self.memory_error(error))?;
        Ok(Module {
            name: source.name.clone(),
            code: code.says,
            device: self.id,
            loaded: OnDevice::Simulator(Loaded {
                code: loaded,
                ptx: Ptx { file: code.file, text: code.ptx },
                machine: Machine::of(source, self.gpu.sass_arch().0),
            }),
        })
    }

    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        let address =
            self.simulator.alloc(name, bytes as u64).map_err(|error| self.memory_error(error))?;
        let owner = Allocation { simulator: self.simulator.clone(), address };
        Ok(Buffer::new(name, address, bytes, self.id, Box::new(owner)))
    }

    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error> {
        to.check_copy(self.id, bytes.len())?;
        self.simulator.write(to.address(), bytes).map_err(|error| self.memory_error(error))
    }

    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error> {
        from.check_copy(self.id, into.len())?;
        self.simulator.read(from.address(), into).map_err(|error| self.memory_error(error))
    }

    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.simulator
            .fill(buffer.address(), buffer.bytes() as u64, byte)
            .map_err(|error| self.memory_error(error))
    }

    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error> {
        let variable = self.code(module)?.symbol(symbol);
        let address = module.check_symbol(symbol, variable, bytes)?;
        self.simulator.write(address, bytes).map_err(|error| self.memory_error(error))
    }

    fn launch(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.start_row(module, (kernel, shape), arguments, false)
    }

    fn launch_cooperative(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.start_row(module, (kernel, shape), arguments, true)
    }

    fn time(
        &mut self,
        work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
    ) -> Result<Timing, Error> {
        self.modelled = Some(0.0);
        let done = work(self);
        let seconds = self.modelled.take().unwrap_or_default();
        done.map(|()| Timing { seconds, source: TimeSource::Model })
    }

    fn shuffle_warps(&mut self, seed: u64) {
        self.simulator.shuffle_warps(seed);
    }

    fn check_hazards(&mut self, check: bool) {
        self.checks_hazards = check;
    }

    fn forget(&mut self, buffer: &Buffer, offset: usize, bytes: usize) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.simulator
            .forget(buffer.address() + offset as u64, bytes as u64)
            .map_err(|error| self.memory_error(error))
    }

    fn schedule(&mut self, scheduling: simt::Scheduling) {
        self.simulator.set_scheduling(scheduling);
    }

    fn gpu(&self) -> Option<simt::model::Gpu> {
        Some(self.gpu.clone())
    }

    fn check_guards(&mut self, buffer: &Buffer) -> Result<(), Error> {
        // An access outside an allocation has already been told as a fault.
        buffer.check(self.id)
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        // Every launch has ended before its call returned.
        Ok(())
    }
}

/// The first of some hazards, and how many others there are.
fn told(hazards: &[simt::Fault]) -> Option<String> {
    let (first, others) = hazards.split_first()?;
    Some(match others.len() {
        0 => first.to_string(),
        1 => format!("{first}\nand one other hazard"),
        count => format!("{first}\nand {count} other hazards"),
    })
}

fn launch_error(module: &Module, error: LaunchError) -> Error {
    match error {
        LaunchError::NoSuchKernel { name, available } => {
            module.no_kernel(&name, available.iter().map(String::as_str))
        }
        LaunchError::Arguments { kernel, message } => {
            Error::Arguments { module: module.name.clone(), kernel, message }
        }
        LaunchError::Shape { kernel, message } => Error::BadShape { kernel, message },
        LaunchError::Fault(fault) => Error::Fault(fault.to_string()),
    }
}
