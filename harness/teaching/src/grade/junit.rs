//! Grades as JUnit XML, which CI systems show: a suite for each student, a case for each part of an exercise.

use maud::{Markup, PreEscaped, html};

use super::grades::{Grade, Grades, Outcome, PartGrade};

/// The text of the file.
pub fn xml(grades: &Grades) -> String {
    let all: Vec<&PartGrade> = grades.grades.iter().flat_map(|grade| &grade.parts).collect();
    let failures = all.iter().filter(|part| part.points < part.of).count();
    let suites = html! {
        testsuites name="grade" tests=(all.len()) failures=(failures) {
            @for (student, grades) in grades.by_student() {
                @let parts: Vec<&PartGrade> = grades.iter().flat_map(|grade| &grade.parts).collect();
                testsuite name=(clean(&student.name)) tests=(parts.len())
                    failures=(parts.iter().filter(|part| part.points < part.of).count()) {
                    @for grade in grades {
                        @for part in &grade.parts { (case(grade, part)) }
                    }
                }
            }
        }
    };
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n", suites.into_string())
}

fn case(grade: &Grade, part: &PartGrade) -> Markup {
    let says = part.says.as_deref().or(grade.reason.as_deref());
    let says = clean(says.unwrap_or("not come to: an earlier part did not pass"));
    let head = says.lines().next().unwrap_or_default();
    html! {
        testcase classname=(grade.exercise) name=(part.part.name()) {
            @if grade.outcome == Outcome::Unchecked {
                skipped message=(head) {}
            } @else if part.points < part.of {
                failure message=(head) { (PreEscaped(escape(&says))) }
            }
        }
    }
}

/// Without the characters that XML cannot hold.
fn clean(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::students::Student;
    use crate::learn::findings::Part;

    #[test]
    fn parts_without_their_points_are_failures_and_no_text_breaks_out() {
        let part = |part, points, says: Option<&str>| PartGrade {
            part,
            points,
            of: 2.0,
            says: says.map(str::to_owned),
        };
        let grade = Grade {
            student: Student { name: "<Ada> \"&\" \u{1b}[31m".to_owned(), id: String::new() },
            exercise: "18-stale-tile".to_owned(),
            file: None,
            outcome: Outcome::Graded,
            points: 2.0,
            of: 4.0,
            parts: vec![
                part(Part::Compiles, 2.0, None),
                part(Part::Results, 0.0, Some("error: a < b\n]]></failure>")),
            ],
            reason: None,
            digest: String::new(),
        };
        let text = xml(&Grades { grades: vec![grade], ..Grades::default() });
        assert_eq!(
            text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"grade\" tests=\"2\" failures=\"1\">\
             <testsuite name=\"&lt;Ada&gt; &quot;&amp;&quot; [31m\" tests=\"2\" failures=\"1\">\
             <testcase classname=\"18-stale-tile\" name=\"compiles\"></testcase>\
             <testcase classname=\"18-stale-tile\" name=\"results\"><failure message=\"error: a &lt; b\">\
             error: a &lt; b\n]]&gt;&lt;/failure&gt;</failure></testcase></testsuite></testsuites>\n"
        );
    }
}
