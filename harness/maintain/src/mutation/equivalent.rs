//! Mutants that compute the same as the step, and why: what people found, in `reports/mutation/<ladder>.toml`,
//! or in `<ladder>-clang.toml` where clang made the PTX.
//!
//! ```toml
//! [[equivalent]]
//! step = "06-shared-blocking"
//! kernel = "force"
//! kind = "predicate"
//! original = "setp.lt.u32 %p5, %r38, 3;"
//! mutant = "setp.le.u32 %p5, %r38, 3;"
//! reason = "four bodies are left to the loop that follows, which takes any number"
//! ```
//!
//! Where a kernel has the instruction several times and not all of these mutants compute the same, `line = 188` names the
//! one in the PTX.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ladder::workspace;
use report::mutation::{Equivalent, Mutant};
use serde::Deserialize;
use toolchain::compiler::{self, Maker};

/// What is known of a ladder's mutants.
#[derive(Debug, Default)]
pub struct Known {
    file: PathBuf,
    all: Vec<Equivalent>,
}

/// The file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(default)]
    equivalent: Vec<Equivalent>,
}

impl Known {
    /// Those of a ladder, in the PTX of the compiler that was chosen.
    ///
    /// # Errors
    /// As [`Known::read`] has them; or the workspace or the compiler is not known.
    pub fn of(ladder: &str) -> Result<Known> {
        let list = match compiler::chosen()? {
            Some(Maker::Clang) => format!("{ladder}-clang"),
            _ => ladder.to_owned(),
        };
        Known::read(&workspace::root()?, &list)
    }

    /// Reads a list from the workspace's root; nothing is known where there is no file.
    ///
    /// # Errors
    /// The file cannot be read, says what is no such list, or gives no reason.
    pub fn read(root: &Path, list: &str) -> Result<Known> {
        let file = root.join("reports/mutation").join(format!("{list}.toml"));
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).context(format!("cannot read {}", file.display())),
        };
        let place = || format!("{} is no list of equivalent mutants", file.display());
        let Text { equivalent: all } = toml::from_str(&text).with_context(place)?;
        if let Some(silent) = all.iter().find(|it| it.reason.trim().is_empty()) {
            let Mutant { step, original, .. } = &silent.mutant;
            bail!("{}: {step}, `{original}`: say why it computes the same", file.display());
        }
        Ok(Known { file, all })
    }

    /// Why a mutant of a line of the PTX computes the same, if somebody has said so.
    pub fn reason(&self, mutant: &Mutant, line: u32) -> Option<&Equivalent> {
        let is_there = |known: &Equivalent| known.line.is_none_or(|own| own == line);
        self.all.iter().find(|known| known.mutant == *mutant && is_there(known))
    }

    /// What is said of mutants of a step that it does not have, as its PTX has changed: each in words.
    pub fn stale(&self, step: &str, has: impl Fn(&Mutant, Option<u32>) -> bool) -> Vec<String> {
        let own = self.all.iter().filter(|known| known.mutant.step == step);
        let in_words = |known: &Equivalent| {
            let Mutant { kernel, kind, original, mutant, .. } = &known.mutant;
            format!(
                "{}: {step} has no `{kind}` of `{original}` in `{kernel}` that is `{mutant}`: its PTX has changed; \
                 remove what is said of it",
                self.file.display()
            )
        };
        own.filter(|known| !has(&known.mutant, known.line)).map(in_words).collect()
    }

    /// What is wrong with the claim that a mutant computes the same, which verification has found; none where nobody
    /// made it.
    pub fn refuted(&self, mutant: &Mutant, line: u32, why: &str) -> Option<String> {
        let known = self.reason(mutant, line)?;
        Some(format!(
            "{}: {}, `{}` as `{}` is not equivalent; remove \"{}\":\n{why}",
            self.file.display(),
            mutant.step,
            mutant.original,
            mutant.mutant,
            known.reason
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Known> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let reports = folder.path().join("reports/mutation");
        fs::create_dir_all(&reports).expect("a folder");
        fs::write(reports.join("toy.toml"), text).expect("a file");
        Known::read(folder.path(), "toy")
    }

    const ONE: &str = "[[equivalent]]\nstep = \"01-a\"\nkernel = \"k\"\nkind = \"drop\"\n\
                       original = \"bar.sync 0;\"\nmutant = \"\"\n";

    #[test]
    fn reasons_are_found_and_must_be_given() {
        let known = read(&format!("{ONE}reason = \"one warp\"\n")).expect("a list");
        let mutant = known.all[0].mutant.clone();
        assert_eq!(known.reason(&mutant, 7).map(|it| it.reason.as_str()), Some("one warp"));
        let other = Mutant { kernel: "other".to_owned(), ..mutant.clone() };
        assert!(known.reason(&other, 7).is_none());
        assert!(known.stale("01-a", |it, _| *it == mutant).is_empty());
        assert!(known.stale("02-b", |_, _| false).is_empty(), "nothing is said of it");
        let gone = known.stale("01-a", |_, _| false).join("");
        assert!(gone.contains("bar.sync 0;") && gone.contains("toy.toml"), "{gone}");
        assert_eq!(known.refuted(&other, 7, "wrong"), None);
        let refuted = known.refuted(&mutant, 7, "wrong at n = 3").expect("it was said");
        assert!(refuted.contains("wrong at n = 3") && refuted.contains("one warp"), "{refuted}");
        let known = read(&format!("{ONE}line = 7\nreason = \"one warp\"\n")).expect("a list");
        assert!(known.reason(&mutant, 7).is_some() && known.reason(&mutant, 8).is_none());
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for (text, part) in [
            (format!("{ONE}reason = \" \"\n"), "say why"),
            (ONE.to_owned(), "no list"),
            ("equivalents = 1".to_owned(), "no list"),
        ] {
            let error = read(&text).expect_err("it is no list").to_string();
            assert!(error.contains(part), "{error}");
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(Known::read(folder.path(), "toy").expect("nothing is known").all.is_empty());
    }
}
