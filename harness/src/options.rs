//! Options that several commands have.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use device::{Choice, CodeRoute, DEFAULT_GPU, Scheduling};
use ui::{Usage, count};

/// Seconds without progress after which a step is taken to hang: one verification takes the slowest
/// step four seconds on the simulator with one core.
const DEADLINE: u64 = 30;

/// The most threads that can be asked for on the CPU: more than any computer of one system has.
const MOST_THREADS: i64 = 4096;

/// Which code is to run.
#[derive(Debug, Args)]
pub struct What {
    /// A ladder of `harness list`, steps of it by number, name or range, or both: `transpose`, `06`, `transpose
    /// 03..05`; `all` is every ladder [default: `nbody`, then `cpu`]
    #[arg(value_name = "LADDER|STEP")]
    pub names: Vec<String>,
    /// The ladder among these names
    #[arg(skip)]
    pub ladder: Option<String>,
    /// Steps to run, another way to name them: `05`, `rsqrt`, `01..06`, `05,06` [default: all]
    #[arg(short, long, visible_alias = "step", value_name = "LIST")]
    pub steps: Option<String>,
    /// Your `.cu`, `.ptx` or `.rs` file, run in place of the step given by `--as`
    #[arg(short, long, value_name = "FILE", requires = "stands_for")]
    pub kernel: Option<PathBuf>,
    /// The step that `--kernel` replaces; only this step runs, unless `--steps` names more
    #[arg(long = "as", value_name = "STEP", id = "stands_for", requires = "kernel")]
    pub stands_for: Option<String>,
    /// The kernel is untrusted code: it runs sandboxed on the simulator, without files but those of its folder,
    /// without network and without other processes
    #[arg(long, requires = "kernel", hide_short_help = true)]
    pub untrusted: bool,
}

impl What {
    /// Finds out which of the names is a ladder and which are steps.
    ///
    /// # Errors
    /// One is neither.
    pub fn settle(&mut self) -> Result<(), Usage> {
        if self.names == ["all"] {
            self.ladder = Some("all".to_owned());
            return Ok(());
        }
        let named = ladders::named(&self.names)?;
        self.ladder = named.ladder.map(|ladder| ladder.name().to_owned());
        let lists = [named.steps, self.steps.take()].into_iter().flatten();
        self.steps = lists.reduce(|one, other| format!("{one},{other}"));
        Ok(())
    }
}

/// Where and how it runs, and where it leaves what was found.
#[derive(Debug, Clone, Args)]
pub struct How {
    /// Device: `auto` (a GPU if present), `cuda`, `cuda:N` (GPU number N), `simt` (simulator); the ladder
    /// `cpu` runs on `cpu`
    #[arg(short, long, default_value = "auto", value_name = "DEVICE")]
    pub device: Choice,
    /// The GPU whose time the simulator models: a name of `harness gpus` or a part of it, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(short, long, alias = "model", value_name = "GPU", default_value = DEFAULT_GPU)]
    pub gpu: String,
    /// Scheduling of divergent lanes in the simulator: `independent` (all make progress, compute
    /// capability 7.0 and later) or `lockstep` (lanes that left a loop wait for the others, before 7.0)
    #[arg(long, value_name = "HOW", default_value = "independent", hide_short_help = true)]
    pub scheduling: Scheduling,
    /// Threads of the ladder `cpu` [default: all hardware threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_THREADS), hide_short_help = true)]
    pub threads: Option<u32>,
    /// Vector instructions of the ladder `cpu`: `auto` (the widest here), `avx512`, `avx2`, `neon` or
    /// `scalar` [default: auto]
    #[arg(long, value_name = "WHICH", hide_short_help = true)]
    pub vectors: Option<String>,
    /// Code to load: `compiled` (here; `nvrtc` or `clang` by that compiler), `committed` (the PTX in
    /// kernels/), or `auto`: `nvrtc` on a GPU, `committed` on the simulator
    #[arg(long, value_name = "ROUTE", default_value = "auto", hide_short_help = true)]
    pub code: CodeRoute,
    /// Seed of verification: random sizes, inputs, and which of many results are checked. A run prints its
    /// seed; pass it to repeat the run [default: a new one in each run]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub seed: Option<u64>,
    /// Continue the latest run with the same options, or the one in `--out`; finished steps keep their
    /// row
    #[arg(long)]
    pub resume: bool,
    /// Replace a report that is under version control
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// Seconds without progress, beyond the expected duration, after which a step is stopped as hung; its row
    /// says so
    #[arg(long, value_name = "SECONDS", default_value_t = DEADLINE, value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub deadline: u64,
    /// How long a launch may take
    #[command(flatten)]
    pub launches: LaunchLimit,
    /// What to print at the end
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Also print the table with errors, the limits, accuracy, method and disturbed samples
    #[arg(long)]
    pub details: bool,
    /// Open the report's page in the browser
    #[arg(long)]
    pub open: bool,
}

/// How long a launch may be simulated.
#[derive(Debug, Clone, Copy, Args)]
pub struct LaunchLimit {
    /// On the simulator, stop a launch as endless after this many seconds of CPU time in which no block ended; 12
    /// times as many if it has one block or blocks that wait for each other [default: 5, or
    /// LADDER_LAUNCH_SECONDS]
    #[arg(long, global = true, value_name = "SECONDS", value_parser = count::parse_u32, hide_short_help = true)]
    launch_limit: Option<u32>,
}

impl LaunchLimit {
    /// Sets it for this process and those that it starts.
    pub fn set(self) {
        if let Some(seconds) = self.launch_limit {
            device::choose_launch_limit(seconds);
            processes::hand_down(device::LAUNCH_SECONDS, seconds.to_string());
        }
    }
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
