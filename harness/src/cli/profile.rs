//! What the commands that explain can be told: `events`, `explain` and `gpus`.

use std::path::PathBuf;

use clap::Args;
use simt::Scheduling;

use super::Format;

use crate::count;
use crate::events::shape;
use crate::events::value::{self, Value};

/// The GPU whose hardware is modelled where no other is asked for.
pub(super) const GPU: &str = "h200";

pub(super) const EVENTS_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness events saxpy.cu --grid 4 --block 256 \\
      --arg u32=1000 --arg f32=2 --arg f32[1000]=rand --arg f32[1000]=one
  harness events transpose.ptx --kernel tiled --grid 32,32 --block 32,8 \\
      --arg f32[1M]=iota --arg f32[1M]=uninit --gpu rtx-4090
  harness events my.cu --grid 1 --block 64 --const n=i32=64 \\
      --const data=f32[64]=@data.bin --format json > events.json

Arguments stand in the order of the kernel's parameters. TYPE is u8, i8, u16,
i16, u32, i32, u64, i64, f32 or f64; numbers may end in k or M (powers of ten).
  --arg i32=-3              a number; u8=0xff, f32=1e-3
  --arg f32=1,2,3           a vector or struct of three floats
  --arg f32[1024]=FILL      a buffer of 1024, whose address is passed. FILL:
    rand    random: floats from 0 up to 1, integers from 0 up to the count
    iota    0, 1, 2, …          zero, one, 0.5    the same number everywhere
    @FILE   a file's bytes      uninit    nothing: reading it is a hazard
A --const whose size is not the variable's is a buffer that it points to.

The .ptx beside a .cu is used if it was made from it, else NVRTC compiles. The
data of --format json are described in harness/src/explain/facts.rs.
Exit codes: 0 no hazard was found; 1 hazards, or an error; 2 usage";

/// What `events` can be told.
#[derive(Debug, Args)]
pub struct EventsArgs {
    /// The kernel's file: CUDA C++ (.cu) or PTX (.ptx)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The kernel; may be left out where the file has only one
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// Blocks of the grid: X, or X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = shape::parse)]
    pub grid: [u32; 3],
    /// Threads of a block: X, or X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = shape::parse)]
    pub block: [u32; 3],
    /// Dynamic shared memory of a block in bytes
    #[arg(long, value_name = "BYTES", value_parser = count::parse_u32)]
    pub shared: Option<u32>,
    /// The next argument of the kernel, TYPE=NUMBER or TYPE[COUNT]=FILL; see below
    #[arg(long = "arg", value_name = "VALUE")]
    pub arguments: Vec<Value>,
    /// A __constant__ or __device__ variable: NAME=VALUE with a value as for --arg
    #[arg(long = "const", value_name = "NAME=VALUE", value_parser = value::variable)]
    pub variables: Vec<(String, Value)>,
    /// Seed of random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The GPU whose hardware is modelled: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(long, value_name = "GPU", default_value = GPU)]
    pub gpu: String,
    /// How lanes that parted at a branch go on: `independent` (each makes progress, since compute
    /// capability 7.0) or `lockstep` (those that left a loop wait for the others, before)
    #[arg(long, value_name = "HOW", default_value_t)]
    pub scheduling: Scheduling,
    /// Do not look for hazards
    #[arg(long)]
    pub no_hazards: bool,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness explain 06                     step 06 against its parent, 05
  harness explain rsqrt --against 02     over several steps at once
  harness explain 10 --ptx               with the difference of instructions
  harness explain 06 --gpu gtx-680       on another GPU
  harness explain 06 --trace 06.svg      with a timeline of the first warps
  harness explain 06 --kernel my.cu      your version of step 06 against it

Both run one force evaluation on the simulator, on the same cluster of bodies.
Counts are exact; times are a model's. Exit codes: 0 explained; 1 hazards in
your kernel, or an error; 2 usage";

/// What `explain` can be told.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The step to explain, by number, name or folder: 06, shared-blocking
    pub step: String,
    /// The ladder that it belongs to
    #[arg(long, default_value = "nbody")]
    pub ladder: String,
    /// The step to compare it with [default: the one it comes from]
    #[arg(long, value_name = "STEP")]
    pub against: Option<String>,
    /// A .cu or .ptx file of yours in the place of STEP, compared with STEP itself
    #[arg(long, value_name = "FILE")]
    pub kernel: Option<PathBuf>,
    /// The GPU whose hardware is modelled: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(long, value_name = "GPU", default_value = GPU)]
    pub gpu: String,
    /// The size; k and M are powers of ten [default: one that fills the GPU and is simulated in a
    /// second or two]
    #[arg(long, value_name = "N", value_parser = count::parse)]
    pub size: Option<u64>,
    /// Show the difference of PTX instructions too
    #[arg(long)]
    pub ptx: bool,
    /// Show the difference of machine instructions too, for the GPU's architecture
    #[arg(long)]
    pub sass: bool,
    /// Draw what the first warps do into this file, an SVG
    #[arg(long, value_name = "FILE.svg")]
    pub trace: Option<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Columns to print in [default: the terminal's]
    #[arg(long, value_name = "COLUMNS")]
    pub width: Option<usize>,
}

pub(super) const GPUS_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness gpus                           all of them
  harness gpus h200                      every number of one, and its source
  harness gpus my-gpu.toml               the same of a file of your own
  harness explain 06 --gpu gtx-680       what the time model makes of it

Units are in the names: MHz, GB/s, bytes. Throughput is in lanes per clock and
multiprocessor, or bytes per clock where the name says so; latency is in
clocks. harness/simt/gpus/README.md explains the tables and short sources.";

/// Which GPUs to show.
#[derive(Debug, Args)]
pub struct GpusArgs {
    /// A GPU's name, a compute capability, or a TOML file [default: all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
}
