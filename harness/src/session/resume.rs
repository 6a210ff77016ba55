//! Going on with a run that was interrupted.

use std::path::Path;

use anyhow::{Result, bail};
use ladder::run::subject;
use report::Request;
use report::runs::{self, Run};
use report::{Info, Report, Row};
use ui::output::shown;

use crate::folder::Folder;

/// What is left of a run that was interrupted, and what there is of it.
pub struct Resumed {
    /// The request, with what is finished as done.
    pub request: Request,
    /// The rows of that.
    pub rows: Vec<Row>,
    /// What they ran on.
    pub device: Option<Info>,
}

impl Resumed {
    /// Nothing is finished.
    pub fn nothing(request: Request) -> Resumed {
        Resumed { request, rows: Vec::new(), device: None }
    }
}

/// The request with what the latest run of the folder has finished as done, and the rows of that.
/// What was interrupted while it was timed is done again. The seed is that run's, unless one was given.
///
/// # Errors
/// There is no report, or it is of a run that was asked for something else.
pub fn from(folder: &Folder, request: Request, seed: Option<u64>) -> Result<Resumed> {
    let latest = Report::read(folder.latest()?)?;
    if !is_of(&latest, &request, seed) {
        bail!(
            "the run in {} had other options; give the same ones as then, or leave out --resume",
            folder.path().display()
        );
    }
    Ok(left(latest, request))
}

/// The same of the latest of a ladder's runs that was asked for this and does not go on.
///
/// # Errors
/// There is none, or it cannot be written to.
pub fn from_latest(
    place: &Path,
    request: &Request,
    seed: Option<u64>,
) -> Result<(Run, Folder, Resumed)> {
    for run in runs::list(place) {
        if let Some(folder) = Folder::try_open(&run.path, "report")?
            && let Ok(resumed) = from(&folder, request.clone(), seed)
        {
            return Ok((run, folder, resumed));
        }
    }
    bail!(
        "no run in {} had these options; give the same ones as then, or leave out --resume",
        shown(place)
    );
}

/// The same where the folder holds a run that was asked for the same, with the program as it is now;
/// else all is left. A run of several ladders may have been interrupted before it came to this one.
pub fn from_or_begin(folder: &Folder, request: Request, seed: Option<u64>) -> Resumed {
    let now = ladder::revision();
    let latest = folder.latest().ok().and_then(|file| Report::read(file).ok());
    match latest {
        Some(latest) if is_of(&latest, &request, seed) && latest.revision == now => {
            left(latest, request)
        }
        _ => Resumed::nothing(request),
    }
}

/// Whether a report is of a run that was asked for the same. Who gives a step more time does not ask
/// for something else, nor who leaves the seed to the run.
fn is_of(report: &Report, request: &Request, seed: Option<u64>) -> bool {
    let deadline_seconds = report.options.deadline_seconds;
    let seed = seed.unwrap_or(report.options.seed);
    report.options == Request { deadline_seconds, seed, ..request.clone() }.as_asked()
}

fn left(latest: Report, mut request: Request) -> Resumed {
    let wanted = request.subjects();
    let Report { mut rows, libraries, device, options, .. } = latest;
    rows.extend(libraries);
    request.seed = options.seed;
    rows.retain(|row| !row.interrupted && wanted.contains(&subject(row)));
    request.done = rows.iter().map(subject).collect();
    request.session = rows.iter().map(|row| row.session + 1).max().unwrap_or(0);
    for row in &rows {
        request.sizes.extend(row.n().map(|n| (row.step.clone(), n)));
    }
    Resumed { request, rows, device }
}

#[cfg(test)]
mod tests {
    use ladder::record;
    use report::Outcome;

    use super::*;
    use ladders::LADDERS;

    fn row(step: &str, interrupted: bool) -> Row {
        let ladder = LADDERS[0];
        let step = ladder.step(step).expect("a step");
        let reason = Some("because".to_owned());
        Row { interrupted, ..step.row(ladder.name(), Outcome::Failed, reason) }
    }

    #[test]
    fn a_run_is_resumed_again_and_again_and_with_another_deadline() {
        let path = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::open(path.path(), "report").expect("free");
        let steps = ["05-rsqrt", "06-shared-blocking", "07-unroll"].map(str::to_owned).to_vec();
        let asked = Request { steps, deadline_seconds: 30, ..Request::default() };
        let rows = vec![row("05-rsqrt", false), row("06-shared-blocking", true)];
        folder.keep(&record(LADDERS[0], &asked, None, rows).to_json()).expect("written");
        let Resumed { request, rows, .. } = from(&folder, asked.clone(), None).expect("resumed");
        assert_eq!((rows.len(), request.left().len(), request.session), (1, 2, 1));

        let rows = vec![row("05-rsqrt", false), row("06-shared-blocking", false)];
        folder.keep(&record(LADDERS[0], &request, None, rows).to_json()).expect("written");
        // A run that draws its seed goes on with the one that it had.
        let again = Request { seed: 9, ..asked.clone() };
        assert_eq!(from(&folder, again.clone(), None).expect("resumed").request.seed, asked.seed);
        assert!(from(&folder, again, Some(9)).is_err());
        let patient = Request { deadline_seconds: 300, ..asked.clone() };
        let Resumed { request, rows, .. } = from(&folder, patient, None).expect("resumed");
        assert_eq!((rows.len(), request.left().len()), (2, 1));

        let other = Request { size: Some(1000), ..asked };
        let error = from(&folder, other.clone(), None).err().expect("something else").to_string();
        assert!(error.contains("other options"), "{error}");
        assert_eq!(from_or_begin(&folder, other, None).request.left().len(), 3, "another run's");
    }

    #[test]
    fn a_ladder_that_was_not_come_to_is_begun() {
        let path = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::open(path.path(), "report").expect("free");
        let steps = ["05-rsqrt", "06-shared-blocking"].map(str::to_owned).to_vec();
        let asked = Request { steps, ..Request::default() };
        assert_eq!(from_or_begin(&folder, asked.clone(), None).request.left().len(), 2);
        let rows = vec![row("05-rsqrt", false)];
        folder.keep(&record(LADDERS[0], &asked, None, rows.clone()).to_json()).expect("written");
        assert_eq!(from_or_begin(&folder, asked.clone(), None).request.left().len(), 1);
        let old =
            Report { revision: Some("older".to_owned()), ..record(LADDERS[0], &asked, None, rows) };
        folder.keep(&old.to_json()).expect("written");
        assert_eq!(from_or_begin(&folder, asked, None).request.left().len(), 2);
    }
}
