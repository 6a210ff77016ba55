//! The reader's own runs, of `reports/local/`: `--mine` draws them below those of the book.

use std::path::Path;

use anyhow::{Result, ensure};
use ladder::Ladder;
use report::runs::{self, Run};
use report::{Report, Row};

use crate::report::{caption, rows};

/// The reader's runs, the latest of a ladder first.
#[derive(Default)]
pub struct Mine {
    runs: Vec<Report>,
}

impl Mine {
    /// Reads them below `root`.
    ///
    /// # Errors
    /// There are none.
    pub fn read(root: &Path, ladders: &[&dyn Ladder]) -> Result<Mine> {
        let local = root.join("reports/local");
        let mut found = Vec::new();
        for ladder in ladders {
            // A sweep has many sizes, none of them the one of the book.
            let list = runs::list(&local.join(ladder.name())).into_iter();
            let list = list.filter(|run: &Run| !run.what.starts_with("sweep-"));
            found.extend(list.filter_map(|run| Report::read(&run.report()).ok()));
        }
        ensure!(
            !found.is_empty(),
            "reports/local has no run of yours to draw; make one: cargo run -p harness -- run"
        );
        Ok(Mine { runs: found })
    }

    /// What the reader's machine did of the page's subject, a step or a ladder; nothing if it did not run that. `above`
    /// leads from the page up to `book/src`.
    pub fn of_page(&self, page: &Path, above: &str) -> Option<String> {
        let ladder = page.parent()?.to_str()?;
        let step = page.file_stem()?.to_str()?;
        let is_own = |row: &Row| row.ladder == ladder && (step == "index" || row.step == step);
        let run = self.runs.iter().find(|run| run.rows.iter().any(is_own))?;
        let mut own = run.clone();
        let row = run.rows.iter().find(|row| is_own(row))?;
        own.rows.retain(|other| is_own(other) || step != "index" && is_parent(other, row));
        Some(format!(
            "\n<div class=\"mine\">\n\n**Yours.** {}\n\n{}\n\n</div>\n",
            caption(&own),
            rows(&own, above)
        ))
    }
}

fn is_parent(other: &Row, row: &Row) -> bool {
    other.ladder == row.ladder && row.after.as_ref() == Some(&other.step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladders::LADDERS;

    #[test]
    fn a_page_has_the_rows_of_its_subject() {
        let root = ladder::workspace::root().expect("the workspace");
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(
            Mine::read(folder.path(), LADDERS)
                .is_err_and(|error| error.to_string().contains("harness -- run"))
        );
        let run = folder.path().join("reports/local/nbody/2026-11-20-104159-all");
        std::fs::create_dir_all(&run).expect("a folder");
        std::fs::copy(root.join("reports/h100/report.json"), run.join("report.json"))
            .expect("a report");
        let mine = Mine::read(folder.path(), LADDERS).expect("a run");
        let of = |page: &str| mine.of_page(Path::new(page), "../");
        let step = of("nbody/06-shared-blocking.md").expect("the step was run");
        assert_eq!(step.lines().filter(|line| line.starts_with("| [")).count(), 2, "{step}");
        assert!(step.contains("**Yours.** **MEASURED** on NVIDIA H100"), "{step}");
        let all = of("nbody/index.md").expect("the ladder was run");
        assert!(all.lines().filter(|line| line.starts_with("| [")).count() > 10, "{all}");
        assert_eq!(
            (of("access/index.md"), of("limits.md"), of("nbody/labs.md")),
            (None, None, None)
        );
    }
}
