//! Draws speed and error of a report's steps.

use std::path::Path;

use ::report::accuracy::Accuracies;
use anyhow::{Context, Result};
use pictures::Context as Drawing;
use show::accuracy::{absent, sentence, table};
use show::words::sentences;

use crate::report;

/// The picture of `reports/MACHINE`, its table and what comes out. With a single step there is no picture.
pub fn markdown(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = report::read(root, machine)?;
    let published = report::published(root, &report)?;
    let accuracies = Accuracies::of(&report, &published)
        .with_context(|| format!("reports/{machine} has no step that was verified and timed"))?;
    let context = Drawing { published: &published, against: None };
    let pictures = pictures::of_report(&report, &context);
    let figure = pictures.iter().find(|picture| picture.name == "accuracy");
    let figure = figure.map(|it| report::figure(it) + "\n\n").unwrap_or_default();
    let said = sentences([sentence(&accuracies), absent(&accuracies)]);
    Ok(format!(
        "{figure}{}\n\n{}\nSpeed and error {said}\n",
        report::caption(&report),
        table(&accuracies, &report::pages(above)).markdown(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_table_and_words_are_of_one_report() {
        let root = ladder::workspace::root().expect("the workspace");
        for (machine, line) in [
            ("h200", "| [fast-math](nbody/10-fast-math.md)"),
            ("epyc-zen4", "| [tiles](cpu/10-tiles.md)"),
        ] {
            let text = markdown(&root, machine, "").expect("a page");
            assert!(text.starts_with("<figure class=\"plot\">") && text.contains(line), "{text}");
            assert!(
                text.contains("**MEASURED**") && text.contains("Not timed at that size: 0"),
                "{text}"
            );
            let sentence = text.lines().rfind(|line| line.starts_with("Speed and error at n = "));
            assert!(sentence.is_some_and(|it| it.contains("1e-6")), "{text}");
        }
    }
}
