//! What a ladder and its steps are, as plain data.
//!
//! A step's crate is one constant: it names its parent, takes the parent's values and states only
//! what it changes. Everything else (upload, launch, verification, timing) is written once, over
//! this data.

use std::path::Path;

use device::{Error, Source};

use crate::nbody::host::Rust;

/// A workload and its steps, in the order in which a reader climbs them.
#[derive(Debug, Clone, Copy)]
pub struct Ladder {
    /// Its folder under `steps/` and `kernels/`: `nbody`.
    pub name: &'static str,
    /// What a reader sees above its table: "All-pairs n-body".
    pub title: &'static str,
    /// Every step, parents before their children, each detour after its parent.
    pub steps: &'static [Step],
    /// Steps whose idea shows only in launches that are short: they and their parents are measured
    /// once more with few bodies over many time steps.
    pub short_launches: &'static [Step],
}

/// One variant of the workload's code.
///
/// A step's crate writes `pub const STEP: Step = Step { name: "05-rsqrt", …, ..PARENT };`.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Its folder: "05-rsqrt".
    pub name: &'static str,
    /// The step it is derived from and compared with; none for the first.
    pub after: Option<&'static str>,
    /// Tried and not kept: no step has it as its parent.
    pub detour: bool,
    /// Its idea in a word or two: "rsqrtf".
    pub title: &'static str,
    /// What it changes, in one line for the table.
    pub changes: &'static str,
    /// What it runs.
    pub code: Code,
    /// How the bodies lie in the device's memory.
    pub layout: Layout,
    /// The bodies are padded with massless ones to a multiple of this; 1 means none are added.
    pub padding: u32,
    /// How the kernels get what stays the same in every launch.
    pub parameters: Parameters,
    /// How many threads a launch starts.
    pub threads: Threads,
}

/// What a step runs.
#[derive(Debug, Clone, Copy)]
pub enum Code {
    /// Kernels in CUDA C++, on a GPU or the simulator.
    Cuda {
        /// Stem of the `.cu` in `kernels/<ladder>/`; a step that changes only compiler options names
        /// its parent's. Its PTX is always `<name>.ptx`.
        file: &'static str,
        /// Compiler options of its own.
        options: &'static [&'static str],
    },
    /// Functions in Rust, on the CPU.
    Rust(Rust),
    /// A function in C, compiled by the C compiler of this machine, on the CPU: a yardstick.
    C {
        /// Stem of the `.c` in `kernels/<ladder>/`.
        file: &'static str,
        /// Compiler options of its own.
        options: &'static [&'static str],
    },
}

/// How the bodies lie in the device's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One array of ten-field structs: mass, position, velocity, acceleration.
    ArrayOfStructs,
    /// One array for each of the ten fields.
    ScalarArrays,
}

/// How the kernels get the number of bodies, the constants of time integration and the pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameters {
    /// As arguments of every launch.
    Arguments,
    /// Copied once into `__constant__` memory; `force` takes only the time step's number.
    Constant,
}

/// How many threads a launch starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// One thread does everything.
    One,
    /// One thread a body, rounded up to whole blocks.
    PerBody {
        /// Threads of a block.
        block: u32,
    },
    /// As many threads of the CPU as the run may use.
    Cores,
}

impl Ladder {
    /// Whether its steps run on the CPU, and not on a GPU or the simulator.
    pub fn is_for_cpu(&self) -> bool {
        self.steps.first().is_some_and(Step::is_for_cpu)
    }

    /// The step whose folder is `name`.
    pub fn step(&self, name: &str) -> Option<&'static Step> {
        self.steps.iter().find(|step| step.name == name)
    }

    /// Whether `step` is also measured with few bodies over many time steps: its idea, or that of
    /// a step derived from it, shows only there.
    pub fn has_short_launches(&self, step: &Step) -> bool {
        self.short_launches
            .iter()
            .any(|short| short.name == step.name || short.after == Some(step.name))
    }
}

impl Step {
    /// Whether it runs on the CPU, and not on a GPU or the simulator.
    pub fn is_for_cpu(&self) -> bool {
        !matches!(self.code, Code::Cuda { .. })
    }

    /// Its file in `kernels/<ladder>/`; none where it is written in Rust.
    pub fn file(&self) -> Option<String> {
        match self.code {
            Code::Cuda { file, .. } => Some(format!("{file}.cu")),
            Code::C { file, .. } => Some(format!("{file}.c")),
            Code::Rust(_) => None,
        }
    }

    /// Its own compiler options.
    pub fn options(&self) -> &'static [&'static str] {
        match self.code {
            Code::Cuda { options, .. } | Code::C { options, .. } => options,
            Code::Rust(_) => &[],
        }
    }

    /// Its kernels; `kernels` is the folder of its ladder's.
    ///
    /// # Errors
    /// They cannot be read; [`Error::Skipped`] of a step that runs on the CPU and has none.
    pub fn source(&self, kernels: &Path) -> Result<Source, Error> {
        match self.code {
            Code::Cuda { file, options } => Source::from_kernels(kernels, self.name, file, options),
            Code::Rust(_) | Code::C { .. } => Err(Error::Skipped {
                reason: format!("{} runs on the CPU and has no kernels", self.name),
                remedy: "run it: cargo run -p harness -- run cpu".to_owned(),
            }),
        }
    }

    /// The step with blocks of another size; none where it has no blocks. Arrays that are
    /// padded to whole blocks still are.
    pub fn with_block(mut self, block: u32) -> Option<Step> {
        let Threads::PerBody { block: own } = self.threads else { return None };
        if self.padding == own {
            self.padding = block;
        }
        self.threads = Threads::PerBody { block };
        Some(self)
    }
}

impl Threads {
    /// Blocks and threads of a block for `bodies` bodies.
    pub fn launch(self, bodies: u32) -> (u32, u32) {
        match self {
            Threads::One | Threads::Cores => (1, 1),
            Threads::PerBody { block } => (bodies.div_ceil(block), block),
        }
    }
}
