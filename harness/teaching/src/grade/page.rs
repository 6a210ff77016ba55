//! A student's grades as one page that can be mailed: no script, nothing that is fetched, all text escaped.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::grades::{Grade, Outcome, PartGrade};
use super::students::Student;
use super::tables::number;
use crate::learn::exercise::Exercise;

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:54rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}\
table{border-collapse:collapse;margin:1rem 0}th,td{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #ccc}\
td.n,th.n{text-align:right}pre{background:#f4f4f4;padding:.8rem;overflow-x:auto;font-size:.85rem}\
@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#16181d}pre{background:#22252c}th,td{border-color:#444}}";

/// The page.
pub fn page(student: &Student, grades: &[Grade], exercises: &[Exercise]) -> String {
    let points: f64 = grades.iter().map(|grade| grade.points).sum();
    let most: f64 = grades.iter().map(|grade| grade.of).sum();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (student.name) ": " (number(points)) " of " (number(most)) " points" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (student.name) }
                p { strong { (number(points)) " of " (number(most)) " points" } }
                @for grade in grades {
                    (exercise(grade, exercises.iter().find(|it| it.name == grade.exercise)))
                }
            }
        }
    };
    page.into_string()
}

fn exercise(grade: &Grade, of: Option<&Exercise>) -> Markup {
    html! {
        h2 { (grade.exercise) @if let Some(of) = of { ": " (of.title) } }
        @if let Some(of) = of { p { (of.goal) } }
        @if let Some(file) = &grade.file { p { "Graded: " code { (file) } } }
        @if let Some(reason) = &grade.reason { p { strong { (reason) } } }
        @if grade.outcome == Outcome::Unchecked {
            p { "This was not checked, and has no points yet." }
        } @else {
            table {
                thead { tr { th scope="col" { "part" } th.n scope="col" { "points" } th.n scope="col" { "of" } th scope="col" { "" } } }
                tbody {
                    @for part in &grade.parts {
                        tr {
                            th scope="row" { (part.part.name()) }
                            td.n { (number(part.points)) }
                            td.n { (number(part.of)) }
                            td { (state(part)) }
                        }
                    }
                }
            }
        }
        @for says in grade.parts.iter().filter_map(|part| part.says.as_ref()) { pre { (says) } }
        @if let Some(of) = of {
            @if grade.is_passed() { p { (of.learned) } }
            @else { p { "To read: book/src/" (of.read) ".md" } }
        }
    }
}

fn state(part: &PartGrade) -> &'static str {
    match (&part.says, part.points < part.of) {
        (Some(_), _) => "not passed: see below",
        (None, true) => "does not count without right results",
        (None, false) => "passed",
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
    use crate::learn::findings::Part;

    #[test]
    fn a_page_stands_alone_and_shows_text_as_text() {
        let student = Student { name: "<script>alert(1)</script>".to_owned(), id: String::new() };
        let says = Some("error: <img src=x onerror=alert(1)>".to_owned());
        let grade = Grade {
            student: student.clone(),
            exercise: "18-stale-tile".to_owned(),
            file: Some("a\"b.cu".to_owned()),
            outcome: Outcome::Graded,
            points: 1.0,
            of: 6.0,
            parts: vec![
                PartGrade { part: Part::Compiles, points: 1.0, of: 1.0, says: None },
                PartGrade { part: Part::Results, points: 0.0, of: 5.0, says },
            ],
            reason: None,
            digest: String::new(),
        };
        let page = page(&student, &[grade], &Exercise::all().expect("exercises"));
        assert!(page.contains("1 of 6 points") && page.contains("The tile is gone"), "{page}");
        assert!(page.contains("&lt;script&gt;") && page.contains("&lt;img src"), "{page}");
        for outside in ["<script", "<img", "http", "href", "src="] {
            assert!(!page.replace("&lt;img src=x", "").contains(outside), "{outside}: {page}");
        }
    }

    #[test]
    fn file_names_are_plain_and_each_once() {
        let mut taken = Vec::new();
        let mut name = |name: &str, id: &str| {
            file_name(&Student { name: name.to_owned(), id: id.to_owned() }, &mut taken)
        };
        assert_eq!(name("Ada Lovelace", "12"), "student-ada-lovelace-12.html");
        assert_eq!(name("../../etc/passwd", ""), "student-etc-passwd.html");
        assert_eq!(name("etc passwd", ""), "student-etc-passwd-2.html");
        assert_eq!(name("Łukasz", ""), "student-łukasz.html");
        assert_eq!(name("", ""), "student-.html");
    }
}
