//! Every table of every committed report, and of reports of another kind; and that nothing in the
//! core knows a problem.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use report::published::Published;
use report::synthetic::{beside, committed, library, timed};
use report::{Report, Row, synthetic};
use tabled::grid::util::string::get_text_width;

use crate::compare::{self, Comparison, EFFECT};
use crate::rungs::{Detours, rungs};
use crate::{NO_LINK, export, heuristics, limits, page, plain, steps, summary, tuning};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The committed reports with their names, and some made up.
fn reports() -> Vec<(String, Report)> {
    let folders = fs::read_dir(root().join("reports")).expect("the reports");
    let folders = folders.map(|folder| folder.expect("a folder").path());
    let mut files: Vec<PathBuf> = folders.map(|folder| folder.join("report.json")).collect();
    files.push(root().join("reports/h200/cpu/report.json"));
    files.retain(|file| file.is_file());
    let name = |file: &PathBuf| file.display().to_string();
    let read = |file: PathBuf| (name(&file), Report::read(&file).expect("a report"));
    let mut reports: Vec<(String, Report)> = files.into_iter().map(read).collect();
    assert!(reports.len() > 10, "{}", reports.len());
    let made: [(&str, Report); 6] = [
        ("sweep", synthetic::sweep()),
        ("blocks", synthetic::blocks()),
        ("tuning", synthetic::tuning()),
        ("host", synthetic::host()),
        ("exact", synthetic::exact()),
        ("accuracies", synthetic::accuracies()),
    ];
    reports.extend(made.map(|(name, report)| (name.to_owned(), report)));
    reports
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for (name, report) in reports() {
        for width in [80, 120] {
            let published = Published::default();
            let text = [
                steps::table(&report).terminal(width),
                summary::summary(&report, &published, width),
                tuning::text(&report, width),
                heuristics::text(&report, width),
                steps::sizes(&report).terminal(width),
                rungs(&report, width, Detours::Drawn),
                rungs(&report, width, Detours::Counted),
                summary::reasons(&report, width),
            ];
            let text = plain(&text.concat());
            assert!(text.contains(&report.rows[0].step), "{name}: {text}");
            for line in text.lines() {
                // A command stays whole, so that it can be copied.
                let fits = get_text_width(line) <= width || line.starts_with("  ");
                assert!(fits, "{name}, {width} columns: {line}\n{text}");
            }
        }
    }
}

#[test]
fn every_report_has_a_page_and_files() {
    for (name, report) in reports() {
        let published = Published::default();
        let page =
            page::Page { report: &report, published: &published, against: None, pictures: &[] };
        for text in [page.html(), export::markdown(&report, &published), export::csv(&report)] {
            assert!(text.contains(&report.rows[0].step) && !text.contains("NaN"), "{name}");
        }
        let samples: usize = report
            .rows
            .iter()
            .flat_map(|row| &row.timed)
            .map(|timed| timed.samples.seconds.len())
            .sum();
        assert_eq!(export::samples_csv(&report).lines().count(), 1 + samples, "{name}");
        for table in limits::tables(&report, NO_LINK) {
            assert!(!table.markdown().contains("NaN"), "{name}");
        }
    }
}

/// 113 kB of messages, as a compiler can have.
#[test]
fn long_reasons_are_cut_wherever_they_are_shown() {
    let (mut report, published) = (synthetic::exact(), Published::default());
    let sound = Row { step: report.rows[3].step.clone(), ..report.rows[2].clone() };
    report.rows[3].reason = Some("error: identifier is undefined\n".repeat(3650));
    let mut before = report.clone();
    before.rows[3] = sound;
    let started = Instant::now();
    let page = page::Page { report: &report, published: &published, against: None, pictures: &[] };
    let comparison = Comparison::of(("a", &before), ("b", &report), EFFECT);
    let texts = [
        page.html(),
        export::markdown(&report, &published),
        summary::summary(&report, &published, 80),
        compare::text::terminal(&comparison, 80),
        compare::text::markdown(&comparison),
    ];
    for text in texts {
        let line = plain(&text).replace('\n', " ");
        assert!(line.contains("…, 112750 more characters in report.json"), "{line}");
    }
    assert!(started.elapsed().as_secs_f64() < 1.0, "{:?}", started.elapsed());
    // A file for other programs has all of it.
    assert!(export::csv(&report).len() > 113_000);
}

/// README's ladder is that of its report.
#[test]
fn the_ladder_in_the_readme_is_drawn_from_its_report() {
    let readme = fs::read_to_string(root().join("README.md")).expect("README");
    let start = "<!-- report: reports/h200 ladder -->\n```text\n";
    let (_, rest) = readme.split_once(start).expect("a marker");
    let (ladder, _) = rest.split_once("```\n<!-- end -->").expect("its end");
    let report = Report::read(&root().join("reports/h200/report.json")).expect("a report");
    assert_eq!(plain(&rungs(&report, 80, Detours::Counted)), ladder);
}

/// The words of one problem, in pieces: this file is searched, too.
const WORDS: [[&str; 2]; 5] =
    [["nbo", "dy"], ["bo", "dy"], ["bod", "ies"], ["for", "ce"], ["inter", "action"]];

/// The core is the same for every problem: its sources have no word of one.
#[test]
fn knows_no_problem() {
    let words = WORDS.map(|halves| halves.concat());
    let crates = ["core/report", "pages/show", "pages/pictures", "core/ladder"];
    let crates = crates.map(|name| root().join("harness").join(name).join("src"));
    let files: Vec<PathBuf> = crates.iter().flat_map(|folder| sources(folder)).collect();
    assert!(files.len() > 100, "{}", files.len());
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a source");
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.to_lowercase();
            let mut of_line = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            if of_line.any(|word| words.iter().any(|known| known == word)) {
                found.push(format!("{}:{number}: {}", file.display(), line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "the core knows a problem:\n{}", found.join("\n"));
}

/// The sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let is_source = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ["rs", "css", "toml"].iter().any(|it| ending == *it))
    };
    paths
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(is_source)
        .collect()
}

/// A ladder of two steps.
fn two_steps() -> Report {
    let rows = vec![timed("01-one", None, 1000, 0.4), timed("02-two", Some("01-one"), 1000, 0.1)];
    synthetic::report(rows, false)
}

#[test]
fn steps_have_their_share_of_the_library_below_them() {
    let report = beside(vec![library("fp32", 1000, 0.11)], two_steps());
    for width in [80, 120] {
        let text = plain(&rungs(&report, width, Detours::Drawn));
        let line = |head: &str| text.lines().find(|line| line.starts_with(head)).expect("a line");
        assert!(line("MEASURED").ends_with("% of cuBLAS"), "{text}");
        assert!(line("02-two").ends_with(" 110"), "{text}");
        assert!(line("01-one").ends_with(" 27.5"), "{text}");
        assert!(line("cuBLAS fp32").contains(" 0.00909"), "{text}");
        assert!(text.replace('\n', " ").contains("; 110 % of cuBLAS"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
    }
    let narrow = plain(&rungs(&report, 36, Detours::Drawn));
    assert!(!narrow.contains("% of cuBLAS\n") && narrow.contains("\ncuBLAS fp32"), "{narrow}");
    let table = steps::table(&report).markdown();
    assert!(table.contains("% of cuBLAS") && table.contains("| 110 |"), "{table}");
    assert!(table.contains("| fp32 |"), "{table}");
}

#[test]
fn a_library_that_is_not_here_shows_what_is_committed_and_what_would_get_it() {
    let report = beside(vec![committed("fp32", 1000, 0.2)], two_steps());
    let text = plain(&rungs(&report, 80, Detours::Drawn));
    assert!(!text.contains("% of"), "{text}");
    let line = text.lines().find(|line| line.starts_with("cuBLAS fp32")).expect("a line");
    assert!(line.contains(" 0.00500") && line.ends_with("GPU <A&B>, committed"), "{text}");
    assert!(text.contains("cuBLAS: not found; get it: pip\n"), "{text}");
    let table = steps::table(&report).markdown();
    assert!(table.contains("committed") && !table.contains("% of"), "{table}");
}
