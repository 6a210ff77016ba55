//! An exercise as `steps/exercises/NN-slug/exercise.toml` writes it down.
//!
//! Next to it are `exercise.cu` (or `.ptx`), what the reader begins with, and `solution.cu`. An exercise that climbs a
//! step of a ladder has neither: it begins with the kernel of one step, and the next step is its solution. One that mends
//! a step's kernel has `exercise.cu` alone. One that asks for a number has `answer.toml`, and `solution.toml` unless a
//! simulation or a report answers. One in Rust has `exercise.rs`, `solution.rs` and `check.rs`, which calls the reader's
//! functions and judges them. What its author has tried besides is the subject of [`attempts`](super::attempts).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ladder::workspace;
use report::files;
use serde::Deserialize;

use ui::{Usage, called, nearest};

use super::launch::Launch;
use super::question::Predict;
use super::wanted::{Limit, Parallel};

/// The file in which a reader writes a number.
const ANSWER: &str = "answer.toml";

/// The file that judges what a reader writes in Rust.
const CHECK: &str = "check.rs";

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
    /// The title, for people.
    pub title: String,
    /// What is asked of the reader.
    pub kind: Kind,
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
    /// A committed kernel that is launched where the reader writes a number and no kernel: a file of this folder, or a
    /// path from the workspace's root.
    pub kernel: Option<String>,
    /// Launches, in this order.
    #[serde(default)]
    pub launches: Vec<Launch>,
    /// The sizes for which the launches are checked, the last one for the goals; of a step, that one only.
    #[serde(default)]
    pub sizes: Vec<u64>,
    /// Numbers of which each check takes another, by a name that launches and data use: `threads = [64, 32, 128]`. The
    /// last ones are for the goals.
    #[serde(default)]
    pub vary: BTreeMap<String, Vec<u64>>,
    /// What the launches are given, by name: `u32=n`, `f32[4*n]=rand`.
    #[serde(default)]
    pub data: BTreeMap<String, String>,
    /// Which of the data are `__constant__` variables of this name, set before the launches.
    #[serde(default)]
    pub constants: Vec<String>,
    /// How lanes that parted go on: `independent`, or `lockstep` as before compute capability 7.0.
    pub scheduling: Option<String>,
    /// How many multiprocessors hold the blocks where these communicate; none: as many as the GPU has. Few show whether a block
    /// waits for one that has not begun.
    pub multiprocessors: Option<u32>,
    /// Which of the data must be as the solution leaves them, and how far they may be off, relatively; 0 for exact.
    #[serde(default)]
    pub results: BTreeMap<String, f64>,
    /// What events must keep within.
    #[serde(default)]
    pub limits: Vec<Limit>,
    /// How near to the solution's parallelism a kernel must be.
    #[serde(default)]
    pub parallel: Parallel,
    /// A number to be predicted.
    pub predict: Option<Predict>,
}

/// An exercise on a step of a ladder.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfStep {
    /// The ladder that has the steps.
    pub ladder: String,
    /// The step whose kernel is the beginning; none: `exercise.cu` is.
    pub from: Option<String>,
    /// The step whose place the kernel takes, and whose own is the solution.
    pub to: String,
}

/// What is asked of the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A kernel has a gap.
    Complete,
    /// A kernel is wrong.
    Bug,
    /// A kernel is right, and does too much.
    Goal,
    /// A number or an order is to be known before the run.
    Predict,
    /// A number decides how a kernel is launched or compiled.
    Choose,
    /// A step's kernel is to become the next one's.
    Climb,
}

impl Kind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Complete => "fill the gap",
            Kind::Bug => "find the bug",
            Kind::Goal => "meet the goal",
            Kind::Predict => "predict",
            Kind::Choose => "choose",
            Kind::Climb => "climb a step",
        }
    }

    /// Whether the reader begins with what has the right results, so that only the goals say that something was done.
    pub fn begins_right(self) -> bool {
        matches!(self, Kind::Goal | Kind::Choose | Kind::Climb)
    }
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
        folders.sort_by_key(|folder| number(folder));
        folders.iter().map(|folder| Exercise::read(folder)).collect()
    }

    /// That of a folder.
    ///
    /// # Errors
    /// The folder is no exercise: which file, and why.
    pub fn read(folder: &Path) -> Result<Exercise> {
        let file = folder.join("exercise.toml");
        let text =
            files::read_text(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut exercise: Exercise =
            toml::from_str(&text).with_context(|| format!("{}", file.display()))?;
        exercise.name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        exercise.folder = folder.to_path_buf();
        let of_launches = exercise.launches.iter().flat_map(|launch| &launch.arguments);
        let unknown = of_launches
            .chain(&exercise.constants)
            .chain(exercise.results.keys())
            .find(|name| !exercise.data.contains_key(*name));
        ensure!(unknown.is_none(), "{}: no data are called {unknown:?}", file.display());
        let is_launched = !exercise.launches.is_empty() || exercise.is_program();
        let has_sizes = !is_launched || !exercise.sizes.is_empty();
        ensure!(has_sizes, "{}: it has no sizes", file.display());
        let empty = exercise.vary.iter().find(|(_, values)| values.is_empty());
        ensure!(empty.is_none(), "{}: nothing to take for {empty:?}", file.display());
        let limits = exercise.limits.iter().try_for_each(Limit::check);
        limits.and(exercise.parallel.check()).with_context(|| format!("{}", file.display()))?;
        Ok(exercise)
    }

    /// All that is written down about it.
    pub fn text(&self) -> Result<String> {
        let mut all = vec![self.folder.join("exercise.toml")];
        if self.is_program() {
            all.push(self.check());
            all.extend(self.instruments().map(|(_, file)| file));
        }
        let read = |file: &PathBuf| {
            files::read_text(file).with_context(|| format!("cannot read {}", file.display()))
        };
        all.iter().map(read).collect()
    }

    /// The file with which the reader begins.
    pub fn beginning(&self) -> Result<PathBuf> {
        if self.is_answered() {
            return Ok(self.folder.join(ANSWER));
        }
        if let Some(OfStep { ladder, from: Some(from), .. }) = &self.step {
            return Ok(workspace::root()?.join("kernels").join(ladder).join(format!("{from}.cu")));
        }
        self.either("exercise")
    }

    /// Whether the reader's kernel must be as parallel as the solution's.
    pub fn is_parallel(&self) -> bool {
        let is_kernel = self.predict.is_none() && !self.is_answered() && !self.is_program();
        is_kernel && self.parallel.none.is_none()
    }

    /// Whether the reader writes a number and no kernel.
    pub fn is_answered(&self) -> bool {
        self.folder.join(ANSWER).is_file()
    }

    /// Whether the reader writes Rust, which runs on this machine's own processor.
    pub fn is_program(&self) -> bool {
        self.check().is_file()
    }

    /// The file that judges what a reader writes in Rust.
    pub fn check(&self) -> PathBuf {
        self.folder.join(CHECK)
    }

    /// The folder of files that kernels of several exercises include.
    pub fn shared(&self) -> &Path {
        self.folder.parent().unwrap_or(&self.folder)
    }

    /// Modules that a check in Rust stands on, by their names; later ones use earlier ones.
    pub fn instruments(&self) -> [(&'static str, PathBuf); 3] {
        ["meter", "streams", "host"]
            .map(|name| (name, self.folder.with_file_name(format!("{name}.rs"))))
    }

    /// Whether the reader's file is CUDA C++, which has to be compiled.
    pub fn needs_compiler(&self) -> bool {
        self.beginning().is_ok_and(|file| file.extension().is_some_and(|ending| ending == "cu"))
    }

    /// Whether it runs as on a GPU whose lanes do not go on by themselves.
    pub fn is_in_lockstep(&self) -> bool {
        self.scheduling.as_deref() == Some("lockstep")
    }

    /// The kernel that is launched where the reader writes none.
    pub fn committed(&self) -> Result<PathBuf> {
        let name =
            self.kernel.as_deref().with_context(|| format!("{} has no kernel", self.name))?;
        let own = self.folder.join(name);
        Ok(if own.is_file() { own } else { workspace::root()?.join(name) })
    }

    /// The file that passes.
    pub fn solution(&self) -> Result<PathBuf> {
        if let Some(OfStep { ladder, to, .. }) = &self.step {
            return Ok(workspace::root()?.join("kernels").join(ladder).join(format!("{to}.cu")));
        }
        self.either("solution")
    }

    /// The file of this name, in CUDA C++, PTX or Rust.
    fn either(&self, name: &str) -> Result<PathBuf> {
        let all =
            ["cu", "ptx", "rs", "toml"].map(|ending| self.folder.join(format!("{name}.{ending}")));
        let found = all.iter().find(|file| file.is_file());
        found.cloned().with_context(|| format!("{} has no {name}.cu", self.folder.display()))
    }

    /// What the reader begins with: the goal in a comment, and the kernel, or the line for a prediction.
    pub fn beginning_text(&self) -> Result<String> {
        let file = self.beginning()?;
        let mark = if self.is_answered() { "#" } else { "//" };
        let head = |line: &str| format!("{mark} {line}\n");
        let mut text = head(&format!("{}: {}", self.name, self.title));
        for line in show::table::terminal::wrap(&self.goal, 96).lines() {
            text += &head(line);
        }
        let rest =
            files::read_text(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(format!("{text}\n{rest}"))
    }
}

/// The number of an exercise, by its folder: `03-guard` comes before `20-dynamic-shared` and `100-four-each`.
fn number(folder: &Path) -> Option<u32> {
    report::split(folder.file_name()?.to_str()?).0.parse().ok()
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
        let list = format!("{} learn list", called());
        Usage(format!("there is no exercise `{name}`{near}\n`{list}` shows all"))
    })
}
