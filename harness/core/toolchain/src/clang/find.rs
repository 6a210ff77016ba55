//! Which programs may be a clang.

use std::collections::HashSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::search;

/// The command, typed at the workspace's root, that gets one: Python's wheel `ziglang` has a whole clang in it.
pub const INSTALL: &str =
    "python3 -m pip install --no-deps --target target/clang/0.17.1 ziglang==0.17.1";

/// The variable that names a program, or a folder with one, to be tried before all others.
const VARIABLE: &str = "LADDER_CLANG";

/// Where [`INSTALL`] puts wheels, from the workspace's root.
const PLACE: &str = "target/clang";

/// Names of LLVM's program, and of its versions where a system has several, newest first.
const NAMES: [&str; 8] =
    ["clang", "clang-24", "clang-23", "clang-22", "clang-21", "clang-20", "clang-19", "clang-18"];

/// Folders where installers put LLVM without adding them to the path.
const USUAL: [&str; 3] =
    ["/opt/homebrew/opt/llvm/bin", "/usr/local/opt/llvm/bin", r"C:\Program Files\LLVM\bin"];

/// Every program that may be a clang, in the order in which they are tried, each file once.
pub fn candidates() -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let named = env::var_os(VARIABLE).map(|value| env::split_paths(&value).collect::<Vec<_>>());
    let named = named.into_iter().flatten().flat_map(|path| match path.is_dir() {
        true => in_folder(&path),
        false => vec![path],
    });
    let wheels = search::newest_folders(&search::in_workspace(PLACE)).into_iter();
    let wheels = wheels.chain(search::site_packages()).flat_map(|packages| in_folder(&packages));
    let on_path = NAMES.iter().flat_map(|name| search::on_path(name));
    let usual = USUAL.iter().flat_map(|folder| in_folder(Path::new(folder)));
    named
        .map(|path| std::path::absolute(&path).unwrap_or(path))
        .chain(wheels.chain(on_path).chain(usual).filter(|path| path.is_absolute()))
        .filter(|path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())))
        .collect()
}

/// Where [`candidates`] are looked for, in words.
pub fn searched() -> String {
    format!(
        "{VARIABLE}, {}, Python's packages (ziglang), PATH (clang, clang-18 and later), {}",
        search::in_workspace(PLACE).display(),
        if cfg!(windows) { USUAL[2] } else { "Homebrew's llvm" }
    )
}

/// The programs in a folder: of LLVM itself, or of a wheel.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let places = ["clang", "bin/clang", "zig", "ziglang/zig"];
    let places = places.map(|place| folder.join(format!("{place}{}", env::consts::EXE_SUFFIX)));
    places.into_iter().filter(|path| path.is_file()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_in_an_installation_and_in_a_wheel() {
        let folder = tempfile::tempdir().unwrap();
        assert!(in_folder(folder.path()).is_empty());
        let expected = ["bin/clang", "ziglang/zig"].map(|place| {
            let path = folder.path().join(format!("{place}{}", env::consts::EXE_SUFFIX));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            path
        });
        assert_eq!(in_folder(folder.path()), expected);
    }

    #[test]
    fn a_file_is_tried_once_by_its_whole_path() {
        let found = candidates();
        let files: HashSet<_> =
            found.iter().map(|path| fs::canonicalize(path).unwrap_or_default()).collect();
        assert_eq!(files.len(), found.len());
        assert!(found.iter().all(|path| path.is_absolute()));
    }
}
