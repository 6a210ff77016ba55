//! `events`: runs any kernel on the simulator and shows what it did, line by line, and its hazards.

use crate::options::GPU;
use std::process::ExitCode;

use anyhow::{Context, Result};
use device::{CodeRoute, Device, SimulatorDevice, Source, Watching};

use crate::count;
use crate::events::launch::{self, Request};
use crate::events::shape;
use crate::events::text;
use crate::events::value::{self, Value};
use crate::explain::facts::Facts;
use crate::names::Usage;
use crate::options::Format;
use crate::output::print;
use clap::Args;
use show::table::terminal;
use simt::Scheduling;
use std::path::PathBuf;

pub(crate) const EVENTS_EXAMPLES: &str = "\
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

The .ptx next to a .cu is used if it was made from it, else NVRTC compiles. The
data of --format json are described in harness/src/explain/facts.rs.
Exit codes: 0 no hazard was found; 1 hazards, or an error; 2 usage";

/// The options of `events`.
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

/// Runs the kernel and shows what it did; the exit code says whether hazards were found.
pub fn run(args: &EventsArgs) -> Result<ExitCode> {
    let facts = facts(args)?;
    match args.format {
        Format::Table => print(&text::text(&facts, terminal::width()))?,
        Format::Json => {
            let json = serde_json::to_string_pretty(&facts).context("cannot write the events")?;
            print(&format!("{json}\n"))?;
        }
    }
    Ok(ExitCode::from(u8::from(!facts.hazards.is_empty())))
}

/// Runs the kernel.
///
/// # Errors
/// A GPU that is not known, a file that cannot be used, or as [`launch::run`].
pub fn facts(args: &EventsArgs) -> Result<Facts> {
    let gpu = device::described(&args.gpu).map_err(|error| Usage(error.to_string()))?;
    let source = Source::from_file(&args.file, &[])?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu);
    device.schedule(args.scheduling);
    let limit = Some(device::launch_limit()?);
    device.watch(Watching { hazards: !args.no_hazards, limit, ..Watching::default() });
    let request = Request {
        kernel: args.kernel.as_deref(),
        grid: args.grid,
        block: args.block,
        shared_bytes: args.shared.unwrap_or(0),
        arguments: &args.arguments,
        variables: &args.variables,
        seed: args.seed,
    };
    launch::run(&mut device, &source, &request)
}
