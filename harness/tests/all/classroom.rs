//! The files for classrooms name commands that there are.

use std::fs;

use serde_json::Value;

const FILES: [&str; 6] = [
    ".github/workflows/release.yml",
    ".devcontainer/devcontainer.json",
    "book/classroom/github-classroom.yml",
    "book/classroom/gitlab-ci.yml",
    "book/classroom/colab.ipynb",
    "book/src/classroom.md",
];

fn text(file: &str) -> String {
    let root = ladder::workspace::root().expect("a clone");
    fs::read_to_string(root.join(file)).expect(file)
}

#[test]
fn every_command_is_one() {
    let mut seen = 0;
    for file in FILES {
        let text = text(file);
        for (at, _) in text.match_indices("-p harness -- ") {
            let rest = &text[at + "-p harness -- ".len()..];
            let line = rest.split(['\n', '"', '\\']).next().expect("a line");
            let line = line.split("&&").next().expect("a command");
            let words = line
                .split_whitespace()
                .take_while(|word| word.chars().all(|c| c.is_ascii_lowercase()));
            let words: Vec<&str> = words.collect();
            let verbs = if words[0] == "learn" { &words[..] } else { &words[..1] };
            let output = crate::program().args(verbs).arg("--help").output().expect("it runs");
            assert!(output.status.success(), "{file}: {line}");
            for option in line.split_whitespace().filter(|word| word.starts_with("--")) {
                let help = String::from_utf8_lossy(&output.stdout);
                assert!(help.contains(option), "{file}: {line}: {option}");
            }
            seen += 1;
        }
    }
    assert!(seen >= 12, "{seen}");
}

/// Addresses come from the one command that writes the files.
#[test]
fn nothing_is_to_be_edited_by_hand() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |words: &[&str]| {
        let mut program = crate::program();
        let output = program.arg("classroom").arg(folder.path()).args(words).output();
        output.expect("it runs").status.code()
    };
    assert_eq!(write(&["--workbook", "here"]), Some(2));
    assert_eq!(write(&["--workbook", "git@git.example:ada/ladder.git"]), Some(0));
    assert_eq!(write(&["--workbook", "git@git.example:ada/ladder.git"]), Some(2));
    for file in [".github/workflows/grade.yml", ".gitlab-ci.yml", "workbook.ipynb", "class.toml"] {
        let text = fs::read_to_string(folder.path().join(file)).expect(file);
        assert!(!text.contains("workbook.example") && !text.contains("OWNER"), "{file}: {text}");
    }
    for file in FILES {
        assert!(!text(file).contains("OWNER/REPOSITORY"), "{file}");
    }
}

#[test]
fn notebook_and_container_are_json() {
    let notebook: Value = serde_json::from_str(&text(FILES[4])).expect("JSON");
    let cells = notebook["cells"].as_array().expect("cells");
    assert!(cells.iter().all(|cell| cell["source"].is_array()) && notebook["nbformat"] == 4);
    let container: Value = serde_json::from_str(&text(FILES[1])).expect("JSON");
    assert!(container["image"].is_string());
}
