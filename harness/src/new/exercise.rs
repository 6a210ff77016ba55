//! A new exercise: the files of one that is there, under the next number and another name, so that it can be checked at
//! once and has a file of every kind that an author needs.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use teaching::learn::exercise::Exercise;

use super::files::Files;
use super::names;

/// The files of an exercise called `slug`, which begin as those of `like`; and its name. `all` are those that are there.
///
/// # Errors
/// The name is none, an exercise has it, or a file cannot be read.
pub fn exercise(
    root: &Path,
    slug: &str,
    like: &Exercise,
    all: &[Exercise],
) -> Result<(Files, String)> {
    names::check_exercise(slug, all)?;
    let mut files = Files::new(root)?;
    let number = |exercise: &Exercise| report::split(&exercise.name).0.parse::<u32>().ok();
    let next = all.iter().filter_map(number).max().unwrap_or(0) + 1;
    let name = format!("{next:02}-{slug}");
    // Exercises of a part stand together, and this one is the last.
    let part = all.last().map_or_else(String::new, |last| last.part.clone());
    let old = format!("steps/exercises/{}", like.name);
    let unreadable = || format!("cannot read {old}");
    for folder in ["", "wrong/", "right/"] {
        let place = root.join(&old).join(folder);
        if !place.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&place).with_context(unreadable)? {
            let entry = entry.with_context(unreadable)?;
            if !entry.path().is_file() {
                continue;
            }
            let file = format!("{folder}{}", entry.file_name().to_string_lossy());
            let text = files.read(&format!("{old}/{file}"))?;
            let text = if file == "exercise.toml" { own(&text, slug, &part) } else { text };
            files.create(&format!("steps/exercises/{name}/{file}"), text)?;
        }
    }
    Ok((files, name))
}

/// The text of an `exercise.toml` with a title of its own, in a part.
fn own(text: &str, slug: &str, part: &str) -> String {
    let line = |line: &str| match line.split_once(" = ") {
        Some(("title", _)) => format!("title = {:?}\n", names::title(slug)),
        Some(("part", _)) => format!("part = {part:?}\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladder::workspace;
    use teaching::learn::author;

    #[test]
    fn a_new_exercise_is_a_copy_that_checks_at_once() {
        let root = workspace::root().expect("a clone");
        let all = Exercise::all().expect("exercises");
        let like = all.iter().find(|it| it.name == "44-ptx-guard").expect("it is there");
        let (files, name) = exercise(&root, "my-guard", like, &all).expect("files");
        let last = all.iter().filter_map(|it| report::split(&it.name).0.parse::<u32>().ok()).max();
        assert_eq!(name, format!("{}-my-guard", last.expect("exercises") + 1));
        let folder = tempfile::tempdir().expect("a folder");
        for (file, text) in files.texts() {
            let place = folder.path().join(file);
            fs::create_dir_all(place.parent().expect("a folder")).expect("made");
            fs::write(place, text).expect("written");
        }
        let new = Exercise::read(&folder.path().join("steps/exercises").join(&name));
        let new = new.expect("an exercise");
        assert_eq!((new.name.as_str(), new.title.as_str()), (name.as_str(), "My guard"));
        assert_eq!(new.part, all[all.len() - 1].part);
        let problems = author::problems(&new, 1).expect("checked");
        assert_eq!(problems, Vec::<String>::new());

        for (slug, words) in [("ptx-guard", "44-ptx-guard"), ("Guard", "small letters")] {
            let error = exercise(&root, slug, like, &all).expect_err(slug).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
