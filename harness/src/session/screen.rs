//! The last screen of a run: the ladder that was climbed, what is wrong with steps, how far it went, and what to do next. Of
//! several ladders the first is drawn; the others have a line above it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ladders::LADDERS;
use report::Report;
use show::rungs::{Detours, headline, rungs};
use show::summary;
use show::table::terminal::{self, wrap};
use ui::called;
use ui::output::{print, shown};

use crate::options::{Format, How};

/// Lines of the screen: where there are more, detours are counted, then notes and what was skipped left out.
const MOST_LINES: usize = 30;

/// What to do next: a command, and what it is for.
const NEXT: [(&str, &str); 3] = [
    ("explain 06", "read why a step is faster"),
    ("learn", "do the first exercise"),
    ("watch mine.cu 06", "change a kernel"),
];

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

    /// The picture of the ladder.
    #[cfg(feature = "terminal-pictures")]
    fn ladder(&self) -> Option<&Path> {
        let is_ladder = |file: &&PathBuf| file.file_name().is_some_and(|it| it == "ladder.svg");
        self.written.iter().find(is_ladder).map(PathBuf::as_path)
    }
}

/// Shows what was climbed, and opens the first page where that was asked for.
pub fn end(climbed: &[Climbed]) -> Result<()> {
    let tables: Vec<&Climbed> =
        climbed.iter().filter(|it| it.how.format == Format::Table).collect();
    if !tables.is_empty() {
        #[cfg(feature = "terminal-pictures")]
        if let Some(ladder) = tables.first().and_then(|it| it.ladder()) {
            super::plot::show(ladder, terminal::width())?;
        }
        let width = terminal::width();
        let is_short = |text: &String| text.trim().lines().count() <= MOST_LINES;
        let ways = [(Detours::Drawn, true), (Detours::Counted, true), (Detours::Counted, false)];
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
    let mut text = String::from("\n");
    let [first, others @ ..] = climbed else { return text };
    for other in others {
        text += &summary::wrong(&other.report, width);
        text += &headline(&other.report, width);
        // Of two ladders the page of one leads to that of the other.
        if others.len() > 1 {
            text += &page(other, width);
        }
    }
    let Climbed { how, report, changes, .. } = first;
    // With the details, reasons stand there.
    if !how.details {
        text += &match has_notes {
            true => summary::reasons(report, width) + &summary::noted(report, width),
            false => summary::wrong(report, width),
        };
    }
    text += &rungs(report, width, detours);
    text += &page(first, width);
    text += changes.as_deref().unwrap_or_default();
    text + &next(report)
}

/// Where the page of a ladder is.
fn page(climbed: &Climbed, width: usize) -> String {
    let page = climbed.page().map(|page| format!("Picture and page: {}", shown(page)));
    page.map_or_else(String::new, |text| wrap(&text, width) + "\n")
}

/// What to do next, after a run of the whole first ladder.
fn next(report: &Report) -> String {
    let ladder = LADDERS[0];
    let is_whole = report.options.ladder == ladder.name()
        && report.options.steps.len() == ladder.steps().len()
        && report.options.replacement.is_none();
    if !is_whole {
        return String::new();
    }
    let called = called();
    let mut text = String::new();
    for (command, what) in NEXT {
        text += &format!("{:42} {what}\n", format!("{called} {command}"));
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
    fn the_first_ladder_and_the_headline_of_the_other_have_room_on_one_screen() {
        let (mut gpu, cpu) = (climbed("h200", &[]), climbed("epyc-zen4", &[]));
        // As of a run of all steps, which may be more than the report has.
        let all = LADDERS[0].steps().into_iter();
        gpu.report.options.steps = all.map(|step| step.name.to_owned()).collect();
        for width in [80, 120] {
            let text = text(&[&gpu, &cpu], width, Detours::Counted, false);
            assert!(text.trim().lines().count() <= MOST_LINES, "{text}");
            let text = anstream::adapter::strip_str(&text).to_string();
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            let (cpu, ladder) = text.split_once("MEASURED").expect("a ladder");
            assert!(cpu.contains("11-threads is "), "{cpu}");
            assert!(ladder.contains("more steps not kept"), "{ladder}");
            let (_, end) = ladder.split_once("18-longer-sums is ").expect("how far it went");
            assert!(end.replace('\n', " ").contains("on NVIDIA H200"), "{end}");
            assert!(end.contains("h200/report.html") && end.contains(" learn "), "{end}");
        }
    }
}
