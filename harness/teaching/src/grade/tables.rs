//! Grades as a table for a terminal, and as CSV for a gradebook.

use anyhow::{Context, Result};
use show::table::{Field, Table};

use super::grades::{Grade, Grades, Outcome};
use super::students::Student;
use crate::learn::findings::Part;

/// A student's row.
struct Row<'g> {
    student: &'g Student,
    grades: &'g [Grade],
}

impl Row<'_> {
    fn of(&self, exercise: &str) -> Option<&Grade> {
        self.grades.iter().find(|grade| grade.exercise == exercise)
    }

    fn points(&self) -> f64 {
        self.grades.iter().map(|grade| grade.points).sum()
    }

    fn most(&self) -> f64 {
        self.grades.iter().map(|grade| grade.of).sum()
    }

    /// The first thing that is missing.
    fn remark(&self) -> String {
        let missing = self.grades.iter().find(|grade| !grade.is_passed());
        missing.map(Grade::remark).unwrap_or_default()
    }
}

fn rows(grades: &Grades) -> Vec<Row<'_>> {
    grades.by_student().map(|(student, grades)| Row { student, grades }).collect()
}

/// Points as they are short: 7, 7.5.
pub fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Points of an exercise; none of what was not checked.
fn points(grade: Option<&Grade>) -> Option<String> {
    grade.filter(|grade| grade.outcome != Outcome::Unchecked).map(|grade| number(grade.points))
}

/// The table for a terminal.
pub fn terminal(grades: &Grades, exercises: &[String], width: usize) -> String {
    let mut fields = vec![Field::text("student", |row: &Row| row.student.name.clone())];
    for exercise in exercises {
        let title = report::split(exercise).0.to_owned();
        fields.push(Field::number(title, |row: &Row| points(row.of(exercise))));
    }
    fields.push(Field::number("points", |row: &Row| number(row.points())));
    fields.push(Field::number("of", |row: &Row| number(row.most())));
    fields.push(Field::text("first problem", |row: &Row| row.remark()).wraps(30));
    Table::all(&rows(grades), fields).terminal(width)
}

/// What a class got wrong, a line for each exercise.
pub fn summary(grades: &Grades, exercises: &[String]) -> String {
    let line = |exercise: &String| {
        let all: Vec<&Grade> = grades.grades.iter().filter(|it| it.exercise == *exercise).collect();
        let passed = all.iter().filter(|grade| grade.is_passed()).count();
        let mut counts = vec![format!("{passed} of {} passed", all.len())];
        for part in Part::ALL {
            let first = |grade: &&&Grade| {
                grade.parts.iter().find(|it| it.says.is_some()).is_some_and(|it| it.part == part)
            };
            let count = all.iter().filter(first).count();
            counts.extend((count > 0).then(|| format!("{count} fail at {}", part.name())));
        }
        for (outcome, what) in [
            (Outcome::Missing, "missing"),
            (Outcome::Refused, "refused"),
            (Outcome::Ended, "ended"),
            (Outcome::Unchecked, "not checked"),
        ] {
            let count = all.iter().filter(|grade| grade.outcome == outcome).count();
            counts.extend((count > 0).then(|| format!("{count} {what}")));
        }
        format!("{exercise}: {}\n", counts.join(", "))
    };
    exercises.iter().map(line).collect()
}

/// The table for a gradebook: a line for each student, a column for each exercise.
pub fn csv(grades: &Grades, exercises: &[String]) -> Result<String> {
    let mut to = csv::Writer::from_writer(Vec::new());
    let head = ["student", "id"].into_iter().chain(exercises.iter().map(String::as_str));
    to.write_record(head.chain(["points", "of", "remark"]))?;
    for row in rows(grades) {
        let mut record = vec![harmless(&row.student.name), harmless(&row.student.id)];
        record
            .extend(exercises.iter().map(|exercise| points(row.of(exercise)).unwrap_or_default()));
        record.extend([number(row.points()), number(row.most()), harmless(&row.remark())]);
        to.write_record(record)?;
    }
    let bytes = to.into_inner().map_err(|error| error.into_error())?;
    String::from_utf8(bytes).context("a table that is no text")
}

/// Text that no spreadsheet takes for a formula.
fn harmless(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::grades::PartGrade;

    fn grades() -> Grades {
        let grade = |name: &str, exercise: &str, points: f64, says: Option<&str>, outcome| Grade {
            student: Student { name: name.to_owned(), id: String::new() },
            exercise: exercise.to_owned(),
            file: None,
            outcome,
            points,
            of: 10.0,
            parts: vec![PartGrade {
                part: Part::Results,
                points,
                of: 10.0,
                says: says.map(str::to_owned),
            }],
            reason: (outcome != Outcome::Graded).then(|| "no file".to_owned()),
            digest: String::new(),
        };
        let grades = vec![
            grade("=SUM(A1)", "01-a", 10.0, None, Outcome::Graded),
            grade("=SUM(A1)", "02-b", 2.5, Some("error: wrong `out`\n  more"), Outcome::Graded),
            grade("ada", "01-a", 0.0, None, Outcome::Missing),
            grade("ada", "02-b", 0.0, None, Outcome::Unchecked),
        ];
        Grades { grades, ..Grades::default() }
    }

    #[test]
    fn a_gradebook_has_a_line_for_each_student_and_no_formulas() {
        let text = csv(&grades(), &["01-a".to_owned(), "02-b".to_owned()]).expect("a table");
        assert_eq!(
            text,
            "student,id,01-a,02-b,points,of,remark\n'=SUM(A1),,10,2.5,12.5,20,wrong `out`\nada,,0,,0,20,no file\n"
        );
    }

    #[test]
    fn the_summary_counts_where_a_class_fails() {
        let text = summary(&grades(), &["01-a".to_owned(), "02-b".to_owned()]);
        assert_eq!(
            text,
            "01-a: 1 of 2 passed, 1 missing\n02-b: 0 of 2 passed, 1 fail at results, 1 not checked\n"
        );
    }

    #[test]
    fn points_are_short() {
        for (points, text) in
            [(7.0, "7"), (7.5, "7.5"), (0.0, "0"), (1.0 / 3.0, "0.33"), (10.0, "10")]
        {
            assert_eq!(number(points), text);
        }
    }
}
