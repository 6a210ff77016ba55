//! The description of a GPU: one TOML file each under `gpus/`, a source beside every number.

use serde::Deserialize;
use thiserror::Error;

/// The descriptions that come with the crate: the name a user types, and the file's text.
const FILES: [(&str, &str); 1] = [("h200", include_str!("../../gpus/h200.toml"))];

/// A number of a GPU and where it comes from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The number, in the unit that its key names.
    pub value: f64,
    /// The document or measurement it was taken from.
    pub source: String,
}

/// A GPU as the time model sees it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// The vendor's name, for example `NVIDIA H200`.
    pub name: String,
    /// The compute capability, for example `9.0`.
    pub compute_capability: String,
    /// The chip as a whole.
    pub chip: Chip,
    /// What may be resident on one multiprocessor.
    pub limits: Limits,
    /// Lanes per clock and multiprocessor, by kind of work.
    pub throughput: Throughput,
    /// Clocks from issue to use of the result, by kind of work.
    pub latency: Latency,
}

/// The chip as a whole.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chip {
    /// Number of multiprocessors.
    pub multiprocessors: Figure,
    /// Clock under load, MHz.
    pub clock_mhz: Figure,
    /// What a launch costs before its first instruction, µs.
    pub launch_microseconds: Figure,
}

/// What may be resident on one multiprocessor at a time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Warps.
    pub warps: Figure,
    /// Blocks.
    pub blocks: Figure,
    /// Shared memory, bytes.
    pub shared_bytes: Figure,
}

/// Lanes per clock and multiprocessor.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throughput {
    /// Instructions of any kind: schedulers × 32.
    pub issue: Figure,
    /// f32 add, multiply, multiply-add.
    pub fp32: Figure,
    /// f64 add, multiply, multiply-add.
    pub fp64: Figure,
    /// Integer add, compare, logic.
    pub integer: Figure,
    /// Approximate reciprocal, square root, exponential, logarithm, sine (the MUFU pipe).
    pub special: Figure,
    /// Conversions between types.
    pub conversion: Figure,
    /// Loads and stores, 4 bytes a lane.
    pub memory: Figure,
}

/// Clocks from an instruction's issue to the use of its result.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    /// f32 and integer arithmetic.
    pub arithmetic: Figure,
    /// The MUFU pipe.
    pub special: Figure,
    /// A load from shared memory.
    pub shared: Figure,
    /// A load from constant memory.
    pub constant: Figure,
    /// A load from global memory that hits in the L1 cache.
    pub global: Figure,
    /// A barrier that every warp has reached.
    pub barrier: Figure,
    /// From the end of one basic block to the start of the next: branch, reconvergence.
    pub branch: Figure,
}

/// A GPU that no description names.
#[derive(Debug, Error)]
#[error("no description of a GPU `{name}`; there are: {}", Gpu::names().collect::<Vec<_>>().join(", "))]
pub struct UnknownGpu {
    /// What was asked for.
    pub name: String,
}

impl Gpu {
    /// The names that [`Gpu::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|(name, _)| *name)
    }

    /// The description called `name`, for example `h200`; capitals do not matter.
    pub fn named(name: &str) -> Result<Gpu, UnknownGpu> {
        let wanted = name.to_ascii_lowercase();
        let (_, text) = FILES
            .iter()
            .find(|(known, _)| *known == wanted)
            .ok_or_else(|| UnknownGpu { name: name.to_owned() })?;
        Ok(toml::from_str(text)
            .expect("the descriptions in `gpus/` are read by this crate's tests"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_description_reads_and_names_a_source_for_each_number() {
        for (name, text) in FILES {
            let gpu: Gpu = toml::from_str(text).unwrap_or_else(|e| panic!("gpus/{name}.toml: {e}"));
            assert!(gpu.chip.multiprocessors.value >= 1.0);
            let table: toml::Table = text.parse().unwrap();
            for (section, figures) in table.iter().filter_map(|(k, v)| Some((k, v.as_table()?))) {
                for (key, figure) in figures {
                    assert!(
                        figure["value"]
                            .as_float()
                            .or(figure["value"].as_integer().map(|i| i as f64))
                            > Some(0.0),
                        "{name}: {section}.{key}"
                    );
                    assert!(
                        figure["source"].as_str().unwrap().len() > 10,
                        "{name}: {section}.{key}"
                    );
                }
            }
        }
    }

    #[test]
    fn an_unknown_gpu_is_an_error_that_lists_the_known_ones() {
        let error = Gpu::named("voodoo2").unwrap_err().to_string();
        assert!(error.contains("voodoo2") && error.contains("h200"), "{error}");
    }
}
