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
    /// More memory of the device, beside the bodies.
    pub scratch: &'static [Scratch],
    /// The least compute capability of a GPU that has its instructions, major and minor. Its
    /// committed PTX is made for it; the simulator runs it whatever GPU is modelled.
    pub needs: (u32, u32),
    /// Significant bits that a term of its sums keeps: [`F32_BITS`], or fewer where it is computed
    /// from parts that have fewer. What its accelerations may be off depends on it.
    pub bits: u32,
    /// Every run on a device gives the same bits: its sums do not depend on which warp comes first.
    /// It is verified of steps on one device.
    pub reproducible: bool,
    /// How its work is divided over several GPUs; none where it is for one.
    pub division: Option<Division>,
    /// How whole time steps are started.
    pub run: Run,
}

/// How whole time steps are started: force evaluations and advances, in their order.
#[derive(Debug, Clone, Copy)]
pub enum Run {
    /// Launch by launch.
    Launches,
    /// As a graph: the launches of several time steps are recorded once, and started together again
    /// and again. The numbers that its kernels get are those of the recording, which is not of the
    /// first time step: whether it is that is all that they may ask of the number.
    Graph,
    /// By one launch for many time steps. Its kernel takes the number of the first and how many
    /// there are; all its blocks run at once, and may wait for each other.
    OneLaunch(fn(&Grid) -> Launch),
}

/// How the work of a step is divided over several GPUs.
///
/// Each has all positions and masses, and bodies of its own: those whose velocities and
/// accelerations it computes. They are what its kernels find between the `__constant__` numbers
/// `begin` and `end`. After each time step positions are gathered from all GPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Division {
    /// The kernels of a force evaluation that read no positions but those of own bodies: they run
    /// while the others are on their way.
    pub near: &'static [&'static str],
    /// What the GPUs have summed apart and need the total of.
    pub summed: Option<Summed>,
}

/// Memory of the step's own with 16 bytes for each body, in which each GPU has sums of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summed {
    /// Its name among the step's scratch.
    pub scratch: &'static str,
    /// The kernel that needs the totals of own bodies there.
    pub before: &'static str,
}

/// Which part of the bodies is a GPU's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Its number, from 0.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

impl Share {
    /// All bodies.
    pub const ALL: Share = Share { index: 0, count: 1 };
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
    /// One array of `float4` each: `body` (position and mass), `velocity`, `acceleration`. The
    /// fourth number of the latter two is 0 at first and no one's.
    Float4,
}

/// Memory of a step's own.
///
/// It is zeroed when bodies are uploaded: kernels may rely on finding zeros in the first force
/// evaluation, and in the next if they leave zeros behind.
#[derive(Debug, Clone, Copy)]
pub struct Scratch {
    /// The `__constant__` pointer that is set to it.
    pub name: &'static str,
    /// Its size in bytes for so many bodies, padding included.
    pub bytes: fn(bodies: u32) -> usize,
}

/// How the kernels get the number of bodies, the constants of time integration and the pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameters {
    /// As arguments of every launch.
    Arguments,
    /// Copied once into `__constant__` memory; what computes forces takes only the time step's
    /// number.
    Constant,
}

/// How many threads a launch starts.
#[derive(Debug, Clone, Copy)]
pub enum Threads {
    /// One thread does everything.
    One,
    /// One thread a body, rounded up to whole blocks.
    PerBody {
        /// Threads of a block.
        block: u32,
    },
    /// Several launches make a force evaluation: those that the step plans. `advance` has one
    /// thread a body, in blocks of [`ADVANCE_BLOCK`].
    Planned {
        /// Threads of a block.
        block: u32,
        /// Plans the launches, in their order.
        launches: fn(&Grid) -> Vec<Launch>,
    },
    /// As many threads of the CPU as the run may use.
    Cores,
}

/// Significant bits of an f32.
pub const F32_BITS: u32 = 24;

/// Threads of a block of `advance`, where force evaluations are planned.
pub const ADVANCE_BLOCK: u32 = 256;

/// What a step plans its launches for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    /// Bodies, without padding.
    pub bodies: u32,
    /// Bodies, with padding.
    pub padded: u32,
    /// Those that are this GPU's own, with padding: all, where there is one GPU.
    pub own: u32,
    /// Threads of a block.
    pub block: u32,
    /// Multiprocessors of the GPU, or of the one that is modelled.
    pub multiprocessors: u32,
}

/// A launch of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launch {
    /// The kernel.
    pub kernel: &'static str,
    /// Blocks.
    pub blocks: u32,
    /// Threads of a block.
    pub threads: u32,
    /// Shared memory of a block in bytes, beside what the kernel declares.
    pub shared_bytes: u32,
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

    /// Whether a single thread of a GPU does all of it.
    pub fn is_one_gpu_thread(&self) -> bool {
        self.threads.is_one() && !self.is_for_cpu()
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
            Code::Cuda { file, options } => {
                let mut source = Source::from_kernels(kernels, self.name, file, options)?;
                source.needs = self.needs;
                Ok(source)
            }
            Code::Rust(_) | Code::C { .. } => Err(Error::Skipped {
                reason: format!("{} runs on the CPU and has no kernels", self.name),
                remedy: "run it: cargo run -p harness -- run cpu".to_owned(),
            }),
        }
    }

    /// Bodies with padding, where there are `bodies` of them.
    pub fn padded(&self, bodies: u64) -> u64 {
        bodies.next_multiple_of(u64::from(self.padding.max(1)))
    }

    /// Bodies with padding, where they are divided into so many shares: as many in each.
    pub fn padded_for(&self, bodies: u64, shares: u32) -> u64 {
        bodies.next_multiple_of(u64::from(self.padding.max(1)) * u64::from(shares.max(1)))
    }

    /// The launches of a force evaluation, in their order.
    pub fn force_launches(&self, bodies: u32, multiprocessors: u32) -> Vec<Launch> {
        self.force_launches_of(bodies, Share::ALL, multiprocessors)
    }

    /// The launches of a force evaluation for a share of the bodies.
    pub fn force_launches_of(
        &self,
        bodies: u32,
        share: Share,
        multiprocessors: u32,
    ) -> Vec<Launch> {
        match self.threads {
            Threads::Planned { block, launches } => {
                let padded = self.padded_for(bodies.into(), share.count);
                let padded = u32::try_from(padded).unwrap_or(u32::MAX);
                let own = padded / share.count.max(1);
                launches(&Grid { bodies, padded, own, block, multiprocessors })
            }
            _ => vec![self.threads.launch("force", bodies)],
        }
    }

    /// The launch that makes whole time steps by itself, where there is one.
    pub fn run_launch(&self, bodies: u32, multiprocessors: u32) -> Option<Launch> {
        let Run::OneLaunch(plan) = self.run else { return None };
        let padded = u32::try_from(self.padded(bodies.into())).unwrap_or(u32::MAX);
        let block = self.threads.block().unwrap_or(1);
        Some(plan(&Grid { bodies, padded, own: padded, block, multiprocessors }))
    }

    /// The launch that advances positions and velocities.
    pub fn advance_launch(&self, bodies: u32) -> Launch {
        match self.threads {
            Threads::Planned { .. } => {
                Threads::PerBody { block: ADVANCE_BLOCK }.launch("advance", bodies)
            }
            threads => threads.launch("advance", bodies),
        }
    }
}

impl Threads {
    /// Whether one thread of the device does everything.
    pub fn is_one(self) -> bool {
        matches!(self, Threads::One)
    }

    /// Whether the step plans its launches.
    pub fn is_planned(self) -> bool {
        matches!(self, Threads::Planned { .. })
    }

    /// Whether functions of the CPU share the work among threads.
    pub fn is_cores(self) -> bool {
        matches!(self, Threads::Cores)
    }

    /// Threads of a block, where that can be chosen.
    pub fn block(self) -> Option<u32> {
        match self {
            Threads::PerBody { block } | Threads::Planned { block, .. } => Some(block),
            Threads::One | Threads::Cores => None,
        }
    }

    /// One launch of a kernel over `bodies` bodies.
    fn launch(self, kernel: &'static str, bodies: u32) -> Launch {
        let (blocks, threads) =
            self.block().map_or((1, 1), |block| (bodies.div_ceil(block), block));
        Launch { kernel, blocks, threads, shared_bytes: 0 }
    }
}
