//! Runs a plan: memory for its buffers, its launches in their order, then what is wanted of the results.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow, bail};
use device::{Buffer, Device, Module, Profile, Simulation, SimulatorDevice, Source};
use simt::Kernel;
use ui::Usage;

use super::buffer::{Contents, Fill, is_npy};
use super::entry;
use super::invocation::Invocation;
use super::npy::Array;
use super::plan::Plan;
use super::results::{Compared, Outcome, Values};
use super::value::{Named, Plain, Value};
use crate::facts::Facts;

/// Seeds of what is no argument, far from those of arguments.
const VARIABLES: u64 = 1_000_000;
const BUFFERS: u64 = 2_000_000;

/// Between the seeds of two launches' arguments.
const LAUNCH: u64 = 1_000;

/// What a name stands for.
enum Known {
    /// Memory, and what it was made from.
    Memory(Memory, Contents),
    Plain(Plain),
}

/// Where elements are.
enum Memory {
    Buffer(Buffer),
    /// A variable of the module.
    Variable,
}

/// Runs the launches and says what was seen.
///
/// # Errors
/// A plan that does not fit the kernels or the files that it names; a fault of a kernel.
pub fn run(device: &mut SimulatorDevice, source: &Source, plan: &Plan) -> Result<Outcome> {
    let mut run = Run::begin(device, source, plan)?;
    run.launch_all(plan).map_err(|error| as_given(source, error))?;
    let profiles = run.device.take_profiles();
    if profiles.is_empty() {
        bail!("{}: no launch was watched", source.file);
    }
    let mut facts = Facts::of(&profiles, source, run.module.code(), run.device.ptx(&run.module)?);
    for hazard in &mut facts.hazards {
        *hazard = source.as_given(hazard);
    }
    // Launches that are repeated repeat them.
    let mut seen = std::collections::BTreeSet::new();
    facts.hazards.retain(|hazard| seen.insert(hazard.clone()));
    Outcome::of(facts, plan, |name| run.values(name))
}

/// Runs the launches, with what the device was told to record of each.
///
/// # Errors
/// As of [`run`].
pub fn record(device: &mut SimulatorDevice, source: &Source, plan: &Plan) -> Result<Vec<Profile>> {
    let mut run = Run::begin(device, source, plan)?;
    run.launch_all(plan).map_err(|error| as_given(source, error))?;
    Ok(run.device.take_profiles())
}

/// Runs the launches with the blocks in another order, and on memory as weak as a GPU's, both drawn by the seed of `how`. Says what
/// goes wrong: a hazard, or a buffer that is not as the plan expects it.
///
/// # Errors
/// As of [`run`], but for faults of a kernel.
pub fn run_in_order(
    device: &mut SimulatorDevice,
    source: &Source,
    plan: &Plan,
    how: Simulation,
) -> Result<Option<String>> {
    device.simulate(how);
    let mut run = Run::begin(device, source, plan)?;
    if let Err(error) = run.launch_all(plan) {
        return match error.downcast_ref() {
            Some(device::Error::Kernel { fault, .. }) => {
                Ok(Some(source.as_given(&fault.to_string())))
            }
            _ => Err(as_given(source, error)),
        };
    }
    let compared = Compared::all(plan, |name| run.values(name))?;
    Ok(compared.iter().find_map(Compared::in_another_order))
}

/// What the compiler calls a file means nothing to the reader.
fn as_given(source: &Source, error: anyhow::Error) -> anyhow::Error {
    match error.is::<Usage>() {
        true => error,
        false => anyhow!(source.as_given(&format!("{error:#}"))),
    }
}

struct Run<'a> {
    device: &'a mut SimulatorDevice,
    module: Module,
    source: &'a Source,
    seed: u64,
    known: BTreeMap<String, Known>,
    /// Buffers without a name, which must outlive the launches.
    kept: Vec<Buffer>,
}

impl<'a> Run<'a> {
    /// Loads the code and makes what launches are given.
    fn begin(device: &'a mut SimulatorDevice, source: &'a Source, plan: &Plan) -> Result<Run<'a>> {
        let module = device.load(source).map_err(|error| as_given(source, error.into()))?;
        let (known, kept) = (BTreeMap::new(), Vec::new());
        let mut run = Run { device, module, source, seed: plan.seed, known, kept };
        for (place, (name, contents)) in (0..).zip(&plan.buffers) {
            run.define(name, contents, BUFFERS + place)?;
        }
        for (place, (name, value)) in (0..).zip(&plan.variables) {
            run.set(name, value, VARIABLES + place)?;
        }
        Ok(run)
    }

    fn launch_all(&mut self, plan: &Plan) -> Result<()> {
        for (number, launch) in (0..).zip(&plan.launches) {
            self.launch(launch, LAUNCH * number).map_err(|error| match &launch.place {
                place if place.is_empty() => error,
                place if error.is::<Usage>() => Usage(format!("{place}: {error}")).into(),
                place => error.context(place.clone()),
            })?;
        }
        Ok(())
    }

    /// One launch, as often as it is wanted.
    fn launch(&mut self, launch: &Invocation, seed: u64) -> Result<()> {
        let code = self.device.code(&self.module)?.module().clone();
        let kernel = entry::choose(&code, &self.source.file, launch.kernel.as_deref())?;
        self.check(kernel, launch)?;
        let mut started = simt::Launch::new(launch.grid, launch.block)
            .shared_bytes(launch.shared)
            .cooperative(launch.cooperative);
        for (place, argument) in launch.arguments.iter().enumerate() {
            started = started.argument(self.argument(argument, place, seed)?);
        }
        for _ in 0..=launch.again {
            self.device.launch_grid(&self.module, kernel.name(), &started)?;
        }
        Ok(())
    }

    /// Whether the arguments are those that the kernel declares.
    fn check(&self, kernel: &Kernel, launch: &Invocation) -> Result<(), Usage> {
        let parameters = kernel.parameters();
        let (wanted, given) = (parameters.len(), launch.arguments.len());
        let problem = if wanted != given {
            let how = match launch.place.is_empty() {
                true => format!("--arg was given {given} times"),
                false => format!("{given} were given"),
            };
            Some(format!("takes {wanted} arguments, and {how}"))
        } else {
            parameters.iter().zip(&launch.arguments).enumerate().find_map(
                |(place, (one, value))| {
                    let (wanted, given) = (u64::from(one.bytes), self.size(&value.value));
                    let place = place + 1;
                    (wanted != given).then(|| {
                        format!("has {wanted} bytes as argument {place}, and {given} were given")
                    })
                },
            )
        };
        let Some(problem) = problem else { return Ok(()) };
        Err(Usage(format!("kernel `{}` {problem}\n{}", kernel.name(), entry::declaration(kernel))))
    }

    /// Bytes that a value takes among a kernel's parameters.
    fn size(&self, value: &Value) -> u64 {
        match value {
            Value::Plain(plain) => self.named_plain(plain).unwrap_or(plain).bytes.len() as u64,
            Value::Buffer(_) => 8,
        }
    }

    /// The value that a mere name stands for, if it is one that is passed itself.
    fn named_plain(&self, plain: &Plain) -> Option<&Plain> {
        match (plain.name(), &self.known) {
            (Some(name), known) => match known.get(name) {
                Some(Known::Plain(value)) => Some(value),
                _ => None,
            },
            (None, _) => None,
        }
    }

    /// The bytes of an argument; its memory is made if it is new.
    fn argument(&mut self, argument: &Named, place: usize, seed: u64) -> Result<Vec<u8>> {
        let seed = seed + place as u64;
        match (&argument.value, &argument.name) {
            (Value::Plain(plain), None) => self.resolve(plain),
            (Value::Plain(plain), Some(name)) => {
                self.is_new(name)?;
                let bytes = self.resolve(plain)?;
                self.known.insert(name.clone(), Known::Plain(Plain::of(bytes.clone())));
                Ok(bytes)
            }
            (Value::Buffer(contents), Some(name)) => self.define(name, contents, seed),
            (Value::Buffer(contents), None) => {
                let buffer = self.allocate(&format!("argument {}", place + 1), contents, seed)?;
                let address = buffer.address().to_le_bytes().to_vec();
                self.kept.push(buffer);
                Ok(address)
            }
        }
    }

    /// A value's bytes with the addresses that it names.
    fn resolve(&self, plain: &Plain) -> Result<Vec<u8>> {
        if let Some(value) = self.named_plain(plain) {
            return Ok(value.bytes.clone());
        }
        let mut bytes = plain.bytes.clone();
        for (at, name) in &plain.addresses {
            let address = match self.known.get(name) {
                Some(Known::Memory(Memory::Buffer(buffer), _)) => buffer.address(),
                Some(Known::Memory(Memory::Variable, _)) => {
                    self.device.code(&self.module)?.symbol(name).map_or(0, |(address, _)| address)
                }
                Some(Known::Plain(_)) => bail!(Usage(format!(
                    "`{name}` is no buffer, and has no address that a struct could hold"
                ))),
                None => bail!(self.unknown(name)),
            };
            bytes[*at..*at + 8].copy_from_slice(&address.to_le_bytes());
        }
        Ok(bytes)
    }

    fn is_new(&self, name: &str) -> Result<(), Usage> {
        match self.known.contains_key(name) {
            true => Err(Usage(format!(
                "there are two values `{name}`; give one another name, or pass the first again as `{name}`"
            ))),
            false => Ok(()),
        }
    }

    fn unknown(&self, name: &str) -> Usage {
        let names: Vec<&str> = self.known.keys().map(String::as_str).collect();
        let nearest = ui::nearest(name, &names);
        let remedy = match names.is_empty() {
            true => format!("name one: {name}=f32[1024]=rand"),
            false => format!("names so far: {}", names.join(", ")),
        };
        Usage(format!("there is no buffer `{name}`{nearest}\n{remedy}"))
    }

    /// Makes a buffer with a name; its address.
    fn define(&mut self, name: &str, contents: &Contents, seed: u64) -> Result<Vec<u8>> {
        self.is_new(name)?;
        let buffer = self.allocate(name, contents, seed)?;
        let address = buffer.address().to_le_bytes().to_vec();
        let known = Known::Memory(Memory::Buffer(buffer), contents.clone());
        self.known.insert(name.to_owned(), known);
        Ok(address)
    }

    /// Sets a variable of the module. A buffer of another size than the variable's is put elsewhere, and the variable, if it
    /// has the size of a pointer, points there.
    fn set(&mut self, name: &str, value: &Value, seed: u64) -> Result<()> {
        let Some((_, size)) = self.device.code(&self.module)?.symbol(name) else {
            bail!(Usage(format!(
                "--const {name}: the file has no __constant__ or __device__ variable `{name}`"
            )));
        };
        let wrong = |given: u64| {
            Usage(format!("--const {name}: the variable has {size} bytes, and {given} were given"))
        };
        match value {
            Value::Plain(plain) if plain.bytes.len() as u64 == size => {
                let bytes = self.resolve(plain)?;
                self.device.set_constant(&self.module, name, &bytes)?;
            }
            Value::Buffer(contents) if contents.bytes() == size => {
                if let Some(bytes) = contents.make(self.seed.wrapping_add(seed))? {
                    self.device.set_constant(&self.module, name, &bytes)?;
                }
                self.is_new(name)?;
                let known = Known::Memory(Memory::Variable, contents.clone());
                self.known.insert(name.to_owned(), known);
            }
            Value::Buffer(contents) if size == 8 => {
                let address = self.define(name, contents, seed)?;
                self.device.set_constant(&self.module, name, &address)?;
            }
            Value::Plain(plain) => bail!(wrong(plain.bytes.len() as u64)),
            Value::Buffer(contents) => bail!(wrong(contents.bytes())),
        }
        Ok(())
    }

    fn allocate(&mut self, name: &str, contents: &Contents, seed: u64) -> Result<Buffer> {
        let bytes = contents.make(self.seed.wrapping_add(seed))?;
        let buffer = self.device.alloc(name, contents.bytes() as usize)?;
        if let Some(bytes) = bytes {
            self.device.upload(&buffer, &bytes)?;
        }
        Ok(buffer)
    }

    /// What a buffer or variable holds now.
    fn values(&mut self, name: &str) -> Result<Values> {
        let Some(Known::Memory(memory, contents)) = self.known.get(name) else {
            bail!(self.unknown(name));
        };
        let mut bytes = vec![0; contents.bytes() as usize];
        match memory {
            Memory::Buffer(buffer) => self.device.download(buffer, &mut bytes)?,
            Memory::Variable => self.device.read_symbol(&self.module, name, &mut bytes)?,
        }
        let shape = match &contents.fill {
            Fill::File(file) if is_npy(file) => {
                Array::read(file).with_context(|| format!("for the shape of `{name}`"))?.shape
            }
            _ => vec![contents.count],
        };
        Ok(Array { element: contents.element, shape, bytes })
    }
}
