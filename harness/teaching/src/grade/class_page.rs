//! The page of a class for the instructor: who has which points, and how far a run is.

use maud::html;

use super::document::{self, Width};
use super::grades::{Grade, Grades};
use super::short::number;
use super::tables::{Row, points, rows, summary};

/// How far a run is.
pub struct Progress {
    /// Students that are graded, and all.
    pub students: (usize, usize),
    /// Whether the page is final: then it is not loaded again.
    pub is_over: bool,
}

/// Seconds after which the page of a run that goes on is loaded again.
const REFRESH: u32 = 3;

/// The page; `link` names a student's own page, and `others` are further pages with their titles.
pub fn page(
    grades: &Grades,
    exercises: &[String],
    progress: &Progress,
    link: &dyn Fn(&Row) -> Option<String>,
    others: &[(&str, &str)],
) -> String {
    let (done, all) = progress.students;
    let refresh = (!progress.is_over).then_some(REFRESH);
    let body = html! {
        @if progress.is_over {
            p { (done) " of " (all) " students are graded." }
        } @else {
            p { strong { (done) " of " (all) " students are graded." } " This page shows what comes." }
        }
        @if !others.is_empty() {
            p { @for (file, title) in others { a href=(file) { (title) } " " } }
        }
        pre { (summary(grades, exercises)) }
        div.scroll { table {
            thead { tr {
                th scope="col" { "student" }
                @for exercise in exercises { th.n scope="col" { (report::split(exercise).0) } }
                th.n scope="col" { "points" } th.n scope="col" { "of" } th scope="col" { "first problem" }
            } }
            tbody {
                @for row in rows(grades) {
                    tr {
                        td {
                            @match link(&row) {
                                Some(file) => a href=(file) { (row.student.name) },
                                None => (row.student.name),
                            }
                            @if !row.student.id.is_empty() { span.note { " " (row.student.id) } }
                        }
                        @for exercise in exercises { td.n { (cell(row.of(exercise))) } }
                        td.n { strong { (number(row.points())) } }
                        td.n { (number(row.most())) }
                        td { (row.remark(false)) }
                    }
                }
            }
        } }
    };
    document::page("Grades of the class", Width::Wide, refresh, &body)
}

/// The points of an exercise, marked where they are not the check's own.
fn cell(grade: Option<&Grade>) -> String {
    let is_changed = grade.is_some_and(|grade| grade.mark.is_some() || grade.late.is_some());
    let points = points(grade).unwrap_or_else(|| "?".to_owned());
    if is_changed { format!("{points}*") } else { points }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::grades::some_grades;

    #[test]
    fn a_page_shows_what_there_is_and_loads_again_until_all_is_there() {
        let exercises = ["44-ptx-guard".to_owned(), "18-stale-tile".to_owned()];
        let draw = |is_over| {
            let progress = Progress { students: (2, 3), is_over };
            let link = |row: &Row| Some(format!("students/{}.html", row.grades.len()));
            page(&some_grades(), &exercises, &progress, &link, &[("similar.html", "alike")])
        };
        let page = draw(false);
        assert!(page.contains("http-equiv=\"refresh\"") && page.contains("2 of 3 students"));
        assert!(page.contains("<a href=\"students/2.html\">=SUM(A1)</a>"), "{page}");
        assert!(page.contains("<td class=\"n\">?</td>") && page.contains("similar.html"), "{page}");
        assert!(!draw(true).contains("refresh"));
    }
}
