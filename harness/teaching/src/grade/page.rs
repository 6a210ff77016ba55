//! A student's grades as one page that can be mailed. It holds nothing that students must not know: of hidden data only that
//! they are hidden, of this machine no folder.

use maud::{Markup, html};

use super::document::{self, Width};
use super::grades::{Grade, HIDDEN, Outcome, PartGrade};
use super::short::number;
use super::students::Student;
use crate::learn::exercise::Exercise;

/// The page; `pseudonym` is the student's in the class's comparison.
pub fn page(
    student: &Student,
    grades: &[Grade],
    exercises: &[Exercise],
    pseudonym: Option<&str>,
) -> String {
    let points: f64 = grades.iter().map(|grade| grade.points).sum();
    let most: f64 = grades.iter().map(|grade| grade.of).sum();
    let title = format!("{}: {} of {} points", student.name, number(points), number(most));
    let body = html! {
        @if let Some(name) = pseudonym {
            p.note { "In the comparison of the class's kernels you are " strong { (name) } "." }
        }
        @for grade in grades {
            (exercise(grade, exercises.iter().find(|it| it.name == grade.exercise)))
        }
    };
    document::page(&title, Width::Narrow, None, &body)
}

fn exercise(grade: &Grade, of: Option<&Exercise>) -> Markup {
    html! {
        h2 { (grade.exercise) @if let Some(of) = of { ": " (of.title) } }
        @if let Some(of) = of { p { (of.goal) } }
        @if let Some(file) = &grade.file { p { "Graded: " code { (file) } } }
        @for note in &grade.notes { p.note { (note) } }
        @if let Some(reason) = &grade.reason { p { strong { (reason) } } }
        @if grade.outcome == Outcome::Unchecked {
            p { "This was not checked, and has no points yet." }
        } @else {
            (points(grade))
        }
        @if let Some(mark) = grade.mark.as_ref().filter(|mark| !mark.comment.is_empty()) {
            p { strong { "Comment: " } (mark.comment) }
        }
        @for part in grade.parts.iter().filter(|part| part.says.is_some() || part.told.is_some()) {
            @match &part.told {
                Some(told) => pre { (told) },
                None => p { (HIDDEN) },
            }
        }
        @if let Some(of) = of {
            @if grade.is_passed() { p { (of.learned) } }
            @else { p { "To read: book/src/" (of.read) ".md" } }
        }
    }
}

/// The table of an exercise.
fn points(grade: &Grade) -> Markup {
    let given = grade.mark.as_ref().and_then(|mark| mark.points);
    let extra = grade.mark.as_ref().and_then(|mark| mark.extra);
    html! {
        div.scroll { table {
            thead { tr { th scope="col" { "part" } th.n scope="col" { "points" } th.n scope="col" { "of" } th scope="col" { "" } } }
            tbody {
                @for part in &grade.parts {
                    tr {
                        th scope="row" { (part.part.name()) }
                        td.n { (number(part.points)) }
                        td.n { (number(part.of)) }
                        td { (state(grade, part)) }
                    }
                }
                @if let Some(given) = given { (change("by hand", &number(given), "instead of these points")) }
                @if let Some(late) = grade.late {
                    (change("late", &format!("−{} %", number(late.percent)), &late.words()))
                }
                @if let Some(extra) = extra { (change("extra", &format!("{extra:+}"), "by hand")) }
                tr {
                    th scope="row" { "all" }
                    td.n { strong { (number(grade.points)) } }
                    td.n { (number(grade.of)) }
                    td {}
                }
            }
        } }
    }
}

fn change(name: &str, points: &str, why: &str) -> Markup {
    html! { tr { th scope="row" { (name) } td.n { (points) } td {} td { (why) } } }
}

fn state(grade: &Grade, part: &PartGrade) -> &'static str {
    match part.is_right {
        true if grade.counts(part) && grade.is_shared(part) => "right, but the goals are missed",
        true if grade.counts(part) => "passed",
        false if part.says.is_some() => "not passed: see below",
        _ => "does not count without right results",
    }
}

/// A name for a student's file that is one on every system; `taken` are those of others.
pub fn file_name(student: &Student, taken: &mut Vec<String>) -> String {
    let whole = format!("{} {}", student.name, student.id);
    let plain: String = whole
        .trim()
        .chars()
        .map(|c| if c.is_alphanumeric() { c.to_lowercase().next().unwrap_or('-') } else { '-' })
        .take(60)
        .collect();
    let plain = format!("student-{}", plain.trim_matches('-'));
    let mut name = format!("{plain}.html");
    let mut number = 1;
    while taken.contains(&name) {
        number += 1;
        name = format!("{plain}-{number}.html");
    }
    taken.push(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::late::Late;
    use crate::grade::marks::Mark;
    use crate::learn::findings::{Findings, Part};

    fn grade(says: [Option<&str>; 2]) -> Grade {
        let all = Exercise::all().expect("exercises");
        let student =
            Student { name: "<script>alert(1)</script>".to_owned(), ..Student::default() };
        let exercise = all.iter().find(|it| it.name == "18-stale-tile").expect("it is there");
        let wrong = |why: Option<&str>| match why {
            Some(why) => Findings::wrong(Part::Results, why.to_owned()),
            None => Findings::default(),
        };
        let mut grade = Grade::new(&student, exercise).of_findings(
            exercise.kind,
            &wrong(says[0]),
            &wrong(says[1]),
        );
        grade.file = Some("a\"b.cu".to_owned());
        grade.parts.iter_mut().for_each(|part| part.of = 2.0);
        grade
    }

    fn drawn(grade: Grade) -> String {
        let all = Exercise::all().expect("exercises");
        page(&grade.student.clone(), &[grade], &all, Some("amber otter"))
    }

    #[test]
    fn a_page_stands_alone_and_shows_text_as_text() {
        let says = Some("error: <img src=x onerror=alert(1)>");
        let page = drawn(grade([says, says]));
        assert!(page.contains("0 of 0 points") && page.contains("The tile is gone"), "{page}");
        assert!(page.contains("&lt;script&gt;") && page.contains("&lt;img src"), "{page}");
        assert!(page.contains("amber otter"), "{page}");
        for outside in ["<script", "<img", "http:", "href", "src="] {
            assert!(!page.replace("&lt;img src=x", "").contains(outside), "{outside}: {page}");
        }
    }

    #[test]
    fn hidden_data_and_folders_are_not_told() {
        let page = drawn(grade([Some("error: wrong `out` at n = 192\n seed 11"), None]));
        assert!(page.contains(HIDDEN) && !page.contains("192") && !page.contains("seed"), "{page}");
        let told = Some("error: /home/ada/hw/18.cu:3: no\u{9b}31m\u{202e}");
        let page = drawn(grade([told, told]));
        assert!(page.contains("error: 18.cu:3: no\\u{9b}31m\\u{202e}"), "{page}");
        assert!(!page.contains("/home") && !page.contains('\u{9b}'), "{page}");
    }

    #[test]
    fn marks_and_lateness_are_rows() {
        let mut grade = grade([None, None]);
        let comment = "<b>typo</b>".to_owned();
        let mark = Mark { points: Some(6.0), extra: Some(-0.5), comment };
        grade.late = Some(Late { days: 2, percent: 20.0 });
        grade.mark = Some(mark);
        let page = drawn(grade);
        for words in ["−20 %", "2 days late", "-0.5", "&lt;b&gt;typo", "instead of these points"]
        {
            assert!(page.contains(words), "{words}: {page}");
        }
    }

    #[test]
    fn file_names_are_plain_and_each_once() {
        let mut taken = Vec::new();
        let mut name = |name: &str, id: &str| {
            let student =
                Student { name: name.to_owned(), id: id.to_owned(), ..Student::default() };
            file_name(&student, &mut taken)
        };
        assert_eq!(name("Ada Lovelace", "12"), "student-ada-lovelace-12.html");
        assert_eq!(name("../../etc/passwd", ""), "student-etc-passwd.html");
        assert_eq!(name("etc passwd", ""), "student-etc-passwd-2.html");
        assert_eq!(name("Łukasz", ""), "student-łukasz.html");
        assert_eq!(name("", ""), "student-.html");
    }
}
