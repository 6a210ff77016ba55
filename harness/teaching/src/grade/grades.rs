//! The rows of a class: points and reasons. They are kept after each check, so that a run goes on where the last one ended.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use report::files::{self, write_whole};
use serde::{Deserialize, Serialize};

use super::class::{Graded, parts};
use super::students::Student;
use crate::learn::exercise::Exercise;
use crate::learn::findings::{Findings, Part};

/// What a student has for an exercise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grade {
    /// Whose it is.
    pub student: Student,
    /// The exercise's folder.
    pub exercise: String,
    /// The file that was graded, as it was handed in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How far grading came.
    pub outcome: Outcome,
    /// The sum of the parts.
    pub points: f64,
    /// The most that there are.
    pub of: f64,
    /// In the order of the check.
    pub parts: Vec<PartGrade>,
    /// Why nothing was checked, or the check was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Of all that decides the points: a grade with the same digest need not be made again.
    pub digest: String,
}

/// How far grading came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Every part has its points.
    Graded,
    /// There is no such file.
    Missing,
    /// What was handed in cannot be taken.
    Refused,
    /// The check took more than it may, or died.
    Ended,
    /// This machine cannot check it: no points are said.
    Unchecked,
}

/// The points of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartGrade {
    /// What was checked.
    pub part: Part,
    /// Those that the student has.
    pub points: f64,
    /// The most that there are.
    pub of: f64,
    /// What is wrong, in the words of `harness learn`; none where the part was passed, or not come to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
}

impl Grade {
    /// That of findings. Without right results nothing else counts: what computes nothing has no hazards.
    pub fn of_findings(
        mut self,
        graded: &Graded,
        exercise: &Exercise,
        findings: &Findings,
    ) -> Grade {
        let has_results = findings.is_right(Part::Results);
        let part = |&part: &Part| {
            let of = graded.points.of(part);
            let is_passed = findings.is_right(part) && (has_results || part == Part::Compiles);
            let says = findings.why(part).map(str::to_owned);
            PartGrade { part, points: if is_passed { of } else { 0.0 }, of, says }
        };
        self.parts = parts(exercise).iter().map(part).collect();
        self.outcome = Outcome::Graded;
        self.sum()
    }

    /// That of what was not graded.
    pub fn without(
        mut self,
        graded: &Graded,
        exercise: &Exercise,
        outcome: Outcome,
        reason: String,
    ) -> Grade {
        let part =
            |&part: &Part| PartGrade { part, points: 0.0, of: graded.points.of(part), says: None };
        self.parts = parts(exercise).iter().map(part).collect();
        (self.outcome, self.reason) = (outcome, Some(reason));
        self.sum()
    }

    fn sum(mut self) -> Grade {
        self.points = self.parts.iter().map(|it| it.points).sum();
        self.of = self.parts.iter().map(|it| it.of).sum();
        self
    }

    /// Whether nothing is missing.
    pub fn is_passed(&self) -> bool {
        self.outcome == Outcome::Graded && self.parts.iter().all(|it| it.says.is_none())
    }

    /// The first thing that is missing, in a line.
    pub fn remark(&self) -> String {
        let says = self.parts.iter().find_map(|it| it.says.as_deref());
        let text = self.reason.as_deref().or(says).unwrap_or_default();
        text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
    }
}

/// What is kept of a run.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grades {
    /// The seeds that were drawn, for the next run.
    pub seeds: Vec<u64>,
    /// What the system did not forbid the checks.
    pub unconfined: Vec<String>,
    /// A row for each student and exercise.
    pub grades: Vec<Grade>,
    #[serde(skip)]
    pub(super) file: PathBuf,
}

impl Grades {
    /// What a run left in a folder; nothing in a new one.
    ///
    /// # Errors
    /// The file is there and cannot be understood.
    pub fn open(folder: &Path) -> Result<Grades> {
        let file = folder.join("grades.json");
        let name = file.display();
        let kept = match file.exists() {
            false => Grades::default(),
            true => {
                let text =
                    files::read_text(&file).with_context(|| format!("cannot read {name}"))?;
                serde_json::from_str(&text).with_context(|| {
                    format!("{name} is not as this program wrote it; remove it, or choose another folder with --out")
                })?
            }
        };
        Ok(Grades { file, ..kept })
    }

    /// Writes all, whole or not at all.
    pub fn keep(&self) -> Result<()> {
        let text = serde_json::to_string_pretty(self).context("cannot write JSON")?;
        write_whole(&self.file, |to| to.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// Takes out the grade of a digest, if it holds.
    pub fn take(&mut self, student: &Student, exercise: &str, digest: &str) -> Option<Grade> {
        let is_it = |grade: &Grade| {
            (&grade.student, grade.exercise.as_str(), grade.digest.as_str())
                == (student, exercise, digest)
        };
        let place = self.grades.iter().position(is_it)?;
        Some(self.grades.swap_remove(place)).filter(|grade| grade.outcome != Outcome::Unchecked)
    }

    /// Grades by student, in order.
    pub fn by_student(&self) -> impl Iterator<Item = (&Student, &[Grade])> {
        self.grades.chunk_by(|a, b| a.student == b.student).map(|all| (&all[0].student, all))
    }
}
