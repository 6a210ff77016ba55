//! `scale`: runs steps on one GPU, on two, on four …, and shows how their speed grows. `ranks` is its worker.

use crate::options::GPU;
use device::CodeRoute;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use device::nccl::Nccl;
use device::{Choice, Launched, job, launched, survey};
use ladder::{Ladder, Step};
use report::files::write_whole;
use report::{Outcome, format, today};
use show::table::terminal;

use crate::count;
use crate::count::Counts;
use crate::device_lock::DeviceLock;
use crate::names::{self, Usage};
use crate::options::Format;
use crate::output::{explain, print, say, wrote};
use crate::scaling::plan::{self, Place, Request};
use crate::scaling::worker::{self, Event};
use clap::Args;
use report::scaling::{FILE, Row, SCHEMA, Scaling};

/// At most 78 columns wide.
pub(crate) const SCALE_EXAMPLES: &str = "\
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

/// The options of `scale`.
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
    #[arg(long, value_name = "GPU", default_value = GPU)]
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

/// Does what `args` ask.
pub fn run(args: &ScaleArgs) -> Result<ExitCode> {
    let ladder = names::ladder(&args.ladder)?;
    let place = launched(variable).map_err(Usage)?;
    let place = place.filter(|place| place.size > 1 || args.meet.is_some());
    let scale = Scale::new(args, ladder, place)?;
    let mut scaling = scale.empty();
    let _locks = scale.locks();
    for &gpus in &scale.gpus {
        for step in &scale.steps {
            if gpus == 1 || plan::divides(step) {
                scale.step(step, gpus, &mut scaling)?;
            }
        }
    }
    if place.is_some_and(|place| place.rank > 0) {
        return Ok(exit(&scaling.rows));
    }
    finish(args, scaling, place.is_some())
}

/// The worker process.
pub fn ranks() -> Result<ExitCode> {
    worker::serve()?;
    Ok(ExitCode::SUCCESS)
}

/// What is to be run, and what is here.
struct Scale<'a> {
    args: &'a ScaleArgs,
    ladder: &'static dyn Ladder,
    place: Option<Launched>,
    is_simulated: bool,
    /// GPUs of this machine.
    here: usize,
    gpus: Vec<u32>,
    steps: Vec<Step>,
    sizes: Vec<u64>,
    weak: u64,
}

impl<'a> Scale<'a> {
    fn new(
        args: &'a ScaleArgs,
        ladder: &'static dyn Ladder,
        place: Option<Launched>,
    ) -> Result<Self> {
        let here = survey().driver.map_or(0, |driver| driver.gpus.len());
        let is_simulated = match args.device {
            Choice::Simt => true,
            Choice::Auto => here == 0,
            Choice::Cuda(0) => false,
            other => bail!(Usage(format!("--device {other}: write auto, cuda or simt"))),
        };
        if place.is_some() && args.meet.is_none() {
            bail!(Usage(
                "there is one process for each GPU: name a folder that all of them see with --meet DIR"
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
        let gpus: Vec<u32> = gpus
            .into_iter()
            .map(|gpus| u32::try_from(gpus).ok().filter(|gpus| *gpus <= MOST_GPUS))
            .collect::<Option<_>>()
            .with_context(|| Usage(format!("--gpus: at most {MOST_GPUS}")))?;
        let sizes = list(
            &args.size,
            if is_simulated { &[2048] } else { &[16_384, 65_536, 262_144, 1_048_576] },
        );
        let weak = args.weak.unwrap_or(if is_simulated { 1024 } else { 262_144 });
        let steps = match &args.steps {
            Some(steps) => names::steps(ladder, steps)?,
            None => plan::steps(ladder),
        };
        Ok(Scale { args, ladder, place, is_simulated, here, gpus, steps, sizes, weak })
    }

    /// A report without rows.
    fn empty(&self) -> Scaling {
        Scaling {
            schema: SCHEMA,
            date: today(),
            revision: ladder::revision(),
            machine: ladder::machine(),
            figure: self.ladder.figure(),
            gpu: None,
            driver: None,
            exchange: None,
            launched: self.place.is_some(),
            sizes: self.sizes.clone(),
            weak: self.weak,
            rows: Vec::new(),
        }
    }

    /// Locks of the GPUs that are used. Under a launcher the site sees to that: processes that each see another GPU
    /// as their first would wait for each other.
    fn locks(&self) -> Vec<DeviceLock> {
        if self.is_simulated || self.place.is_some() {
            return Vec::new();
        }
        let own = 0..self.here.min(self.gpus.iter().copied().max().unwrap_or(1) as usize);
        let wait = || say("waits for another run on a GPU of this machine");
        own.map(|gpu| DeviceLock::take(&Choice::Cuda(gpu).to_string(), &mut { wait })).collect()
    }

    /// Runs a step on so many GPUs.
    fn step(&self, step: &Step, gpus: u32, scaling: &mut Scaling) -> Result<()> {
        let points = plan::points(&self.sizes, self.weak, gpus);
        if let Some(reason) = self.lacks(gpus) {
            scaling.rows.extend(points.into_iter().map(|(series, n)| Row {
                step: step.name.to_owned(),
                gpus,
                series,
                n,
                outcome: Outcome::Skipped,
                reason: Some(reason.clone()),
                timed: None,
                accuracy: None,
                gain: None,
            }));
            return Ok(());
        }
        let (folder, _own) = self.folder(step, gpus)?;
        let request = Request {
            ladder: self.ladder.name().to_owned(),
            step: step.name.to_owned(),
            device: if self.is_simulated { "simt" } else { "cuda" }.to_owned(),
            model: self.args.gpu.clone(),
            code: self.args.code.to_string(),
            gpus,
            // A process that sees no GPU but its own has it as its first.
            place: self
                .place
                .map(|place| Place { rank: place.rank, local: place.local % self.here.max(1) }),
            folder,
            points,
            samples: self.args.samples,
            sample_seconds: f64::from(self.args.sample_ms) / 1e3,
            patience_seconds: self.args.deadline,
        };
        worker::run(&request, Duration::from_secs(self.args.deadline), &mut |event| match event {
            Event::Met { gpu, driver, exchange } => {
                scaling.gpu = Some(gpu);
                scaling.driver = driver;
                if gpus > 1 {
                    scaling.exchange = Some(exchange);
                }
            }
            Event::Row(row) => {
                if self.place.is_none_or(|place| place.rank == 0) {
                    say(&line(&row));
                }
                scaling.rows.push(*row);
            }
            Event::Doing(_) | Event::Ended { .. } => {}
        })
    }

    /// Why so many GPUs cannot be used here, and what to do.
    fn lacks(&self, gpus: u32) -> Option<String> {
        if self.is_simulated {
            return None;
        }
        let wanted = if self.place.is_some() { 1 } else { gpus as usize };
        if wanted > self.here {
            let here = self.here;
            let plural = if here == 1 { "" } else { "s" };
            return Some(format!(
                "this machine has {here} GPU{plural}; simulate them: --device simt --gpus {gpus}"
            ));
        }
        let missing = (gpus > 1).then(|| Nccl::find().err()).flatten()?;
        Some(explain(&anyhow::Error::new(missing)))
    }

    /// Where GPUs find each other: a folder of their own, that is removed at the end, or below the one that was named.
    fn folder(&self, step: &Step, gpus: u32) -> Result<(PathBuf, Option<tempfile::TempDir>)> {
        let Some(meet) = self.args.meet.as_ref().filter(|_| self.place.is_some()) else {
            let folder =
                tempfile::tempdir().context("cannot make a folder for the GPUs to meet")?;
            return Ok((folder.path().to_owned(), Some(folder)));
        };
        let folder = meet.join(format!("{}-{}-{gpus}", job(variable), step.name));
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let made = || format!("cannot make {}; name a folder that all see", folder.display());
        fs::create_dir_all(&folder).with_context(made)?;
        Ok((folder, None))
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// More GPUs than any site gives to one job of this kind.
const MOST_GPUS: u32 = 4096;

/// A finished row in one line.
fn line(row: &Row) -> String {
    let gpus = if row.gpus == 1 { "1 GPU".to_owned() } else { format!("{} GPUs", row.gpus) };
    let what = match (&row.timed, &row.reason) {
        (Some(timed), _) => {
            format!("{} ms", format::significant(1e3 * timed.seconds))
        }
        (None, Some(reason)) => format!("{:?}: {reason}", row.outcome).to_lowercase(),
        (None, None) => format!("{:?}", row.outcome).to_lowercase(),
    };
    format!("{} on {gpus}, {} scaling, n = {}: {what}", row.step, row.series.word(), row.n)
}

/// Relates the rows, shows and writes them. Processes under a launcher have one number of GPUs: their rows join those that are there.
fn finish(args: &ScaleArgs, mut scaling: Scaling, joins: bool) -> Result<ExitCode> {
    let code = exit(&scaling.rows);
    if joins && let Ok(there) = Scaling::read(&args.out) {
        let rows = std::mem::replace(&mut scaling.rows, there.rows);
        scaling.replace(rows);
    }
    scaling.relate();
    fs::create_dir_all(&args.out).with_context(|| format!("cannot make {}", args.out.display()))?;
    let files = write(&scaling, &args.out)?;
    match args.format {
        Format::Json => print(&scaling.to_json())?,
        Format::Table => {
            print(&show::scaling::text(&scaling, terminal::width()))?;
            print(&format!("\n{}\n", wrote(&files)))?;
        }
    }
    Ok(code)
}

/// Writes the report and its picture.
fn write(scaling: &Scaling, out: &Path) -> Result<Vec<PathBuf>> {
    let file = out.join(FILE);
    let json = scaling.to_json();
    write_whole(&file, |to| to.write_all(json.as_bytes()))?;
    let mut files = vec![file];
    if let Some(picture) = pictures::scaling(scaling) {
        let file = out.join(format!("{}.svg", picture.name));
        write_whole(&file, |to| to.write_all(picture.svg.as_bytes()))?;
        files.push(file);
    }
    Ok(files)
}

fn exit(rows: &[Row]) -> ExitCode {
    let is_bad = |row: &Row| matches!(row.outcome, Outcome::Wrong | Outcome::Failed);
    ExitCode::from(u8::from(rows.iter().any(is_bad)))
}
