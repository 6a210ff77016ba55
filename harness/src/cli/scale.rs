//! What `scale` can be told.

use std::path::PathBuf;

use clap::Args;
use device::{Choice, CodeRoute};

use super::{Format, profile};
use crate::count::{self, Counts};

/// At most 78 columns wide.
pub const SCALE_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness scale                          1, 2, 4 and 8 GPUs, as many as are here
  harness scale --gpus 1,2 --steps 20    one step on one GPU and on two
  harness scale --size 65536,1048576 --weak 262144
                                         strong scaling at these n, weak from
                                         this n on one GPU
  harness scale --device simt --gpus 4   four simulated GPUs, few bodies
  mpirun -n 4 harness scale --meet DIR   one process for each GPU, on one host
  srun -n 16 harness scale --meet DIR    or on several: DIR is a folder that all
                                         see, and the first process's report
                                         adds to the one that is there

Each step is verified on all GPUs before it is timed. GPUs exchange data through
NCCL (libnccl.so.2; LADDER_NCCL=FILE or FOLDER names one that is to be tried
first). Without it, or with fewer GPUs, rows are `skipped` with the reason.
Exit codes: 0 every row was measured, simulated or skipped;
            1 one was wrong or failed; 2 usage";

/// What `scale` can be told.
#[derive(Debug, Args)]
pub struct ScaleArgs {
    /// Numbers of GPUs: `1,2,4`, `1..8` (doubling) [default: 1,2,4,8; on the simulator 1,2,4; under a
    /// launcher its number of processes]
    #[arg(long, value_name = "LIST", value_parser = count::parse_list)]
    pub gpus: Option<Counts>,
    /// The ladder whose steps are meant
    #[arg(default_value = "nbody")]
    pub ladder: String,
    /// Steps to run [default: those that divide their work, and the steps they come from]
    #[arg(long, visible_alias = "step", value_name = "LIST")]
    pub steps: Option<String>,
    /// Sizes for strong scaling [default: 16384,65536,262144,1048576; on the simulator 2048]
    #[arg(long, value_name = "LIST", value_parser = count::parse_list)]
    pub size: Option<Counts>,
    /// The size on one GPU for weak scaling [default: 262144; on the simulator 1024]
    #[arg(long, value_name = "N", value_parser = count::parse)]
    pub weak: Option<u64>,
    /// Where kernels run: `auto` (GPUs if there are some), `cuda` or `simt`
    #[arg(long, default_value = "auto", value_name = "DEVICE")]
    pub device: Choice,
    /// The GPU whose time the simulator models
    #[arg(long, value_name = "GPU", default_value = profile::GPU)]
    pub gpu: String,
    /// Which code to load: `nvrtc`, `committed` or `auto`
    #[arg(long, value_name = "ROUTE", default_value = "auto")]
    pub code: CodeRoute,
    /// Samples of each time
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub samples: u32,
    /// The least time of a sample in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub sample_ms: u32,
    /// Where the processes of a launcher find each other: a folder that all see; needed under one
    #[arg(long, value_name = "DIR")]
    pub meet: Option<PathBuf>,
    /// Seconds without progress after which a step is taken to hang
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..))]
    pub deadline: u64,
    /// What to print at the end
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Folder for scaling.json and its picture
    #[arg(long, value_name = "DIR", default_value = "reports/local/gpus")]
    pub out: PathBuf,
}
