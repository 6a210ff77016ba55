//! An exercise of a class, and all that decides what a check of it finds but the submission.

use std::path::Path;

use anyhow::{Context, Result, bail};
use processes::Interrupt;
use report::files::Scratch;
use sha2::{Digest, Sha256};

use super::child::{self, Answer, Failed};
use super::class::{Class, Graded};
use super::comparison::Comparison;
use super::grades::{Grade, Outcome};
use super::kept::{Handed, Kept, Refused};
use super::students::Student;
use super::submission;
use crate::learn::answer;
use crate::learn::exercise::Exercise;
use crate::learn::findings::{Checked, Findings, Part, Verdict};
use crate::learn::plan::{Plan, SEED};

/// An exercise of a class.
pub struct Task<'c> {
    /// What the class asks of it.
    pub graded: &'c Graded,
    /// The exercise.
    pub exercise: &'c Exercise,
    /// With which data it is checked.
    pub plan: Plan,
    class: &'c Class,
    digest: Sha256,
}

/// What is graded of a student's submission.
pub struct Used<'k> {
    /// The file for the exercise, and those that it may include.
    pub files: Vec<&'k Handed>,
    /// Of these and all else that decides what a check finds.
    pub digest: String,
}

impl<'c> Task<'c> {
    /// Every exercise of a class; `program` is the digest of this program.
    ///
    /// # Errors
    /// A file of an exercise cannot be read.
    pub fn all(
        class: &'c Class,
        exercises: &'c [Exercise],
        program: &str,
    ) -> Result<Vec<Task<'c>>> {
        let task = |graded: &'c Graded| {
            let exercise = exercises.iter().find(|it| it.name == graded.name);
            let exercise = exercise.with_context(|| format!("there is no {}", graded.name))?;
            let plan = Plan {
                seeds: class.seeds.clone(),
                sizes: graded.sizes.clone().unwrap_or_default(),
                thorough: true,
                limits: Some(class.limits()),
            };
            let mut digest = Sha256::new();
            let settings = serde_json::to_string(&(&graded.name, &plan))?;
            for part in [program, &settings, &exercise.text()?, &answer::solution_text(exercise)?] {
                digest.update((part.len() as u64).to_le_bytes());
                digest.update(part);
            }
            Ok(Task { graded, exercise, plan, class, digest })
        };
        class.exercises.iter().map(task).collect()
    }

    /// What of a submission is for this exercise.
    ///
    /// # Errors
    /// Nothing is, or too much.
    pub fn used<'k>(&self, kept: &'k Kept) -> Result<Used<'k>, Refused> {
        let is_only = self.class.exercises.len() == 1;
        let file = submission::find(&kept.files, self.exercise, is_only)?;
        let files: Vec<&Handed> =
            [file].into_iter().chain(submission::beside(&kept.files, file)).collect();
        let mut digest = self.digest.clone();
        for file in &files {
            digest.update((file.path.len() as u64).to_le_bytes());
            digest.update(&file.path);
            digest.update((file.bytes.len() as u64).to_le_bytes());
            digest.update(&file.bytes);
        }
        Ok(Used { files, digest: hexadecimal(digest) })
    }

    /// Checks that the exercise's own solution has all points with the hidden data. What the system does not forbid; none
    /// where the user asked to stop.
    ///
    /// # Errors
    /// It has not, and why.
    pub fn prove(&self, interrupt: &Interrupt) -> Result<Option<Vec<String>>> {
        let name = &self.exercise.name;
        let beginning = self.exercise.beginning()?;
        let ending = beginning.extension().unwrap_or_default().to_string_lossy();
        // The committed code of a solution must not stand in for the compiler.
        let mark = if ending == "toml" { "#" } else { "//" };
        let text = format!("{}\n{mark}\n", answer::solution_text(self.exercise)?);
        let file = Handed { path: format!("{name}.{ending}"), bytes: text.into_bytes() };
        match self.check(&[&file], &self.plan, interrupt) {
            Ok(Answer { checked: Checked::Done(findings, _), unconfined }) => {
                match findings.verdict(Vec::new()) {
                    Verdict::Passed(_) => Ok(Some(unconfined)),
                    other => bail!(
                        "{name}: its own solution does not pass with the hidden data: {other:?}"
                    ),
                }
            }
            Ok(Answer { checked: Checked::Impossible(why), .. }) | Err(Failed::Broken(why)) => {
                bail!("{why}")
            }
            Err(Failed::Interrupted) => Ok(None),
            Err(Failed::Ended(why)) => bail!("{name}: its own solution does not pass: {why}"),
        }
    }

    /// Grades what is used of a student's submission. None where the user asked to stop.
    ///
    /// # Errors
    /// The exercise or the machine is not in order.
    pub fn grade(
        &self,
        student: &Student,
        used: &Used,
        interrupt: &Interrupt,
    ) -> Result<Option<Grade>> {
        let mut grade = Grade::new(student, self.exercise);
        grade.file = Some(used.files[0].path.clone());
        grade.digest.clone_from(&used.digest);
        let findings = match self.check(&used.files, &self.plan, interrupt) {
            Ok(Answer { checked: Checked::Done(findings, _), .. }) => findings,
            Ok(Answer { checked: Checked::Impossible(why), .. }) => {
                return Ok(Some(grade.without(Outcome::Unchecked, &why)));
            }
            Err(Failed::Ended(why)) => return Ok(Some(grade.without(Outcome::Ended, &why))),
            Err(Failed::Broken(why)) => bail!("{}: {why}", self.exercise.name),
            Err(Failed::Interrupted) => return Ok(None),
        };
        let told = self.told(&used.files, &findings, interrupt);
        Ok(Some(grade.of_findings(self.exercise.kind, &findings, &told)))
    }

    /// What the student may read: the findings of a check that knows no hidden data, where they could tell of any.
    fn told(&self, files: &[&Handed], findings: &Findings, interrupt: &Interrupt) -> Findings {
        let is_hidden =
            [Part::Results, Part::Hazards].iter().any(|part| findings.why(*part).is_some());
        if !is_hidden || self.exercise.predict.is_some() {
            return findings.clone();
        }
        let limits = self.plan.limits;
        let plan = Plan { thorough: true, limits, ..Plan::for_reader(self.exercise, SEED) };
        match self.check(files, &plan, interrupt) {
            Ok(Answer { checked: Checked::Done(told, _), .. }) => told,
            _ => Findings::default(),
        }
    }

    /// What a kernel with right results costs on the GPU of the class's comparison; as far as `grade` does not know it.
    pub fn compare(&self, grade: &mut Grade, files: &[&Handed], interrupt: &Interrupt) {
        let Some(Comparison { gpu, .. }) = &self.class.comparison else {
            grade.cost = None;
            return;
        };
        let is_kernel = !self.exercise.is_answered() && !self.exercise.is_program();
        let is_known = grade.cost.as_ref().is_some_and(|cost| cost.gpu == *gpu);
        if !is_kernel || is_known || !grade.is_right() {
            return;
        }
        let limits = self.class.limits();
        let cost = self.with_files(files, |folder, name| {
            child::cost(self.exercise, folder, name, gpu, &limits, interrupt)
        });
        grade.cost = cost.ok();
    }

    /// Checks the first of the files, with the others next to it, in a folder of its own.
    fn check(
        &self,
        files: &[&Handed],
        plan: &Plan,
        interrupt: &Interrupt,
    ) -> Result<Answer, Failed> {
        let limits = self.class.limits();
        self.with_files(files, |folder, name| {
            child::check(self.exercise, folder, name, plan, &limits, interrupt)
        })
    }

    /// Writes the files to a folder, which `ask` gets with the name of the first.
    fn with_files<T>(
        &self,
        files: &[&Handed],
        ask: impl FnOnce(&Path, &str) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let broken = |error: std::io::Error| {
            Failed::Broken(format!("cannot write a temporary file: {error}"))
        };
        let scratch = Scratch::new().map_err(broken)?;
        for file in files {
            let place = scratch.path().join(submission::plain_name(file, self.exercise));
            std::fs::write(place, &file.bytes).map_err(broken)?;
        }
        ask(scratch.path(), &submission::plain_name(files[0], self.exercise))
    }
}

fn hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The digest of this program's own file.
///
/// # Errors
/// It cannot be read.
pub fn program() -> Result<String> {
    let file = std::env::current_exe().context("cannot find the program's own file")?;
    let mut digest = Sha256::new();
    let mut from =
        std::fs::File::open(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut bytes = vec![0; 1 << 20];
    loop {
        match std::io::Read::read(&mut from, &mut bytes)? {
            0 => break,
            count => digest.update(&bytes[..count]),
        }
    }
    Ok(hexadecimal(digest))
}
