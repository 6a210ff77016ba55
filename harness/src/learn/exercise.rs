//! An exercise as `steps/exercises/NN-slug/exercise.toml` writes it down.
//!
//! Next to it are `exercise.cu` (or `.ptx`), what the reader begins with, and `solution.cu`. An exercise that climbs a
//! step of a ladder has neither: it begins with the kernel of one step, and the next step is its solution. Changes that
//! make a solution wrong or half right are written down with the words that their reader must get.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ladder::workspace;
use report::files;
use serde::Deserialize;

use crate::names::{Usage, nearest};

/// An exercise.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exercise {
    /// Its folder's name: `03-guard`.
    #[serde(skip)]
    pub name: String,
    /// Its folder.
    #[serde(skip)]
    pub folder: PathBuf,
    pub title: String,
    /// The part of the course: exercises of a part stand together.
    pub part: String,
    /// How long it takes.
    pub minutes: u32,
    /// The page of the book to read before, below `book/src`.
    pub read: String,
    /// What is to be reached, in a sentence.
    pub goal: String,
    /// One after the other, each says more than the one before it.
    pub hints: Vec<String>,
    /// What was learned, once it is passed.
    pub learned: String,
    /// The step of a ladder whose place the kernel takes; none: it is launched as `launches` says.
    pub step: Option<OfStep>,
    /// Launches, in this order.
    #[serde(default)]
    pub launches: Vec<Launch>,
    /// The sizes for which the launches are checked, the last one for the goals.
    #[serde(default)]
    pub sizes: Vec<u64>,
    /// What the launches are given, by name: `u32=n`, `f32[4*n]=rand`.
    #[serde(default)]
    pub data: BTreeMap<String, String>,
    /// Which of the data must be as the solution leaves them, and how far they may be off, relatively; 0 for exact.
    #[serde(default)]
    pub results: BTreeMap<String, f64>,
    /// What events must keep within.
    #[serde(default)]
    pub limits: Vec<Limit>,
    /// A number to be predicted.
    pub predict: Option<Predict>,
    /// What does not pass, and why.
    #[serde(default)]
    pub wrong: Vec<Wrong>,
}

/// An exercise on a step of a ladder.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfStep {
    pub ladder: String,
    /// The step whose kernel is the beginning; none: `exercise.cu` is.
    pub from: Option<String>,
    /// The step whose place the kernel takes, and whose own is the solution.
    pub to: String,
}

/// A launch.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    pub kernel: String,
    /// Blocks in x, y, z: numbers, or products and quotients of numbers and `n`; quotients are rounded up.
    pub grid: Vec<String>,
    /// Threads of a block in x, y, z.
    pub block: Vec<u32>,
    /// Names of data.
    pub arguments: Vec<String>,
}

/// What an event must keep within.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// A number of [`Facts`](crate::facts::Facts) as its JSON names it: `ratios.sectors_per_request`.
    pub event: String,
    pub most: Option<f64>,
    pub least: Option<f64>,
    /// A question that leads on.
    pub ask: String,
}

/// A number to be predicted: the reader writes it, and the launches of a committed kernel decide.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predict {
    /// The kernel that is launched, below `kernels`: `transpose/01-naive.ptx`.
    pub kernel: String,
    /// The number, as in a [`Limit`].
    pub event: String,
    /// How far off, relatively, a prediction may be.
    #[serde(default)]
    pub within: f64,
    /// A question that leads on after a wrong one.
    pub ask: String,
}

/// What does not pass: the solution with another text in the place of a part of it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// Occurs in the solution once.
    pub replace: String,
    pub with: String,
    /// What its reader must get to read.
    pub says: Vec<String>,
}

impl Exercise {
    /// All exercises, in the order of their numbers.
    ///
    /// # Errors
    /// No workspace; a folder that is no exercise, which is named.
    pub fn all() -> Result<Vec<Exercise>> {
        let folder = workspace::root()?.join("steps/exercises");
        let entries = fs::read_dir(&folder)
            .with_context(|| format!("cannot read the exercises in {}", folder.display()))?;
        let mut folders: Vec<PathBuf> =
            entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        folders.sort();
        folders.iter().map(|folder| Exercise::read(folder)).collect()
    }

    fn read(folder: &Path) -> Result<Exercise> {
        let file = folder.join("exercise.toml");
        let text =
            files::read_text(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut exercise: Exercise =
            toml::from_str(&text).with_context(|| format!("{}", file.display()))?;
        exercise.name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        exercise.folder = folder.to_path_buf();
        for launch in &exercise.launches {
            let unknown = launch.arguments.iter().find(|name| !exercise.data.contains_key(*name));
            ensure!(unknown.is_none(), "{}: no data are called {unknown:?}", file.display());
        }
        let is_one = exercise.step.is_some() != exercise.launches.is_empty();
        ensure!(
            !is_one || exercise.step.is_some() || !exercise.sizes.is_empty(),
            "{}: it has no sizes",
            file.display()
        );
        Ok(exercise)
    }

    /// The file with which the reader begins.
    pub fn beginning(&self) -> Result<PathBuf> {
        if self.predict.is_some() {
            return Ok(self.folder.join("answer.toml"));
        }
        if let Some(OfStep { ladder, from: Some(from), .. }) = &self.step {
            return Ok(workspace::root()?.join("kernels").join(ladder).join(format!("{from}.cu")));
        }
        self.either("exercise")
    }

    /// The file that passes.
    pub fn solution(&self) -> Result<PathBuf> {
        if let Some(OfStep { ladder, to, from: Some(_) }) = &self.step {
            return Ok(workspace::root()?.join("kernels").join(ladder).join(format!("{to}.cu")));
        }
        self.either("solution")
    }

    /// The file of this name, in CUDA C++ or PTX.
    fn either(&self, name: &str) -> Result<PathBuf> {
        let all = ["cu", "ptx"].map(|ending| self.folder.join(format!("{name}.{ending}")));
        let found = all.iter().find(|file| file.is_file());
        found.cloned().with_context(|| format!("{} has no {name}.cu", self.folder.display()))
    }

    /// What the reader begins with: the goal in a comment, and the kernel, or the line for a prediction.
    pub fn beginning_text(&self) -> Result<String> {
        let file = self.beginning()?;
        let mark = if self.predict.is_some() { "#" } else { "//" };
        let head = |line: &str| format!("{mark} {line}\n");
        let mut text = head(&format!("{}: {}", self.name, self.title));
        for line in show::table::terminal::wrap(&self.goal, 96).lines() {
            text += &head(line);
        }
        let rest =
            files::read_text(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(format!("{text}\n{rest}"))
    }

    /// The text of what does not pass.
    pub fn wrong_text(&self, wrong: &Wrong) -> Result<String> {
        let text = self.solution_text()?;
        let times = text.matches(&wrong.replace).count();
        ensure!(times == 1, "{}: `{}` is {times} times in the solution", self.name, wrong.replace);
        Ok(text.replace(&wrong.replace, &wrong.with))
    }

    /// The solution's file, or the answer.
    pub fn solution_text(&self) -> Result<String> {
        let Some(predict) = &self.predict else {
            let file = self.solution()?;
            return files::read_text(&file)
                .with_context(|| format!("cannot read {}", file.display()));
        };
        let gpu = crate::names::gpu(crate::options::GPU)?;
        let answer = super::check::answer_of(self, predict, &gpu, 1)?;
        Ok(format!("answer = {answer}\n"))
    }
}

/// The exercise that `name` means: its number, its slug or its folder.
pub fn find<'e>(all: &'e [Exercise], name: &str) -> Result<&'e Exercise, Usage> {
    let wanted = name.trim().to_ascii_lowercase();
    let is_meant = |exercise: &&Exercise| {
        let (number, slug) = report::split(&exercise.name);
        let short = |number: &str| number.trim_start_matches('0').to_owned();
        wanted == exercise.name || wanted == slug || short(&wanted) == short(number)
    };
    all.iter().find(is_meant).ok_or_else(|| {
        let known: Vec<&str> =
            all.iter().flat_map(|it| [it.name.as_str(), report::split(&it.name).1]).collect();
        let near = nearest(&wanted, &known);
        Usage(format!("there is no exercise `{name}`{near}\n`harness learn list` shows all"))
    })
}
