// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws speed and error of a report's steps.

use std::path::Path;

use anyhow::{Context, Result};
use harness::accuracy::{Accuracies, Point, table, words};

use crate::report;

/// The picture of `reports/MACHINE`, its table and what comes out. With a single step there is no picture.
pub fn markdown(root: &Path, machine: &str, above: &str) -> Result<String> {
    let report = report::read(root, machine)?;
    let accuracies = Accuracies::of(&report)
        .with_context(|| format!("reports/{machine} has no step that was verified and timed"))?;
    let plots = harness::plot::of(&report);
    let figure = match plots.iter().find(|plot| plot.stem == "accuracy") {
        Some(plot) => format!("{}\n\n", report::figure(&plot.svg()?)),
        None => String::new(),
    };
    let page = |point: &Point| Some(format!("{above}{}/{}.md", point.ladder, point.step));
    let absent = words::absent(&accuracies).map_or_else(String::new, |text| format!(" {text}"));
    Ok(format!(
        "{figure}{}\n\n{}\nSpeed and error {}{absent}\n",
        report::caption(&report),
        table::markdown(&accuracies, &page),
        words::sentence(&accuracies)
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
                text.contains("**MEASURED**") && text.contains("Not timed with so many bodies: 0"),
                "{text}"
            );
            let sentence = text.lines().rfind(|line| line.starts_with("Speed and error at n = "));
            assert!(sentence.is_some_and(|it| it.contains("1e-6")), "{text}");
        }
    }
}
