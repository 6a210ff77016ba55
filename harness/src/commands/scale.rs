//! `scale`: runs steps on one GPU, on two, on four …, and shows how their speed grows.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use device::{Choice, CodeRoute, DEFAULT_GPU, Launched, job, launched};
use processes::{INTERRUPTED_EXIT, Interrupt};
use report::files::write_whole;
use report::scaling::{Row, Scaling};
use report::{Outcome, reason};
use show::table::terminal;
use ui::count::{self, Counts};
use ui::output::{note, print, print_data, say, wrote};
use ui::{Usage, new_seed};

use crate::folder::{Folder, check_uncommitted};
use crate::options::{Format, LaunchLimit};
use crate::runs;
use crate::scaling::kept::{self, Asked, Run};
use crate::scaling::plan;
use crate::scaling::predict::{Link, NVLINK_4};
use crate::scaling::task::{Task, variable};

/// At most 78 columns wide.
pub(crate) const SCALE_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness scale                          1, 2, 4 and 8 GPUs, up to those present
  harness scale --gpus 1,2 --steps 20    one step on one GPU and on two
  harness scale --size 65536,1048576 --weak 262144
                                         strong scaling at two sizes, weak
                                         scaling with this n per GPU
  harness scale barnes-hut --size 1M,5M --weak 1M
                                         another ladder
  harness scale --device simt --gpus 4   four simulated GPUs
  harness scale --predict                what eight GPUs like this one would take
  mpirun -n 4 harness scale --rendezvous DIR
                                         one process per GPU, on one host
  srun -n 16 harness scale --rendezvous DIR
                                         or on several; all hosts share DIR, and
                                         rows are added to the report there
  harness scale --resume                 continues after Ctrl-C

Each step is verified on all GPUs before it is timed. GPUs exchange data through
NCCL (libnccl.so.2; LADDER_NCCL=FILE or FOLDER is tried first). Without it, or
with too few GPUs, rows are `skipped` with the reason.
Exit codes: 0 every row was measured, simulated or skipped;
            1 one was wrong or failed; 2 usage;
            130 Ctrl-C (the report keeps the finished rows)";

/// The options of `scale`.
#[derive(Debug, Args)]
pub struct ScaleArgs {
    /// Numbers of GPUs: `1,2,4`, `1..8` (doubling) [default: 1,2,4,8; on the simulator 1,2,4; under a
    /// launcher its number of processes]
    #[arg(long, value_name = "LIST", value_parser = count::parse_list)]
    pub gpus: Option<Counts>,
    /// A ladder, steps of it, or both: `barnes-hut`, `20 21` [default: nbody; its steps for several GPUs, and
    /// their parents]
    #[arg(value_name = "LADDER|STEP")]
    pub names: Vec<String>,
    /// Steps to run, another way to name them
    #[arg(short, long, visible_alias = "step", value_name = "LIST")]
    pub steps: Option<String>,
    /// Sizes for strong scaling [default: 16384,65536,262144,1048576; on the simulator 2048]
    #[arg(short = 'n', long, value_name = "LIST", value_parser = count::parse_list)]
    pub size: Option<Counts>,
    /// The size per GPU for weak scaling [default: 262144; on the simulator 1024]
    #[arg(long, value_name = "N", value_parser = count::parse)]
    pub weak: Option<u64>,
    /// Device: `auto` (GPUs if present), `cuda` or `simt` (simulator)
    #[arg(short, long, default_value = "auto", value_name = "DEVICE")]
    pub device: Choice,
    /// The GPU whose time the simulator models
    #[arg(short, long, alias = "model", value_name = "GPU", default_value = DEFAULT_GPU)]
    pub gpu: String,
    /// Which code to load: `nvrtc`, `committed` or `auto`
    #[arg(long, value_name = "ROUTE", default_value = "auto", hide_short_help = true)]
    pub code: CodeRoute,
    /// Predict what several GPUs would take from the GPUs that are here: their ranks take turns, and the time of
    /// exchanges is modelled
    #[arg(long, conflicts_with_all = ["rendezvous"])]
    pub predict: bool,
    /// With --predict: bandwidth of the link of each GPU, in 10⁹ bytes per second and direction
    #[arg(long, value_name = "GB/S", default_value_t = NVLINK_4, requires = "predict", value_parser = link, hide_short_help = true)]
    pub link: f64,
    /// Samples per time
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000), hide_short_help = true)]
    pub samples: u32,
    /// Minimum duration of a sample in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000), hide_short_help = true)]
    pub sample_ms: u32,
    /// Folder, shared by all hosts, where the processes of a launcher (mpirun, srun) find each other
    #[arg(long, alias = "meet", value_name = "DIR", hide_short_help = true)]
    pub rendezvous: Option<PathBuf>,
    /// Seed of random sizes and inputs in verification [default: a new one in each run]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub seed: Option<u64>,
    /// Seconds without progress after which a step is stopped as hung
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..), hide_short_help = true)]
    pub deadline: u64,
    /// How long a launch may take
    #[command(flatten)]
    pub launches: LaunchLimit,
    /// What to print at the end
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Continue the latest interrupted run with the same options, or the one in `--out`; finished rows stay
    #[arg(long, conflicts_with = "rendezvous", hide_short_help = true)]
    pub resume: bool,
    /// Replace a report that is under version control
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// Folder for scaling.json and its picture [default: reports/local/gpus/TIME-LADDER, the last 20 are kept; under a
    /// launcher reports/local/gpus, which collects the rows of several jobs]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Does what `args` ask.
pub fn run(args: &ScaleArgs) -> Result<ExitCode> {
    args.launches.set();
    let place = launched(variable).map_err(|error| Usage(error.to_string()))?;
    let place = place.filter(|place| place.size > 1 || args.rendezvous.is_some());
    let task = task(args, place)?;
    let interrupt = Interrupt::from_user()?;
    // Of the processes of a launcher the first writes for all.
    let writes = place.is_none_or(|place| place.rank == 0);
    let opened = writes.then(|| open(args, &task)).transpose()?;
    let (folder, resumed) = opened.map_or((None, None), |(folder, run)| (Some(folder), run));
    let mut run = resumed.unwrap_or_else(|| task.nothing());
    let _locks = task.locks(&interrupt);
    for &gpus in &task.asked.gpus {
        for step in &task.steps {
            if (gpus == 1 || plan::divides(step)) && !interrupt.is_asked() {
                task.step(step, gpus, &mut run, folder.as_ref(), &interrupt)?;
            }
        }
    }
    let code = exit(&run.report.rows);
    let interrupted = Ok(ExitCode::from(INTERRUPTED_EXIT));
    let Some(folder) = folder else {
        return if interrupt.is_asked() { interrupted } else { Ok(code) };
    };
    if interrupt.is_asked() && run.report.rows.is_empty() {
        say("interrupted before a row was finished; nothing was written");
        return interrupted;
    }
    finish(args, run.report, &folder, place.is_some())?;
    if args.out.is_none()
        && let Some(place) = folder.path().parent().filter(|_| place.is_none())
    {
        runs::tidy(place);
    }
    if !interrupt.is_asked() {
        folder.forget();
        return Ok(code);
    }
    let again = if place.is_some() { "" } else { "; continue with the same command and --resume" };
    say(&format!("interrupted: the report holds the rows that were finished{again}"));
    interrupted
}

/// Reads a bandwidth in 10⁹ bytes/s.
fn link(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(link) if link.is_finite() && link > 0.0 => Ok(link),
        _ => Err("write a bandwidth in 10⁹ bytes per second, such as 360".to_owned()),
    }
}

/// What is to be run.
fn task(args: &ScaleArgs, place: Option<Launched>) -> Result<Task> {
    let names: Vec<String> = args.names.iter().chain(&args.steps).cloned().collect();
    let named = ladders::named(&names)?;
    let ladder = named.ladder();
    let here = device::gpus()?;
    let is_simulated = match args.device {
        Choice::Simt => true,
        Choice::Auto => here == 0,
        Choice::Cuda(0) => false,
        other => bail!(Usage(format!("--device {other}: write auto, cuda or simt"))),
    };
    if args.predict && is_simulated {
        bail!(Usage(
            "--predict times launches on a GPU, and here is none; without it, the simulator models launches alone".to_owned()
        ));
    }
    if place.is_some() && args.rendezvous.is_none() {
        bail!(Usage(
            "there is one process for each GPU: name a folder that all of them share with --rendezvous DIR"
                .to_owned()
        ));
    }
    let list = |given: &Option<Counts>, own: &[u64]| {
        given.as_ref().map_or_else(|| own.to_vec(), |list| list.0.clone())
    };
    let gpus = match place {
        Some(place) => vec![place.size as u64],
        None => list(&args.gpus, if is_simulated { &[1, 2, 4] } else { &[1, 2, 4, 8] }),
    };
    let most = if is_simulated { MOST_SIMULATED } else { MOST_GPUS };
    let gpus: Vec<u32> = gpus
        .into_iter()
        .map(|gpus| u32::try_from(gpus).ok().filter(|gpus| *gpus <= most))
        .collect::<Option<_>>()
        .with_context(|| Usage(format!("--gpus: at most {most}")))?;
    let sizes = list(
        &args.size,
        if is_simulated { &[2048] } else { &[16_384, 65_536, 262_144, 1_048_576] },
    );
    let weak = args.weak.unwrap_or(if is_simulated { 1024 } else { 262_144 });
    let growth = plan::check(ladder, &sizes, weak, &gpus)?;
    let steps = match &named.steps {
        Some(steps) => ladders::steps(ladder, steps)?,
        None => plan::steps(ladder),
    };
    let asked = Asked {
        ladder: ladder.name().to_owned(),
        gpus,
        steps: steps.iter().map(|step| step.name.to_owned()).collect(),
        sizes,
        weak,
        is_simulated,
        model: args.gpu.clone(),
        code: args.code.to_string(),
        samples: args.samples,
        sample_ms: args.sample_ms,
        link: args.predict.then(|| Link::of(1e9 * args.link)),
    };
    let deadline = Duration::from_secs(args.deadline);
    let (rendezvous, seed) = (args.rendezvous.clone(), seed(args, place));
    Ok(Task { ladder, steps, asked, place, here, rendezvous, deadline, seed, growth })
}

/// The folder of the report, and the run that goes on there if one is to be resumed.
fn open(args: &ScaleArgs, task: &Task) -> Result<(Folder, Option<Run>)> {
    // Under a launcher, rows of several jobs come together.
    let joined = task.place.map(|_| PathBuf::from("reports/local/gpus"));
    let out = args.out.clone().or(joined);
    if let Some(out) = &out {
        check_uncommitted(out, args.force)?;
    }
    match args.resume {
        true => Run::resumed(out.as_deref(), &task.asked, args.seed),
        false => Ok((kept::begin(out.as_deref(), &task.asked)?, None)),
    }
}

/// The seed of the run. Processes of a launcher must have the same without a word between them: that
/// of their job.
fn seed(args: &ScaleArgs, place: Option<Launched>) -> u64 {
    args.seed.unwrap_or_else(|| match place {
        Some(_) => job(variable)
            .bytes()
            .fold(1, |seed: u64, byte| seed.wrapping_mul(31).wrapping_add(byte.into()) % (1 << 32)),
        None => new_seed(),
    })
}

/// More GPUs than any site gives to one job of this kind.
const MOST_GPUS: u32 = 4096;

/// More GPUs than one process can simulate in a sitting: each is a thread with memory of its own.
const MOST_SIMULATED: u32 = 64;

/// Relates the rows, shows and writes them. Processes under a launcher have one number of GPUs: their rows join
/// those that are there.
fn finish(args: &ScaleArgs, mut scaling: Scaling, folder: &Folder, joins: bool) -> Result<()> {
    if joins && let Ok(there) = Scaling::read(folder.path()) {
        let rows = std::mem::replace(&mut scaling.rows, there.rows);
        scaling.replace(rows);
    }
    scaling.relate();
    // A folder that is full must not cost what is shown, nor an output that is full the report.
    let is_shown = match args.format {
        Format::Json => print_data(&scaling.to_json()),
        Format::Table => print(&show::scaling::text(&scaling, terminal::width())),
    };
    let files = write(&scaling, folder)?;
    let reasons = scaling.rows.iter().filter_map(|row| row.reason.as_deref());
    reason::remove_others(folder.path(), reasons);
    is_shown?;
    match args.format {
        Format::Json => Ok(()),
        Format::Table => note(&format!("\n{}\n", wrote(&files))),
    }
}

/// Writes the report and its picture.
fn write(scaling: &Scaling, folder: &Folder) -> Result<Vec<PathBuf>> {
    let mut files = vec![folder.finish(&scaling.to_json())?];
    if let Some(picture) = pictures::scaling(scaling) {
        let file = folder.path().join(format!("{}.svg", picture.name));
        write_whole(&file, |to| to.write_all(picture.svg.as_bytes()))?;
        files.push(file);
    }
    Ok(files)
}

fn exit(rows: &[Row]) -> ExitCode {
    let is_bad = |row: &Row| matches!(row.outcome, Outcome::Wrong | Outcome::Failed);
    ExitCode::from(u8::from(rows.iter().any(is_bad)))
}
