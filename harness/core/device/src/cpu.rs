//! The CPU as a device: its memory is the host's, and a launch calls a function and ends with it.

mod memory;
mod processor;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::api::argument::{Argument, HostArgument};
use crate::api::buffer::{Buffer, DeviceId, Place};
use crate::api::device::{Device, Group};
use crate::api::guard;
use crate::api::host::{HostCode, HostKernel};
use crate::api::member::Member;
use crate::api::missing::no_streams;
use crate::api::module::{self, Module};
use crate::api::shape::Shape;
use crate::api::state::{Info, TimeSource, Timing};
use crate::api::stream::Start;
use crate::error::Error;
use crate::group;
use memory::Memory;
use toolchain::Source;

pub use processor::processor;

/// How long one launch may last, in seconds: no watchdog ends it, and no run launches for so long.
const LAUNCH_LIMIT: f64 = 3600.0;

/// Functions that are loaded.
struct Kernels(Vec<HostKernel>);

impl module::Loaded for Kernels {
    fn symbol(&self, _: &str) -> Option<(u64, u64)> {
        None
    }
}

/// The CPU.
pub struct CpuDevice {
    id: DeviceId,
    info: Info,
    pool: rayon::ThreadPool,
}

impl CpuDevice {
    /// The CPU with so many threads for functions that use more than one; none: as many as may run at once.
    ///
    /// # Errors
    /// So many threads cannot be started.
    pub fn open(threads: Option<usize>) -> Result<CpuDevice, Error> {
        let threads = threads.unwrap_or_else(processor::threads);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::Unavailable {
            what: format!("{threads} threads cannot be started: {error}"),
            remedy: "ask for fewer with --threads".to_string(),
        })?;
        let (memory_bytes, memory_free_bytes) = processor::memory();
        let info = Info {
            kind: "cpu".to_string(),
            name: processor().unwrap_or_else(|| format!("{} CPU", std::env::consts::ARCH)),
            compute_capability: None,
            driver_version: None,
            cuda_version: None,
            memory_bytes,
            memory_free_bytes,
            multiprocessors: None,
            clock_mhz: None,
            launch_limit_seconds: LAUNCH_LIMIT,
            modelled: None,
        };
        Ok(CpuDevice { id: DeviceId::next(), info, pool })
    }

    /// The memory of a buffer of this device.
    fn memory<'b>(&self, buffer: &'b Buffer) -> Result<&'b Memory, Error> {
        buffer.check(self.id)?;
        buffer.owner().ok_or_else(|| Error::Foreign(buffer.name().to_string()))
    }
}

impl Device for CpuDevice {
    fn info(&self) -> &Info {
        &self.info
    }

    fn load(&mut self, source: &Source) -> Result<Module, Error> {
        Err(Error::Skipped {
            reason: format!("{} is a kernel for GPUs, and this is the CPU", source.name),
            remedy: "leave --device cpu out".to_string(),
        })
    }

    fn load_host(&mut self, code: HostCode) -> Result<Module, Error> {
        Ok(Module::new(&code.name, code.description, self.id, Kernels(code.kernels)))
    }

    fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        let memory = Memory::new(bytes)
            .ok_or_else(|| Error::HostMemory { name: name.to_string(), bytes: bytes as u64 })?;
        Ok(Buffer::new(name, (memory.address(), bytes), Place::Device, self.id, memory))
    }

    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error> {
        to.check_copy(self.id, bytes.len())?;
        self.memory(to)?.lock().bytes_mut(to.range())[..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error> {
        from.check_copy(self.id, into.len())?;
        let bytes = into.len();
        into.copy_from_slice(&self.memory(from)?.lock().bytes_mut(from.range())[..bytes]);
        Ok(())
    }

    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error> {
        self.memory(buffer)?.lock().bytes_mut(buffer.range()).fill(byte);
        Ok(())
    }

    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error> {
        module.variable(self.id, symbol, bytes.len()).map(|_| ())
    }

    fn start(
        &mut self,
        how: Start,
        module: &Module,
        kernel: &str,
        _: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        match how {
            Start::Default => {}
            Start::Together => {
                let message = "the CPU has no blocks that wait for each other".to_string();
                return Err(Error::BadShape { kernel: kernel.to_string(), message });
            }
            Start::On(_) => return Err(no_streams(&self.info)),
        }
        let Kernels(kernels) = module.loaded(self.id)?;
        let Some(found) = kernels.iter().find(|found| found.name == kernel) else {
            return Err(module.no_kernel(kernel, kernels.iter().map(|kernel| kernel.name)));
        };
        let lines = arguments.iter().map(|argument| match argument {
            Argument::Buffer(buffer) => match self.memory(buffer)?.try_lock() {
                Some(lines) => Ok(Some((lines, buffer.range()))),
                None => Err(Error::Arguments {
                    module: module.name.clone(),
                    kernel: kernel.to_string(),
                    message: format!("is given `{}` twice", buffer.name()),
                }),
            },
            _ => Ok(None),
        });
        let mut lines = lines.collect::<Result<Vec<_>, Error>>()?;
        let mut given: Vec<HostArgument> = arguments
            .iter()
            .zip(&mut lines)
            .map(|(argument, lines)| {
                let memory = lines.as_mut().map(|(lines, range)| lines.bytes_mut(range.clone()));
                argument.for_host(memory)
            })
            .collect();
        // What a function leaves half done is in the buffers only, and a row that failed does not look at them.
        let call = AssertUnwindSafe(|| match found.in_pool {
            true => self.pool.install(|| (found.run)(&mut given)),
            false => (found.run)(&mut given),
        });
        catch_unwind(call).map_err(|panic| {
            let words = panic
                .downcast_ref::<&str>()
                .copied()
                .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
                .unwrap_or("it does not say why");
            Error::Fault(format!("{}: `{kernel}` panicked: {words}", module.name))
        })
    }

    fn time(
        &mut self,
        work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
    ) -> Result<Timing, Error> {
        let start = Instant::now();
        work(self)?;
        Ok(Timing { seconds: start.elapsed().as_secs_f64(), source: TimeSource::Host })
    }

    fn join(&mut self, member: &Member) -> Result<Box<dyn Group>, Error> {
        Ok(group::through_files(member))
    }

    fn gpu(&self) -> Option<simt::model::Gpu> {
        None
    }

    fn check_guards(&mut self, buffer: &Buffer) -> Result<(), Error> {
        let mut lines = self.memory(buffer)?.lock();
        guard::check(buffer, |zone, found| {
            lines.read(zone.wrapping_sub(buffer.whole().0), found);
            Ok(())
        })
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        // Every launch has ended before its call returned.
        Ok(())
    }
}

#[cfg(test)]
mod tests;
