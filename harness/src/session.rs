//! One run from its request to what it leaves behind: the report, its pictures, what is printed.
//!
//! [`Folder`] keeps two runs apart ([`runs`] has one for each that is not given one) and holds what is
//! finished, so that nothing is lost however a run ends; `resume` goes on from there;
//! [`crate::worker`] does the work; `screen` is what is seen at the end.

#[cfg(feature = "terminal-pictures")]
mod plot;
mod request;
mod resume;
mod screen;
mod since;

use std::path::{Path, PathBuf};

use anyhow::Result;
use ladder::run::subject;
use ladder::{Ladder, record};
use launches::measured;
use processes::{INTERRUPTED_EXIT, Interrupt, own};
use report::against::Against;
use report::runs::{ALL, Run};
use report::{Outcome, Replacement, Report, Request, Row, now, reason, stamp};
use ui::output::{explain, note, print, print_data, say, shown, wrote};

use show::table::terminal::{self, wrap};
use show::{compare, steps, summary};

use crate::drawing;
use crate::folder::{Folder, check_uncommitted};
use crate::options::Format;
use crate::options::How;
use crate::progress::Progress;
use crate::runs;
use crate::worker::{self, LadderRun, News};
pub use request::request;
use resume::Resumed;
use screen::Climbed;

/// What a run is to do, and where it leaves what it found.
pub struct Session<'s> {
    /// The ladder.
    pub ladder: &'s dyn Ladder,
    /// What is asked for.
    pub request: Request,
    /// Folder for the report and the pictures; none: one of its own among the ladder's runs.
    pub out: Option<PathBuf>,
    /// How it is to be done and shown.
    pub how: How,
}

/// Climbs one ladder after the other, and shows all of them at the end; `more` says what is printed
/// below. An interrupt ends the one that goes on and leaves out the others. The exit code is the worst.
///
/// # Errors
/// Nothing of a ladder could run, or what was found could not be written.
pub fn climb_all(
    sessions: Vec<Session>,
    interrupt: &Interrupt,
    more: &dyn Fn(&Report) -> String,
) -> Result<u8> {
    for session in &sessions {
        if let Some(out) = &session.out {
            check_uncommitted(out, session.how.force)?;
        }
    }
    let several = sessions.len() > 1;
    // All ladders of a run have the same.
    let mut time = stamp(now());
    let (mut worst, mut climbed) = (0, Vec::new());
    let climb_each = || {
        for (place, session) in sessions.into_iter().enumerate() {
            if several {
                let bold = anstyle::Style::new().bold();
                let space = if place == 0 { "" } else { "\n" };
                let (name, title) = (session.ladder.name(), session.ladder.figure().title);
                say(&format!("{space}{bold}{name}{bold:#}: {title}"));
            }
            // The first says whether there is something to go on with.
            let (code, ended) = session.run(place > 0, &mut time, interrupt, more)?;
            climbed.extend(ended);
            worst = worst.max(code);
            if code == INTERRUPTED_EXIT {
                break;
            }
        }
        Ok(())
    };
    let all = climb_each();
    // What was climbed is shown even where a later ladder could not be.
    screen::end(&climbed)?;
    all.map(|()| worst)
}

impl Session<'_> {
    /// Does the run, which began at `time`, and returns its exit code.
    fn run(
        self,
        may_begin: bool,
        time: &mut String,
        interrupt: &Interrupt,
        more: &dyn Fn(&Report) -> String,
    ) -> Result<(u8, Option<Climbed>)> {
        let (folder, resumed) = self.begin(may_begin, time)?;
        let Resumed { request, rows, device: known } = resumed;
        let LadderRun { rows, device } = climb(self.ladder, &request, rows, interrupt, &folder)?;
        let device = device.or(known);

        if interrupt.is_asked() && rows.iter().all(|row| row.outcome == Outcome::Skipped) {
            say("interrupted before a step was finished; nothing was written");
            return Ok((INTERRUPTED_EXIT, None));
        }
        let mut report = record(self.ladder, &request, device, rows);
        measured::fill(&mut report);
        let against = against(&report, folder.path());
        // A folder that is full must not cost what is shown, nor an output that is full the report.
        let compared = against.as_ref().map(|(against, _)| against);
        let is_shown = show(&self.how, &report, compared, more);
        let run = self.out.is_none().then(|| Run::at(folder.path())).flatten();
        let changes = self.changes(run.as_ref(), &report);
        let (written, all) = write(&report, against.as_ref(), &folder)?;
        if let Some(place) = run.as_ref().and_then(|run| run.path.parent()) {
            runs::tidy(place);
        }
        is_shown?;
        let mut told = if self.how.details { written.clone() } else { Vec::new() };
        if let Some(file) = request.problem.get("save") {
            match was_saved(&report) {
                true => told.push(PathBuf::from(file)),
                false => say(&format!("{file} was not written: the last step did not get so far")),
            }
        }
        if self.how.format == Format::Table && !told.is_empty() {
            note(&format!("{}\n", wrap(&wrote(&told), terminal::width())))?;
        }
        let bad = |outcome| matches!(outcome, Outcome::Wrong | Outcome::Failed);
        let is_bad = report.rows.iter().any(|row| bad(row.outcome));
        let mut code = u8::from(!all || is_bad || !has_run_readers(&request, &report));
        if interrupt.is_asked() {
            say(
                "interrupted: the report holds the steps that were finished; the same command with \
                 --resume goes on",
            );
            code = INTERRUPTED_EXIT;
        }
        Ok((code, Some(Climbed { how: self.how, report, changes, written })))
    }

    /// The folder of the run, and what it holds of it. With `--resume` the run goes on with that; one that `may_begin`
    /// does so where that is of this run, and else begins. Where no folder is named, `time` becomes that of the run
    /// that goes on.
    fn begin(&self, may_begin: bool, time: &mut String) -> Result<(Folder, Resumed)> {
        let (request, seed) = (self.request.clone(), self.how.seed);
        let folder = match &self.out {
            Some(out) => Folder::open(out, "report")?,
            None => {
                let place = runs::place(self.ladder)?;
                let what = runs::what(self.ladder, &request);
                let same = place.join(format!("{time}-{what}"));
                if self.how.resume && !may_begin {
                    let (run, folder, resumed) = resume::from_latest(&place, &request, seed)?;
                    *time = run.time;
                    return Ok((folder, resumed));
                }
                match self.how.resume && same.is_dir() {
                    true => Folder::open(&same, "report")?,
                    false => runs::begin(&place, time, &what, "report")?,
                }
            }
        };
        let resumed = match self.how.resume {
            false => Resumed::nothing(request),
            true if may_begin => resume::from_or_begin(&folder, request, seed),
            true => resume::from(&folder, request, seed)?,
        };
        Ok((folder, resumed))
    }

    /// What changed since the last run of the same steps, where not all were run.
    fn changes(&self, run: Option<&Run>, report: &Report) -> Option<String> {
        let run = run.filter(|run| run.what != ALL && !report.options.is_sweep())?;
        let (last, changes) = since::since(run, report)?;
        Some(compare::text::since(&changes, &shown(&last.path), terminal::width()))
    }
}

/// The report against that of a CPU, where there is one; what cannot be read is said.
fn against(report: &Report, dir: &Path) -> Option<(Against, String)> {
    drawing::against_cpu(report, dir).unwrap_or_else(|error| {
        say(&format!("a GPU and a CPU could not be compared: {}", explain(&error)));
        None
    })
}

/// Prints the report, or what is to be read before the ladder: all of it with `--details`, of a sweep
/// its variants.
fn show(
    how: &How,
    report: &Report,
    against: Option<&Against>,
    more: &dyn Fn(&Report) -> String,
) -> Result<()> {
    if how.format == Format::Json {
        return print_data(&report.to_json());
    }
    let width = terminal::width();
    if how.details || report.rows.iter().any(|row| !row.is_own()) {
        print(&format!("\n{}\n", steps::table(report).terminal(width)))?;
    }
    if how.details {
        print(&summary::summary(report, &drawing::published(report)?, width))?;
        if let Some(against) = against {
            let picture = format!("{}.svg", pictures::AGAINST);
            print(&summary::against(against, &picture, width))?;
        }
    }
    print(&more(report))
}

/// Climbs in worker processes; every finished row is on the disk before the next begins.
fn climb(
    ladder: &dyn Ladder,
    request: &Request,
    rows: Vec<Row>,
    interrupt: &Interrupt,
    folder: &Folder,
) -> Result<LadderRun> {
    let start = || own("worker");
    let mut progress = Progress::new(request.subjects().len(), rows.clone());
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
            for row in rows.iter_mut() {
                let of = subject(row).to_string();
                row.reason = row.reason.take().map(|it| reason::shorten(&it, folder.path(), &of));
            }
            let report = record(ladder, request, device.clone(), rows.to_vec());
            // Once is enough: the run goes on, and its end says it again.
            if let Err(error) = folder.keep(&report.to_json())
                && !std::mem::replace(&mut is_told, true)
            {
                say(&format!("could not save the finished rows: {}", explain(&error.into())));
            }
        }
    });
    progress.finish();
    climb
}

/// Whether a reader's kernel was run, where there is one.
fn has_run_readers(request: &Request, report: &Report) -> bool {
    let Some(Replacement { step, .. }) = &request.replacement else { return true };
    report.rows.iter().any(|row| row.step == *step && row.outcome != Outcome::Skipped)
}

/// Whether the last step got as far as to save its final state.
fn was_saved(report: &Report) -> bool {
    report.rows.last().is_some_and(|row| row.outcome.is_verified())
}

/// Writes the report and all that is drawn of it; their paths, and whether that is all. What cannot be drawn
/// costs only itself.
fn write(
    report: &Report,
    against: Option<&(Against, String)>,
    folder: &Folder,
) -> Result<(Vec<PathBuf>, bool)> {
    let mut written = vec![folder.finish(&report.to_json())?];
    folder.forget();
    reason::remove_others(
        folder.path(),
        report.rows.iter().filter_map(|row| row.reason.as_deref()),
    );
    let drawn = drawing::write(report, against, None, folder.path()).and_then(|files| {
        let Some(dir) = drawing::of_gpu(report, folder.path()) else { return Ok(files) };
        // The GPU's page shows what a CPU comes to.
        let gpu = Report::read(&dir.join(drawing::REPORT))?;
        let against = drawing::against_cpu(&gpu, &dir)?;
        Ok([files, drawing::write(&gpu, against.as_ref(), None, &dir)?].concat())
    });
    let all = drawn.is_ok();
    match drawn {
        Ok(files) => written.extend(files),
        Err(error) => say(&format!("not all could be drawn: {}", explain(&error))),
    }
    Ok((written, all))
}
