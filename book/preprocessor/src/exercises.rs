//! Exercises, from their folders: a table of all, what students get wrong, and the answers to predictions.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use show::table::{Cell, Field, Table};
use teaching::learn::answer;
use teaching::learn::attempts::{Attempts, Changed};
use teaching::learn::exercise::Exercise;

use crate::playground;

/// All exercises in their order, each with the page to read before; `up` leads to the book's first folder.
pub fn table(root: &Path, up: &str) -> Result<String> {
    type Row = (Exercise, String);
    let exercises = Exercise::all()?.into_iter();
    let rows = exercises.map(|it| title(root, &it.read).map(|page| (it, page)));
    let rows = rows.collect::<Result<Vec<Row>>>()?;
    let name = |(it, _): &Row| Cell::name(it.name.as_str(), None).then(format!(": {}", it.title));
    let page = |(it, page): &Row| Cell::name(page.as_str(), Some(format!("{up}{}.md", it.read)));
    let edit = |(it, _): &Row| match playground::has(it) {
        true => Cell::name("edit and run", Some(playground::address(up, "exercise", &it.name))),
        false => Cell::from(String::new()),
    };
    let fields = vec![
        Field::text("exercise", name),
        Field::text("part", |(it, _): &Row| it.part.clone()),
        Field::text("what", |(it, _): &Row| it.kind.name()),
        Field::number("minutes", |(it, _): &Row| it.minutes.to_string()),
        Field::text("in the browser", edit),
        Field::text("compiler", |(it, _): &Row| if it.needs_compiler() { "" } else { "none" }),
        Field::text("read before", page),
    ];
    Ok(Table::all(&rows, fields).markdown())
}

/// The title of a page, named by its path below `book/src` without an ending.
fn title(root: &Path, page: &str) -> Result<String> {
    let file = root.join("book/src").join(format!("{page}.md"));
    let text = std::fs::read_to_string(&file)
        .with_context(|| format!("cannot read {}", file.display()))?;
    let title = text.lines().find_map(|line| line.strip_prefix("# "));
    Ok(title.with_context(|| format!("{} has no title", file.display()))?.to_owned())
}

/// Wrong and half solutions of each exercise: what stands in the place of what, and what its student reads.
pub fn mistakes() -> Result<String> {
    let mut out = String::new();
    for exercise in Exercise::all()? {
        writeln!(out, "- **{}**: {}", exercise.name, exercise.title)?;
        let wrong = Attempts::of(&exercise)?.wrong;
        for Changed { name, change, says } in wrong.iter().filter(|it| !it.says.is_empty()) {
            let each = change.iter().map(|(old, new)| match (code(old), code(new)) {
                (old, new) if new.is_empty() => format!("{old} is left out"),
                (old, new) => format!("{new} instead of {old}"),
            });
            let what = name.clone().unwrap_or_else(|| each.collect::<Vec<_>>().join(", "));
            let says: Vec<String> = says.iter().map(|words| format!("“{words}”")).collect();
            writeln!(out, "  - {what}: the message says {}", says.join(" and "))?;
        }
    }
    Ok(out)
}

/// Code in a line of Markdown; nothing where there is none.
fn code(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { text } else { format!("`` {text} ``") }
}

/// The answers to all predictions, as the simulator and the reports give them now.
pub fn answers() -> Result<String> {
    let mut rows = Vec::new();
    for exercise in Exercise::all()? {
        let Some(predict) = &exercise.predict else { continue };
        let right = answer::right(&exercise, predict).with_context(|| exercise.name.clone())?;
        let within = match predict.within {
            0.0 => "exactly".to_owned(),
            within => format!("within {} %", (100.0 * within).round()),
        };
        rows.push((exercise.name, exercise.goal, right, within));
    }
    type Row = (String, String, String, String);
    let fields = vec![
        Field::text("exercise", |row: &Row| row.0.clone()),
        Field::text("question", |row: &Row| row.1.clone()),
        Field::text("answer", |row: &Row| row.2.clone()),
        Field::text("accepted", |row: &Row| row.3.clone()),
    ];
    Ok(Table::all(&rows, fields).markdown())
}

#[cfg(test)]
mod tests {
    use super::{answers, mistakes, table};

    #[test]
    fn every_exercise_has_its_mistakes_and_their_messages() {
        let text = mistakes().expect("exercises");
        let tile =
            text.split("- **").find(|part| part.starts_with("18-stale-tile")).expect("it is there");
        assert!(tile.contains("`` __syncwarp(); `` instead of `` __syncthreads();"), "{tile}");
        assert!(tile.contains("is left out: the message says “race”"), "{tile}");
        assert!(!text.contains("``  ``"), "{text}");
    }

    #[test]
    fn predictions_have_their_answers() {
        let text = answers().expect("answers");
        let line = text.lines().find(|line| line.contains("03-count-blocks")).expect("a line");
        assert!(line.contains("| 12 ") && line.contains("exactly"), "{line}");
        assert!(
            text.lines()
                .any(|line| line.contains("57-predict-tiled") && line.contains("within 30 %")),
            "{text}"
        );
    }

    #[test]
    fn every_exercise_has_a_line_with_its_page() {
        let root = ladder::workspace::root().expect("the workspace");
        let text = table(&root, "../").expect("exercises");
        let line = text.lines().find(|line| line.contains("03-count-blocks")).expect("a line");
        for words in [
            "`03-count-blocks`: How many blocks for a matrix?",
            "threads",
            "predict",
            "none",
            "[01 Naive](../transpose/01-naive.md)",
        ] {
            assert!(line.contains(words), "{words}: {line}");
        }
    }
}
