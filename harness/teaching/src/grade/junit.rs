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
                testsuite name=(student.name) tests=(parts.len())
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
    let says = says.unwrap_or("not come to: an earlier part did not pass");
    let head = says.lines().next().unwrap_or_default();
    html! {
        testcase classname=(grade.exercise) name=(part.part.name()) {
            @if grade.outcome == Outcome::Unchecked {
                skipped message=(head) {}
            } @else if part.points < part.of {
                failure message=(head) { (PreEscaped(escape(says))) }
            }
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::class::Graded;
    use crate::grade::students::Student;
    use crate::learn::exercise::Exercise;
    use crate::learn::findings::{Findings, Part};

    #[test]
    fn parts_without_their_points_are_failures_and_no_text_breaks_out() {
        let student = Student { name: "<Ada> \"&\"".to_owned(), ..Student::default() };
        let all = Exercise::all().expect("exercises");
        let exercise = all.iter().find(|it| it.name == "65-cpu-lanes").expect("it is there");
        let why = "error: a < b\n]]></failure>\u{1b}[31m".to_owned();
        let findings = Findings::wrong(Part::Results, why);
        let mut grade =
            Grade::new(&student, exercise).of_findings(exercise.kind, &findings, &findings);
        grade.parts.truncate(2);
        grade.pay(&Graded::named("65"), None, None);
        let text = xml(&Grades { grades: vec![grade], ..Grades::default() });
        assert_eq!(
            text,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"grade\" tests=\"2\" failures=\"1\">\
             <testsuite name=\"&lt;Ada&gt; &quot;&amp;&quot;\" tests=\"2\" failures=\"1\">\
             <testcase classname=\"65-cpu-lanes\" name=\"compiles\"></testcase>\
             <testcase classname=\"65-cpu-lanes\" name=\"results\"><failure message=\"error: a &lt; b\">\
             error: a &lt; b\n]]&gt;&lt;/failure&gt;\\u{1b}[31m</failure></testcase></testsuite></testsuites>\n"
        );
    }
}
