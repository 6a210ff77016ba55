//! The files of the workspace that `harness new` reads, in a folder of their own.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// Copies them: the files that name ladders, and the ladder `transpose`.
pub fn copy() -> TempDir {
    let root = ladder::workspace::root().expect("a clone");
    let folder = tempfile::tempdir().expect("a folder");
    for file in [
        "harness/ladders/Cargo.toml",
        "harness/ladders/src/list.rs",
        "book/src/SUMMARY.md",
        "steps/tests/ladders.rs",
        "rustfmt.toml",
    ] {
        copy_file(&root, folder.path(), file);
    }
    copy_file(&root, folder.path(), "steps/transpose/src/lib.rs");
    for kernel in fs::read_dir(root.join("kernels/transpose")).expect("kernels").flatten() {
        let name = kernel.file_name();
        let name = format!("kernels/transpose/{}", name.to_str().expect("a name"));
        copy_file(&root, folder.path(), &name);
    }
    folder
}

fn copy_file(from: &Path, to: &Path, file: &str) {
    let to = to.join(file);
    fs::create_dir_all(to.parent().expect("a folder")).expect("folders");
    fs::copy(from.join(file), to).expect(file);
}
