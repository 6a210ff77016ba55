//! Going on with a run that was interrupted.

use anyhow::{Result, bail};
use ladder::Request;
use ladder::climb::subject;
use ladder::report::Row;

use super::folder::Folder;

/// The request with what the latest run of the folder has finished as done, and the rows of that.
/// What was interrupted while it was timed is done again.
///
/// # Errors
/// There is no report, or it is of a run that was asked for something else.
pub fn from(folder: &Folder, mut request: Request) -> Result<(Request, Vec<Row>)> {
    let latest = folder.latest()?;
    // Who gives a step more time does not ask for something else.
    let asked = Request { deadline_seconds: latest.options.deadline_seconds, ..request.clone() };
    if latest.options != asked.as_asked() {
        bail!(
            "the run in {} had other options; give the same ones as then, or leave out --resume",
            folder.path().display()
        );
    }
    let wanted = request.subjects();
    let mut rows = latest.rows;
    rows.retain(|row| !row.interrupted && wanted.contains(&subject(row)));
    request.done = rows.iter().map(subject).collect();
    request.session = rows.iter().map(|row| row.session + 1).max().unwrap_or(0);
    for row in &rows {
        request.sizes.extend(row.n().map(|n| (row.step.clone(), n)));
    }
    Ok((request, rows))
}

#[cfg(test)]
mod tests {
    use ladder::report::{Outcome, Report};

    use super::*;

    fn row(step: &str, interrupted: bool) -> Row {
        let ladder = &crate::ladders::LADDERS[0];
        let step = ladder.step(step).expect("a step");
        let reason = Some("because".to_owned());
        Row { interrupted, ..Row::new(ladder.name, step, Outcome::Failed, reason) }
    }

    #[test]
    fn a_run_is_resumed_again_and_again_and_with_another_deadline() {
        let path = tempfile::tempdir().expect("a temporary folder");
        let folder = Folder::open(path.path()).expect("free");
        let steps = ["05-rsqrt", "06-shared-blocking", "07-unroll"].map(str::to_owned).to_vec();
        let asked = Request { steps, deadline_seconds: 30, ..Request::default() };
        let rows = vec![row("05-rsqrt", false), row("06-shared-blocking", true)];
        folder.keep(&Report::new(&asked, None, rows)).expect("written");
        let (request, rows) = from(&folder, asked.clone()).expect("resumed");
        assert_eq!((rows.len(), request.left().len(), request.session), (1, 2, 1));

        let rows = vec![row("05-rsqrt", false), row("06-shared-blocking", false)];
        folder.keep(&Report::new(&request, None, rows)).expect("written");
        let patient = Request { deadline_seconds: 300, ..asked.clone() };
        let (request, rows) = from(&folder, patient).expect("resumed");
        assert_eq!((rows.len(), request.left().len()), (2, 1));

        let other = Request { size: Some(1000), ..asked };
        let error = from(&folder, other).expect_err("something else").to_string();
        assert!(error.contains("other options"), "{error}");
    }
}
