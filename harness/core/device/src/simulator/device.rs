//! The device's interface.

use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use simt::model::End;
use simt::{Coverage, EarlyReadError, texture};

use super::state::{Loaded, Marked, SimulatorDevice, StreamId, marked};
use crate::api::argument::Argument;
use crate::api::buffer::{Buffer, Place};
use crate::api::device::{Device, Group};
use crate::api::member::Member;
use crate::api::module::Module;
use crate::api::shape::Shape;
use crate::api::simulation::Simulation;
use crate::api::state::{Info, TimeSource, Timing};
use crate::api::stream::{Event, Start, Stream};
use crate::api::tensor::{Boxes, TensorMap};
use crate::api::texture::{Array, Object, TextureOf};
use crate::error::Error;
use crate::group;
use toolchain::Machine;
use toolchain::Ptx;
use toolchain::Source;
use toolchain::choose;
use toolchain::compiler::INSTALLED;
use toolchain::ptx::Reader;

impl Device for SimulatorDevice {
    fn info(&self) -> &Info {
        &self.info
    }

    fn load(&mut self, source: &Source) -> Result<Module, Error> {
        let code = choose(source, self.route, Reader::Simulator, INSTALLED)?;
        let parsed = simt::Module::parse(&code.file, &code.ptx)
            .map_err(|error| toolchain::Error::BadPtx(error.to_string()))?;
        let parsed = Arc::new(parsed);
        let loaded = Loaded {
            coverage: Mutex::new(Coverage::new(parsed.clone())),
            code: self.simulator.load(parsed).map_err(|error| self.memory_error(error))?,
            ptx: Ptx { file: code.file, text: code.ptx },
            // What NVRTC makes of the source is no machine code of this PTX.
            machine: match self.counts_machine_code && code.has_machine_code {
                true => Machine::of(source, self.gpu.sass_arch().0),
                false => None,
            },
        };
        Ok(Module::new(&source.name, code.says, self.id, loaded))
    }

    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.allocate(name, bytes, Place::Device)
    }

    fn alloc_host(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.allocate(name, bytes, Place::Host)
    }

    fn alloc_managed(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.allocate(name, bytes, Place::Managed)
    }

    fn prefetch(&mut self, buffer: &Buffer, to: Place) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.move_pages(buffer, to, End::Pinned, None);
        Ok(())
    }

    fn second_context(&mut self, module: &Module) -> Result<(Box<dyn Device>, Module), Error> {
        let loaded: &Loaded = module.loaded(self.id)?;
        let parsed = loaded.code.module().clone();
        let second = self.beside();
        let code = second.simulator.load(parsed).map_err(|error| self.memory_error(error))?;
        let loaded = Loaded {
            coverage: Mutex::new(Coverage::new(code.module().clone())),
            code,
            ptx: loaded.ptx.clone(),
            machine: loaded.machine.clone(),
        };
        let module = Module::new(&module.name, module.code().to_owned(), second.id, loaded);
        Ok((Box::new(second), module))
    }

    fn alloc_array(&mut self, name: &str, shape: texture::Shape) -> Result<Array, Error> {
        self.new_array(name, shape)
    }

    fn write_array(&mut self, to: &Array, bytes: &[u8]) -> Result<(), Error> {
        self.write_texels(to, bytes)
    }

    fn read_array(&mut self, from: &Array, into: &mut [u8]) -> Result<(), Error> {
        self.read_texels(from, into)
    }

    fn texture(&mut self, of: TextureOf, sampler: texture::Sampler) -> Result<Object, Error> {
        self.new_texture(of, sampler)
    }

    fn surface(&mut self, array: &Array) -> Result<Object, Error> {
        self.new_surface(array)
    }

    fn tensor_map(&mut self, buffer: &Buffer, boxes: &Boxes) -> Result<TensorMap, Error> {
        self.new_tensor_map(buffer, boxes)
    }

    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error> {
        to.check_copy(self.id, bytes.len())?;
        self.simulator.write(to.address(), bytes).map_err(|error| self.memory_error(error))?;
        self.host_accesses(to, (End::Pageable, End::Device), bytes.len());
        Ok(())
    }

    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error> {
        from.check_copy(self.id, into.len())?;
        // Page-locked memory is read at once, any other when the launches so far have ended.
        if from.place() != Place::Host {
            self.simulator.wait();
        }
        self.simulator.read_early(from.address(), into).map_err(|error| match error {
            EarlyReadError::Memory(error) => self.memory_error(error),
            EarlyReadError::Fault(fault) => Error::Kernel { fault, others: 0 },
        })?;
        if let Some((_, digest)) = &mut self.seen {
            into.hash(digest);
        }
        self.host_accesses(from, (End::Device, End::Pageable), into.len());
        Ok(())
    }

    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error> {
        buffer.check(self.id)?;
        self.simulator
            .fill(buffer.address(), buffer.bytes() as u64, byte)
            .map_err(|error| self.memory_error(error))?;
        if buffer.place() == Place::Managed {
            self.touch(buffer, Place::Host, None);
        }
        Ok(())
    }

    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error> {
        let address = module.variable(self.id, symbol, bytes.len())?;
        self.simulator.write(address, bytes).map_err(|error| self.memory_error(error))
    }

    fn read_symbol(&mut self, module: &Module, symbol: &str, into: &mut [u8]) -> Result<(), Error> {
        let address = module.variable(self.id, symbol, into.len())?;
        self.simulator.wait();
        self.simulator.read(address, into).map_err(|error| self.memory_error(error))
    }

    fn start(
        &mut self,
        how: Start,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.launch_checked(how, module, (kernel, shape), arguments)
    }

    fn time(
        &mut self,
        work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
    ) -> Result<Timing, Error> {
        self.clock().timeline.restart();
        self.clock().is_timing = true;
        let done = work(self);
        self.simulator.wait();
        let mut clock = self.clock();
        clock.is_timing = false;
        done.map(|()| Timing { seconds: clock.timeline.end(), source: TimeSource::Model })
    }

    fn join(&mut self, member: &Member) -> Result<Box<dyn Group>, Error> {
        Ok(group::through_files(member))
    }

    fn stream(&mut self) -> Result<Stream, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Ok(Stream::new(self.id, StreamId(NEXT.fetch_add(1, Ordering::Relaxed))))
    }

    fn event(&mut self) -> Result<Event, Error> {
        self.clock().has_events = true;
        Ok(Event::new(self.id, Marked::default()))
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
        self.add_copy(*stream, from.place(), to.place(), bytes.len());
        Ok(())
    }

    fn record_event(&mut self, stream: &Stream, event: &Event) -> Result<(), Error> {
        let (StreamId(stream), event) = (stream.get(self.id)?, event.get::<Marked>(self.id)?);
        let mark = self.clock().timeline.mark(*stream);
        *event.lock().unwrap_or_else(PoisonError::into_inner) = Some(mark);
        Ok(())
    }

    fn wait_event(&mut self, stream: &Stream, event: &Event) -> Result<(), Error> {
        let StreamId(stream) = stream.get(self.id)?;
        if let Some(mark) = marked(event.get(self.id)?) {
            self.clock().timeline.wait(*stream, mark);
        }
        Ok(())
    }

    fn synchronize_event(&mut self, event: &Event) -> Result<(), Error> {
        // Which launches came before the event is not kept.
        self.simulator.wait();
        if let Some(mark) = marked(event.get(self.id)?) {
            self.clock().timeline.synchronize(Some(mark));
        }
        Ok(())
    }

    fn elapsed(&mut self, from: &Event, to: &Event) -> Result<f64, Error> {
        let (from, to) = (marked(from.get(self.id)?), marked(to.get(self.id)?));
        let (Some(from), Some(to)) = (from, to) else {
            return Err(Error::Fault("an event was not recorded: it has no time".to_string()));
        };
        for mark in [from, to] {
            self.clock().timeline.synchronize(Some(mark));
        }
        Ok(from.until(to))
    }

    fn time_copies(&mut self, timed: bool) {
        self.leaves_copies_out = !timed;
    }

    fn simulate(&mut self, how: Simulation) {
        self.simulation = how;
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
        self.scheduling = scheduling;
    }

    fn gpu(&self) -> Option<simt::model::Gpu> {
        Some(self.gpu.clone())
    }

    fn check_guards(&mut self, buffer: &Buffer) -> Result<(), Error> {
        self.simulator.wait();
        // An access outside an allocation has already been reported as a fault.
        buffer.check(self.id)
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        self.simulator.wait();
        self.clock().timeline.synchronize(None);
        Ok(())
    }
}
