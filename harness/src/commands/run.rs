//! `run`: climbs a ladder, or those that a bare run climbs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use device::{Choice, CodeRoute, Scheduling};
use ladder::Ladder;
use ladders::{CLIMBED_BY_DEFAULT, LADDERS};
use processes::{INTERRUPTED_EXIT, Interrupt};
use report::{Outcome, Replacement, Report, Request, format};
use show::table::terminal;
use ui::output::{explain, print, say};
use ui::{Usage, count};

use crate::options::{Format, How, What};
use crate::sanitize::{Asked, Task, Verdict};
use crate::session::{Session, climb_all, request};
use launches::readers::against::{self, Subject};

/// At most 78 columns wide, so that a narrow terminal does not fold them.
pub(crate) const RUN_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness run                            both ladders: nbody on the best
                                         device, then cpu
  harness run cpu --threads 1            the CPU ladder alone, with one thread
  harness run transpose                  another ladder; `all` runs all of them
  harness run --device simt --size 4096  on the simulator, all at n = 4096
  harness run --steps 01..06,09          steps by number, ranges and lists,
  harness run --steps rsqrt,08-no-if     or by name or folder
  harness run --kernel my.cu --as 06     your kernel in place of step 06
  harness run --kernel my.cu --as 06 --steps 05,06
                                         the same, with the step before it
  harness run --kernel my.cu --as 06 --sanitize
                                         also under compute-sanitizer (GPU)
  harness run --kernel theirs.cu --as 06 --untrusted --device simt
                                         untrusted code, sandboxed
  harness run --bodies in.csv --save out.csv --time-steps 100
                                         your bodies, 100 time steps later
  harness run --format json > run.json   only the report on standard output
  harness run --resume                   continues after Ctrl-C

Each step is compared with its parent (`after` in `harness list`) at the same
size, if both were run.
LADDER_REVISION sets the git revision in the report of a program that was
copied to a machine without a clone.
Exit codes: 0 every step was measured, simulated or skipped;
            1 a step was wrong or failed, --kernel was skipped, --sanitize
            found an error, or nothing could run; 2 usage;
            130 Ctrl-C (the report keeps the finished steps)";

/// The options of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// What to run
    #[command(flatten)]
    pub what: What,
    /// Problem size (n-body: number of bodies); k and M are powers of ten [default: as large as each step
    /// can run in reasonable time]
    #[arg(short = 'n', long, value_name = "N", value_parser = count::parse, allow_negative_numbers = true)]
    pub size: Option<u64>,
    /// Options that only a ladder's problem has, as they were typed.
    #[arg(skip)]
    pub problem: BTreeMap<String, String>,
    /// Run the kernel of `--kernel` also under NVIDIA's compute-sanitizer on a GPU, at small sizes: an error that one of
    /// its tools finds is printed with its line, and the exit code is 1. `harness doctor` says where it was found
    #[arg(long, requires = "kernel")]
    pub sanitize: bool,
    /// Where and how to run it
    #[command(flatten)]
    pub how: How,
    /// Folder for the report and its pictures, with a subfolder for each of several ladders
    /// [default: reports/local/LADDER/TIME-WHAT; the last 20 are kept]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Does the run that `args` describe.
pub fn run(args: &RunArgs) -> Result<ExitCode> {
    args.how.launches.set();
    let ladders = match args.what.ladder.as_deref() {
        Some("all") => LADDERS.to_vec(),
        Some(name) => vec![ladders::ladder(name)?],
        None if is_for_one(args) => vec![LADDERS[0]],
        None if args.how.format == Format::Json => {
            let others = LADDERS[1..CLIMBED_BY_DEFAULT].iter().map(|it| it.name());
            let (one, others) = (LADDERS[0].name(), others.collect::<Vec<_>>().join(", "));
            say(&format!(
                "--format json prints one report: that of {one}. Left out: {others}; name a ladder, \
                 or `all` for one report after another"
            ));
            vec![LADDERS[0]]
        }
        None => LADDERS[..CLIMBED_BY_DEFAULT].to_vec(),
    };
    let sanitize = args.sanitize.then(|| Asked::find(args.how.device)).transpose()?;
    let several = ladders.len() > 1;
    let sessions: Result<Vec<Session>> =
        ladders.iter().map(|ladder| session(args, *ladder, several)).collect();
    let sessions = sessions?;
    let sanitized = sanitize.zip(sessions.first().map(|it| (it.ladder, it.request.clone())));
    let interrupt = Interrupt::from_user()?;
    let more = |report: &Report| against_original(args, report).unwrap_or_default();
    let code = climb_all(sessions, &interrupt, &more)?;
    let code = match sanitized.filter(|_| code != INTERRUPTED_EXIT) {
        Some((asked, of)) => code.max(sanitized_code(args, &asked, of, &interrupt)?),
        None => code,
    };
    Ok(code.into())
}

/// Runs the reader's kernel under compute-sanitizer too; the exit code.
fn sanitized_code(
    args: &RunArgs,
    asked: &Asked,
    (ladder, request): (&'static dyn Ladder, Request),
    interrupt: &Interrupt,
) -> Result<u8> {
    let Some(Replacement { file, step }) = request.replacement else { return Ok(0) };
    let task = Task {
        ladder: request.ladder,
        step,
        file,
        device: request.device,
        code: request.code,
        seed: request.seed,
    };
    let (verdict, text) = asked.run(ladder, task, &mut || interrupt.is_asked())?;
    match args.how.format {
        // One report and nothing else.
        Format::Json => say(text.trim_end()),
        Format::Table => print(&text)?,
    }
    Ok(match verdict {
        Verdict::Clean => 0,
        Verdict::Stopped => INTERRUPTED_EXIT,
        Verdict::Wrong(_) | Verdict::WrongResults(_) | Verdict::Unknown(_) => 1,
    })
}

/// A reader's kernel against the one whose place it took: as it was timed, or, where times are modelled, with the events
/// that changed.
fn against_original(args: &RunArgs, report: &Report) -> Option<String> {
    // A stranger's is compiled in a confined process only, and that has ended.
    let replacement = report.options.replacement.as_ref().filter(|_| !args.what.untrusted);
    let Replacement { step, .. } = replacement?;
    let row = report.rows.iter().find(|row| row.step == *step)?;
    if row.outcome != Outcome::Simulated {
        let (times, file) = (row.times_original?, row.kernel.as_deref()?);
        let interval = times.interval.map(|it| format!(" (95 % interval {})", format::ends(it)));
        let (times, interval) = (format::plain_ratio(Some(&times)), interval.unwrap_or_default());
        return Some(format!(
            "\n{file}: × {times} the speed of {step}'s own kernel, timed in the same rounds{interval}\n"
        ));
    }
    let compare = || -> Result<String> {
        let ladder = ladders::ladder(&report.options.ladder)?;
        let subject = Subject {
            ladder,
            step: ladders::step(ladder, step)?,
            file: args.what.kernel.clone().unwrap_or_default(),
            kernels: ladder.kernels()?,
            gpu: device::described(&args.how.gpu).map_err(Usage::of)?,
        };
        let original = subject.count(&subject.original()?)?;
        let readers = subject.count(&subject.readers()?)?;
        Ok(format!("\n{}", against::text(&original, &readers, terminal::width())))
    };
    Some(compare().unwrap_or_else(|error| format!("not compared: {}\n", explain(&error))))
}

/// Whether what is asked for makes sense for one ladder only: the first, if none is named.
fn is_for_one(args: &RunArgs) -> bool {
    let RunArgs { what, problem, .. } = args;
    let names_code = what.steps.is_some() || what.kernel.is_some();
    names_code || !problem.is_empty()
}

/// The session on one ladder: each of several gets the options that are for it.
fn session(args: &RunArgs, ladder: &'static dyn Ladder, several: bool) -> Result<Session<'static>> {
    let how = match several {
        true => options(&args.how, ladder),
        false => args.how.clone(),
    };
    check_options(args, ladder)?;
    let request = Request {
        size: args.size,
        problem: args.problem.clone(),
        ..request(ladder, &args.what, &how)?
    };
    // What would otherwise be found out after the worker has begun.
    ladder.open(&request).map_err(Usage::of)?;
    let out = match &args.out {
        Some(folder) if several => Some(folder.join(ladder.name())),
        folder => folder.clone(),
    };
    Ok(Session { ladder, request, out, how })
}

/// Refuses options of another ladder's problem.
fn check_options(args: &RunArgs, ladder: &dyn Ladder) -> Result<(), Usage> {
    let has = |name: &String| ladder.options().iter().any(|option| option.name == name);
    match args.problem.keys().find(|name| !has(name)) {
        Some(name) => Err(Usage(format!(
            "--{name}: the ladder {} has no such option; see `harness run --help`",
            ladder.name()
        ))),
        None => Ok(()),
    }
}

/// The options of a run of several ladders that are for this one.
fn options(how: &How, ladder: &dyn Ladder) -> How {
    match ladder.is_for_cpu() {
        true => How {
            device: Choice::Cpu,
            code: CodeRoute::Auto,
            scheduling: Scheduling::default(),
            ..how.clone()
        },
        false => How { threads: None, vectors: None, ..how.clone() },
    }
}
