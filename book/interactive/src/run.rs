//! Simulates a launch.

use std::sync::Arc;

use simt::model::Gpu;
use simt::{Events, Kernel, Launch, Loaded, Module, Simulator, TraceRequest, Watch};

use crate::error::Error;
use crate::request::Request;
use crate::value::{self, Value};

/// The GPU whose hardware is modelled: that of the book's pages.
pub const GPU: &str = "h200";
/// Warps whose steps are recorded.
const WARPS: u32 = 4;
/// Bytes of the simulated device.
const MEMORY: u64 = 64 << 20;

/// Memory of a launch.
#[derive(Debug, serde::Serialize)]
pub struct Buffer {
    /// What the kernel calls it.
    pub name: String,
    /// Its address.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
}

/// What a launch did.
pub struct Seen {
    pub module: Arc<Module>,
    pub kernel: &'static str,
    pub events: Events,
    pub buffers: Vec<Buffer>,
}

impl Seen {
    /// The kernel that ran.
    pub fn kernel(&self) -> Result<&Kernel, Error> {
        Ok(self.module.find(self.kernel)?)
    }
}

/// Runs a launch.
///
/// # Errors
/// The launch is not possible, or the kernel was stopped.
pub fn run(request: &Request) -> Result<Seen, Error> {
    let simulator = Simulator::new(MEMORY);
    let name = format!("{}.ptx", request.file);
    let module = Arc::new(Module::parse(&name, &request.ptx)?);
    let loaded = simulator.load(module.clone())?;
    let mut memory = Memory { simulator: &simulator, loaded: &loaded, buffers: Vec::new() };
    for (name, value) in &request.constants {
        memory.set(name, value)?;
    }
    let kernel = module.find(request.kernel)?;
    let arguments: Vec<Vec<u8>> = (kernel.parameters().iter().zip(&request.arguments))
        .map(|(parameter, value)| memory.value(&parameter.name, value))
        .collect::<Result<_, _>>()?;
    let launch = Launch::new([request.grid, 1, 1], [request.block, 1, 1]).arguments(&arguments);
    let gpu = Gpu::named(GPU)?;
    let blocks = u64::from(request.grid);
    let residency = gpu.residency(request.block, None, kernel.shared_bytes(), blocks)?;
    let watch = Watch {
        traffic: Some(gpu.machine(&residency)),
        hazards: request.hazards,
        trace: Some(TraceRequest { warps: WARPS, instructions: request.recorded }),
        ..Watch::default()
    };
    let events = simulator.launch(&loaded, request.kernel, &launch, &watch)?;
    let buffers = memory.buffers;
    Ok(Seen { module, kernel: request.kernel, events, buffers })
}

/// The memory of a launch as it is filled.
struct Memory<'s> {
    simulator: &'s Simulator,
    loaded: &'s Loaded,
    buffers: Vec<Buffer>,
}

impl Memory<'_> {
    /// The bytes that are passed for a value; its memory is made.
    fn value(&mut self, name: &str, text: &str) -> Result<Vec<u8>, Error> {
        let (bytes, contents) = match value::read(text)? {
            Value::Word(word) => return Ok(word.to_vec()),
            Value::Buffer(contents) => (contents.len() as u64, contents),
            Value::Unwritten(bytes) => (bytes, Vec::new()),
        };
        let address = self.simulator.alloc(name, bytes)?;
        self.simulator.write(address, &contents)?;
        self.buffers.push(Buffer { name: name.to_owned(), address, bytes });
        Ok(address.to_le_bytes().to_vec())
    }

    /// Sets a variable of the module.
    fn set(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let (address, _) =
            self.loaded.symbol(name).ok_or_else(|| Error::Variable(name.to_owned()))?;
        let bytes = self.value(name, text)?;
        Ok(self.simulator.write(address, &bytes)?)
    }
}
