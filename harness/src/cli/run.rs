//! What `run` and `sweep` can be told.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use device::{Choice, CodeRoute, Scheduling};

use report::Defines;

use super::{Format, profile};
use crate::count::{self, Counts};

/// Seconds without progress after which a step is taken to hang: one verification takes the slowest
/// step four seconds on the simulator with one core.
const DEADLINE: u64 = 30;

/// The most threads that can be asked for on the CPU: more than any computer of one system has.
const MOST_THREADS: i64 = 4096;

/// At most 78 columns wide, so that a narrow terminal does not fold them.
pub const RUN_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness run                            all: kernels on the best device, then
                                         the CPU's ladder
  harness run cpu --threads 1            the CPU's ladder alone, one thread
  harness run transpose                  another ladder; `all` climbs all
  harness run --device simt --size 4096  on the simulator, all at size 4096
  harness run --steps 01..06,09          a range and a step, by number, or
  harness run --steps rsqrt,08-no-if     by name or folder
  harness run --kernel my.cu --as 06     your kernel in the place of step 06
  harness run --kernel my.cu --as 06 --steps 05,06
                                         the same, with the step before it
  harness run --bodies in.csv --save out.csv --time-steps 100
                                         where your bodies are 100 steps later
  harness run --format json > run.json   the report alone on standard output
  harness run --resume                   goes on where Ctrl-C ended it

On a machine to which only the program was copied, LADDER_REVISION names the
git revision for the report.
A step is compared with the one it comes from (`after` in `harness list`) at
an equal size; both must be run for that.
Exit codes: 0 every step was measured, simulated or skipped;
            1 a step was wrong or failed, or nothing could run; 2 usage;
            130 Ctrl-C (the report holds the steps that were finished)";

/// At most 78 columns wide.
pub const SWEEP_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness sweep --size 1k..1M            all steps at 1000, 2000, 4000 … 1000000
  harness sweep --steps 06,10 --size 1024..131072
                                         two steps at powers of two
  harness sweep --steps 05 --block 32..1024
                                         blocks of 32, 64 … 1024 threads
  harness sweep --steps 06 --block 64,128,256 --size 65536
                                         these blocks, all at one size
  harness sweep --steps 14 --define UNROLL=1,2,4,8,16
                                         step 14 compiled with each -DUNROLL=…
  harness sweep --steps 14 --define UNROLL=1..16 --block 64,128,256
                                         all combinations; also with --define
                                         given twice
  harness sweep --kernel my.cu --as 14 --define UNROLL=1,2,4
                                         your kernel in the place of step 14
  harness sweep cpu --size 1k..32k       the CPU's ladder

A step stops at the largest size that it can do in reasonable time. Where a
tile is as large as a block, other blocks need NVRTC (see `harness doctor`),
and so does --define. It takes the names to which a kernel gives a value only
where there is none: #ifndef UNROLL, #define UNROLL 4, #endif.
With --block, rules of thumb for the size of a block are held against what
was measured.
Exit codes: as those of `run`";

/// Which code is to run.
#[derive(Debug, Args)]
pub struct What {
    /// The ladder to climb, one of `harness list`, or `all` [default: `run` climbs `nbody` and `cpu`,
    /// one after the other, if it is asked for nothing that is for one ladder; else `nbody`]
    pub ladder: Option<String>,
    /// Steps to run, by number, name or folder: `05`, `rsqrt`, `01..06`, `05,06` [default: all]
    #[arg(long, visible_alias = "step", value_name = "LIST")]
    pub steps: Option<String>,
    /// A `.cu` or `.ptx` file of yours, to be run in the place of the step given by `--as`
    #[arg(long, value_name = "FILE", requires = "stands_for")]
    pub kernel: Option<PathBuf>,
    /// The step whose place `--kernel` takes; only this step is run unless `--steps` asks for more
    #[arg(long = "as", value_name = "STEP", id = "stands_for", requires = "kernel")]
    pub stands_for: Option<String>,
}

/// Where and how it runs, and where it leaves what was found.
#[derive(Debug, Clone, Args)]
pub struct How {
    /// Where kernels run: `auto` (a GPU if there is one), `cuda`, `cuda:N` (GPU number N), `simt` (the
    /// simulator); the ladder `cpu` runs on `cpu`
    #[arg(long, default_value = "auto", value_name = "DEVICE")]
    pub device: Choice,
    /// The GPU whose time the simulator models: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(long, value_name = "GPU", default_value = profile::GPU)]
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
    /// Go on with the run in the folder of `--out` that was interrupted: steps that have their row
    /// keep it
    #[arg(long)]
    pub resume: bool,
    /// Seconds without progress, beside those that the work was expected to take, after which a step
    /// is taken to hang: it is ended and its row says so
    #[arg(long, value_name = "SECONDS", default_value_t = DEADLINE, value_parser = clap::value_parser!(u64).range(1..))]
    pub deadline: u64,
    /// What to print at the end
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// What a run can be told.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Which code
    #[command(flatten)]
    pub what: What,
    /// The size (of n-body: bodies); k and M are powers of ten [default: what each step can do in
    /// reasonable time]
    #[arg(long, value_name = "N", value_parser = count::parse, allow_negative_numbers = true)]
    pub size: Option<u64>,
    /// Options that only a ladder's problem has: see [`super::problem_options`].
    #[arg(skip)]
    pub problem: BTreeMap<String, String>,
    /// Where and how
    #[command(flatten)]
    pub how: How,
    /// Folder for the report and its pictures; a run of several ladders has a folder in it for each
    /// [default: reports/local/LADDER]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// What a sweep can be told.
#[derive(Debug, Args)]
#[group(skip)]
#[command(group(ArgGroup::new("over").args(["size", "block", "define"]).required(true).multiple(true)))]
pub struct SweepArgs {
    /// Which code
    #[command(flatten)]
    pub what: What,
    /// Sizes: `1k..1M` (doubling from the first up to the last), `4096,10k`, or both
    #[arg(long, value_name = "LIST", value_parser = count::parse_list)]
    pub size: Option<Counts>,
    /// Threads of a block, from 1 to 1024, written as those
    #[arg(long, value_name = "LIST", value_parser = count::parse_list)]
    pub block: Option<Counts>,
    /// Values of a parameter that the kernel offers: `UNROLL=1,2,4`, `UNROLL=1..16`; the kernel is
    /// compiled with each. Several times: all combinations
    #[arg(long, value_name = "NAME=LIST", value_parser = count::parse_defines)]
    pub define: Vec<Defines>,
    /// Where and how
    #[command(flatten)]
    pub how: How,
    /// Folder for the report and its pictures [default: reports/local/LADDER/sweep]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
