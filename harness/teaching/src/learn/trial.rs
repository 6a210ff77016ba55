//! Runs an exercise's launches on the simulator: what they leave behind, and what they did.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use device::{
    Buffer, Device, Error, Module, Profile, Simulation, SimulatorDevice, Source, Watching,
    launch_limit,
};
use launches::events::buffer::Contents;
use launches::events::value::Value;
use launches::facts::Facts;
use simt::TraceRequest;
use simt::model::Gpu;

use super::case::Case;
use super::exercise::Exercise;
use super::launch::{Launch, Numbers, Shape, product};

/// What came of the launches.
pub struct Trial {
    /// The data that are results, by name, with their elements.
    pub results: Results,
    /// What the simulator saw of each launch.
    pub profiles: Vec<Profile>,
    /// The same, of all together.
    pub facts: Facts,
}

impl Trial {
    /// That nothing in it is a hazard.
    ///
    /// # Errors
    /// The first that was found.
    pub fn hazards(&self) -> Result<(), Error> {
        let mut all = self.profiles.iter().flat_map(|profile| &profile.events.hazards);
        let Some(first) = all.next() else { return Ok(()) };
        Err(Error::Kernel { fault: Box::new(first.clone()), others: all.count() })
    }
}

/// Why there is none.
#[derive(Debug)]
pub enum Stop {
    /// The kernel's: it cannot be compiled, loaded, launched, or was stopped.
    Kernel(Error),
    /// The reader's numbers: there is no such launch.
    Launch(String),
    /// The exercise's own.
    Exercise(anyhow::Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Kernel(error)
    }
}

/// Code that was compiled once, to run with data of several sizes.
pub struct Trials<'e> {
    exercise: &'e Exercise,
    source: Source,
    numbers: Numbers,
    /// Counts what launches do.
    counting: Opened,
    /// Runs what communicates between blocks in other orders, on memory that is as weak as a GPU's; it counts nothing.
    disordered: Option<Opened>,
}

/// A device with the code.
struct Opened {
    device: SimulatorDevice,
    module: Module,
}

/// What launches leave behind, by its name: what it was to begin with, and its bytes.
pub type Results = BTreeMap<String, (Contents, Vec<u8>)>;

impl Opened {
    fn new(exercise: &Exercise, source: &Source, gpu: &Gpu) -> Result<Opened, Stop> {
        let mut device = SimulatorDevice::open(device::CodeRoute::Auto, gpu.clone());
        device.leave_machine_code_out();
        if let Some(scheduling) = &exercise.scheduling {
            device
                .schedule(scheduling.parse().map_err(|error| Stop::Exercise(anyhow!("{error}")))?);
        }
        let module = device.load(source)?;
        Ok(Opened { device, module })
    }
}

impl<'e> Trials<'e> {
    /// Compiles and loads the code.
    pub fn load(
        exercise: &'e Exercise,
        source: Source,
        gpu: &Gpu,
        numbers: Numbers,
    ) -> Result<Trials<'e>, Stop> {
        let limit = Some(launch_limit()?);
        let mut counting = Opened::new(exercise, &source, gpu)?;
        counting.device.watch(Watching { hazards: true, limit, ..Watching::default() });
        let code = counting.device.code(&counting.module)?.module();
        let communicates = |launch: &Launch| {
            code.find(&launch.kernel).is_ok_and(|kernel| kernel.communication().is_possible())
        };
        let disordered = if exercise.launches.iter().any(communicates) {
            Some(Opened::new(exercise, &source, gpu)?)
        } else {
            None
        };
        Ok(Trials { exercise, source, numbers, counting, disordered })
    }

    /// Has the steps of the first warps of each launch recorded.
    pub fn record(&mut self, trace: TraceRequest) -> Result<(), Stop> {
        let limit = Some(launch_limit()?);
        let watching = Watching { hazards: true, trace: Some(trace), limit, ..Watching::default() };
        self.counting.device.watch(watching);
        Ok(())
    }

    /// Runs the launches of a case.
    pub fn run(&mut self, case: &Case) -> Result<Trial, Stop> {
        let results = launched(&mut self.counting, self.exercise, &self.numbers, case)?;
        let Opened { device, module } = &mut self.counting;
        let profiles = device.take_profiles();
        let facts = Facts::of(&profiles, &self.source, module.code(), device.ptx(module)?);
        Ok(Trial { results, profiles, facts })
    }

    /// Runs the launches of a case with the blocks in an order, and with memory as weak, that the number decides. None where
    /// nothing depends on it, as no blocks communicate.
    pub fn run_in_order(&mut self, case: &Case, order: u64) -> Result<Option<Results>, Stop> {
        let Some(opened) = &mut self.disordered else { return Ok(None) };
        opened.device.simulate(Simulation {
            order,
            hazards: true,
            limit: Some(launch_limit()?),
            multiprocessors: self.exercise.multiprocessors,
            ..Simulation::default()
        });
        launched(opened, self.exercise, &self.numbers, case).map(Some)
    }

    /// What each launch of a trial did, by its kernel.
    pub fn each(&self, trial: &Trial) -> Result<Vec<(String, Facts)>, Stop> {
        let Opened { device, module } = &self.counting;
        let ptx = device.ptx(module)?;
        let of = |profile: &Profile| {
            let profiles = std::slice::from_ref(profile);
            (profile.kernel.clone(), Facts::of(profiles, &self.source, module.code(), ptx))
        };
        Ok(trial.profiles.iter().map(of).collect())
    }
}

/// Runs the launches of a case; what they leave behind.
fn launched(
    Opened { device, module }: &mut Opened,
    exercise: &Exercise,
    numbers: &Numbers,
    case: &Case,
) -> Result<Results, Stop> {
    let mut data = BTreeMap::new();
    for Given { name, value, bytes } in given(exercise, case).map_err(Stop::Exercise)? {
        let is_constant = exercise.constants.contains(&name);
        // A compiler removes what no kernel uses.
        if is_constant && device.code(module)?.symbol(&name).is_some() {
            device.set_constant(module, &name, bytes.as_deref().unwrap_or_default())?;
        }
        let buffer = match &value {
            Value::Buffer(contents) if !is_constant => {
                Some(allocate(device, &name, contents, bytes.as_deref())?)
            }
            _ => None,
        };
        data.insert(name, (value, buffer));
    }
    let numbers = numbers.with(case.n, &case.varied);
    for launch in &exercise.launches {
        let Shape { grid, block, cluster, shared_bytes, times } =
            launch.shape(&numbers).map_err(|error| Stop::Launch(format!("{error:#}")))?;
        let launched = simt::Launch::new(grid, block)
            .cluster(cluster)
            .shared_bytes(shared_bytes)
            .arguments(launch.arguments.iter().map(|name| argument(&data[name])));
        for _ in 0..times {
            device.launch_grid(module, &launch.kernel, &launched)?;
        }
    }
    let mut results = BTreeMap::new();
    for name in exercise.results.keys() {
        let (Value::Buffer(contents), Some(buffer)) = &data[name] else { continue };
        let mut bytes = vec![0; contents.bytes() as usize];
        device.download(buffer, &mut bytes)?;
        results.insert(name.clone(), (contents.clone(), bytes));
    }
    Ok(results)
}

/// One of the data of an exercise.
pub struct Given {
    /// As launches name it.
    pub name: String,
    /// What kernels get.
    pub value: Value,
    /// Its bytes before the launches; none of what nobody has written.
    pub bytes: Option<Vec<u8>>,
}

/// What the launches of a case are given.
pub fn given(exercise: &Exercise, case: &Case) -> Result<Vec<Given>> {
    let numbers = Numbers::default().with(case.n, &case.varied);
    let of = |(place, (name, text)): (usize, (&String, &String))| {
        let value = value(text, &numbers).with_context(|| format!("{}: {name}", exercise.name))?;
        let bytes = match &value {
            Value::Plain(plain) => Some(plain.bytes.clone()),
            Value::Buffer(contents) => contents.make(case.seed.wrapping_add(place as u64))?,
        };
        Ok(Given { name: name.clone(), value, bytes })
    };
    exercise.data.iter().enumerate().map(of).collect()
}

fn allocate(
    device: &mut SimulatorDevice,
    name: &str,
    contents: &Contents,
    bytes: Option<&[u8]>,
) -> Result<Buffer, Stop> {
    let buffer = device.alloc(name, contents.bytes() as usize)?;
    match bytes {
        Some(bytes) => device.upload(&buffer, bytes)?,
        None => {
            // A result that no thread writes must not be right by chance: of floats this is NaN.
            device.fill(&buffer, 0xff)?;
            device.forget(&buffer, 0, contents.bytes() as usize)?;
        }
    }
    Ok(buffer)
}

fn argument((value, buffer): &(Value, Option<Buffer>)) -> Vec<u8> {
    match (value, buffer) {
        (Value::Plain(plain), _) => plain.bytes.clone(),
        (_, Some(buffer)) => buffer.address().to_le_bytes().to_vec(),
        (_, None) => Vec::new(),
    }
}

/// A value of [`Exercise::data`].
fn value(text: &str, numbers: &Numbers) -> Result<Value> {
    let (kind, fill) = text.split_once('=').context("write it as u32=n or f32[n]=rand")?;
    let text = match kind.split_once('[') {
        Some((element, count)) => {
            let count = count.strip_suffix(']').context("`]` is missing")?;
            format!("{element}[{}]={fill}", product(count, numbers)?)
        }
        None if fill.contains('n') => format!("{kind}={}", product(fill, numbers)?),
        None => text.to_owned(),
    };
    read(&text)
}

fn read(text: &str) -> Result<Value> {
    Value::read(text, Path::new("")).map_err(anyhow::Error::msg)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn data_are_values_whose_counts_know_n() {
        let value = |text: &str, n| value(text, &Numbers::default().with(n, &BTreeMap::new()));
        assert_eq!(value("u32=n", 5).expect("a number"), read("u32=5").expect("a number"));
        assert_eq!(
            value("f32[2*n]=rand", 5).expect("a buffer"),
            read("f32[10]=rand").expect("a buffer")
        );
        assert_eq!(value("f32=0.5", 5).expect("a number"), read("f32=0.5").expect("a number"));
        assert!(value("f32[n=rand", 5).is_err() && value("f32[n]", 5).is_err());
    }
}
