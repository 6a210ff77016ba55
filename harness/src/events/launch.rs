//! Runs one kernel of a file with the arguments that were typed for it.

use anyhow::{Result, bail};
use clap::Args;
use device::{Buffer, Device, Module, SimulatorDevice, Source};
use simt::Kernel;

use super::value::{self, Contents, Value};
use crate::count;
use crate::facts::Facts;
use crate::names::{self, Usage};

/// A launch as it is typed.
#[derive(Debug, Args)]
pub struct Request {
    /// The kernel of the file; may be left out where there is only one
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// Blocks of the grid: X, or X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = count::parse_shape)]
    grid: [u32; 3],
    /// Threads of a block: X, or X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = count::parse_shape)]
    block: [u32; 3],
    /// Dynamic shared memory of a block in bytes
    #[arg(long, value_name = "BYTES", value_parser = count::parse_u32)]
    shared: Option<u32>,
    /// The next argument of the kernel, TYPE=NUMBER or TYPE[COUNT]=FILL; see below
    #[arg(long = "arg", value_name = "VALUE")]
    arguments: Vec<Value>,
    /// A __constant__ or __device__ variable: NAME=VALUE with a value as for --arg
    #[arg(long = "const", value_name = "NAME=VALUE", value_parser = value::variable)]
    variables: Vec<(String, Value)>,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs it and says what was seen.
pub fn run(device: &mut SimulatorDevice, source: &Source, request: &Request) -> Result<Facts> {
    let module = device.load(source)?;
    let code = device.code(&module)?.clone();
    let kernel = choose(code.module(), &source.file, request.entry.as_deref())?;
    check(kernel, &request.arguments)?;
    // Kept until the launch has ended.
    let mut buffers = Vec::new();
    for (place, (name, value)) in request.variables.iter().enumerate() {
        let seed = request.seed.wrapping_add(1_000_000 + place as u64);
        set(device, &module, (name, value), seed, &mut buffers)?;
    }
    let mut bytes = Vec::new();
    for (place, value) in request.arguments.iter().enumerate() {
        bytes.push(match value {
            Value::Scalar(bytes) => bytes.clone(),
            Value::Buffer(contents) => {
                let name = format!("argument {}", place + 1);
                let seed = request.seed.wrapping_add(place as u64);
                let buffer = allocate(device, &name, contents, seed)?;
                let address = buffer.address().to_le_bytes().to_vec();
                buffers.push(buffer);
                address
            }
        });
    }
    let arguments: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
    let launch = simt::Launch {
        grid: request.grid,
        block: request.block,
        shared_bytes: request.shared.unwrap_or(0),
        arguments: &arguments,
    };
    device.launch_grid(&module, kernel.name(), &launch)?;
    let Some(profile) = device.take_profiles().pop() else {
        bail!("{}: the launch was not watched", source.file);
    };
    Ok(Facts::of(&[profile], source, module.code(), device.ptx(&module)?))
}

/// The kernel of this name, or the only one.
fn choose<'m>(module: &'m simt::Module, file: &str, name: Option<&str>) -> Result<&'m Kernel> {
    if let Some(Err(error @ simt::LaunchError::Unsupported { .. })) = name.map(|n| module.find(n)) {
        bail!(Usage(error.to_string()));
    }
    let names: Vec<&str> = module.kernels().map(Kernel::name).collect();
    let found = match name {
        Some(name) => module.kernel(name),
        None if names.len() == 1 => module.kernels().next(),
        None => None,
    };
    let Some(found) = found else {
        let problem = match name {
            _ if names.is_empty() => {
                format!("{file} has no kernel; begin one with extern \"C\" __global__")
            }
            Some(name) => {
                let nearest = names::nearest(name, &names);
                format!("{file} has no kernel `{name}`{nearest}\nkernels: {}", names.join(", "))
            }
            None => format!("{file} has several kernels; add --entry NAME: {}", names.join(", ")),
        };
        bail!(Usage(problem));
    };
    Ok(found)
}

/// Whether the arguments are those that the kernel declares.
fn check(kernel: &Kernel, arguments: &[Value]) -> Result<(), Usage> {
    let parameters = kernel.parameters();
    let problem = if parameters.len() != arguments.len() {
        let (wanted, given) = (parameters.len(), arguments.len());
        Some(format!("takes {wanted} arguments, and --arg was given {given} times"))
    } else {
        parameters.iter().zip(arguments).enumerate().find_map(|(place, (parameter, value))| {
            let (wanted, given) = (u64::from(parameter.bytes), bytes(value));
            let place = place + 1;
            (wanted != given)
                .then(|| format!("has {wanted} bytes as argument {place}, and {given} were given"))
        })
    };
    let Some(problem) = problem else { return Ok(()) };
    Err(Usage(format!("kernel `{}` {problem}\n{}", kernel.name(), declaration(kernel))))
}

/// Bytes that a value takes among a kernel's parameters.
fn bytes(value: &Value) -> u64 {
    match value {
        Value::Scalar(bytes) => bytes.len() as u64,
        Value::Buffer(_) => 8,
    }
}

/// A kernel's parameters, one a line, each with what may be given for it.
fn declaration(kernel: &Kernel) -> String {
    if kernel.parameters().is_empty() {
        return "it has no parameters: leave --arg out".to_owned();
    }
    let mut text = "its parameters, in order:".to_owned();
    for (place, parameter) in kernel.parameters().iter().enumerate() {
        let example = match parameter.bytes {
            1 => "u8=…",
            2 => "u16=…",
            4 => "u32=…, i32=… or f32=…",
            8 => "a buffer as f32[1024]=rand, or u64=…, i64=…, f64=…",
            _ => "a vector or struct as f32=1,2,3,…",
        };
        text += &format!("\n  {}: {} bytes: --arg {example}", place + 1, parameter.bytes);
    }
    text
}

/// Sets a variable. A buffer of another size than the variable's is put elsewhere, and the variable, if it has the size of
/// a pointer, points there.
fn set(
    device: &mut SimulatorDevice,
    module: &Module,
    (name, value): (&str, &Value),
    seed: u64,
    buffers: &mut Vec<Buffer>,
) -> Result<()> {
    let Some((_, size)) = device.code(module)?.symbol(name) else {
        bail!(Usage(format!(
            "--const {name}: the file has no __constant__ or __device__ variable `{name}`"
        )));
    };
    let wrong = |given: u64| {
        Usage(format!("--const {name}: the variable has {size} bytes, and {given} were given"))
    };
    match value {
        Value::Scalar(bytes) if bytes.len() as u64 == size => {
            device.set_constant(module, name, bytes)?;
        }
        Value::Buffer(contents) if contents.bytes() == size => {
            if let Some(bytes) = contents.make(seed)? {
                device.set_constant(module, name, &bytes)?;
            }
        }
        Value::Buffer(contents) if size == 8 => {
            let buffer = allocate(device, name, contents, seed)?;
            device.set_constant(module, name, &buffer.address().to_le_bytes())?;
            buffers.push(buffer);
        }
        Value::Scalar(bytes) => bail!(wrong(bytes.len() as u64)),
        Value::Buffer(contents) => bail!(wrong(contents.bytes())),
    }
    Ok(())
}

fn allocate(
    device: &mut SimulatorDevice,
    name: &str,
    contents: &Contents,
    seed: u64,
) -> Result<Buffer> {
    let bytes = contents.make(seed)?;
    let buffer = device.alloc(name, contents.bytes() as usize)?;
    if let Some(bytes) = bytes {
        device.upload(&buffer, &bytes)?;
    }
    Ok(buffer)
}
