//! `run`: climbs a ladder in worker processes, then writes the report, draws it and shows it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use ladder::files::check_writable;
use ladder::report::{Outcome, Report};
use ladder::{Ladder, Replacement, Request, workspace};

use crate::cli::{Format, RunArgs};
use crate::ladders::LADDERS;
use crate::names::{self, Usage};
use crate::output::{explain, print, say};
use crate::progress::Progress;
use crate::worker::{self, Climb, Interrupt};
use crate::{plot, summary, table};

/// A kernel counts bodies with an `int`, and the last block's threads count past the last body.
const MOST_BODIES: u64 = i32::MAX as u64 - 1024;

/// Exit code of a program that Ctrl-C ended, by the shells' convention: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

/// Does the run that `args` describe.
pub fn run(args: &RunArgs) -> Result<ExitCode> {
    let ladder = names::ladder(LADDERS, &args.ladder)?;
    let request = request(args, ladder)?;
    check_files(args)?;
    let out = folder(args)?;
    check_room(&out)?;

    let interrupt = Interrupt::default();
    let asked = interrupt.clone();
    ctrlc::set_handler(move || {
        // The second time the user means it: nothing is waited for.
        if asked.is_asked() {
            std::process::exit(INTERRUPTED.into());
        }
        asked.ask();
    })
    .context("cannot take over Ctrl-C")?;

    let program = std::env::current_exe().context("cannot find the program's own file")?;
    let start = || {
        let mut worker = Command::new(&program);
        worker.arg("worker");
        worker
    };
    let mut progress = Progress::new(request.steps.len());
    let climb =
        worker::climb(&start, ladder, &request, &interrupt, &mut |event| progress.hear(event));
    progress.finish();
    let Climb { rows, device } = climb?;

    if interrupt.is_asked() && rows.iter().all(|row| row.outcome == Outcome::Skipped) {
        say("interrupted before a step was finished; nothing was written");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let report = Report::new(&request, device, rows);
    // Shown first: a disk that is full must not cost what the run found out.
    match args.format {
        Format::Json => print(&report.to_json())?,
        Format::Table => {
            print(&format!("\n{}\n", table::terminal(&report.rows, table::width())))?;
            print(&summary::summary(&report, table::width()))?;
        }
    }
    let mut written = write(&report, &out)?;
    if let Some(file) = args.save.as_deref().filter(|_| was_saved(&report)) {
        written.push(shown(file));
    }
    if args.format == Format::Table {
        print(&format!("wrote {}\n", written.join(", ")))?;
    }
    if interrupt.is_asked() {
        say("interrupted: the report holds the steps that were finished");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let bad = |outcome| matches!(outcome, Outcome::Wrong | Outcome::Failed);
    Ok(ExitCode::from(u8::from(report.rows.iter().any(|row| bad(row.outcome)))))
}

/// What the command line asks for, in the words of a worker.
fn request(args: &RunArgs, ladder: &Ladder) -> Result<Request> {
    let replacement = match (&args.kernel, &args.stands_for) {
        (Some(file), Some(step)) => Some(Replacement {
            file: file.clone(),
            step: names::step(ladder, step)?.name.to_owned(),
        }),
        _ => None,
    };
    let steps: Vec<String> = match (&args.steps, &replacement) {
        (Some(list), _) => {
            names::steps(ladder, list)?.iter().map(|step| step.name.to_owned()).collect()
        }
        (None, Some(replacement)) => vec![replacement.step.clone()],
        (None, None) => ladder.steps.iter().map(|step| step.name.to_owned()).collect(),
    };
    if let Some(Replacement { step, .. }) = &replacement
        && !steps.contains(step)
    {
        bail!(Usage(format!("--kernel stands for {step}, which --steps leaves out; add it there")));
    }
    if let Some(size) = args.size.filter(|size| *size > MOST_BODIES) {
        bail!(Usage(format!(
            "--size {size} is more than a kernel can count; the most is {MOST_BODIES}"
        )));
    }
    Ok(Request {
        ladder: ladder.name.to_owned(),
        steps,
        device: args.device.to_string(),
        code: args.code.to_string(),
        model: args.gpu.clone(),
        scheduling: args.scheduling.to_string(),
        size: args.size,
        time_steps: args.time_steps,
        bodies: args.bodies.clone(),
        save: args.save.clone(),
        replacement,
        ..Request::default()
    })
}

/// Finds out before the run what would otherwise be found out after it.
fn check_files(args: &RunArgs) -> Result<()> {
    if let Some(file) = &args.kernel {
        device::Source::from_file(file, &[])?;
    }
    if let Some(file) = &args.bodies {
        ladder::nbody::read(file)?;
    }
    if let Some(file) = &args.save {
        check_writable(file)?;
    }
    Ok(())
}

/// The folder for what the run writes.
fn folder(args: &RunArgs) -> Result<PathBuf> {
    match &args.out {
        Some(folder) => Ok(folder.clone()),
        None => Ok(workspace::root()?.join("reports").join("local")),
    }
}

/// Whether the run can write to `folder`, or make it. It is made when there is something to put in
/// it: a run that is refused leaves nothing behind.
fn check_room(folder: &Path) -> Result<()> {
    let whole = std::path::absolute(folder)?;
    let there = whole.ancestors().find(|folder| folder.exists()).unwrap_or(&whole);
    tempfile::tempfile_in(there)
        .map(drop)
        .map_err(|error| io::Error::from(error.kind()))
        .with_context(|| {
            format!("cannot write to {}; choose another folder with --out", folder.display())
        })
}

/// Whether the last step got as far as to save the bodies.
fn was_saved(report: &Report) -> bool {
    report.rows.last().is_some_and(|row| row.outcome.is_verified())
}

/// Writes the report and its plots and returns their paths. A plot that fails costs only itself.
fn write(report: &Report, folder: &Path) -> Result<Vec<String>> {
    fs::create_dir_all(folder).with_context(|| {
        format!("cannot make the folder {}; choose another with --out", folder.display())
    })?;
    let file = folder.join("report.json");
    report.write(&file)?;
    let mut written = vec![shown(&file)];
    match plot::ladder(report, folder) {
        Ok(plots) => written.extend(plots.iter().map(|plot| shown(plot))),
        Err(error) => say(&format!("the plot could not be drawn: {}", explain(&error))),
    }
    Ok(written)
}

/// A path as it is shortest to read: from the current folder if it lies below.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(Path::to_path_buf));
    below.as_deref().unwrap_or(path).display().to_string()
}
