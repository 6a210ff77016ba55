//! `events`: runs any kernels on the simulator and shows what they did, line by line, their hazards and their results.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use device::{CodeRoute, DEFAULT_GPU, Source};
use launches::events::outcome::{self, Setting};
use launches::events::plan::Plan;
use launches::events::request::Request;
use launches::events::results::Outcome;
use launches::events::text;
use show::table::terminal;
use simt::Scheduling;
use ui::Usage;
use ui::output::{mention, print, print_json};

use crate::options::{Format, LaunchLimit};

pub(crate) const EVENTS_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness events saxpy.cu --grid 4 --block 256 \\
      --arg u32=1000 --arg f32=2 --arg f32[1000]=rand --arg f32[1000]=one
  harness events transpose.ptx --entry tiled --grid 32,32 --block 32,8 \\
      --arg f32[1M]=iota --arg f32[1M]=uninit --gpu rtx-4090
  harness events my.cu --grid 1 --block 64 --const n=i32=64 \\
      --const data=f32[64]=@data.bin --format json > events.json
with results, and data in NumPy files:
  harness events saxpy.cu --grid 4 --block 256 --arg u32=1000 --arg f32=2 \\
      --arg x=@x.npy --arg y=@y.npy --print 'y[0..8]' \\
      --expect y=@want.npy --rtol 1e-5 --save y=out.npy
several launches that share buffers, with compiler options:
  harness events scan.cu -I include -D N=1024 --std c++17 --arch sm_80 \\
      --launch 'sums<<<4, 256, 1024>>>(x=f32[1024]=one, s=f32[4]=uninit)' \\
      --launch 'add<<<4, 256>>>(x, s)' --print s
  harness events scan.cu --launches scan.toml

Give arguments in the order of the kernel's parameters. TYPE is u8, i8, u16,
i16, u32, i32, u64, i64, f16, bf16, f32 or f64; counts may end in k or M
(powers of ten).
  i32=-3            a number; u8=0xff, f32=1e-3
  f32=1,2,3         a vector or an array of three floats, by value
  {i32=5; f32=1,2; x}
                    a struct, laid out as in C; x is the address of a buffer
  f32[1024]=FILL    a buffer of 1024 elements; passes its address. FILL:
    rand    random: floats in [0, 1), integers below the count
    iota    0, 1, 2, …          zero, one, 0.5    this number everywhere
    @FILE   a .npy of that type and size, or raw bytes
    uninit  nothing: reading it is a hazard; f32[1024] alone is the same
  @x.npy            a buffer with the type and size of the array in the file
  NAME=VALUE        the same, with a name for --print, --expect, --save and
                    other launches
  NAME              the buffer or value of that name again
A --const whose size differs from the variable's is a buffer that it points to.

--launches FILE has the same as TOML, with paths relative to it:
  print = [\"s\"]
  expect = [\"x=@want.npy\"]         # rtol = 1e-5, atol = 0, save = [\"x=x.npy\"]
  [buffers]
  x = \"@x.npy\"
  s = \"f32[4]=uninit\"
  [const]
  n = \"i32=1024\"
  [[launch]]
  kernel = \"sums\"
  grid = 4                         # or [32, 8]
  block = 256
  shared = 1024                    # cooperative = true, times = 10
  args = [\"x\", \"s\"]

The .ptx next to a .cu is used if it was made from it; otherwise, and with -D,
--std or --arch, NVRTC compiles the .cu. NVRTC compiles device code only: for a
program with a main(), make PTX (nvcc -lineinfo -ptx FILE) and pass that; lines
of the .cu next to it are shown. `harness doctor` lists the compilers and CUDA
headers found. facts.rs and events/results.rs in harness/launches/src describe
the fields of --format json.
Exit codes: 0 no problem found; 1 hazards, a difference from --expect, or an
            error; 2 usage";

/// The options of `events`.
#[derive(Debug, Args)]
pub struct EventsArgs {
    /// The kernel's file: CUDA C++ (.cu), PTX (.ptx) or Rust (.rs)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The launches
    #[command(flatten)]
    pub launch: Request,
    /// The GPU whose hardware is modelled: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(short, long, alias = "model", value_name = "GPU", default_value = DEFAULT_GPU)]
    pub gpu: String,
    /// Scheduling of divergent lanes: `independent` (all make progress, compute capability 7.0 and
    /// later) or `lockstep` (lanes that left a loop wait for the others, before 7.0)
    #[arg(long, value_name = "HOW", default_value_t, hide_short_help = true)]
    pub scheduling: Scheduling,
    /// How a .cu is compiled
    #[command(flatten)]
    pub compile: Compile,
    /// Do not check for hazards
    #[arg(long)]
    pub no_hazards: bool,
    /// How long a launch may take
    #[command(flatten)]
    pub launches: LaunchLimit,
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// How a `.cu` is compiled.
#[derive(Debug, Args)]
pub struct Compile {
    /// Compile for this architecture: sm_80, compute_80 or 80 [default: the oldest the
    /// compiler supports]
    #[arg(long, value_name = "ARCH", value_parser = architecture, hide_short_help = true)]
    pub arch: Option<(u32, u32)>,
    /// Search this folder for included files, after that of FILE and before CUDA's own
    #[arg(short = 'I', long = "include", value_name = "DIR", hide_short_help = true)]
    pub folders: Vec<PathBuf>,
    /// Define a macro: NAME or NAME=VALUE
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", hide_short_help = true)]
    pub defines: Vec<String>,
    /// The C++ standard: c++14, c++17 or c++20 [default: the compiler's]
    #[arg(long, value_name = "STD", value_parser = ["c++11", "c++14", "c++17", "c++20"], hide_short_help = true)]
    pub std: Option<String>,
}

impl Compile {
    /// Whether something is asked for that only a compiler can do.
    fn is_asked(&self) -> bool {
        self.arch.is_some() || !self.defines.is_empty() || self.std.is_some()
    }

    /// Reads the file as it is to be compiled.
    fn source(&self, file: &Path) -> Result<Source> {
        let ends_in = |ending| file.extension().is_some_and(|it| it.eq_ignore_ascii_case(ending));
        let takes_none = ends_in("ptx") || ends_in("rs");
        if takes_none && (self.is_asked() || !self.folders.is_empty()) {
            let name = file.display();
            let why = "takes no compile options: these are for CUDA C++; leave out --arch, -I, -D and --std, or name the .cu";
            return Err(Usage(format!("{name} {why}")).into());
        }
        let mut options: Vec<String> = self.defines.iter().map(|it| format!("-D{it}")).collect();
        options.extend(self.std.iter().map(|std| format!("--std={std}")));
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let mut source = Source::foreign(file, &options, &self.folders)?;
        if let Some(needs) = self.arch {
            source.needs = needs;
        }
        Ok(source)
    }
}

/// Reads `sm_80`, `compute_80`, `80` or `8.0`.
fn architecture(text: &str) -> Result<(u32, u32), Usage> {
    let digits = text.strip_prefix("sm_").or(text.strip_prefix("compute_")).unwrap_or(text);
    let digits = digits.replacen('.', "", 1);
    match digits.parse::<u32>() {
        Ok(number @ 30..=999) => Ok((number / 10, number % 10)),
        _ => Err("write an architecture as sm_80, compute_80 or 80".into()),
    }
}

/// Runs the kernels and shows what they did; the exit code says whether hazards or differences were found.
pub fn run(args: &EventsArgs) -> Result<ExitCode> {
    args.launches.set();
    let outcome = outcome(args)?;
    match args.format {
        Format::Table => print(&text::text(&outcome, terminal::width()))?,
        Format::Json => print_json(&outcome)?,
    }
    outcome.saved.iter().for_each(|file| mention(&format!("wrote {file}")));
    Ok(ExitCode::from(u8::from(!outcome.is_good())))
}

/// Runs the kernels.
pub fn outcome(args: &EventsArgs) -> Result<Outcome> {
    let gpu = device::described(&args.gpu).map_err(Usage::of)?;
    let plan: Plan = args.launch.plan()?;
    let source = args.compile.source(&args.file)?;
    let is_compiled = args.compile.is_asked() && source.cuda.is_some();
    let route = if is_compiled { CodeRoute::Compiled(None) } else { CodeRoute::Auto };
    let setting = Setting { gpu, route, scheduling: args.scheduling, hazards: !args.no_hazards };
    outcome::outcome(&setting, &source, &plan)
}

#[cfg(test)]
mod tests {
    use super::architecture;

    #[test]
    fn architectures_have_several_spellings() {
        for text in ["sm_80", "compute_80", "80", "8.0"] {
            assert_eq!(architecture(text), Ok((8, 0)), "{text}");
        }
        assert_eq!(architecture("sm_120"), Ok((12, 0)));
        for wrong in ["", "sm_", "ampere", "8", "sm_80a", "-80"] {
            assert!(architecture(wrong).is_err_and(|why| why.0.contains("sm_80")), "{wrong}");
        }
    }
}
