//! `splice`: tables in Markdown follow the committed reports.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use harness::ladders::LADDERS;
use ladder::Request;
use ladder::report::{Outcome, Report, Row};

/// A workspace of a test's own, with a report and a page that shows it.
fn workspace(page: &str) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir_all(root.path().join("kernels")).expect("a folder");
    fs::create_dir_all(root.path().join("reports/toy")).expect("a folder");
    fs::write(root.path().join("Cargo.toml"), "").expect("a file");
    fs::write(root.path().join("page.md"), page).expect("a file");
    let skipped = Row::new("nbody", &LADDERS[0].steps[4], Outcome::Skipped, Some("no".to_owned()));
    let report = Report::new(&Request::default(), None, vec![skipped]);
    report.write(&root.path().join("reports/toy/report.json")).expect("a report");
    root
}

fn splice(root: &Path, arguments: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("harness").expect("the program");
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
    assert!(text.contains("[rsqrt](steps/nbody/05-rsqrt)"), "{text}");
    assert_eq!(splice(root.path(), &["page.md", "--check"]).status.code(), Some(0));
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
        ("<!-- report: reports/toy drawing -->\n<!-- end -->\n", "drawing"),
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
