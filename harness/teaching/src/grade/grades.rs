//! The rows of a class: points and reasons. They are kept after each check, so that a run goes on where the last one ended.
//!
//! What a check found and what it is worth are apart: a grade is paid anew in each run, by the points of the class file, the
//! instructor's marks and the rule for late submissions, and only a check that may find something else is made again.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use report::files::{self, write_whole};
use serde::{Deserialize, Serialize};

use super::class::{Graded, parts};
use super::clean;
use super::late::Late;
use super::marks::Mark;
use super::students::Student;
use crate::learn::exercise::{Exercise, Kind};
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
    /// What the student should know of how the files were taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How far grading came.
    pub outcome: Outcome,
    /// The sum of the parts, or what the instructor gave instead, less what a late submission loses.
    pub points: f64,
    /// The most that there are.
    pub of: f64,
    /// In the order of the check.
    pub parts: Vec<PartGrade>,
    /// Whether what is right is not what the exercise asks for: nothing was changed, or one thread does all. Earlier versions
    /// did not say.
    #[serde(default)]
    pub is_beside_goal: bool,
    /// Why nothing was checked, or the check was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the instructor wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// How late it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
    /// The modelled time, where the class is compared and all results are right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// Of all that decides what a check finds: a grade with the same digest need not be made again.
    pub digest: String,
}

/// What a kernel costs on the modelled GPU, at the size of the goals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// The GPU that is modelled.
    pub gpu: String,
    /// Modelled seconds of all launches.
    pub seconds: f64,
    /// What binds them; none where nothing was done.
    pub binding: Option<String>,
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
    /// Whether a check found it right; earlier versions did not say.
    #[serde(default)]
    pub is_right: bool,
    /// Those that the student has.
    pub points: f64,
    /// The most that there are.
    pub of: f64,
    /// What is wrong, in the words of `harness learn`; none where the part was passed, or not come to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// The same for the student, of a check that knew no hidden data; none where it found nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
}

impl Grade {
    /// That of nothing, of which more is to be said.
    pub fn new(student: &Student, exercise: &Exercise) -> Grade {
        let part = |&part: &Part| PartGrade {
            part,
            is_right: false,
            points: 0.0,
            of: 0.0,
            says: None,
            told: None,
        };
        Grade {
            student: student.clone(),
            exercise: exercise.name.clone(),
            file: None,
            notes: Vec::new(),
            outcome: Outcome::Graded,
            points: 0.0,
            of: 0.0,
            parts: parts(exercise).iter().map(part).collect(),
            is_beside_goal: false,
            reason: None,
            mark: None,
            late: None,
            cost: None,
            digest: String::new(),
        }
    }

    /// That of what was found in a submission for an exercise of this kind; `told` is what a check found that knew no hidden
    /// data.
    #[must_use]
    pub fn of_findings(mut self, kind: Kind, findings: &Findings, told: &Findings) -> Grade {
        let has_missed = findings.why(Part::Goals).is_some();
        self.is_beside_goal = has_missed && (findings.is_undivided || kind.begins_right());
        let text = |why: &str| clean::text(why).into_owned();
        for part in &mut self.parts {
            part.is_right = findings.is_right(part.part);
            part.says = findings.why(part.part).map(text);
            part.told = told.why(part.part).map(|why| text(&clean::without_folders(why)));
        }
        self
    }

    /// That of what was not graded.
    #[must_use]
    pub fn without(mut self, outcome: Outcome, reason: &str) -> Grade {
        (self.outcome, self.reason) = (outcome, Some(clean::text(reason).into_owned()));
        self
    }

    /// Whether the results are right, and nothing is a hazard.
    pub fn is_right(&self) -> bool {
        let is_wrong = |part: &PartGrade| part.part != Part::Goals && !part.is_right;
        self.outcome == Outcome::Graded && !self.parts.iter().any(is_wrong)
    }

    /// Whether a part counts. Without right results nothing else does: what computes nothing has no hazards.
    pub fn counts(&self, part: &PartGrade) -> bool {
        let has_results =
            self.parts.iter().any(|other| other.part == Part::Results && other.is_right);
        part.is_right && (has_results || part.part == Part::Compiles)
    }

    /// Whether a part that counts has no more than a share of its points, since being right was not the task.
    pub fn is_shared(&self, part: &PartGrade) -> bool {
        self.is_beside_goal && matches!(part.part, Part::Results | Part::Hazards)
    }

    /// Gives what was found its points.
    pub fn pay(&mut self, graded: &Graded, mark: Option<&Mark>, late: Option<Late>) {
        let worth: Vec<(f64, f64)> = self
            .parts
            .iter()
            .map(|part| {
                let of = graded.points.of(part.part);
                let share = match self.counts(part) {
                    false => 0.0,
                    true if self.is_shared(part) => graded.points.beside_goal,
                    true => 1.0,
                };
                (share * of, of)
            })
            .collect();
        for (part, (points, of)) in self.parts.iter_mut().zip(worth) {
            (part.points, part.of) = (points, of);
        }
        let checked = self.parts.iter().map(|it| it.points).sum();
        self.of = self.parts.iter().map(|it| it.of).sum();
        self.mark = mark.cloned();
        self.late = late.filter(|_| self.file.is_some());
        let given = mark.and_then(|mark| mark.points).unwrap_or(checked);
        let lost = self.late.map_or(0.0, |late| given * late.percent / 100.0);
        let extra = mark.and_then(|mark| mark.extra).unwrap_or(0.0);
        self.points = (given - lost + extra).max(0.0);
    }

    /// Whether nothing is missing.
    pub fn is_passed(&self) -> bool {
        self.outcome == Outcome::Graded && self.parts.iter().all(|it| it.is_right)
    }

    /// The first thing that is missing, how late it is, and what the instructor wrote, in a line. What students may read,
    /// if `to_student`.
    pub fn remark(&self, to_student: bool) -> String {
        let failed = self.parts.iter().find(|it| it.says.is_some());
        let says = failed.and_then(|part| match to_student {
            true => Some(part.told.as_deref().unwrap_or(HIDDEN)),
            false => part.says.as_deref(),
        });
        let text = self.reason.as_deref().or(says).unwrap_or_default();
        let text = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let late = self.late.map(|late| late.words()).unwrap_or_default();
        let comment = self.mark.as_ref().map(|mark| mark.comment.as_str()).unwrap_or_default();
        let all: Vec<&str> =
            [text, &late, comment].into_iter().filter(|text| !text.is_empty()).collect();
        all.join("; ")
    }
}

/// What a student gets to read of a part that is wrong only with hidden data.
pub const HIDDEN: &str = "It is right with the data that the exercise names, and wrong with other sizes or other values.";

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
    /// What a run left in a file; nothing in a new one.
    ///
    /// # Errors
    /// The file is there and cannot be understood.
    pub fn open(file: &Path) -> Result<Grades> {
        let name = file.display();
        let kept = match file.exists() {
            false => Grades::default(),
            true => {
                let text = files::read_text(file).with_context(|| format!("cannot read {name}"))?;
                serde_json::from_str(&text).with_context(|| {
                    format!("{name} is not as this program wrote it; remove it, or choose another folder with --out")
                })?
            }
        };
        Ok(Grades { file: file.to_path_buf(), ..kept })
    }

    /// Writes all, whole or not at all.
    pub fn keep(&self) -> Result<()> {
        let text = serde_json::to_string_pretty(self).context("cannot write JSON")?;
        write_whole(&self.file, |to| to.write_all(text.as_bytes()))?;
        Ok(())
    }

    /// Grades by student, in order.
    pub fn by_student(&self) -> impl Iterator<Item = (&Student, &[Grade])> {
        self.grades.chunk_by(|a, b| a.student == b.student).map(|all| (&all[0].student, all))
    }
}

/// Two students with two exercises each, for tests: passed and wrong, missing and not checked.
#[cfg(test)]
pub fn some_grades() -> Grades {
    let all = Exercise::all().expect("exercises");
    let one = |name: &str, exercise: &str, findings: &Findings| {
        let student = Student { name: name.to_owned(), ..Student::default() };
        let exercise = all.iter().find(|it| it.name == exercise).expect("it is there");
        Grade::new(&student, exercise).of_findings(exercise.kind, findings, &Findings::default())
    };
    let wrong = Findings::wrong(Part::Results, "error: wrong `out` at n = 192\n  more".to_owned());
    let none = Findings::default();
    let mut grades = vec![
        one("=SUM(A1)", "44-ptx-guard", &Findings::right()),
        one("=SUM(A1)", "18-stale-tile", &wrong),
        one("ada", "44-ptx-guard", &none).without(Outcome::Missing, "no file"),
        one("ada", "18-stale-tile", &none).without(Outcome::Unchecked, "no compiler"),
    ];
    let graded = Graded::named("all");
    grades.iter_mut().for_each(|grade| grade.pay(&graded, None, None));
    Grades { grades, ..Grades::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points of a submission with one thing wrong, for an exercise of this kind.
    fn points(kind: Kind, part: Part, is_undivided: bool) -> f64 {
        let all = Exercise::all().expect("exercises");
        let exercise = all.iter().find(|it| it.name == "18-stale-tile").expect("it is there");
        let mut findings = Findings::wrong(part, String::new());
        findings.is_undivided = is_undivided;
        let grade = Grade::new(&Student::default(), exercise);
        let mut grade = grade.of_findings(kind, &findings, &findings);
        grade.pay(&Graded::named("18"), None, None);
        grade.points
    }

    #[test]
    fn what_is_right_counts_in_full_only_where_that_was_the_task() {
        assert_eq!(points(Kind::Bug, Part::Goals, false), 8.0, "mended, and too slow");
        assert_eq!(points(Kind::Bug, Part::Goals, true), 2.75, "one thread does all");
        assert_eq!(points(Kind::Goal, Part::Goals, false), 2.75, "as it was given");
        assert_eq!(points(Kind::Goal, Part::Results, false), 1.0, "it is wrong");
    }
}
