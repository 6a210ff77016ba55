//! Grades as tables that a gradebook imports: a plain one, and those of Canvas and Moodle.
//!
//! Canvas imports what its gradebook exports: the columns `Student`, `ID`, `SIS User ID`, `SIS Login ID` and `Section`, then
//! one for each assignment, and a line `Points Possible`. It finds a student by the number, else by the name, and an
//! assignment by its column, `Homework 3 (4711)`; a column that it does not know becomes a new assignment
//! (`lib/gradebook_importer.rb` of github.com/instructure/canvas-lms; "Importing a CSV file to grades",
//! teaching.resources.osu.edu/toolsets/carmencanvas/guides/calculating-final-grades/import-csv-file-carmen-grades).
//!
//! Moodle imports an assignment's grading worksheet. It needs the columns `Identifier`, which is `Participant` and the number
//! in the names of the submissions' folders, `Grade` and `Last modified (grade)`, and takes `Feedback comments` where these
//! are on. With `-` as the time of the last change it leaves grades alone that were given in Moodle
//! (`mod/assign/feedback/offline/importgradeslib.php` and `locallib.php` of github.com/moodle/moodle). Names of columns are
//! those of the English language.

use anyhow::{Context, Result};

use super::grades::{Grade, Grades};
use super::short::number;
use super::students::Platform;
use super::tables::{Row, points, rows};

/// The plain one: a line for each student, a column for each exercise.
///
/// # Errors
/// No memory.
pub fn plain(grades: &Grades, exercises: &[String]) -> Result<String> {
    let head = ["student", "id"].into_iter().chain(exercises.iter().map(String::as_str));
    let head = head.chain(["points", "of", "remark"]).map(str::to_owned).collect();
    let line = |row: &Row| {
        let mut record = vec![harmless(&row.student.name), harmless(&row.student.id)];
        record
            .extend(exercises.iter().map(|exercise| points(row.of(exercise)).unwrap_or_default()));
        let remark = harmless(&row.remark(false));
        record.extend([number(row.points()), number(row.most()), remark]);
        record
    };
    table(head, rows(grades).iter().map(line))
}

/// That of Canvas, with the points in a column called `column`; none if all students are from elsewhere.
///
/// # Errors
/// No memory.
pub fn canvas(grades: &Grades, column: &str) -> Result<Option<String>> {
    let rows: Vec<Row> = rows(grades)
        .into_iter()
        .filter(|row| row.student.platform != Some(Platform::Moodle) && row.is_graded())
        .collect();
    let Some(first) = rows.first() else { return Ok(None) };
    let head = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", column];
    let record =
        |[name, id, points]: [&str; 3]| [name, id, "", "", "", points].map(str::to_owned).to_vec();
    // The blanks are Canvas's own.
    let most = record(["    Points Possible", "", &number(first.most())]);
    let line = |row: &Row| {
        let is_canvas = row.student.platform == Some(Platform::Canvas);
        let id = if is_canvas { row.student.id.as_str() } else { "" };
        record([&harmless(&row.student.name), id, &number(row.points())])
    };
    let head = head.map(str::to_owned).to_vec();
    table(head, std::iter::once(most).chain(rows.iter().map(line))).map(Some)
}

/// That of Moodle; none if no student is from there.
///
/// # Errors
/// No memory.
pub fn moodle(grades: &Grades) -> Result<Option<String>> {
    let rows: Vec<Row> = rows(grades)
        .into_iter()
        .filter(|row| row.student.platform == Some(Platform::Moodle) && row.is_graded())
        .collect();
    if rows.is_empty() {
        return Ok(None);
    }
    let head = [
        "Identifier",
        "Full name",
        "Grade",
        "Maximum Grade",
        "Last modified (grade)",
        "Feedback comments",
    ];
    let line = |row: &Row| {
        vec![
            format!("Participant {}", row.student.id),
            harmless(&row.student.name),
            number(row.points()),
            number(row.most()),
            "-".to_owned(),
            row.grades.iter().map(comment).collect(),
        ]
    };
    table(head.map(str::to_owned).to_vec(), rows.iter().map(line)).map(Some)
}

/// What a student reads in Moodle, which takes it for HTML.
fn comment(grade: &Grade) -> String {
    let remark = grade.remark(true);
    let (points, of) = (number(grade.points), number(grade.of));
    let text = maud::html! {
        p { (grade.exercise) ": " (points) " of " (of) @if !remark.is_empty() { ". " (remark) } }
    };
    text.into_string()
}

fn table(head: Vec<String>, lines: impl Iterator<Item = Vec<String>>) -> Result<String> {
    let mut to = csv::Writer::from_writer(Vec::new());
    for line in std::iter::once(head).chain(lines) {
        to.write_record(line)?;
    }
    let bytes = to.into_inner().map_err(csv::IntoInnerError::into_error)?;
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
    use crate::grade::grades::some_grades;
    use crate::grade::students::Student;

    fn of(platform: Platform, name: &str, id: &str) -> Grades {
        let mut grades = some_grades();
        let student =
            Student { name: name.to_owned(), id: id.to_owned(), platform: Some(platform) };
        grades.grades.truncate(2);
        grades.grades.iter_mut().for_each(|grade| grade.student = student.clone());
        grades
    }

    #[test]
    fn the_plain_one_has_a_line_for_each_student_and_no_formulas() {
        let exercises = ["44-ptx-guard".to_owned(), "18-stale-tile".to_owned()];
        let text = plain(&some_grades(), &exercises).expect("a table");
        assert_eq!(
            text,
            "student,id,44-ptx-guard,18-stale-tile,points,of,remark\n\
             '=SUM(A1),,10,1,11,20,wrong `out` at n = 192\nada,,0,,0,20,no file\n"
        );
    }

    /// Held against what Canvas's importer asks of a file.
    #[test]
    fn canvas_finds_students_and_its_assignment() {
        let grades = of(Platform::Canvas, "lovelace, ada", "123");
        let text = canvas(&grades, "Homework 3 (4711)").expect("a table").expect("students");
        assert_eq!(
            text,
            "Student,ID,SIS User ID,SIS Login ID,Section,Homework 3 (4711)\n    \
             Points Possible,,,,,20\n\"lovelace, ada\",123,,,,11\n"
        );
        let head: Vec<&str> = text.lines().next().expect("a line").split(',').collect();
        assert!(head.len() > 3 && head[0].contains("Student") && head[1].contains("ID"));
        assert!(head[2] == "SIS User ID" && head[3] == "SIS Login ID" && head[4] == "Section");
        let none = of(Platform::Moodle, "ada", "1");
        assert_eq!(canvas(&none, "x").expect("a table"), None);
        let by_name = canvas(&some_grades(), "x").expect("a table").expect("students");
        assert!(by_name.contains("'=SUM(A1),,,,,11\nada,,,,,0\n"), "{by_name}");
    }

    /// Held against what Moodle's importer of worksheets asks of a file.
    #[test]
    fn moodle_finds_participants_and_learns_no_hidden_data() {
        let grades = of(Platform::Moodle, "Ada <Lovelace>", "12345");
        let text = moodle(&grades).expect("a table").expect("students");
        let mut lines = csv::Reader::from_reader(text.as_bytes());
        let head = lines.headers().expect("a head").clone();
        let line = lines.records().next().expect("a line").expect("a record");
        let field = |name: &str| {
            let place = head.iter().position(|it| it == name).expect(name);
            line[place].to_owned()
        };
        assert_eq!(field("Identifier").strip_prefix("Participant "), Some("12345"));
        assert_eq!((field("Grade"), field("Maximum Grade")), ("11".into(), "20".into()));
        assert_eq!(field("Last modified (grade)"), "-");
        let comments = field("Feedback comments");
        assert!(comments.starts_with("<p>44-ptx-guard: 10 of 10</p><p>18-stale-tile: 1 of"));
        assert!(!comments.contains("192") && comments.contains("other sizes"), "{comments}");
        assert_eq!(moodle(&of(Platform::Canvas, "ada", "1")).expect("a table"), None);
    }
}
