//! What to look at first in a long difference: `book/notes/LADDER.toml` has lines of steps with a remark on each.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// A remark on a line.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// A part of the line that no other line of the difference has.
    pub line: String,
    /// What is said of it.
    pub says: String,
}

/// The remarks on the difference of a step from its parent.
///
/// # Errors
/// The ladder's file is no table of them.
pub fn of(root: &Path, ladder: &str, step: &str) -> Result<Vec<Note>> {
    let file = root.join("book/notes").join(format!("{ladder}.toml"));
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let text = report::files::read_text(&file)?;
    let mut all: BTreeMap<String, Vec<Note>> =
        toml::from_str(&text).with_context(|| format!("{} has no notes", file.display()))?;
    Ok(all.remove(step).unwrap_or_default())
}

/// Which of `lines` each note is about.
///
/// # Errors
/// A note is about none of them, or about several.
pub fn places(notes: &[Note], lines: &[&str]) -> Result<Vec<usize>> {
    let place = |note: &Note| {
        let mut found = (0..lines.len()).filter(|&at| lines[at].contains(&note.line));
        match (found.next(), found.next()) {
            (Some(at), None) => Ok(at),
            (None, _) => {
                bail!("no line of the difference has `{}`, which a note is about", note.line)
            }
            (Some(_), Some(_)) => {
                bail!("several lines of the difference have `{}`, which a note is about", note.line)
            }
        }
    };
    notes.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use ladders::LADDERS;

    use super::*;
    use crate::expand::Content;

    /// Changed lines from which on a difference has a note.
    const LONG: usize = 25;

    #[test]
    fn every_long_difference_has_notes_and_every_note_is_of_a_step() {
        let root = ladder::workspace::root().expect("the workspace");
        let content = Content::new(root.clone(), LADDERS);
        let mut lacking = Vec::new();
        for ladder in LADDERS {
            let page = PathBuf::from(ladder.name()).join("index.md");
            let file = root.join("book/notes").join(format!("{}.toml", ladder.name()));
            let text = if file.is_file() {
                report::files::read_text(&file).expect("notes")
            } else {
                String::new()
            };
            let noted: BTreeMap<String, Vec<Note>> = toml::from_str(&text).expect("notes");
            for step in noted.keys() {
                assert!(
                    ladder.step(step).is_some(),
                    "{}: there is no step `{step}`",
                    file.display()
                );
            }
            for step in ladder.steps() {
                // Some differ from their parents on the host only, or are the first.
                let html = match content.expand(&page, &format!("diff {}", step.name)) {
                    Ok(html) => html,
                    Err(error) => {
                        assert!(!noted.contains_key(step.name), "{}: {error:#}", step.name);
                        continue;
                    }
                };
                let changed = html.matches("<span class=\"added\"").count()
                    + html.matches("<span class=\"removed\"").count();
                if changed > LONG && !noted.contains_key(step.name) {
                    lacking.push(format!("{}/{} ({changed} lines)", ladder.name(), step.name));
                }
            }
        }
        assert!(lacking.is_empty(), "without notes: {}", lacking.join(", "));
    }
}
