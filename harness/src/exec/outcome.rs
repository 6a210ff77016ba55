//! What a program's launches did, as data: `--format json` writes it, the text is drawn from it.

use std::collections::BTreeMap;

use runtime::{Launched, Record};
use serde::Serialize;

use super::child::Ran;

/// What a program did on the simulator.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Outcome {
    /// How it ended; none where a signal ended it.
    pub exit_code: Option<i32>,
    /// The GPU whose time is modelled.
    pub gpu: String,
    /// Kernels with their grids and blocks, in the order of their first launches.
    pub kernels: Vec<KernelOutcome>,
    /// Kernels that were stopped, with all that is known.
    pub faults: Vec<Fault>,
    /// Hazards, each once.
    pub hazards: Vec<Hazard>,
    /// Hazards by the memory model of PTX alone, which GPUs of today do not show, each once.
    pub warnings: Vec<Hazard>,
    /// Calls that were refused, each once.
    pub refused: Vec<Refusal>,
    /// The function that ended the program because it is not simulated.
    pub missing: Option<String>,
    /// Each launch, in order.
    pub launches: Vec<Launched>,
}

/// Launches of one kernel that are alike; counts and times are sums.
#[derive(Debug, Clone, Default, Serialize)]
pub struct KernelOutcome {
    /// Its name as the source has it, without its parameters.
    pub kernel: String,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Shared memory of a block.
    pub shared_bytes: u32,
    /// How many they are.
    pub launches: u64,
    /// Those that were only executed: sectors, passes and hazards are the others'.
    pub unwatched: u64,
    /// PTX instructions issued by warps.
    pub warp_instructions: u64,
    /// Sectors of 32 bytes of global memory.
    pub global_sectors: u64,
    /// Passes over the banks of shared memory.
    pub shared_wavefronts: u64,
    /// Atomic operations of threads.
    pub atomics: u64,
    /// Modelled time.
    pub seconds: f64,
    /// What bounds the modelled time of the first launch.
    pub binding: Option<String>,
    /// Hazards that were found, those that come again counted again.
    pub hazards: u64,
}

/// A kernel that was stopped.
#[derive(Debug, Clone, Serialize)]
pub struct Fault {
    /// Its name as the source has it.
    pub kernel: String,
    /// Why it was stopped, and where.
    pub message: String,
}

/// A hazard, and in how many launches it was found.
#[derive(Debug, Clone, Serialize)]
pub struct Hazard {
    /// The hazard, in words.
    pub message: String,
    /// In how many it was found.
    pub launches: u64,
}

/// A call that was refused, and how often.
#[derive(Debug, Clone, Serialize)]
pub struct Refusal {
    /// The function that was called.
    pub call: String,
    /// Why it was refused.
    pub message: String,
    /// How often.
    pub times: u64,
}

impl Outcome {
    /// Gathers what a program did.
    pub fn of(ran: Ran, gpu: &str) -> Outcome {
        let (exit_code, gpu) = (ran.status.code(), gpu.to_owned());
        let mut outcome = Outcome { exit_code, gpu, ..Outcome::default() };
        let mut places = BTreeMap::new();
        let (mut hazards, mut warnings) = (BTreeMap::new(), BTreeMap::new());
        let mut refusals = BTreeMap::new();
        for record in ran.records {
            match record {
                Record::Launch(launch) => {
                    outcome.add(&launch, &mut places);
                    gather(&launch.hazards, &mut hazards, &mut outcome.hazards);
                    gather(&launch.warnings, &mut warnings, &mut outcome.warnings);
                    outcome.launches.push(launch);
                }
                Record::Fault { kernel, message } => {
                    outcome.faults.push(Fault { kernel: plain_name(&kernel), message });
                }
                Record::Refused { call, message } => {
                    let next = outcome.refused.len();
                    let place = *refusals.entry((call.clone(), message.clone())).or_insert(next);
                    if place == next {
                        outcome.refused.push(Refusal { call, message, times: 0 });
                    }
                    outcome.refused[place].times += 1;
                }
                Record::Missing { call } => outcome.missing = Some(call),
            }
        }
        outcome
    }

    /// Adds a launch to those of its kernel in the same shape, whose place `places` knows.
    fn add(&mut self, launch: &Launched, places: &mut BTreeMap<Shape, usize>) {
        let key = (launch.kernel.clone(), launch.grid, launch.block, launch.shared_bytes);
        let next = self.kernels.len();
        let place = *places.entry(key).or_insert(next);
        if place == next {
            self.kernels.push(KernelOutcome {
                kernel: plain_name(&launch.kernel),
                grid: launch.grid,
                block: launch.block,
                shared_bytes: launch.shared_bytes,
                binding: launch.binding.clone(),
                ..KernelOutcome::default()
            });
        }
        let kernel = &mut self.kernels[place];
        kernel.launches += 1;
        kernel.unwatched += u64::from(launch.unwatched);
        kernel.warp_instructions += launch.warp_instructions;
        kernel.global_sectors += launch.global_sectors;
        kernel.shared_wavefronts += launch.shared_wavefronts;
        kernel.atomics += launch.atomics;
        kernel.seconds += launch.seconds;
        kernel.hazards += launch.hazards.len() as u64;
    }

    /// Whether the simulator found what is wrong with the program, however that ended.
    pub fn is_bad(&self) -> bool {
        !self.hazards.is_empty() || !self.faults.is_empty() || self.missing.is_some()
    }
}

/// Adds a launch's hazards to those found before, whose places `places` knows.
fn gather(messages: &[String], places: &mut BTreeMap<String, usize>, all: &mut Vec<Hazard>) {
    for message in messages {
        let place = *places.entry(message.clone()).or_insert(all.len());
        if place == all.len() {
            all.push(Hazard { message: message.clone(), launches: 0 });
        }
        all[place].launches += 1;
    }
}

/// A kernel, its grid, its blocks and the shared memory of one.
type Shape = (String, [u32; 3], [u32; 3], u32);

/// A kernel's name as the source has it, without its parameters; names of C stay.
pub(super) fn plain_name(name: &str) -> String {
    let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
    cpp_demangle::Symbol::new(name)
        .ok()
        .and_then(|symbol| symbol.demangle_with_options(&options).ok())
        .unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launch(kernel: &str, hazards: &[&str]) -> Record {
        Record::Launch(Launched {
            kernel: kernel.to_owned(),
            grid: [4, 1, 1],
            block: [256, 1, 1],
            warp_instructions: 100,
            seconds: 2e-6,
            hazards: hazards.iter().map(|it| (*it).to_owned()).collect(),
            warnings: Vec::new(),
            ..Launched::default()
        })
    }

    #[test]
    fn launches_that_are_alike_are_added_up() {
        let refused =
            || Record::Refused { call: "cudaMemcpy".to_owned(), message: "no".to_owned() };
        let records = vec![
            launch("_Z3addifPKfPf", &["race"]),
            launch("plain", &[]),
            launch("_Z3addifPKfPf", &["race", "other"]),
            refused(),
            refused(),
        ];
        let outcome = Outcome::of(Ran { status: Default::default(), records }, "NVIDIA H200");
        let [add, plain] = &outcome.kernels[..] else { panic!("{:?}", outcome.kernels) };
        assert_eq!((add.kernel.as_str(), plain.kernel.as_str()), ("add", "plain"));
        assert_eq!((add.launches, add.warp_instructions, add.hazards), (2, 200, 3));
        assert_eq!((add.seconds, plain.launches, plain.unwatched), (4e-6, 1, 0));
        let hazards: Vec<(&str, u64)> =
            outcome.hazards.iter().map(|it| (it.message.as_str(), it.launches)).collect();
        assert_eq!(hazards, [("race", 2), ("other", 1)]);
        assert_eq!((outcome.refused.len(), outcome.refused[0].times), (1, 2));
        assert!(outcome.is_bad());
    }
}
