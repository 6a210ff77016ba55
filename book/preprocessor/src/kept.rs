//! What earlier builds drew: it is drawn again only where something that it is made from has changed.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::expand::{Content, Drawn};

/// Below the workspace.
const FILE: &str = "target/book/drawn.json";

/// Folders of what directives are drawn from, beside this program itself.
const INPUTS: [&str; 6] =
    ["book/interactive", "book/notes", "book/quizzes", "harness", "kernels", "steps"];
const REPORTS: &str = "reports";

/// The reader's own runs, which are drawn each time.
const LOCAL: &str = "local";

/// A file as it was: its path, bytes, and when it was written, ns since 1970.
type Stamp = (PathBuf, u64, u128);

#[derive(Serialize, Deserialize)]
struct Kept {
    /// All inputs, in the order of their paths.
    inputs: Vec<Stamp>,
    drawn: Vec<(PathBuf, String, String)>,
}

/// Gives `content` what was drawn from the same inputs. A file that is missing or unreadable is no fault.
pub fn read(content: &Content) -> Result<()> {
    let text = fs::read(content.root().join(FILE)).unwrap_or_default();
    let Ok(kept) = serde_json::from_slice::<Kept>(&text) else { return Ok(()) };
    if kept.inputs == inputs(content.root())? {
        let drawn: Drawn =
            kept.drawn.into_iter().map(|(page, of, text)| ((page, of), text)).collect();
        content.drawn().extend(drawn);
    }
    Ok(())
}

/// Keeps what `content` has drawn.
///
/// # Errors
/// It cannot be written.
pub fn write(content: &Content) -> Result<()> {
    let drawn = content.drawn().clone();
    let drawn = drawn.into_iter().map(|((page, of), text)| (page, of, text)).collect();
    let kept = Kept { inputs: inputs(content.root())?, drawn };
    let file = content.root().join(FILE);
    let folder = file.parent().context("a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut whole = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer(&mut whole, &kept)?;
    whole.persist(&file).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(())
}

fn inputs(root: &Path) -> Result<Vec<Stamp>> {
    let program = std::env::current_exe()?;
    let mut found = vec![stamp(program.clone(), &fs::metadata(&program)?)?];
    for folder in INPUTS {
        list(&root.join(folder), &mut found)?;
    }
    for entry in fs::read_dir(root.join(REPORTS))? {
        let entry = entry?;
        if entry.file_name() != LOCAL && entry.file_type()?.is_dir() {
            list(&entry.path(), &mut found)?;
        }
    }
    found.sort();
    Ok(found)
}

fn list(folder: &Path, found: &mut Vec<Stamp>) -> Result<()> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => list(&entry.path(), found)?,
            false => found.push(stamp(entry.path(), &entry.metadata()?)?),
        }
    }
    Ok(())
}

fn stamp(path: PathBuf, file: &Metadata) -> Result<Stamp> {
    let written = file.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok((path, file.len(), written.as_nanos()))
}
