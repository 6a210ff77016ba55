//! `events`: runs any kernel on the simulator and shows what it did, line by line, and its hazards.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use device::{CodeRoute, Device, SimulatorDevice, Source, Watching};
use show::table::terminal;
use simt::Scheduling;

use crate::events::launch::{self, Request};
use crate::events::text;
use crate::facts::Facts;
use crate::names;
use crate::options::{Format, GPU};
use crate::output::{print, print_json, say};

pub(crate) const EVENTS_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness events saxpy.cu --grid 4 --block 256 \\
      --arg u32=1000 --arg f32=2 --arg f32[1000]=rand --arg f32[1000]=one
  harness events transpose.ptx --entry tiled --grid 32,32 --block 32,8 \\
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
data of --format json are described in harness/src/facts.rs.
Exit codes: 0 no hazard was found; 1 hazards, or an error; 2 usage";

/// The options of `events`.
#[derive(Debug, Args)]
pub struct EventsArgs {
    /// The kernel's file: CUDA C++ (.cu) or PTX (.ptx)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The launch
    #[command(flatten)]
    pub launch: Request,
    /// The GPU whose hardware is modelled: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(short, long, value_name = "GPU", default_value = GPU)]
    pub gpu: String,
    /// How lanes that parted at a branch go on: `independent` (each makes progress, since compute
    /// capability 7.0) or `lockstep` (those that left a loop wait for the others, before)
    #[arg(long, value_name = "HOW", default_value_t)]
    pub scheduling: Scheduling,
    /// Do not look for hazards
    #[arg(long)]
    pub no_hazards: bool,
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// Runs the kernel and shows what it did; the exit code says whether hazards were found.
pub fn run(args: &EventsArgs) -> Result<ExitCode> {
    let facts = facts(args)?;
    match args.format {
        Format::Table => print(&text::text(&facts, terminal::width()))?,
        Format::Json => print_json(&facts)?,
    }
    Ok(ExitCode::from(u8::from(!facts.hazards.is_empty())))
}

/// Runs the kernel.
pub fn facts(args: &EventsArgs) -> Result<Facts> {
    let gpu = names::gpu(&args.gpu)?;
    let source = Source::from_file(&args.file, &[])?;
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu);
    device.schedule(args.scheduling);
    let limit = Some(device::launch_limit()?);
    device.watch(Watching { hazards: !args.no_hazards, limit, ..Watching::default() });
    let facts = launch::run(&mut device, &source, &args.launch);
    if facts.is_err() {
        // What a kernel printed before it was stopped often says why.
        let printed = device.take_printed().text;
        printed.lines().for_each(say);
    }
    facts
}
