//! `explain`: why a step is faster or slower than another, from what the simulator counts.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use device::DEFAULT_GPU;
use ladder::{Ladder, Step};
use launches::explain::instructions;
use launches::explain::pass::Passes;
use launches::explain::running::{self, Task};
use launches::explain::text::Comparison;
use launches::explain::timeline::svg;
use report::files::{check_writable, write_whole};
use show::table::terminal;
use ui::output::{mention, print, print_json};
use ui::{Usage, count};

use crate::options::{Format, LaunchLimit};

pub(crate) const EXPLAIN_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness explain 06                     step 06 against its parent, 05
  harness explain rsqrt --against 02     against an earlier step
  harness explain transpose 02           a step of another ladder
  harness explain 10 --ptx               with the diff of the PTX
  harness explain 06 --gpu gtx-680       modelled for another GPU
  harness explain 06 --trace 06.svg      with a timeline of the first warps
  harness explain 06 --kernel my.cu      your version of step 06 against it

Both run one pass on the simulator with the same inputs. Counts are exact;
times are modelled.
Exit codes: 0 explained; 1 hazards in your kernel, or an error; 2 usage";

/// The options of `explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The step to explain, by number, name or folder, after its ladder if that is not nbody: `06`,
    /// `shared-blocking`, `transpose 03`
    #[arg(required = true, value_name = "LADDER|STEP")]
    pub names: Vec<String>,
    /// The step to compare it with [default: its parent]
    #[arg(long, value_name = "STEP")]
    pub against: Option<String>,
    /// Your .cu, .ptx or .rs file in place of STEP, compared with STEP itself
    #[arg(short, long, value_name = "FILE")]
    pub kernel: Option<PathBuf>,
    /// The GPU whose hardware is modelled: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(short, long, alias = "model", value_name = "GPU", default_value = DEFAULT_GPU)]
    pub gpu: String,
    /// The size; k and M are powers of ten [default: one that fills the GPU and simulates in a
    /// second or two]
    #[arg(short = 'n', long, value_name = "N", value_parser = count::parse)]
    pub size: Option<u64>,
    /// Also show the diff of the PTX
    #[arg(long)]
    pub ptx: bool,
    /// Also show the diff of the machine code for the GPU's architecture
    #[arg(long)]
    pub sass: bool,
    /// Draw a timeline of the first warps into this SVG file
    #[arg(long, value_name = "FILE.svg")]
    pub trace: Option<PathBuf>,
    /// How long a launch may take
    #[command(flatten)]
    pub launches: LaunchLimit,
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// Runs both steps and shows how they differ.
pub fn run(args: &ExplainArgs) -> Result<ExitCode> {
    args.launches.set();
    let named = ladders::named(&args.names)?;
    let ladder = ladders::ladder_of_kernels(named.ladder().name(), "explain")?;
    let step = &named.step()?;
    let against = &against(args, ladder, step)?;
    if let Some(file) = &args.trace {
        check_writable(file)?;
    }
    let gpu = &device::described(&args.gpu).map_err(Usage::of)?;
    let kernels = &ladder.kernels()?;
    let size = |step| args.size.map_or_else(|| running::size(ladder, step, gpu), Ok);
    let (before, after) = (size(against)?, size(step)?);
    let timeline = args.trace.is_some();
    let old = Task {
        ladder,
        step: against,
        file: None,
        kernels,
        size: before,
        gpu,
        timeline,
        whole: false,
    };
    let new = Task { step, file: args.kernel.as_deref(), size: after, ..old };
    let hazards = match new.file {
        Some(_) => running::hazards(&new)?,
        None => Vec::new(),
    };
    let (before, after) = running::both(&old, &new)?;
    let sides = [&before, &after];
    if let Some(file) = &args.trace {
        let timelines: Vec<_> = sides.iter().filter_map(|side| side.timeline()).collect();
        write_whole(file, |out| out.write_all(svg::picture(&timelines).as_bytes()))?;
        mention(&format!("wrote {}", file.display()));
    }
    let passes = args.size.is_none().then(|| Passes::of(&old, &new)).transpose()?;
    let comparison = Comparison::new((&before, &after), passes.as_ref(), &hazards);
    match args.format {
        Format::Json => print_json(&comparison)?,
        Format::Table => {
            let width = terminal::width();
            let mut code = String::new();
            if args.ptx {
                code += &instructions::ptx(sides, width);
            }
            if args.sass {
                code += &instructions::sass(sides, gpu, width);
            }
            print(&comparison.text(&code, width))?;
        }
    }
    Ok(ExitCode::from(u8::from(!hazards.is_empty())))
}

/// The step to compare with: the one asked for, the step itself where a reader's kernel takes its place, else its parent.
fn against(args: &ExplainArgs, ladder: &dyn Ladder, step: &Step) -> Result<Step, Usage> {
    if let Some(name) = &args.against {
        return ladders::step(ladder, name);
    }
    if args.kernel.is_some() {
        return Ok(*step);
    }
    step.after.and_then(|parent| ladder.step(parent)).ok_or_else(|| {
        Usage(format!(
            "{} comes from no other step; name one to compare it with: --against STEP",
            step.name
        ))
    })
}
