//! The last screen of a run: every ladder that was climbed, what is wrong with steps, and where the
//! rest is to be seen.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use report::Report;
use show::rungs::{Detours, rungs};
use show::summary;
use show::table::terminal::{self, wrap};
use ui::output::{print, shown};

use crate::options::{Format, How};

/// Lines that a terminal is taken to have: where there are more, detours are listed, then notes left out.
const MOST_LINES: usize = 45;

/// A ladder that was climbed.
pub struct Climbed {
    pub how: How,
    pub report: Report,
    /// What changed since the last run of the same steps, in words.
    pub changes: Option<String>,
    /// The files that were written of it.
    pub written: Vec<PathBuf>,
}

impl Climbed {
    fn page(&self) -> Option<&Path> {
        let is_page = |file: &&PathBuf| file.extension().is_some_and(|it| it == "html");
        self.written.iter().find(is_page).map(PathBuf::as_path)
    }
}

/// Shows what was climbed, and opens the first page where that was asked for.
pub fn end(climbed: &[Climbed]) -> Result<()> {
    let tables: Vec<&Climbed> =
        climbed.iter().filter(|it| it.how.format == Format::Table).collect();
    if !tables.is_empty() {
        let width = terminal::width();
        let is_short = |text: &String| text.lines().count() <= MOST_LINES;
        let ways = [(Detours::Drawn, true), (Detours::Listed, true), (Detours::Listed, false)];
        let texts = ways.map(|(detours, has_notes)| text(&tables, width, detours, has_notes));
        let [.., shortest] = &texts;
        print(texts.iter().find(|text| is_short(text)).unwrap_or(shortest))?;
    }
    let asked = climbed.iter().find(|it| it.how.open).and_then(Climbed::page);
    asked.map_or(Ok(()), |page| {
        open::that_detached(page).with_context(|| format!("cannot open {}", page.display()))
    })
}

fn text(climbed: &[&Climbed], width: usize, detours: Detours, has_notes: bool) -> String {
    let mut text = String::new();
    for Climbed { how, report, changes, .. } in climbed {
        text += "\n";
        text += &rungs(report, width, detours);
        // With the details, reasons stand there.
        if !how.details {
            text += &summary::reasons(report, width);
            if has_notes {
                text += &summary::noted(report, width);
            }
        }
        text += changes.as_deref().unwrap_or_default();
    }
    let pages: Vec<String> = climbed.iter().filter_map(|it| it.page()).map(shown).collect();
    let details = if climbed.iter().any(|it| it.how.details) { "" } else { ", or with --details" };
    if !pages.is_empty() {
        text += &wrap(&format!("More in {}{details}", pages.join(" and ")), width);
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    /// What a run of this report leaves.
    fn climbed(machine: &str, arguments: &[&str]) -> Climbed {
        #[derive(Parser)]
        struct Only {
            #[command(flatten)]
            how: How,
        }
        let root = ladder::workspace::root().expect("a clone");
        let report = root.join("reports").join(machine).join("report.json");
        let how = Only::parse_from([&["run"], arguments].concat()).how;
        let name = format!("reports/local/{machine}/report");
        let written = ["json", "html"].map(|ending| PathBuf::from(format!("{name}.{ending}")));
        let report = Report::read(&report).expect("a report");
        Climbed { how, report, changes: None, written: written.into() }
    }

    #[test]
    fn both_ladders_have_room_on_one_screen() {
        let (gpu, cpu) = (climbed("h200", &[]), climbed("epyc-zen4", &[]));
        for width in [80, 120] {
            let text = text(&[&gpu, &cpu], width, Detours::Listed, false);
            assert!(text.lines().count() <= MOST_LINES, "{} lines: {text}", text.lines().count());
            let text = anstream::adapter::strip_str(&text).to_string();
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            for step in ["18-longer-sums", "11-threads", "19-bodies-divided", "13x-graph"] {
                assert_eq!(text.matches(step).count(), 1, "{step}: {text}");
            }
            let last = text.rsplit("More in").next().expect("a part").replace('\n', " ");
            let pages = " reports/local/h200/report.html and reports/local/epyc-zen4/report.html";
            assert_eq!(last.trim_end(), format!("{pages}, or with --details"));
        }
    }
}
