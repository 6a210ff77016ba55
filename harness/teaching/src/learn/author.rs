//! What the author of an exercise must have tried: solutions that are wrong and must not pass, and right ones that nobody
//! would write first and must.
//!
//! They are next to the exercise: `wrong/serial.cu`, `right/wide-loads.cu`. A line `// says: words` in a wrong one names
//! words that its reader must get. Wrong ones that differ from the solution in one place may be in `exercise.toml` as
//! well.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use report::files::{self, Scratch};

use super::answer::solution_text;
use super::check::examine;
use super::exercise::Exercise;
use super::findings::{Checked, Part, Verdict};
use super::plan::Plan;

/// The wrong solutions that every kernel needs: one thread does all, every thread does all, numbers of the launch are
/// written into the kernel.
const OF_KERNEL: [&str; 3] = ["serial", "redundant", "hard-coded"];

/// Those that functions in Rust need.
const OF_PROGRAM: [&str; 1] = ["hard-coded"];

/// How many right solutions an exercise needs besides its own.
const RIGHT: usize = 3;

/// How a line begins that names what the reader of a wrong solution must get to read.
const SAYS: &str = "// says: ";

/// A file that is tried as a reader's.
struct Attempt {
    /// As messages call it.
    name: String,
    file: PathBuf,
    /// What its reader must get to read; none where it must pass.
    says: Option<Vec<String>>,
    /// Whether it is no attempt otherwise.
    must_compile: bool,
}

/// What an exercise lacks, and has no reason to lack.
pub fn lacking(exercise: &Exercise) -> Vec<String> {
    let needed: &[&str] = match () {
        () if exercise.predict.is_some() || exercise.is_answered() => return Vec::new(),
        () if exercise.is_program() => &OF_PROGRAM,
        () => &OF_KERNEL,
    };
    let has = |name: &str| {
        let found = files_in(&exercise.folder.join("wrong"));
        found.iter().any(|file| file.file_stem().is_some_and(|stem| stem == name))
    };
    let is_open = |name: &&&str| !has(name) && !exercise.lacks.contains_key(**name);
    let mut lacking: Vec<String> =
        needed.iter().filter(is_open).map(|name| format!("wrong/{name}")).collect();
    let right = files_in(&exercise.folder.join("right")).len();
    if right < RIGHT && !exercise.lacks.contains_key("right") {
        lacking.push(format!("{} more in right/", RIGHT - right));
    }
    lacking
}

/// What of an exercise is not as it should be, with data drawn from `seed`: its beginning fails, its solution and the right
/// ones pass, the wrong ones compile and fail with the words that their readers must get.
///
/// # Errors
/// The exercise itself is not in order; a file cannot be read.
pub fn problems(exercise: &Exercise, seed: u64) -> Result<Vec<String>> {
    let folder = Scratch::new().context("cannot make a temporary folder")?;
    let mut problems = Vec::new();
    for Attempt { name, file, says, must_compile } in attempts(exercise, folder.path())? {
        let plan = Plan::for_reader(exercise, seed);
        let (verdict, compiles) = match examine(exercise, &file, &plan, &mut || Ok(()))? {
            Checked::Done(found, reached) => {
                let compiles = found.is_right(Part::Compiles);
                (found.verdict(reached), compiles)
            }
            Checked::Impossible(why) => (Verdict::Impossible(why), true),
        };
        let is_as_wanted = match (&verdict, &says) {
            (Verdict::Passed(_), None) => true,
            (Verdict::Wrong(said), Some(words)) => {
                (compiles || !must_compile) && words.iter().all(|words| said.contains(words))
            }
            _ => false,
        };
        if is_as_wanted {
            continue;
        }
        let wanted = match says {
            None => "must pass".to_owned(),
            Some(words) if words.is_empty() => "must compile and not pass".to_owned(),
            Some(words) => format!("must not pass, and say `{}`", words.join("` and `")),
        };
        let got = match verdict {
            Verdict::Passed(_) => "it passes".to_owned(),
            Verdict::Wrong(why) | Verdict::Impossible(why) => why,
        };
        problems.push(format!("{}: {name} {wanted}:\n{got}", exercise.name));
    }
    Ok(problems)
}

/// Everything that is tried.
fn attempts(exercise: &Exercise, folder: &Path) -> Result<Vec<Attempt>> {
    let beginning = exercise.beginning()?;
    let ending = beginning.extension().unwrap_or_default();
    let mut all = Vec::new();
    let mut write = |name: String, text: &str, says: Option<Vec<String>>| -> Result<()> {
        let file = folder.join(format!("{}-{}", exercise.name, all.len())).with_extension(ending);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        all.push(Attempt { name, file, says, must_compile: false });
        Ok(())
    };
    let solution = solution_text(exercise)?;
    write("the beginning".to_owned(), &exercise.beginning_text()?, Some(Vec::new()))?;
    write("the solution".to_owned(), &solution, None)?;
    for wrong in &exercise.wrong {
        let text = wrong.text(&solution).with_context(|| exercise.name.clone())?;
        write(format!("the solution with `{}`", wrong.with), &text, Some(wrong.says.clone()))?;
    }
    for (place, is_right) in [("wrong", false), ("right", true)] {
        for file in files_in(&exercise.folder.join(place)) {
            let name = format!("{place}/{}", file.file_name().unwrap_or_default().display());
            ensure!(
                file.extension() == Some(ending),
                "{}: {name} does not end in .{}",
                exercise.name,
                ending.display()
            );
            let says = if is_right { None } else { Some(words(&file)?) };
            all.push(Attempt { name, file, says, must_compile: true });
        }
    }
    Ok(all)
}

/// What the reader of a wrong solution must get to read.
fn words(file: &Path) -> Result<Vec<String>> {
    let text = files::read(file).and_then(files::text_of);
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    let words = text.lines().filter_map(|line| line.trim().strip_prefix(SAYS));
    Ok(words.map(|words| words.trim_end().to_owned()).collect())
}

/// The files of a folder in the order of their names; none where there is no folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    all.sort();
    all
}
