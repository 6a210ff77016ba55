//! `splice`: tables in Markdown follow the committed reports.

use std::fs;
use std::path::Path;

use ladders::LADDERS;
use report::{Bound, Limits, Outcome, Report, Request};

/// A workspace of a test's own, with a report and a page that shows it.
fn workspace(page: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir_all(root.path().join("kernels")).expect("a folder");
    fs::create_dir_all(root.path().join("reports/toy")).expect("a folder");
    fs::write(root.path().join("Cargo.toml"), "").expect("a file");
    fs::write(root.path().join("page.md"), page).expect("a file");
    let ladder = LADDERS[0];
    let step = ladder.step("05-rsqrt").expect("a step");
    let skipped = step.row(ladder.name(), Outcome::Skipped, Some("no".to_owned()));
    let report = ladder::record(ladder, &Request::default(), None, vec![skipped]);
    report.write(&root.path().join("reports/toy/report.json")).expect("a report");
    root
}

fn splice(root: &Path, arguments: &[&str]) -> std::process::Output {
    let mut command = crate::program();
    command.current_dir(root).arg("splice").args(arguments).output().expect("it runs")
}

const PAGE: &str = "# Page\n<!-- report: reports/toy table -->\nold\n<!-- end -->\nText after.\n";

#[test]
fn a_table_is_rewritten_and_the_rest_is_left() {
    let root = workspace(PAGE);
    let page = root.path().join("page.md");
    let check = splice(root.path(), &["page.md", "--check"]);
    assert_eq!(check.status.code(), Some(1), "the page differs from its report");
    assert_eq!(fs::read_to_string(&page).expect("the page"), PAGE, "--check writes nothing");

    assert_eq!(splice(root.path(), &["page.md"]).status.code(), Some(0));
    let text = fs::read_to_string(&page).expect("the page");
    assert!(text.starts_with("# Page\n<!-- report: reports/toy table -->\n| step |"), "{text}");
    assert!(text.ends_with("<!-- end -->\nText after.\n") && !text.contains("old"), "{text}");
    assert!(text.contains("[05-rsqrt](steps/nbody/05-rsqrt)"), "{text}");
    assert_eq!(splice(root.path(), &["page.md", "--check"]).status.code(), Some(0));
}

/// A committed report in the place of the toy.
fn measured(root: &Path) -> Report {
    let file = root.join("reports/toy/report.json");
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reports/h200-n4096/report.json");
    fs::copy(committed, &file).expect("a copy");
    Report::read(&file).expect("a report")
}

#[test]
fn sizes_are_those_of_all_steps_or_of_one() {
    let page = "<!-- report: reports/toy sizes -->\n<!-- end -->\n\n\
                <!-- report: reports/toy sizes rsqrt -->\n<!-- end -->\n";
    let root = workspace(page);
    let report = measured(root.path());
    assert_eq!(splice(root.path(), &["page.md"]).status.code(), Some(0));
    let text = fs::read_to_string(root.path().join("page.md")).expect("the page");
    let (all, one) = text.split_once("<!-- end -->").expect("two parts");
    for row in report.rows.iter().filter(|row| !row.timed.is_empty()) {
        assert!(all.contains(&format!("](steps/nbody/{}) |", row.step)), "{all}");
    }
    let row = report.rows.iter().find(|row| row.step == "05-rsqrt").expect("a step");
    let verdict = row.parent().expect("it has a parent").1.verdict.words();
    let line = one.lines().find(|line| line.starts_with("| 4096 |")).expect("its line");
    assert!(line.ends_with(&format!("| {verdict} |")), "{line}");
    assert_eq!(splice(root.path(), &["page.md", "--check"]).status.code(), Some(0));
}

#[test]
fn speed_and_error_have_their_sentence() {
    let root = workspace("<!-- report: reports/toy accuracy -->\n<!-- end -->\n");
    let skipped = splice(root.path(), &["page.md"]);
    let said = String::from_utf8_lossy(&skipped.stderr).into_owned();
    assert!(said.contains("no step of the report was verified and timed"), "{said}");
    let report = measured(root.path());
    assert_eq!(splice(root.path(), &["page.md"]).status.code(), Some(0));
    let text = fs::read_to_string(root.path().join("page.md")).expect("the page");
    for row in report.rows.iter().filter(|row| row.n() == Some(4096)) {
        assert!(text.contains(&format!("](steps/nbody/{})", row.step)), "{text}");
    }
    assert!(text.contains("\nSpeed and error at n = 4096, by the relative error"), "{text}");
}

#[test]
fn limits_have_their_note() {
    let root = workspace("<!-- report: reports/toy limits -->\n<!-- end -->\n");
    let mut report = measured(root.path());
    let row = report.rows.iter_mut().find(|row| row.step == "07-unroll").expect("a step");
    let bound = Bound { name: "issue".to_owned(), seconds: 1e-6, fraction: 0.5 };
    row.limits = Some(Limits {
        gpu: "a GPU".to_owned(),
        clock_mhz: 1980.0,
        clock_was_seen: false,
        peak_flop_per_second: Some(66.9e12),
        counted_n: 4096,
        n: 4096,
        flop_executed: 18.0,
        instructions: 13.5,
        global_bytes: 1.0,
        l2_bytes: 1.0,
        dram_bytes: 0.0,
        shared_bytes: 1.0,
        bounds: vec![bound],
    });
    report.write(&root.path().join("reports/toy/report.json")).expect("a report");
    assert_eq!(splice(root.path(), &["page.md"]).status.code(), Some(0));
    let text = fs::read_to_string(root.path().join("page.md")).expect("the page");
    assert!(text.contains("[07-unroll](steps/nbody/07-unroll)"), "{text}");
    assert!(text.contains("| issue 50 % |"), "{text}");
    assert!(text.contains(" |\n\nLIMITS: "), "a table ends at an empty line: {text}");
}

#[test]
fn links_lead_up_from_a_page_in_a_folder() {
    let root = workspace(PAGE);
    fs::create_dir_all(root.path().join("book/src")).expect("folders");
    fs::write(root.path().join("book/src/page.md"), PAGE).expect("a file");
    assert_eq!(splice(root.path(), &["book/src/page.md"]).status.code(), Some(0));
    let text = fs::read_to_string(root.path().join("book/src/page.md")).expect("the page");
    assert!(text.contains("(../../steps/nbody/05-rsqrt)"), "{text}");
}

#[test]
fn mistakes_name_file_and_line_and_write_nothing() {
    for (page, said) in [
        ("\n<!-- report: reports/toy table -->\nnever closed\n", "line 2"),
        ("<!-- report: reports/toy drawing -->\n<!-- end -->\n", "sizes of one step"),
        ("<!-- report: reports/toy limits -->\n<!-- end -->\n", "has no limits"),
        ("<!-- report: reports/toy sizes 06 -->\n<!-- end -->\n", "it has: 05-rsqrt"),
        ("<!-- report: reports/toy sizes 05 06 -->\n<!-- end -->\n", "sizes of one step"),
        ("<!-- report: reports/none table -->\n<!-- end -->\n", "none"),
        ("<!-- report: toy-->\n<!-- end -->\n", "write the marker as"),
    ] {
        let root = workspace(page);
        let output = splice(root.path(), &["page.md"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(said) && error.contains("page.md"), "{error}");
        assert_eq!(fs::read_to_string(root.path().join("page.md")).expect("the page"), page);
    }
    let output = splice(workspace(PAGE).path(), &["absent.md"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("absent.md"));
}
