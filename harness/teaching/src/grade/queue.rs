//! All checks of a class, several at a time.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use processes::Interrupt;
use report::files::Scratch;
use sha2::{Digest, Sha256};

use super::child::{self, Answer, Failed};
use super::class::{Class, Graded};
use super::grades::{Grade, Grades, Outcome};
use super::kept::{Handed, Refused};
use super::students::Student;
use super::submission;
use crate::learn::answer;
use crate::learn::exercise::Exercise;
use crate::learn::findings::{Checked, Verdict};
use crate::learn::plan::Plan;

/// How often what is graded is written, at most: the file grows with the class.
const WRITTEN_EVERY: Duration = Duration::from_secs(1);

/// An exercise of the class, and all that decides its points but the submission.
pub struct Task<'c> {
    /// What the class asks of it.
    pub graded: &'c Graded,
    /// The exercise.
    pub exercise: &'c Exercise,
    /// With which data it is checked.
    pub plan: Plan,
    digest: Sha256,
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
            let settings = serde_json::to_string(&(graded, &plan, class.limits()))?;
            for part in [program, &settings, &exercise.text()?, &answer::solution_text(exercise)?] {
                digest.update((part.len() as u64).to_le_bytes());
                digest.update(part);
            }
            Ok(Task { graded, exercise, plan, digest })
        };
        class.exercises.iter().map(task).collect()
    }

    /// Of all that decides the points of these files.
    fn digest(&self, files: &[&Handed]) -> String {
        let mut digest = self.digest.clone();
        for file in files {
            digest.update((file.path.len() as u64).to_le_bytes());
            digest.update(&file.path);
            digest.update((file.bytes.len() as u64).to_le_bytes());
            digest.update(&file.bytes);
        }
        digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Checks that the exercise's own solution has all points with the hidden data. What the system does not forbid; none
    /// where the user asked to stop.
    ///
    /// # Errors
    /// It has not, and why.
    pub fn prove(&self, class: &Class, interrupt: &Interrupt) -> Result<Option<Vec<String>>> {
        let name = &self.exercise.name;
        let beginning = self.exercise.beginning()?;
        let ending = beginning.extension().unwrap_or_default().to_string_lossy();
        // The committed code of a solution must not stand in for the compiler.
        let mark = if ending == "toml" { "#" } else { "//" };
        let text = format!("{}\n{mark}\n", answer::solution_text(self.exercise)?);
        let file = Handed { path: format!("{name}.{ending}"), bytes: text.into_bytes() };
        match self.check(class, &[&file], interrupt) {
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

    /// Checks the first of the files, with the others next to it, in a folder of its own.
    fn check(
        &self,
        class: &Class,
        files: &[&Handed],
        interrupt: &Interrupt,
    ) -> Result<Answer, Failed> {
        let broken = |error: std::io::Error| {
            Failed::Broken(format!("cannot write a temporary file: {error}"))
        };
        let scratch = Scratch::new().map_err(broken)?;
        for file in files {
            let place = scratch.path().join(submission::plain_name(file, self.exercise));
            std::fs::write(place, &file.bytes).map_err(broken)?;
        }
        let name = submission::plain_name(files[0], self.exercise);
        child::check(self.exercise, scratch.path(), &name, &self.plan, &class.limits(), interrupt)
    }

    /// Grades what a student handed in; a grade of the same digest that was kept is taken. None where the user asked to stop.
    fn grade(
        &self,
        class: &Class,
        student: &Student,
        handed: &Result<Vec<Handed>, Refused>,
        kept: &Mutex<Grades>,
        interrupt: &Interrupt,
    ) -> Result<Option<Grade>> {
        let Task { graded, exercise, .. } = self;
        let empty = |digest: String, file: Option<String>| Grade {
            student: student.clone(),
            exercise: exercise.name.clone(),
            file,
            outcome: Outcome::Graded,
            points: 0.0,
            of: 0.0,
            parts: Vec::new(),
            reason: None,
            digest,
        };
        let without =
            |grade: Grade, outcome, reason| grade.without(graded, exercise, outcome, reason);
        let files = match handed {
            Ok(files) => files,
            Err(why) => {
                let grade = without(empty(String::new(), None), Outcome::Refused, why.to_string());
                return Ok(Some(grade));
            }
        };
        let file = match submission::find(files, exercise, class.exercises.len() == 1) {
            Ok(file) => file,
            Err(why) => {
                return Ok(Some(without(
                    empty(String::new(), None),
                    Outcome::Missing,
                    why.to_string(),
                )));
            }
        };
        let used: Vec<&Handed> =
            [file].into_iter().chain(submission::beside(files, file)).collect();
        let digest = self.digest(&used);
        let found = kept.lock().unwrap_or_else(PoisonError::into_inner).take(
            student,
            &exercise.name,
            &digest,
        );
        if found.is_some() {
            return Ok(found);
        }
        let grade = empty(digest, Some(file.path.clone()));
        Ok(Some(match self.check(class, &used, interrupt) {
            Ok(Answer { checked: Checked::Done(findings, _), .. }) => {
                grade.of_findings(graded, exercise, &findings)
            }
            Ok(Answer { checked: Checked::Impossible(why), .. }) => {
                without(grade, Outcome::Unchecked, why)
            }
            Err(Failed::Ended(why)) => without(grade, Outcome::Ended, why),
            Err(Failed::Broken(why)) => bail!("{}: {why}", exercise.name),
            Err(Failed::Interrupted) => return Ok(None),
        }))
    }
}

/// A class that is being graded.
pub struct Queue<'c> {
    /// What is graded.
    pub class: &'c Class,
    /// Its exercises.
    pub tasks: Vec<Task<'c>>,
    /// Checks that run at a time.
    pub jobs: usize,
    /// The instructor's wish to stop.
    pub interrupt: Interrupt,
}

impl Queue<'_> {
    /// Grades every student. `hear` gets each grade as it is made; all are kept. Whether none was left out.
    ///
    /// # Errors
    /// The machine or an exercise is not in order; what was graded is kept.
    pub fn run(
        &self,
        students: Vec<(Student, Vec<PathBuf>)>,
        kept: Grades,
        hear: &(dyn Fn(&Grade) + Sync),
    ) -> Result<(Grades, bool)> {
        let order: Vec<Student> = students.iter().map(|(student, _)| student.clone()).collect();
        let left = Mutex::new(VecDeque::from(students));
        let (old, new) = (Mutex::new(kept), Mutex::new(Vec::new()));
        let (failed, written) = (Mutex::new(None), Mutex::new(Instant::now()));
        let one = || -> Result<()> {
            loop {
                let next = left.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                let Some((student, paths)) = next else { return Ok(()) };
                let handed = submission::read(&paths);
                for task in &self.tasks {
                    if self.interrupt.is_asked() || failed.lock().is_ok_and(|it| it.is_some()) {
                        return Ok(());
                    }
                    let grade = task.grade(self.class, &student, &handed, &old, &self.interrupt)?;
                    let Some(grade) = grade else { return Ok(()) };
                    hear(&grade);
                    let mut new = new.lock().unwrap_or_else(PoisonError::into_inner);
                    new.push(grade);
                    let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
                    if written.elapsed() > WRITTEN_EVERY {
                        self.keep(&old, &new, &order)?;
                        *written = Instant::now();
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    if let Err(error) = one() {
                        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    }
                });
            }
        });
        let new = new.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_whole = new.len() == order.len() * self.tasks.len();
        let mut old = old.into_inner().unwrap_or_else(PoisonError::into_inner);
        if is_whole {
            old.grades.clear();
        }
        old.grades = self.sorted(&old.grades, &new, &order);
        old.keep()?;
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok((old, is_whole)),
        }
    }

    /// Writes what is graded, and what is still known of an earlier run.
    fn keep(&self, old: &Mutex<Grades>, new: &[Grade], order: &[Student]) -> Result<()> {
        let mut old = old.lock().unwrap_or_else(PoisonError::into_inner);
        let known = std::mem::take(&mut old.grades);
        old.grades = self.sorted(&known, new, order);
        let kept = old.keep();
        old.grades = known;
        kept
    }

    /// All grades, each once, in the order of students and exercises.
    fn sorted(&self, old: &[Grade], new: &[Grade], order: &[Student]) -> Vec<Grade> {
        let place = |grade: &Grade| {
            let student = order.iter().position(|it| *it == grade.student);
            let exercise = self.tasks.iter().position(|it| it.exercise.name == grade.exercise);
            Some((student?, exercise?))
        };
        let is_new = |grade: &Grade| {
            new.iter().any(|it| (&it.student, &it.exercise) == (&grade.student, &grade.exercise))
        };
        let kept = old.iter().filter(|grade| !is_new(grade));
        let mut all: Vec<_> =
            kept.chain(new).filter_map(|grade| Some((place(grade)?, grade.clone()))).collect();
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, grade)| grade).collect()
    }
}

/// The digest of this program's own file.
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
    Ok(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
