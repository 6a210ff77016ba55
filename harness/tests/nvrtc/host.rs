//! The whole program of the book's page "Host code", built by nvcc and run under `exec`.

use std::path::{Path, PathBuf};
use std::process::Command;

/// NVIDIA's compiler where CI puts it (packages of PyPI), below the workspace.
const TOOLKIT: &str = "target/nvcc/13.5.37/nvidia/cu13";

#[test]
fn the_whole_program_prints_what_the_book_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let toolkit: PathBuf = root.join(TOOLKIT);
    if !toolkit.is_dir() {
        return println!("SKIPPED: there is no nvcc in {TOOLKIT}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("host");
    let built = Command::new(toolkit.join("bin/nvcc"))
        .args("-cudart none -arch=compute_75 -lineinfo -Xlinker -l:libcudart.so.13".split(' '))
        .arg(format!("-L{}", toolkit.join("lib").display()))
        .arg("-o")
        .arg(&program)
        .arg(root.join("harness/tests/exec/host.cu"))
        .output()
        .expect("nvcc starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let ran = crate::program().arg("exec").arg(&program).output().expect("it runs");
    let text = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(text.starts_with(include_str!("../exec/host.txt")), "{text}");
    let hazards = text.lines().filter(|line| line.starts_with("saxpy ") && line.ends_with(" 0"));
    assert_eq!(hazards.count(), 2, "rows without hazards: {text}");
}
