//! The form of a step's page, the same for every ladder: which sections it has, and in which order.

use crate::prose;

/// The sections that pages share, in their order. Those of one entry replace each other.
const ORDER: [&[&str]; 11] = [
    &["What changes", "The code"],
    &["Predict"],
    &["Run"],
    &["What we see"],
    &["Why", "What limits it"],
    &["Accuracy"],
    &["Takeaway"],
    &["Exercises"],
    &["Try"],
    &["Questions"],
    &["Further reading"],
];

/// What every page has.
const ALWAYS: [&str; 6] = ["What changes", "Run", "What we see", "Why", "Takeaway", "Questions"];

/// What a page of the first ladder has besides: its steps are the lessons.
const LESSON: [&str; 3] = ["Accuracy", "Exercises", "Further reading"];

/// The least questions of a page, each with a folded answer.
const QUESTIONS: usize = 2;

/// What is wrong with the sections of a step's page. A page may have others between them.
pub fn faults(text: &str, is_lesson: bool) -> Vec<(usize, String)> {
    // Code may hold lines that look like headings.
    let prose = prose::prose(text);
    let mut found: Vec<(usize, &str, usize)> = Vec::new();
    for (at, line) in prose.lines().enumerate() {
        let Some(title) = line.strip_prefix("## ") else { continue };
        let place = ORDER.iter().position(|titles| titles.contains(&title.trim()));
        found.extend(place.map(|place| (at + 1, title.trim(), place)));
    }
    let disordered = found.windows(2).filter(|pair| pair[0].2 >= pair[1].2).map(|pair| {
        let ((_, before, _), (line, title, _)) = (pair[0], pair[1]);
        (line, format!("`{title}` stands after `{before}`: the order is {}", order()))
    });
    let required = ALWAYS.iter().chain(LESSON.iter().filter(|_| is_lesson));
    let missing = required.filter_map(|title| {
        let titles = ORDER.iter().find(|titles| titles.contains(title))?;
        let is_there = found.iter().any(|(_, found, _)| titles.contains(found));
        (!is_there).then(|| (1, format!("has no section `{}`", titles.join("` or `"))))
    });
    disordered.chain(missing).chain(too_few_questions(&prose)).collect()
}

/// The section of questions, where it has too few.
fn too_few_questions(prose: &str) -> Option<(usize, String)> {
    let mut lines = prose.lines().enumerate();
    let (at, _) = lines.find(|(_, line)| line.trim_end() == "## Questions")?;
    let section = lines.map(|(_, line)| line).take_while(|line| !line.starts_with("## "));
    let asked = section.filter(|line| line.starts_with("<summary>")).count();
    (asked < QUESTIONS).then(|| (at + 1, format!("has {asked} of at least {QUESTIONS} questions")))
}

/// What the first page of a small ladder lacks: a takeaway of all its steps.
pub fn unsaid(text: &str) -> Option<&'static str> {
    let says = text.lines().any(|line| line == "## Takeaway");
    (!says).then_some("has no section `Takeaway`: say in a sentence or two what the ladder teaches")
}

fn order() -> String {
    ORDER.map(|titles| titles[0]).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "# 01 A\n\n## An idea\n\n## What changes\n\n## Predict\n\n## Run\n\n```console\n## no heading\n```\n\n\
                         ## What we see\n\n## Why\n\n## A thought\n\n## Takeaway\n\n## Questions\n\n\
                         <details>\n<summary>A?</summary>\n</details>\n<details>\n<summary>B?</summary>\n</details>\n";

    #[test]
    fn pages_have_what_all_have_and_may_have_more() {
        assert_eq!(faults(WHOLE, false), []);
        for title in ALWAYS {
            let found = faults(&WHOLE.replace(&format!("## {title}\n"), ""), false);
            let said = format!("has no section `{title}`");
            assert!(
                found.len() == 1 && found[0].1.starts_with(&said[..said.len() - 1]),
                "{found:?}"
            );
        }
        assert_eq!(faults(&WHOLE.replace("What changes", "The code"), false), []);
        assert_eq!(faults(&WHOLE.replace("Why", "What limits it"), false), []);
    }

    #[test]
    fn a_ladder_has_a_takeaway() {
        assert_eq!(unsaid("# A\n\n## Takeaway\n\nSort first.\n"), None);
        assert!(unsaid("# A\n\nThe Takeaway is near.\n").is_some());
    }

    #[test]
    fn a_lesson_has_more() {
        let found = faults(WHOLE, true);
        assert_eq!(found.len(), 3, "{found:?}");
        let whole = WHOLE.replace("## Takeaway\n", "## Accuracy\n## Takeaway\n## Exercises\n");
        assert_eq!(faults(&format!("{whole}## Further reading\n"), true), []);
    }

    #[test]
    fn a_page_has_two_questions_of_its_own() {
        let other = "## Further reading\n\n<details>\n<summary>All events</summary>\n</details>\n";
        let one = WHOLE.replace("<summary>B?</summary>", "B?") + other;
        assert_eq!(faults(&one, false), [(23, "has 1 of at least 2 questions".to_owned())]);
    }

    #[test]
    fn what_is_out_of_order_is_said_with_its_line() {
        let text = WHOLE.replace("## Run", "## Results").replace("## Predict", "## Why");
        let found = faults(&text, false);
        assert!(
            found.iter().any(|(line, said)| *line == 15 && said.starts_with("`What we see`")),
            "{found:?}"
        );
        assert!(found.iter().any(|(_, said)| said == "has no section `Run`"), "{found:?}");
    }
}
