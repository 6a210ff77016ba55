//! Files that are not what they should be: a short error, in time, and nothing half-written.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!text.contains("panicked"), "{text}");
    text
}

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn what_is_read_is_an_ordinary_file_of_bounded_size() {
    let hostile: [fn(&Path); 3] = [
        |path| fs::create_dir(path).expect("a folder"),
        |path| symlink("/dev/zero", path).expect("a link"),
        |path| File::create(path).and_then(|file| file.set_len(300 << 20)).expect("a sparse file"),
    ];
    for make in hostile {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("report.json");
        make(&file);
        let shown = file.display().to_string();
        let shown_folder = folder.path().display().to_string();
        for arguments in [
            ["splice", "--check", &shown],
            ["validate", "--report", &shown_folder],
            ["recount", "--kernels-of=HEAD", &shown],
        ] {
            let output = crate::program().current_dir(root()).args(arguments).output();
            let output = output.expect("it runs");
            let error = said(&output);
            assert_ne!(output.status.code(), Some(0), "{arguments:?}: {error}");
            let why = ["ordinary file", "256 MiB", "cannot read"];
            assert!(error.contains("report.json"), "{arguments:?}: {error}");
            assert!(why.iter().any(|it| error.contains(it)), "{arguments:?}: {error}");
            assert!(output.stdout.is_empty(), "{arguments:?}");
        }
    }
}

/// No file can grow beyond 512 bytes (1024 in some shells), as on a disk that is full.
#[test]
fn a_full_disk_costs_no_old_page() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let page = folder.path().join("README.md");
    let text = "<!-- report: reports/h200 table -->\n<!-- end -->\n";
    fs::write(&page, text).expect("a file");
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_maintain")]);
    let output = command.current_dir(root()).arg("splice").arg(&page).output().expect("it runs");
    let error = said(&output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("room"), "{error}");
    assert_eq!(fs::read_to_string(&page).expect("the page"), text);
    assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
}
