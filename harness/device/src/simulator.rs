//! The simulator as a device. A launch runs to its end before the call returns, and its time is a model's.

mod profile;
mod timeline;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use simt::{Coverage, LaunchError, MemoryError};

use crate::api::argument::Argument;
use crate::api::buffer::{Buffer, DeviceId, Place};
use crate::api::device::{Device, Group};
use crate::api::member::Member;
use crate::api::module::{self, Module};
use crate::api::shape::Shape;
use crate::api::state::{Info, TimeSource, Timing};
use crate::api::stream::{Event, Stream};
use crate::code::machine::Machine;
use crate::code::ptx::Reader;
use crate::code::route::CodeRoute;
use crate::code::source::{Ptx, Source};
use crate::code::{choose, nvrtc};
use crate::error::Error;
use crate::group;
use profile::Plan;
pub use profile::{Profile, Watching};
use timeline::{Engine, Mark, Timeline};

/// Memory of the simulated device in bytes: plenty for what the simulator can run in a sitting, and less than a small
/// machine has.
const MEMORY: u64 = 2 << 30;

/// How long one launch may last, in seconds; the simulator has no watchdog.
const LAUNCH_LIMIT: f64 = 20.0;

/// The simulator. Beyond what a [`Device`] can do it says what it saw of every launch.
pub struct SimulatorDevice {
    id: DeviceId,
    info: Info,
    route: CodeRoute,
    simulator: Arc<simt::Simulator>,
    /// The GPU whose time is modelled.
    gpu: simt::model::Gpu,
    /// Whether launches are searched for hazards.
    checks_hazards: bool,
    /// Whether launches note which code they run.
    notes_coverage: bool,
    /// When the work so far begins and ends; kept only where somebody asks, since the model takes time itself.
    timeline: Timeline,
    /// Inside [`Device::time`].
    is_timing: bool,
    has_events: bool,
    leaves_copies_out: bool,
    /// What launches are watched for, and what was seen of those so far; none where nobody asked.
    watching: Option<(Watching, Vec<Profile>)>,
    /// What was executed and downloaded; none where nobody asked.
    seen: Option<(BTreeMap<u32, u64>, DefaultHasher)>,
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
struct Loaded {
    code: simt::Loaded,
    ptx: Ptx,
    /// What ran of it, of what was noted.
    coverage: Mutex<Coverage>,
    /// The machine code of the same source, where it is known.
    machine: Option<Machine>,
}

impl module::Loaded for Loaded {
    fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        self.code.symbol(name)
    }
}

/// The number of a stream.
struct StreamId(u64);

/// What an event marks.
type Marked = Mutex<Option<Mark>>;

fn marked(event: &Marked) -> Option<Mark> {
    *event.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a kernel is launched.
#[derive(Debug, Clone, Copy, Default)]
struct How {
    /// On a GPU all blocks would have to run at once.
    together: bool,
    /// The stream; none: the default one.
    stream: Option<u64>,
    /// Host memory that the kernel is given, in bytes.
    mapped_bytes: usize,
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
            timeline: Timeline::default(),
            is_timing: false,
            has_events: false,
            leaves_copies_out: false,
            watching: None,
            seen: None,
            checks_hazards: false,
            notes_coverage: false,
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

    /// How often warps executed each line of the PTX since the last call, and a digest of all bytes that were downloaded.
    /// The first call begins it.
    pub fn take_seen(&mut self) -> (BTreeMap<u32, u64>, u64) {
        let (executed, digest) = self.seen.replace(Default::default()).unwrap_or_default();
        (executed, digest.finish())
    }

    /// The code of a module that was loaded here, and where its variables are.
    ///
    /// # Errors
    /// The module belongs to another device.
    pub fn code<'a>(&self, module: &'a Module) -> Result<&'a simt::Loaded, Error> {
        Ok(&module.loaded::<Loaded>(self.id)?.code)
    }

    /// The PTX of a module that was loaded here.
    ///
    /// # Errors
    /// The module belongs to another device.
    pub fn ptx<'a>(&self, module: &'a Module) -> Result<&'a Ptx, Error> {
        Ok(&module.loaded::<Loaded>(self.id)?.ptx)
    }

    /// Runs a kernel with its arguments as raw bytes.
    ///
    /// # Errors
    /// As [`Device::launch`].
    pub fn launch_grid(
        &mut self,
        module: &Module,
        kernel: &str,
        launch: &simt::Launch,
    ) -> Result<(), Error> {
        self.start(module, kernel, launch, How::default())
    }

    fn start(
        &mut self,
        module: &Module,
        kernel: &str,
        launch: &simt::Launch,
        how: How,
    ) -> Result<(), Error> {
        let Loaded { code: loaded, machine, coverage, .. } = module.loaded(self.id)?;
        let found = loaded.module().find(kernel).map_err(|error| launch_error(module, error))?;
        let watching = match &self.watching {
            Some((watching, _)) => Some(*watching),
            // What is timed is launched again and again.
            None if self.is_modelling() => Some(Watching { warm_l2: true, ..Watching::default() }),
            None => None,
        };
        let plan =
            |watching: Watching| Plan::new(&self.gpu, found, launch, machine.as_ref(), watching);
        if how.together {
            let residency = plan(Watching::default())?.residency;
            let most = self.resident_blocks(residency.blocks);
            if residency.grid_blocks > most {
                return Err(Error::BadShape {
                    kernel: kernel.to_string(),
                    message: format!(
                        "{} blocks of {} threads do not all run at once on {}, which runs {most}",
                        residency.grid_blocks,
                        launch.block.iter().product::<u32>(),
                        self.gpu.name
                    ),
                });
            }
        }
        let plan = watching.map(plan).transpose()?;
        let mut watch = plan.as_ref().map(Plan::watch).unwrap_or_default();
        watch.hazards |= self.checks_hazards;
        watch.coverage = self.notes_coverage;
        watch.together = how.together;
        let events = self
            .simulator
            .watch(loaded, kernel, launch, &watch)
            .map_err(|error| launch_error(module, error))?;
        if let Some(ran) = &events.ran {
            coverage.lock().unwrap_or_else(PoisonError::into_inner).add(kernel, ran);
        }
        if let Some((executed, _)) = &mut self.seen {
            for instruction in found.instructions() {
                let executions = events.blocks[instruction.block].executions;
                *executed.entry(instruction.line).or_default() += executions;
            }
        }
        if self.checks_hazards
            && let Some(found) = first_hazard(&events.hazards)
        {
            return Err(Error::Fault(found));
        }
        let Some(plan) = plan else { return Ok(()) };
        let profile = plan.profile(loaded.module().clone(), events);
        if self.is_modelling() {
            // Mapped memory crosses the bus at least once.
            let bus = how.mapped_bytes as f64 / self.pinned_rate();
            let seconds = profile.estimate.seconds.max(bus);
            let most = self.resident_blocks(profile.residency.blocks);
            let share = (profile.residency.grid_blocks as f64 / most as f64).min(1.0);
            self.timeline.add(how.stream, Engine::Multiprocessors, seconds, share);
        }
        if let Some((_, seen)) = &mut self.watching {
            seen.push(profile);
        }
        Ok(())
    }

    /// Checks the arguments and runs a kernel.
    fn launch_checked(
        &mut self,
        module: &Module,
        (kernel, shape): (&str, Shape),
        arguments: &[Argument],
        how: How,
    ) -> Result<(), Error> {
        let loaded = self.code(module)?;
        let found = loaded.module().find(kernel).map_err(|error| launch_error(module, error))?;
        shape.check(kernel)?;
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
        let mapped = arguments.iter().map(|argument| match argument {
            Argument::Buffer(buffer) if buffer.place() == Place::Host => buffer.bytes(),
            _ => 0,
        });
        let how = How { mapped_bytes: mapped.sum(), ..how };
        let launch = simt::Launch {
            grid: shape.blocks,
            block: shape.threads,
            shared_bytes: shape.shared_bytes,
            arguments: &values,
        };
        self.start(module, kernel, &launch, how)
    }

    /// Blocks that run at once, of which a multiprocessor holds so many.
    fn resident_blocks(&self, each: u32) -> u64 {
        u64::from(each) * self.gpu.chip.multiprocessors.value as u64
    }

    fn is_modelling(&self) -> bool {
        self.is_timing || self.has_events
    }

    /// Bytes per second that cross the bus in one direction, from or to page-locked memory.
    fn pinned_rate(&self) -> f64 {
        let bus = &self.gpu.bus;
        bus.gb_per_s.value * 1e9 * bus.filled.value
    }

    /// Models a copy.
    fn add_copy(&mut self, stream: Option<u64>, from: Place, to: Place, bytes: usize, rate: f64) {
        if !self.is_modelling() || self.leaves_copies_out {
            return;
        }
        let start = self.gpu.bus.microseconds.value * 1e-6;
        let bytes = bytes as f64;
        let (engine, seconds) = match (from, to) {
            (_, Place::Host) => (Engine::ToHost, bytes / rate),
            (Place::Host, Place::Device) => (Engine::ToDevice, bytes / rate),
            // Every byte is read and written.
            (Place::Device, Place::Device) => {
                let chip = self.gpu.chip.dram_gb_per_s.value * 1e9;
                (
                    Engine::Multiprocessors,
                    2.0 * bytes / (chip * self.gpu.throughput.dram_filled.value),
                )
            }
        };
        self.timeline.add(stream, engine, start + seconds, 1.0);
    }

    /// Models a copy between pageable memory and the device, for which the host waits.
    fn add_pageable_copy(&mut self, from: Place, to: Place, bytes: usize) {
        let rate = self.gpu.bus.pageable_gb_per_s.value * 1e9;
        self.add_copy(None, from, to, bytes, rate);
        self.timeline.synchronize(None);
    }

    fn allocate(&mut self, name: &str, bytes: usize, place: Place) -> Result<Buffer, Error> {
        let address =
            self.simulator.alloc(name, bytes as u64).map_err(|error| self.memory_error(error))?;
        let owner = Allocation { simulator: self.simulator.clone(), address };
        Ok(Buffer::new(name, (address, bytes), place, self.id, owner))
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
        let code = choose::choose(source, self.route, Reader::Simulator, nvrtc::installed)?;
        let parsed = simt::Module::parse(&code.file, &code.ptx)
            .map_err(|error| Error::BadPtx(error.to_string()))?;
        let parsed = Arc::new(parsed);
        let loaded = Loaded {
            coverage: Mutex::new(Coverage::new(parsed.clone())),
            code: self.simulator.load(parsed).map_err(|error| self.memory_error(error))?,
            ptx: Ptx { file: code.file, text: code.ptx },
            machine: Machine::of(source, self.gpu.sass_arch().0),
        };
        Ok(Module::new(&source.name, code.says, self.id, loaded))
    }

    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.allocate(name, bytes, Place::Device)
    }

    fn alloc_host(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.allocate(name, bytes, Place::Host)
    }

    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error> {
        to.check_copy(self.id, bytes.len())?;
        self.simulator.write(to.address(), bytes).map_err(|error| self.memory_error(error))?;
        if to.place() == Place::Device {
            self.add_pageable_copy(Place::Host, Place::Device, bytes.len());
        }
        Ok(())
    }

    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error> {
        from.check_copy(self.id, into.len())?;
        self.simulator.read(from.address(), into).map_err(|error| self.memory_error(error))?;
        if let Some((_, digest)) = &mut self.seen {
            into.hash(digest);
        }
        if from.place() == Place::Device {
            self.add_pageable_copy(Place::Device, Place::Host, into.len());
        }
        Ok(())
    }

    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.simulator
            .fill(buffer.address(), buffer.bytes() as u64, byte)
            .map_err(|error| self.memory_error(error))
    }

    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error> {
        let address = module.variable(self.id, symbol, bytes.len())?;
        self.simulator.write(address, bytes).map_err(|error| self.memory_error(error))
    }

    fn read_symbol(&mut self, module: &Module, symbol: &str, into: &mut [u8]) -> Result<(), Error> {
        let address = module.variable(self.id, symbol, into.len())?;
        self.simulator.read(address, into).map_err(|error| self.memory_error(error))
    }

    fn launch(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.launch_checked(module, (kernel, shape), arguments, How::default())
    }

    fn launch_cooperative(
        &mut self,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        let how = How { together: true, ..How::default() };
        self.launch_checked(module, (kernel, shape), arguments, how)
    }

    fn time(
        &mut self,
        work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
    ) -> Result<Timing, Error> {
        self.timeline.restart();
        self.is_timing = true;
        let done = work(self);
        self.is_timing = false;
        done.map(|()| Timing { seconds: self.timeline.end(), source: TimeSource::Model })
    }

    fn join(&mut self, member: &Member) -> Result<Box<dyn Group>, Error> {
        Ok(group::through_files(member))
    }

    fn stream(&mut self) -> Result<Stream, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Ok(Stream::new(self.id, StreamId(NEXT.fetch_add(1, Ordering::Relaxed))))
    }

    fn event(&mut self) -> Result<Event, Error> {
        self.has_events = true;
        Ok(Event::new(self.id, Marked::default()))
    }

    fn launch_on(
        &mut self,
        stream: &Stream,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        let StreamId(stream) = stream.get(self.id)?;
        let how = How { stream: Some(*stream), ..How::default() };
        self.launch_checked(module, (kernel, shape), arguments, how)
    }

    fn copy_on(&mut self, stream: &Stream, from: &Buffer, to: &Buffer) -> Result<(), Error> {
        let StreamId(stream) = stream.get(self.id)?;
        from.check(self.id)?;
        to.check_whole(self.id, from.bytes())?;
        let mut bytes = vec![0; from.bytes()];
        self.simulator
            .read(from.address(), &mut bytes)
            .and_then(|()| self.simulator.write(to.address(), &bytes))
            .map_err(|error| self.memory_error(error))?;
        let rate = self.pinned_rate();
        self.add_copy(Some(*stream), from.place(), to.place(), bytes.len(), rate);
        Ok(())
    }

    fn record_event(&mut self, stream: &Stream, event: &Event) -> Result<(), Error> {
        let (StreamId(stream), event) = (stream.get(self.id)?, event.get::<Marked>(self.id)?);
        let mark = self.timeline.mark(*stream);
        *event.lock().unwrap_or_else(PoisonError::into_inner) = Some(mark);
        Ok(())
    }

    fn wait_event(&mut self, stream: &Stream, event: &Event) -> Result<(), Error> {
        let StreamId(stream) = stream.get(self.id)?;
        if let Some(mark) = marked(event.get(self.id)?) {
            self.timeline.wait(*stream, mark);
        }
        Ok(())
    }

    fn synchronize_event(&mut self, event: &Event) -> Result<(), Error> {
        if let Some(mark) = marked(event.get(self.id)?) {
            self.timeline.synchronize(Some(mark));
        }
        Ok(())
    }

    fn elapsed(&mut self, from: &Event, to: &Event) -> Result<f64, Error> {
        let (from, to) = (marked(from.get(self.id)?), marked(to.get(self.id)?));
        let (Some(from), Some(to)) = (from, to) else {
            return Err(Error::Fault("an event was not recorded: it has no time".to_string()));
        };
        for mark in [from, to] {
            self.timeline.synchronize(Some(mark));
        }
        Ok(from.until(to))
    }

    fn time_copies(&mut self, timed: bool) {
        self.leaves_copies_out = !timed;
    }

    fn shuffle_warps(&mut self, seed: u64) {
        self.simulator.shuffle_warps(seed);
    }

    fn check_hazards(&mut self, check: bool) {
        self.checks_hazards = check;
    }

    fn note_coverage(&mut self, note: bool) {
        self.notes_coverage = note;
    }

    fn coverage(&self, module: &Module) -> Option<Coverage> {
        let loaded = module.loaded::<Loaded>(self.id).ok()?;
        Some(loaded.coverage.lock().unwrap_or_else(PoisonError::into_inner).clone())
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
        // An access outside an allocation has already been reported as a fault.
        buffer.check(self.id)
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        self.timeline.synchronize(None);
        Ok(())
    }
}

/// The first of some hazards, and how many others there are.
fn first_hazard(hazards: &[simt::Fault]) -> Option<String> {
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
        LaunchError::Unsupported { .. } => Error::BadPtx(error.to_string()),
        LaunchError::Arguments { kernel, message } => {
            Error::Arguments { module: module.name.clone(), kernel, message }
        }
        LaunchError::Shape { kernel, message } => Error::BadShape { kernel, message },
        LaunchError::Fault(fault) => Error::Fault(fault.to_string()),
    }
}
