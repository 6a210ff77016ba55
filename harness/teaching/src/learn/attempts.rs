//! What the author of an exercise has tried besides its solution: solutions that are wrong and must not pass, and right
//! ones that nobody would write first and must.
//!
//! `attempts.toml` has those that are the solution with other text in some places. Those that share little with it are
//! whole files next to it, `wrong/serial.cu` and `right/wide-loads.cu`; a line `// says: words` of a wrong one names
//! words that its reader must get.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use report::files;
use serde::Deserialize;

use super::answer::solution_text;
use super::exercise::Exercise;

/// The wrong solutions that every kernel needs: one thread does all, every thread does all, numbers of the launch are
/// written into the kernel.
const OF_KERNEL: [&str; 3] = ["serial", "redundant", "hard-coded"];

/// Those that a kernel in a step's place needs: a step is verified at sizes and with launches that no exercise names.
const OF_STEP: [&str; 2] = ["serial", "redundant"];

/// Those that functions in Rust need.
const OF_PROGRAM: [&str; 1] = ["hard-coded"];

/// How many right solutions an exercise needs besides its own.
const RIGHT: usize = 3;

/// How a line begins that names what the reader of a wrong solution must get to read.
const SAYS: &str = "// says: ";

/// Stands for any text in what is replaced.
const ANY: char = '…';

/// What was tried of an exercise.
#[derive(Debug, Default)]
pub struct Attempts {
    /// Each of them.
    pub all: Vec<Attempt>,
    /// Those of them that must not pass and are the solution with changes.
    pub wrong: Vec<Changed>,
    /// Which of the usual ones there are not, and why.
    lacks: BTreeMap<String, String>,
}

/// A solution that is tried as a reader's.
#[derive(Debug)]
pub struct Attempt {
    /// As messages call it: `wrong/serial`.
    pub name: String,
    /// The whole file.
    pub text: String,
    /// What its reader must get to read; none where it must pass.
    pub says: Option<Vec<String>>,
}

/// What `attempts.toml` says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Written {
    /// What must not pass.
    wrong: Vec<Changed>,
    /// What must pass.
    right: Vec<Changed>,
    /// Files of other exercises that are tried as well: `24-reduction/wrong/serial.cu`.
    borrowed: Vec<String>,
    /// Which of the usual ones there are not, and why: `redundant = "…"`.
    lacks: BTreeMap<String, String>,
}

/// The solution with other text in some places.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Changed {
    /// Names it; what is changed does where this is missing.
    pub name: Option<String>,
    /// Each text occurs in the solution once and becomes the other. `…` stands for any text, as short as it can be.
    pub change: BTreeMap<String, String>,
    /// What its reader must get to read.
    #[serde(default)]
    pub says: Vec<String>,
}

impl Attempts {
    /// All of an exercise.
    ///
    /// # Errors
    /// A file cannot be read, or changes what the solution does not have.
    pub fn of(exercise: &Exercise) -> Result<Attempts> {
        let list = exercise.folder.join("attempts.toml");
        let named = || list.display().to_string();
        let written: Written = match list.is_file() {
            true => toml::from_str(&files::read_text(&list)?).with_context(named)?,
            false => Written::default(),
        };
        let solution = solution_text(exercise)?;
        let mut all = Vec::new();
        for (place, changed) in [("wrong", &written.wrong), ("right", &written.right)] {
            let of = |one: &Changed| one.attempt(place, &solution).with_context(named);
            all.extend(changed.iter().map(of).collect::<Result<Vec<_>>>()?);
            let whole = files_in(&exercise.folder.join(place));
            all.extend(whole.iter().map(|file| whole_file(file)).collect::<Result<Vec<_>>>()?);
        }
        let exercises = exercise.folder.parent().unwrap_or(Path::new(""));
        for file in &written.borrowed {
            all.push(whole_file(&exercises.join(file)).with_context(named)?);
        }
        Ok(Attempts { all, wrong: written.wrong, lacks: written.lacks })
    }

    /// What an exercise lacks, and has no reason to lack.
    pub fn lacking(&self, exercise: &Exercise) -> Vec<String> {
        let needed: &[&str] = match () {
            () if exercise.predict.is_some() || exercise.is_answered() => return Vec::new(),
            () if exercise.is_program() => &OF_PROGRAM,
            () if exercise.step.is_some() => &OF_STEP,
            () => &OF_KERNEL,
        };
        let has = |name: &str| self.all.iter().any(|it| it.name == name);
        let wanted = needed.iter().filter(|name| !self.lacks.contains_key(**name));
        let mut lacking: Vec<String> =
            wanted.map(|name| format!("wrong/{name}")).filter(|name| !has(name)).collect();
        let right = self.all.iter().filter(|it| it.says.is_none()).count();
        if right < RIGHT && !self.lacks.contains_key("right") {
            lacking.push(format!("{} more in right/", RIGHT - right));
        }
        lacking
    }
}

impl Changed {
    /// The attempt that it makes of the solution.
    fn attempt(&self, place: &str, solution: &str) -> Result<Attempt> {
        let name = match (&self.name, self.change.first_key_value()) {
            (Some(name), _) => format!("{place}/{name}"),
            (None, Some((_, new))) => format!("the solution with `{new}`"),
            (None, None) => "the solution".to_owned(),
        };
        let is_right = place == "right";
        ensure!(!is_right || self.says.is_empty(), "{name} passes, so nothing is said of it");
        let text = changed(solution, &self.change).with_context(|| name.clone())?;
        Ok(Attempt { name, text, says: (!is_right).then(|| self.says.clone()) })
    }
}

/// A text with others in some places.
fn changed(text: &str, change: &BTreeMap<String, String>) -> Result<String> {
    let mut places = Vec::new();
    for (old, new) in change {
        places.push((place(text, old)?, new));
    }
    places.sort_by_key(|(place, _)| place.start);
    let (mut made, mut copied) = (String::new(), 0);
    for (place, new) in places {
        ensure!(copied <= place.start, "`{}` is replaced twice", &text[place.start..copied]);
        made += &text[copied..place.start];
        made += new;
        copied = place.end;
    }
    Ok(made + &text[copied..])
}

/// Where `old` is in `text`.
fn place(text: &str, old: &str) -> Result<Range<usize>> {
    let mut parts = old.split(ANY);
    let first = parts.next().unwrap_or_default();
    let times = text.matches(first).count();
    ensure!(times == 1, "`{first}` is {times} times in the solution");
    let start = text.find(first).unwrap_or_default();
    let end = parts.try_fold(start + first.len(), |end, part| {
        let at = text[end..].find(part);
        Ok::<_, anyhow::Error>(
            end + at.with_context(|| format!("no `{part}` after `{first}`"))? + part.len(),
        )
    });
    Ok(start..end?)
}

/// The attempt that is a file of its own, in `wrong` or `right`.
fn whole_file(file: &Path) -> Result<Attempt> {
    let text = files::read(file).and_then(files::text_of);
    let text = text.with_context(|| format!("cannot read {}", file.display()))?;
    let place = file.parent().and_then(Path::file_name).unwrap_or_default().display();
    let name = format!("{place}/{}", file.file_stem().unwrap_or_default().display());
    let words = text.lines().filter_map(|line| line.trim().strip_prefix(SAYS));
    let words = words.map(|words| words.trim_end().to_owned()).collect();
    Ok(Attempt { says: (!name.starts_with("right/")).then_some(words), name, text })
}

/// The files of a folder in the order of their names; none where there is no folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut all: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(old: &str, new: &str) -> BTreeMap<String, String> {
        [(old.to_owned(), new.to_owned())].into()
    }

    #[test]
    fn texts_become_others_wherever_they_stand() {
        let text = "for (a) { b; }\nc;\nd;\n";
        let mut two = change("d", "e");
        two.insert("b".to_owned(), "bb".to_owned());
        assert_eq!(changed(text, &two).expect("made"), "for (a) { bb; }\nc;\ne;\n");
        let all_between = change("for…}\nc", "x");
        assert_eq!(changed(text, &all_between).expect("made"), "x;\nd;\n");
    }

    #[test]
    fn what_is_missing_or_not_alone_is_said() {
        let text = "aba";
        for (old, words) in [("a", "2 times"), ("x", "0 times"), ("b…x", "no `x` after `b`")] {
            let error = changed(text, &change(old, "")).expect_err(old).to_string();
            assert!(error.contains(words), "{error}");
        }
        let mut twice = change("ab", "");
        twice.insert("ba".to_owned(), String::new());
        let error = changed(text, &twice).expect_err("overlapping").to_string();
        assert!(error.contains("`b` is replaced twice"), "{error}");
    }
}
