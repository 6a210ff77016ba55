//! A page that ranks a class's kernels by what they cost on the model of a GPU. Costs are counted, and so the same on every
//! machine: no time of this machine is in them.

use std::collections::BTreeSet;

use maud::{Markup, html};
use sha2::{Digest, Sha256};

use super::comparison::Comparison;
use super::document::{self, Width};
use super::grades::{Grade, Grades};
use super::students::Student;

/// Two words that make a name.
const WORDS: [[&str; 24]; 2] = [
    [
        "amber", "bold", "brisk", "calm", "clever", "coral", "crimson", "curious", "gentle",
        "golden", "green", "humble", "indigo", "jolly", "keen", "lively", "mellow", "nimble",
        "quiet", "scarlet", "silver", "sunny", "swift", "violet",
    ],
    [
        "badger", "beaver", "bison", "crane", "dolphin", "falcon", "ferret", "finch", "gecko",
        "hedgehog", "heron", "ibis", "koala", "lemur", "lynx", "marten", "newt", "otter", "owl",
        "panda", "raven", "seal", "stork", "tapir",
    ],
];

/// A name for each student that says nothing of the student: it follows from the class's secret seeds, and is the same in
/// every run.
pub fn pseudonyms(students: &[&Student], seeds: &[u64]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let of = |student: &&Student| {
        for round in 0_u64.. {
            let text = format!("{seeds:?}\0{}\0{}\0{round}", student.name, student.id);
            let digest = Sha256::digest(text);
            let word = |side: usize| WORDS[side][usize::from(digest[side]) % WORDS[side].len()];
            let plain = format!("{} {}", word(0), word(1));
            let name = if round < 20 { plain } else { format!("{plain} {}", round - 18) };
            if taken.insert(name.clone()) {
                return name;
            }
        }
        unreachable!("there are names for more students than a machine can hold")
    };
    students.iter().map(of).collect()
}

/// The page: for each exercise the kernels with right results, from the cheapest on.
pub fn page(
    grades: &Grades,
    exercises: &[String],
    comparison: &Comparison,
    name_of: &dyn Fn(&Student) -> String,
) -> String {
    let body = html! {
        p {
            "Kernels with right results and without hazards, by their modelled time on the GPU " code { (comparison.gpu) }
            ", at the size of the exercise's goals. It is counted from what the kernel does, not measured: it is the same on every \
             machine and in every run. Equal times share a rank."
        }
        @for exercise in exercises { (ranked(grades, exercise, name_of)) }
    };
    document::page("Comparison of the class's kernels", Width::Narrow, None, &body)
}

fn ranked(grades: &Grades, exercise: &str, name_of: &dyn Fn(&Student) -> String) -> Markup {
    let of = |grade: &&Grade| grade.exercise == exercise && grade.cost.is_some();
    let mut all: Vec<(f64, String, &str)> = grades
        .grades
        .iter()
        .filter(of)
        .filter_map(|grade| {
            let cost = grade.cost.as_ref()?;
            let binding = cost.binding.as_deref().unwrap_or("nothing");
            Some((cost.seconds, name_of(&grade.student), binding))
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
    let Some(best) = all.first().map(|(seconds, ..)| *seconds) else { return html! {} };
    let rank = |seconds: f64| 1 + all.iter().take_while(|(other, ..)| *other < seconds).count();
    html! {
        h2 { (exercise) }
        div.scroll { table {
            thead { tr {
                th.n scope="col" { "rank" } th scope="col" { "kernel of" } th.n scope="col" { "µs" }
                th.n scope="col" { "× the best" } th scope="col" { "bound by" }
            } }
            tbody {
                @for (seconds, name, binding) in &all {
                    tr {
                        td.n { (rank(*seconds)) }
                        td { (name) }
                        td.n { (format!("{:.3}", seconds * 1e6)) }
                        td.n { (format!("{:.2}", seconds / best)) }
                        td { (binding) }
                    }
                }
            }
        } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::comparison::Names;
    use crate::grade::grades::Cost;
    use crate::learn::exercise::Exercise;

    #[test]
    fn pseudonyms_are_each_once_and_say_nothing() {
        let students: Vec<Student> = (0..2000)
            .map(|number| Student { name: format!("ada {number}"), ..Student::default() })
            .collect();
        let all: Vec<&Student> = students.iter().collect();
        let names = pseudonyms(&all, &[1, 2]);
        let each: BTreeSet<&String> = names.iter().collect();
        assert_eq!(each.len(), all.len());
        assert_eq!(names, pseudonyms(&all, &[1, 2]));
        assert_ne!(names, pseudonyms(&all, &[1, 3]));
        assert!(names.iter().all(|name| !name.contains("ada")));
    }

    #[test]
    fn the_cheapest_is_first_and_equal_ones_share_a_rank() {
        let all = Exercise::all().expect("exercises");
        let grade = |name: &str, seconds: Option<f64>| {
            let student = Student { name: name.to_owned(), ..Student::default() };
            let mut grade = Grade::new(&student, &all[0]);
            let cost = |seconds| Cost { gpu: "h200".to_owned(), seconds, binding: None };
            grade.cost = seconds.map(cost);
            grade
        };
        let grades = vec![
            grade("slow", Some(4e-6)),
            grade("<b>", Some(2e-6)),
            grade("also", Some(2e-6)),
            grade("wrong", None),
        ];
        let grades = Grades { grades, ..Grades::default() };
        let comparison = Comparison { gpu: "h200".to_owned(), names: Names::Names };
        let page = page(&grades, &[all[0].name.clone()], &comparison, &|it| it.name.clone());
        let rows: Vec<&str> = page.split("<tr>").skip(2).collect();
        assert!(rows[0].contains("<td class=\"n\">1</td><td>&lt;b&gt;</td>"), "{page}");
        assert!(rows[1].contains("<td class=\"n\">1</td><td>also</td>"), "{page}");
        assert!(rows[2].contains("<td class=\"n\">3</td><td>slow</td>"), "{page}");
        assert!(rows[2].contains("2.00") && !page.contains("wrong<"), "{page}");
    }
}
