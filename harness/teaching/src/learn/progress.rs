//! What a reader has passed, in a plain file next to the reader's own: `learn/progress.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ladder::workspace;
use report::files::{self, write_whole};
use report::today;
use serde::{Deserialize, Serialize};

use super::exercise::Exercise;

/// The folder of a reader's files, in the workspace unless it is named.
const FOLDER: &str = "learn";

/// The folder in it with what the reader had written before exercises were started over.
const BACKUPS: &str = "backups";

/// What a reader has done.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    #[serde(skip)]
    folder: PathBuf,
    /// When an exercise was passed, by its name.
    #[serde(default)]
    passed: BTreeMap<String, String>,
    /// How many of its hints were read.
    #[serde(default)]
    hints: BTreeMap<String, usize>,
}

impl Progress {
    /// What is kept in `folder`; nothing in a new one.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn open(folder: Option<&Path>) -> Result<Progress> {
        let folder = match folder {
            Some(folder) => folder.to_path_buf(),
            None => workspace::own()?.join(FOLDER),
        };
        let file = folder.join("progress.toml");
        let kept = match file.exists() {
            false => Progress::default(),
            true => {
                let name = file.display();
                let text =
                    files::read_text(&file).with_context(|| format!("cannot read {name}"))?;
                toml::from_str(&text).with_context(|| {
                    format!("{name} is not as this program wrote it; mend or remove it")
                })?
            }
        };
        Ok(Progress { folder, ..kept })
    }

    /// Whether an exercise was passed.
    pub fn is_passed(&self, exercise: &Exercise) -> bool {
        self.passed.contains_key(&exercise.name)
    }

    /// How many were.
    pub fn passed(&self, all: &[Exercise]) -> usize {
        all.iter().filter(|it| self.is_passed(it)).count()
    }

    /// The first exercise that was not passed.
    pub fn next<'e>(&self, all: &'e [Exercise]) -> Option<&'e Exercise> {
        all.iter().find(|exercise| !self.is_passed(exercise))
    }

    /// Keeps that an exercise was passed today.
    pub fn pass(&mut self, exercise: &Exercise) -> Result<()> {
        self.passed.entry(exercise.name.clone()).or_insert_with(today);
        self.keep()
    }

    /// How many hints may be shown now: one more than before.
    pub fn one_more_hint(&mut self, exercise: &Exercise) -> Result<usize> {
        let read = self.hints.entry(exercise.name.clone()).or_default();
        *read = (*read + 1).min(exercise.hints.len());
        let read = *read;
        self.keep()?;
        Ok(read)
    }

    /// Starts an exercise over: its hints are unread, a pass stays. Returns the file, and where its old text is kept if that
    /// was not the beginning.
    pub fn reset(&mut self, exercise: &Exercise) -> Result<(PathBuf, Option<PathBuf>)> {
        self.hints.remove(&exercise.name);
        self.keep()?;
        let backup = self.back_up(exercise)?;
        Ok((self.begin(exercise, true)?, backup))
    }

    /// Copies the reader's file of an exercise to a name that is free.
    fn back_up(&self, exercise: &Exercise) -> Result<Option<PathBuf>> {
        let file = self.file(exercise)?;
        if !file.is_file() || !self.is_changed(exercise)? {
            return Ok(None);
        }
        let folder = self.folder.join(BACKUPS);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let ending = file.extension().unwrap_or_default().to_string_lossy().into_owned();
        let named = |number: u32| folder.join(format!("{}.{number}.{ending}", exercise.name));
        let Some(backup) = (1..).map(named).find(|name| !name.exists()) else { return Ok(None) };
        std::fs::copy(&file, &backup)
            .with_context(|| format!("cannot copy {} to {}", file.display(), backup.display()))?;
        Ok(Some(backup))
    }

    /// Whether the reader's file of an exercise is not as in the beginning.
    pub fn is_changed(&self, exercise: &Exercise) -> Result<bool> {
        let text = std::fs::read(self.file(exercise)?);
        let beginning = exercise.beginning_text()?;
        Ok(text.is_ok_and(|text| text != beginning.as_bytes()))
    }

    fn keep(&self) -> Result<()> {
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        let text = toml::to_string(self).context("cannot write TOML")?;
        write_whole(&self.folder.join("progress.toml"), |to| to.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// The reader's file of an exercise, which may not be there yet.
    pub fn file(&self, exercise: &Exercise) -> Result<PathBuf> {
        let beginning = exercise.beginning()?;
        let ending = beginning.extension().unwrap_or_default().to_string_lossy().into_owned();
        Ok(self.folder.join(format!("{}.{ending}", exercise.name)))
    }

    /// Puts the beginning of an exercise into the reader's file if there is none, or in any case.
    pub fn begin(&self, exercise: &Exercise, anew: bool) -> Result<PathBuf> {
        let file = self.file(exercise)?;
        if file.exists() && !anew {
            return Ok(file);
        }
        std::fs::create_dir_all(&self.folder)
            .with_context(|| format!("cannot make {}", self.folder.display()))?;
        let text = exercise.beginning_text()?;
        write_whole(&file, |to| to.write_all(text.as_bytes()))?;
        Ok(file)
    }
}
