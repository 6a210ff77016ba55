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
    let asked = Request { session: latest.options.session, ..request.clone() };
    if latest.options != asked.without_folders() {
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
