//! Grades as a table for a terminal, and what a class got wrong.

use show::table::{Field, Table};

use super::grades::{Grade, Grades, Outcome};
use super::short::number;
use super::students::Student;
use crate::learn::findings::Part;

/// A student's row.
pub struct Row<'g> {
    /// The student.
    pub student: &'g Student,
    /// In the order of the exercises.
    pub grades: &'g [Grade],
}

impl Row<'_> {
    /// The grade for an exercise.
    pub fn of(&self, exercise: &str) -> Option<&Grade> {
        self.grades.iter().find(|grade| grade.exercise == exercise)
    }

    /// Those of all exercises.
    pub fn points(&self) -> f64 {
        self.grades.iter().map(|grade| grade.points).sum()
    }

    /// The most that there are without extra points.
    pub fn most(&self) -> f64 {
        self.grades.iter().map(|grade| grade.of).sum()
    }

    /// The first thing that is missing, as [`Grade::remark`].
    pub fn remark(&self, to_student: bool) -> String {
        let missing = self.grades.iter().find(|grade| !grade.is_passed());
        let said = missing.or(self.grades.iter().find(|grade| grade.mark.is_some()));
        said.map(|grade| grade.remark(to_student)).unwrap_or_default()
    }

    /// Whether any exercise has its points.
    pub fn is_graded(&self) -> bool {
        self.grades.iter().any(|grade| grade.outcome != Outcome::Unchecked)
    }
}

/// A row for each student.
pub fn rows(grades: &Grades) -> Vec<Row<'_>> {
    grades.by_student().map(|(student, grades)| Row { student, grades }).collect()
}

/// Points of an exercise; none of what was not checked.
pub fn points(grade: Option<&Grade>) -> Option<String> {
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
    fields.push(Field::text("first problem", |row: &Row| row.remark(false)).wraps(30));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::grades::some_grades;

    #[test]
    fn the_summary_counts_where_a_class_fails() {
        let text =
            summary(&some_grades(), &["44-ptx-guard".to_owned(), "18-stale-tile".to_owned()]);
        assert_eq!(
            text,
            "44-ptx-guard: 1 of 2 passed, 1 missing\n18-stale-tile: 0 of 2 passed, 1 fail at results, 1 not checked\n"
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
