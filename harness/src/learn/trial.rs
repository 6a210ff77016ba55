//! One run of an exercise's launches on the simulator: what they leave behind, and what they did.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use device::{Buffer, Device, Error, Profile, SimulatorDevice, Source, Watching, launch_limit};
use simt::model::Gpu;

use super::exercise::{Exercise, Launch};
use crate::events::value::{Contents, Value};
use crate::facts::Facts;

/// What came of the launches.
pub struct Trial {
    /// The data that are results, by name, with their elements.
    pub results: BTreeMap<String, (Contents, Vec<u8>)>,
    /// What the simulator saw of each launch.
    pub profiles: Vec<Profile>,
    /// The same, of all together.
    pub facts: Facts,
}

/// Why there is none.
pub enum Stop {
    /// The kernel's: it cannot be compiled, loaded, launched, or was stopped.
    Kernel(Error),
    /// The exercise's own.
    Exercise(anyhow::Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Kernel(error)
    }
}

/// Runs the launches with data of size `n`, drawn from `seed`.
pub fn run(
    exercise: &Exercise,
    source: &Source,
    gpu: &Gpu,
    n: u64,
    seed: u64,
) -> Result<Trial, Stop> {
    let mut device = SimulatorDevice::open(device::CodeRoute::Auto, gpu.clone());
    let module = device.load(source)?;
    device.watch(Watching { hazards: true, limit: Some(launch_limit()?), ..Watching::default() });
    let mut data = BTreeMap::new();
    for (place, (name, text)) in exercise.data.iter().enumerate() {
        let value = value(text, n).with_context(|| format!("{}: {name}", exercise.name));
        let value = value.map_err(Stop::Exercise)?;
        let buffer = match &value {
            Value::Scalar(_) => None,
            Value::Buffer(contents) => {
                Some(allocate(&mut device, name, contents, seed.wrapping_add(place as u64))?)
            }
        };
        data.insert(name.as_str(), (value, buffer));
    }
    for launch in &exercise.launches {
        let bytes: Vec<Vec<u8>> =
            launch.arguments.iter().map(|name| argument(&data[name.as_str()])).collect();
        let arguments: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
        let (grid, block) = shape(launch, n).map_err(Stop::Exercise)?;
        let launched = simt::Launch { grid, block, shared_bytes: 0, arguments: &arguments };
        device.launch_grid(&module, &launch.kernel, &launched)?;
    }
    let mut results = BTreeMap::new();
    for name in exercise.results.keys() {
        let (Value::Buffer(contents), Some(buffer)) = &data[name.as_str()] else { continue };
        let mut bytes = vec![0; contents.bytes() as usize];
        device.download(buffer, &mut bytes)?;
        results.insert(name.clone(), (contents.clone(), bytes));
    }
    let profiles = device.take_profiles();
    let facts = Facts::of(&profiles, source, module.code(), device.ptx(&module)?);
    Ok(Trial { results, profiles, facts })
}

fn allocate(
    device: &mut SimulatorDevice,
    name: &str,
    contents: &Contents,
    seed: u64,
) -> Result<Buffer, Stop> {
    let bytes = contents.make(seed).map_err(Stop::Exercise)?;
    let buffer = device.alloc(name, contents.bytes() as usize)?;
    match bytes {
        Some(bytes) => device.upload(&buffer, &bytes)?,
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
        (Value::Scalar(bytes), _) => bytes.clone(),
        (_, Some(buffer)) => buffer.address().to_le_bytes().to_vec(),
        (_, None) => Vec::new(),
    }
}

/// A value of [`Exercise::data`] for size `n`.
fn value(text: &str, n: u64) -> Result<Value> {
    let (kind, fill) = text.split_once('=').context("write it as u32=n or f32[n]=rand")?;
    let text = match kind.split_once('[') {
        Some((element, count)) => {
            let count = count.strip_suffix(']').context("`]` is missing")?;
            format!("{element}[{}]={fill}", product(count, n)?)
        }
        None if fill.contains('n') => format!("{kind}={}", product(fill, n)?),
        None => text.to_owned(),
    };
    text.parse().map_err(anyhow::Error::msg)
}

fn shape(launch: &Launch, n: u64) -> Result<([u32; 3], [u32; 3])> {
    let (mut grid, mut block) = ([1; 3], [1; 3]);
    for (place, blocks) in launch.grid.iter().enumerate().take(3) {
        grid[place] = u32::try_from(product(blocks, n)?)?;
    }
    for (place, threads) in launch.block.iter().enumerate().take(3) {
        block[place] = *threads;
    }
    Ok((grid, block))
}

/// A product of numbers and `n`, divided by some, from left to right: `4*n`, `n/256`. Quotients are rounded up.
fn product(text: &str, n: u64) -> Result<u64> {
    let mut value = 1;
    let mut rest = text.trim();
    let mut divide = false;
    loop {
        let end = rest.find(['*', '/']).unwrap_or(rest.len());
        let factor = match rest[..end].trim() {
            "n" => n,
            number => number
                .parse()
                .with_context(|| format!("`{text}` is no product of numbers and n"))?,
        };
        value = match divide {
            true if factor == 0 => bail!("`{text}` divides by 0"),
            true => u64::div_ceil(value, factor),
            false => value * factor,
        };
        let Some(operator) = rest[end..].chars().next() else { return Ok(value) };
        divide = operator == '/';
        rest = &rest[end + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_products_and_quotients_of_n() {
        for (text, expected) in [("n", 100), ("4*n", 400), ("n/32", 4), ("2*n/32*3", 21), ("7", 7)]
        {
            assert_eq!(product(text, 100).expect(text), expected, "{text}");
        }
        for text in ["m", "n/0", "n*", ""] {
            assert!(product(text, 100).is_err(), "{text}");
        }
    }

    #[test]
    fn data_are_values_whose_counts_know_n() {
        assert_eq!(value("u32=n", 5).expect("a number"), "u32=5".parse().expect("a number"));
        assert_eq!(
            value("f32[2*n]=rand", 5).expect("a buffer"),
            "f32[10]=rand".parse().expect("a buffer")
        );
        assert_eq!(value("f32=0.5", 5).expect("a number"), "f32=0.5".parse().expect("a number"));
        assert!(value("f32[n=rand", 5).is_err() && value("f32[n]", 5).is_err());
    }
}
