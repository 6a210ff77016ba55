//! Tries what an author has tried of an exercise: its beginning and what is wrong must not pass, its solution and what is
//! right must.

use std::fs;

use anyhow::{Context, Result};
use report::files::Scratch;

use super::answer::solution_text;
use super::attempts::{Attempt, Attempts};
use super::check::examine;
use super::exercise::Exercise;
use super::findings::{Checked, Part, Verdict};
use super::measure::Measure;
use super::plan::Plan;

/// What is tried of an exercise: its beginning, its solution, and what its author has tried besides.
///
/// # Errors
/// As of [`Attempts::of`].
pub fn tried(exercise: &Exercise) -> Result<Vec<Attempt>> {
    let own = |name: &str, text, says| Attempt { name: format!("the {name}"), text, says };
    let mut all = vec![
        own("beginning", exercise.beginning_text()?, Some(Vec::new())),
        own("solution", solution_text(exercise)?, None),
    ];
    all.extend(Attempts::of(exercise)?.all);
    Ok(all)
}

/// What of an exercise is not as it should be, with data drawn from `seed`: its beginning fails, its
/// solution and the right ones pass, the wrong ones compile and fail with the words that their readers must get.
///
/// # Errors
/// The exercise itself is not in order; a file cannot be read.
pub fn problems(exercise: &Exercise, seed: u64) -> Result<Vec<String>> {
    let folder = Scratch::new().context("cannot make a temporary folder")?;
    let ending = exercise.beginning()?.extension().unwrap_or_default().to_owned();
    let mut problems = Vec::new();
    let mut measure = Measure::new(exercise);
    for (number, Attempt { name, text, says }) in tried(exercise)?.into_iter().enumerate() {
        let file = folder.path().join(format!("{}-{number}", exercise.name));
        let file = file.with_extension(&ending);
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
        let plan = Plan::for_reader(exercise, seed);
        let (verdict, compiles) = match examine(&mut measure, &file, &plan, &mut || Ok(()))? {
            Checked::Done(found, reached) => {
                let compiles = found.is_right(Part::Compiles);
                (found.verdict(reached), compiles)
            }
            Checked::Impossible(why) => (Verdict::Impossible(why), true),
        };
        let is_as_wanted = match (&verdict, &says) {
            (Verdict::Passed(_), None) => true,
            // What does not compile is wrong for another reason than the one that is meant, unless words say which.
            (Verdict::Wrong(said), Some(words)) => {
                (compiles || !words.is_empty()) && words.iter().all(|words| said.contains(words))
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

#[cfg(test)]
mod tests {
    use ladder::workspace;
    use serde::de::DeserializeOwned;

    use super::*;
    use crate::learn::attempts::Written;

    /// What may stand where `nonsense` does, as the error says.
    fn expected<T: DeserializeOwned>(text: &str) -> Vec<String> {
        let error = toml::from_str::<T>(text).err().expect(text).message().to_owned();
        let (_, names) = error.split_once("expected").expect("a list");
        names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_authors_page_has_every_field() {
        let root = workspace::root().expect("a clone");
        let page = fs::read_to_string(root.join("book/src/authoring.md")).expect("a page");
        let of_exercise = [
            "nonsense = 1",
            "kind = \"nonsense\"",
            "[step]\nnonsense = 1",
            "[[launches]]\nnonsense = 1",
            "[[limits]]\nnonsense = 1",
            "[parallel]\nnonsense = 1",
            "[predict]\nnonsense = 1",
            "[predict.of]\nnonsense = 1",
            "[predict.of.gain]\nnonsense = 1",
        ];
        let of_attempts = ["nonsense = 1", "[[wrong]]\nnonsense = 1"];
        let fields = of_exercise.map(expected::<Exercise>).into_iter();
        for names in fields.chain(of_attempts.map(expected::<Written>)) {
            assert!(names.len() > 1, "{names:?}");
            for name in names {
                assert!(page.contains(&format!("| `{name}` |")), "{name} is not on the page");
            }
        }
    }
}
