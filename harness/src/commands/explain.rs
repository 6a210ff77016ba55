//! `explain`: why a step is faster or slower than another, from what the simulator counts.

use crate::options::GPU;
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use anyhow::{Context, Result, anyhow};
use ladder::{Ladder, Step};
use report::files::{check_writable, write_whole};

use crate::count;
use crate::explain::compare::compare;
use crate::explain::json::Explanation;
use crate::explain::running::{self, Side, Task};
use crate::explain::text::{self, Comparison};
use crate::explain::timeline::{self, Timeline};
use crate::explain::verdict::verdict;
use crate::names::{self, Usage};
use crate::options::Format;
use crate::output::{print, say};
use clap::Args;
use show::table::terminal;
use std::path::PathBuf;

pub(crate) const EXPLAIN_EXAMPLES: &str = "\
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

/// The options of `explain`.
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

/// Runs both steps and shows how they differ.
pub fn run(args: &ExplainArgs) -> Result<ExitCode> {
    let ladder = names::ladder_of_kernels(&args.ladder, "explain")?;
    let step = names::step(ladder, &args.step)?;
    let against = against(args, ladder, &step)?;
    if let Some(file) = &args.trace {
        check_writable(file)?;
    }
    let gpu = device::described(&args.gpu).map_err(|error| Usage(error.to_string()))?;
    let kernels = running::kernels(ladder.name())?;
    let size = |step| args.size.map_or_else(|| running::size(ladder, step, &gpu), Ok);
    let trace = args.trace.as_ref().map(|_| timeline::REQUEST);
    let old = Task {
        ladder,
        step: &against,
        file: None,
        kernels: &kernels,
        size: size(&against)?,
        gpu: &gpu,
        trace,
    };
    let new = Task { step: &step, file: args.kernel.as_deref(), size: size(&step)?, ..old };
    let hazards = match new.file {
        Some(_) => running::hazards(&new)?,
        None => Vec::new(),
    };
    let (mut before, after) = both(&old, &new)?;
    if after.facts.machine.arch.is_none() && before.facts.machine.arch.is_some() {
        before = running::run_expanded(&old)?;
    }
    if let Some(file) = &args.trace {
        draw(file, [&before, &after])?;
    }
    let rows = compare(&before, &after);
    let verdict = verdict(&before, &after, &rows);
    let comparison = Comparison {
        before: &before,
        after: &after,
        rows: &rows,
        verdict: &verdict,
        hazards: &hazards,
        ptx: args.ptx,
        sass: args.sass,
        gpu: &gpu,
    };
    match args.format {
        Format::Table => {
            print(&text::text(&comparison, args.width.unwrap_or_else(terminal::width)))?;
        }
        Format::Json => {
            let json = serde_json::to_string_pretty(&Explanation::new(&comparison))
                .context("cannot write the explanation")?;
            print(&format!("{json}\n"))?;
        }
    }
    Ok(ExitCode::from(u8::from(!hazards.is_empty())))
}

/// The step to compare with: the one asked for, the step itself where a reader's kernel takes its place, else its parent.
fn against(args: &ExplainArgs, ladder: &dyn Ladder, step: &Step) -> Result<Step, Usage> {
    if let Some(name) = &args.against {
        return names::step(ladder, name);
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

/// Draws what the warps of both did.
fn draw(file: &Path, sides: [&Side; 2]) -> Result<()> {
    let drawn = sides.map(|side| Timeline::of(side).map(|it| (it, side.facts.lines.as_slice())));
    let picture = timeline::svg(&drawn.into_iter().flatten().collect::<Vec<_>>());
    write_whole(file, |out| out.write_all(picture.as_bytes()))?;
    say(&format!("wrote {}", file.display()));
    Ok(())
}

/// Runs both at the same time.
fn both(old: &Task, new: &Task) -> Result<(Side, Side)> {
    thread::scope(|scope| {
        let old = scope.spawn(|| running::run(old));
        let after = running::run(new);
        let before =
            old.join().map_err(|_| anyhow!("the simulator gave up; please report this"))?;
        Ok((before?, after?))
    })
}
