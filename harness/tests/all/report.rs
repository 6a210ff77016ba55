//! `harness report`: what it draws, what it prints, what it refuses.

use std::fs;
use std::path::{Path, PathBuf};

use ladder::workspace;
use report::Report;

fn harness(arguments: &[&str]) -> std::process::Output {
    let mut command = crate::program();
    command.arg("report").args(arguments).output().expect("it runs")
}

/// A folder with a copy of a committed report.
fn copy(of: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = workspace::root().expect("the workspace").join("reports").join(of);
    let copy = folder.path().join("report.json");
    fs::copy(file.join("report.json"), &copy).expect("copied");
    (folder, copy)
}

fn names(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        files.map(|file| file.expect("a file").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

#[test]
fn a_report_is_drawn_beside_itself() {
    let (folder, file) = copy("h200");
    let before = fs::read(&file).expect("the report");
    let output = harness(&[folder.path().to_str().expect("text"), "--with", "published"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let names = names(folder.path());
    for name in ["ladder.svg", "machines.svg", "report.html"] {
        assert!(names.iter().any(|there| there == name), "{name} in {names:?}");
    }
    assert_eq!(fs::read(&file).expect("the report"), before, "the report is only read");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.starts_with("wrote ") && said.contains("report.html"), "{said}");
    let page = fs::read_to_string(folder.path().join("report.html")).expect("the page");
    assert!(page.contains("NVIDIA H200") && page.contains("GeForce GTX 680"));

    // Named by its file and drawn without the others, it loses what it said of them.
    let output = harness(&[file.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let page = fs::read_to_string(folder.path().join("report.html")).expect("the page");
    assert!(!page.contains("GeForce GTX 680"));
}

#[test]
fn a_report_is_printed_in_every_form_and_nothing_is_written() {
    let (folder, file) = copy("h200");
    let path = folder.path().to_str().expect("text");
    let printed = |format: &str| {
        let output = harness(&[path, "--format", format]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let report = Report::read(&file).expect("the report");
    let json = printed("json");
    assert_eq!(Report::from_json(json.as_bytes(), Path::new("stdout")).expect("JSON"), report);
    for format in ["table", "csv", "markdown"] {
        let text = printed(format);
        let last = &report.rows.last().expect("a row").title;
        let step = &report.rows.last().expect("a row").step;
        assert!(text.contains(last.as_str()) || text.contains(step.as_str()), "{format}: {text}");
    }
    assert_eq!(names(folder.path()), ["report.json"]);
}

/// The report of a GPU with that of a CPU below it, which is made of the same numbers.
#[test]
fn a_cpu_below_is_compared_with() {
    let (folder, file) = copy("h200");
    let path = folder.path().to_str().expect("text");
    let cpu = folder.path().join("cpu");
    fs::create_dir(&cpu).expect("a folder");
    let mut host = Report::read(&file).expect("the report");
    host.options.ladder = "cpu".to_owned();
    for row in &mut host.rows {
        row.ladder = "cpu".to_owned();
        row.threads = Some(1);
    }
    host.device.as_mut().expect("a device").kind = "cpu".to_owned();
    let figure = host.figures.remove("nbody").expect("its figure");
    host.figures.insert("cpu".to_owned(), figure);
    host.write(&cpu.join("report.json")).expect("written");

    let run = |arguments: &[&str]| {
        let output = harness(&[&[path], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (text(output.stdout), text(output.stderr))
    };
    let (table, _) = run(&["--format", "table"]);
    let line = table.lines().find(|line| line.starts_with("GPU AGAINST CPU: "));
    assert!(line.is_some_and(|it| it.contains("-longer-sums on NVIDIA H200 is ")), "{table}");
    let (markdown, _) = run(&["--format", "markdown"]);
    assert!(markdown.contains("\n## Against a CPU\n\n| step | on |"), "{markdown}");
    assert!(run(&[]).0.contains("against-cpu.svg"));
    let page = fs::read_to_string(folder.path().join("report.html")).expect("the page");
    assert!(page.contains("Against a CPU") && page.contains("published × one CPU thread"));

    fs::write(cpu.join("report.json"), "{}").expect("written");
    let (said, complaint) = run(&[]);
    assert!(!said.contains("against-cpu") && said.contains("report.html"), "{said}");
    assert!(complaint.contains("not compared with a CPU: "), "{complaint}");
    assert!(!folder.path().join("against-cpu.svg").exists());
}

#[test]
fn what_cannot_be_done_is_said() {
    let (folder, _) = copy("h200");
    let path = folder.path().to_str().expect("text");
    let cases: [(&[&str], i32, &str); 5] = [
        (&["/nowhere/at/all"], 2, "/nowhere/at/all"),
        (&[path, "--with", "/nowhere/else"], 2, "/nowhere/else"),
        (&[path, "--with", "published", "--format", "csv"], 2, "cannot be used with"),
        (&[path, "--format", "pdf"], 2, "possible values"),
        (
            &[path, "--with", path, "--with", path, "--with", path, "--with", "published"],
            1,
            "7 machines",
        ),
    ];
    for (arguments, code, part) in cases {
        let output = harness(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(part), "{part} in {said}");
    }
    assert_eq!(names(folder.path()), ["report.json"], "a mistake draws nothing");
}
