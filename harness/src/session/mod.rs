//! One run from its request to what it leaves behind: the report, its pictures, what is printed.
//!
//! [`folder`] keeps two runs apart and holds what is finished, so that nothing is lost however a run
//! ends; [`resume`] goes on from there; [`crate::worker`] does the work.

mod folder;
mod request;
mod resume;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use report::{Outcome, Report, Row};
use ladder::{Ladder, record};
use report::Request;

use crate::against::folder::Above;
use crate::against::{self, Against};
use crate::cli::Format;
use crate::cli::run::How;
use crate::output::{explain, print, say, wrote};
use crate::progress::Progress;
use crate::worker::{self, Climb, Interrupt, News};
use crate::{html, summary, table};
use folder::Folder;
pub use request::request;
use resume::Resumed;

/// Exit code of a program that Ctrl-C ended, by the shells' convention: 128 + SIGINT.
const INTERRUPTED: u8 = 130;

/// What a run is to do, and where it leaves what it found.
pub struct Session<'s> {
    /// The ladder.
    pub ladder: &'s dyn Ladder,
    /// What is asked for.
    pub request: Request,
    /// Folder for the report and the pictures.
    pub out: PathBuf,
    /// How it is to be done and shown.
    pub how: How,
}

/// Climbs one ladder after the other; `more` says what is printed below the summary. Ctrl-C ends the
/// one that goes on and leaves out the others. The exit code is the worst.
///
/// # Errors
/// Nothing of a ladder could run, or what was found could not be written.
pub fn climb_all(sessions: Vec<Session>, more: &dyn Fn(&Report) -> String) -> Result<ExitCode> {
    let interrupt = interrupt()?;
    let several = sessions.len() > 1;
    let mut worst = 0;
    for (place, session) in sessions.into_iter().enumerate() {
        if several {
            let bold = anstyle::Style::new().bold();
            let space = if place == 0 { "" } else { "\n" };
            say(&format!("{space}{bold}{}{bold:#}: {}", session.ladder.name(), session.ladder.figure().title));
        }
        // The first says whether there is something to go on with.
        worst = worst.max(session.run(place > 0, &interrupt, more)?);
        if worst == INTERRUPTED {
            break;
        }
    }
    Ok(ExitCode::from(worst))
}

impl Session<'_> {
    /// Does the run and returns its exit code. With `--resume` it goes on with what its folder holds;
    /// one that `may_begin` does so where that is of this run, and else begins.
    fn run(
        self,
        may_begin: bool,
        interrupt: &Interrupt,
        more: &dyn Fn(&Report) -> String,
    ) -> Result<u8> {
        let folder = Folder::open(&self.out)?;
        let Resumed { request, rows, device: known } = match self.how.resume {
            false => Resumed::nothing(self.request),
            true if may_begin => resume::from_or_begin(&folder, self.request),
            true => resume::from(&folder, self.request)?,
        };
        let Climb { rows, device } = climb(self.ladder, &request, rows, interrupt, &folder)?;
        let device = device.or(known);

        if interrupt.is_asked() && rows.iter().all(|row| row.outcome == Outcome::Skipped) {
            say("interrupted before a step was finished; nothing was written");
            return Ok(INTERRUPTED);
        }
        let report = record(self.ladder, &request, device, rows);
        let compared = Compared::of(&report, folder.path());
        // A folder that is full must not cost what is shown, nor an output that is full the report.
        let is_shown = show(&self.how.format, (&report, &compared), more);
        let mut written = write((&report, &compared), &folder)?;
        is_shown?;
        if let Some(file) = request.problem.get("save").filter(|_| was_saved(&report)) {
            written.push(PathBuf::from(file));
        }
        if self.how.format == Format::Table {
            print(&format!("{}\n", table::layout::wrap(&wrote(&written), table::width())))?;
        }
        if interrupt.is_asked() {
            say(
                "interrupted: the report holds the steps that were finished; the same command with \
                 --resume goes on",
            );
            return Ok(INTERRUPTED);
        }
        let bad = |outcome| matches!(outcome, Outcome::Wrong | Outcome::Failed);
        Ok(u8::from(report.rows.iter().any(|row| bad(row.outcome))))
    }
}

/// What the report comes to against that of the other ladder beside it, a GPU's or a CPU's.
enum Compared {
    /// There is none, or it cannot be read.
    No,
    /// The CPU's is below this one of a GPU.
    Gpu(Box<Against>),
    /// The GPU's is above this one of a CPU.
    Cpu(Box<Above>),
}

impl Compared {
    fn of(report: &Report, dir: &Path) -> Compared {
        let found = against::folder::below(report, dir).and_then(|below| match below {
            Some(against) => Ok(Compared::Gpu(Box::new(against))),
            None => Ok(match against::folder::above(report, dir)? {
                Some(above) => Compared::Cpu(Box::new(above)),
                None => Compared::No,
            }),
        });
        found.unwrap_or_else(|error| {
            say(&format!("a GPU and a CPU could not be compared: {}", explain(&error)));
            Compared::No
        })
    }

    fn against(&self) -> Option<&Against> {
        match self {
            Compared::No => None,
            Compared::Gpu(against) => Some(against),
            Compared::Cpu(above) => Some(&above.against),
        }
    }
}

/// Prints the report, or what there is to say of it.
fn show(
    format: &Format,
    (report, compared): (&Report, &Compared),
    more: &dyn Fn(&Report) -> String,
) -> Result<()> {
    match format {
        Format::Json => print(&report.to_json()),
        Format::Table => {
            print(&format!("\n{}\n", table::terminal(&report.rows, table::width())))?;
            print(&summary::summary(report, table::width()))?;
            if let Some(against) = compared.against() {
                print(&summary::against(against, table::width()))?;
            }
            print(&more(report))
        }
    }
}

/// Takes over Ctrl-C, and what else asks a program to end.
fn interrupt() -> Result<Interrupt> {
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
    Ok(interrupt)
}

/// Climbs in worker processes; every finished row is on the disk before the next begins.
fn climb(
    ladder: &dyn Ladder,
    request: &Request,
    rows: Vec<Row>,
    interrupt: &Interrupt,
    folder: &Folder,
) -> Result<Climb> {
    let program = std::env::current_exe().context("cannot find the program's own file")?;
    let start = || {
        let mut worker = Command::new(&program);
        worker.arg("worker");
        worker
    };
    let mut progress = Progress::new(request.subjects().len(), rows.len());
    let mut device = None;
    let mut is_told = false;
    let climb = worker::climb(&start, ladder, request, rows, interrupt, &mut |news| match news {
        News::Event(event) => {
            if let crate::protocol::Event::Device { info } = event {
                device = Some((**info).clone());
            }
            progress.hear(event);
        }
        News::Rows(rows) => {
            let report = record(ladder, request, device.clone(), rows.to_vec());
            // Once is enough: the run goes on, and its end says it again.
            if let Err(error) = folder.keep(&report)
                && !std::mem::replace(&mut is_told, true)
            {
                say(&format!("what is finished could not be kept: {}", explain(&error)));
            }
        }
    });
    progress.finish();
    climb
}

/// Whether the last step got as far as to save its final state.
fn was_saved(report: &Report) -> bool {
    report.rows.last().is_some_and(|row| row.outcome.is_verified())
}

/// Writes the report and all that is drawn of it and returns their paths. What cannot be drawn costs
/// only itself.
fn write((report, compared): (&Report, &Compared), folder: &Folder) -> Result<Vec<PathBuf>> {
    let mut written = vec![folder.finish(report)?];
    let drawn = match compared {
        Compared::No => html::write_all(report, None, folder.path()),
        Compared::Gpu(against) => html::write_all(report, Some(against), folder.path()),
        Compared::Cpu(above) => html::write_all(report, None, folder.path())
            .and_then(|files| Ok([files, against::folder::redraw(above)?].concat())),
    };
    match drawn {
        Ok(files) => written.extend(files),
        Err(error) => say(&format!("not all could be drawn: {}", explain(&error))),
    }
    Ok(written)
}
