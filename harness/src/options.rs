//! Options that several commands have.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use device::{Choice, CodeRoute, Scheduling};

/// Seconds without progress after which a step is taken to hang: one verification takes the slowest
/// step four seconds on the simulator with one core.
const DEADLINE: u64 = 30;

/// The most threads that can be asked for on the CPU: more than any computer of one system has.
const MOST_THREADS: i64 = 4096;

/// Which code is to run.
#[derive(Debug, Args)]
pub struct What {
    /// The ladder to climb, one of `harness list`, or `all` [default: `run` climbs `nbody` and `cpu`,
    /// one after the other, if it is asked for nothing that is for one ladder; else `nbody`]
    pub ladder: Option<String>,
    /// Steps to run, by number, name or folder: `05`, `rsqrt`, `01..06`, `05,06` [default: all]
    #[arg(short, long, visible_alias = "step", value_name = "LIST")]
    pub steps: Option<String>,
    /// A `.cu` or `.ptx` file of yours, to be run in the place of the step given by `--as`
    #[arg(short, long, value_name = "FILE", requires = "stands_for")]
    pub kernel: Option<PathBuf>,
    /// The step whose place `--kernel` takes; only this step is run unless `--steps` asks for more
    #[arg(long = "as", value_name = "STEP", id = "stands_for", requires = "kernel")]
    pub stands_for: Option<String>,
    /// The kernel is a stranger's: it may include only files of its own folder, no link is followed, and its process gives
    /// up the machine's files, the network and other processes before it compiles; on the simulator only
    #[arg(long, requires = "kernel")]
    pub untrusted: bool,
}

/// Where and how it runs, and where it leaves what was found.
#[derive(Debug, Clone, Args)]
pub struct How {
    /// Where kernels run: `auto` (a GPU if there is one), `cuda`, `cuda:N` (GPU number N), `simt` (the
    /// simulator); the ladder `cpu` runs on `cpu`
    #[arg(short, long, default_value = "auto", value_name = "DEVICE")]
    pub device: Choice,
    /// The GPU whose time the simulator models: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(short, long, value_name = "GPU", default_value = GPU)]
    pub gpu: String,
    /// How the simulator runs the lanes of a warp: `independent` (each makes progress, as since compute
    /// capability 7.0) or `lockstep` (those that left a loop wait for the others, as before)
    #[arg(long, value_name = "HOW", default_value = "independent")]
    pub scheduling: Scheduling,
    /// Threads that the ladder `cpu` may use [default: as many as can run at once]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS))]
    pub threads: Option<u32>,
    /// Vectors that the ladder `cpu` uses: `auto` (the widest here), `avx512`, `avx2`, `neon` or
    /// `scalar` [default: auto]
    #[arg(long, value_name = "WHICH")]
    pub vectors: Option<String>,
    /// Which code to load: `nvrtc` (compiled here), `committed` (the PTX in kernels/), or `auto`: a
    /// GPU prefers the first, the simulator the second
    #[arg(long, value_name = "ROUTE", default_value = "auto")]
    pub code: CodeRoute,
    /// Decides what is random in verification: sizes, inputs, which of many results are judged. A run
    /// prints its seed; give it to repeat the same [default: another in each run]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Go on with the latest run that had the same options, or with that in the folder of `--out`:
    /// steps that have their row keep it
    #[arg(long)]
    pub resume: bool,
    /// Replace a report that is under version control
    #[arg(long)]
    pub force: bool,
    /// Seconds without progress, in addition to those that the work was expected to take, after which a step
    /// is taken to hang: it is ended and its row says so
    #[arg(long, value_name = "SECONDS", default_value_t = DEADLINE, value_parser = clap::value_parser!(u64).range(1..))]
    pub deadline: u64,
    /// What to print at the end
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Print all that the page holds: the table with errors, limits, accuracy, method and suspects
    #[arg(long)]
    pub details: bool,
    /// Open the page of the report in the browser
    #[arg(long)]
    pub open: bool,
}

/// What commands print on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables to read
    Table,
    /// The same as data, and nothing else
    Json,
}

/// What is printed of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// Tables to read
    Table,
    /// All of it as data
    Json,
    /// A line for each step and size, for spreadsheets
    Csv,
    /// A table for a page
    Markdown,
}

/// A seed that is new and short enough to type.
pub fn new_seed() -> u64 {
    // The standard library's hash tables have keys of their own in every process.
    u64::from(RandomState::new().build_hasher().finish() as u32).max(1)
}

/// The GPU whose hardware is modelled where no other is asked for.
pub const GPU: &str = "h200";
