//! Where NVRTC may be: the order is that of the book, the most deliberate place first.

use std::collections::HashSet;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The variable that names a library or folders to look into before all others.
const VARIABLE: &str = "LADDER_NVRTC";

/// Where the documented command puts wheels, from the workspace's root.
const PLACE: &str = "target/nvrtc";

/// Whether a file's name is that of the library that is looked for.
type Fits = fn(&str) -> bool;

/// Folders inside a CUDA toolkit or one of NVIDIA's wheels that hold libraries.
const LIBRARY_FOLDERS: &[&str] = &["", "lib64", "lib", "bin", "bin/x64", "bin/x86_64"];

/// Every library that may be an NVRTC, in the order in which they are tried, each file once.
pub fn candidates() -> Vec<PathBuf> {
    libraries(VARIABLE, PLACE, is_nvrtc)
}

/// Every library of NVIDIA's whose name fits: what a variable names, then what is at its place in the workspace, in Python's packages,
/// in toolkits, and where the loader looks.
pub(crate) fn libraries(variable: &str, place: &str, fits: Fits) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    named_by_variable(env::var_os(variable).as_deref(), fits)
        .into_iter()
        .chain(workspace().into_iter().flat_map(|root| in_workspace(&root.join(place), fits)))
        .chain(site_packages().iter().flat_map(|folder| in_wheels(folder, fits)))
        .chain(toolkits().iter().flat_map(|folder| in_toolkit(folder, fits)))
        .chain(loader_folders().iter().flat_map(|folder| files(folder, fits)))
        // The loader would look for a bare name elsewhere.
        .map(|path| std::path::absolute(&path).unwrap_or(path))
        // One library has up to three names, as links to it.
        .filter(|path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())))
        .collect()
}

/// `libnvrtc-builtins` in the folder of an NVRTC.
pub(super) fn builtins_beside(library: &Path) -> Vec<PathBuf> {
    let prefix = if cfg!(windows) { "nvrtc-builtins64_" } else { "libnvrtc-builtins.so" };
    let folder = library.parent().unwrap_or(Path::new("."));
    files(folder, |name| name.starts_with(prefix) && !is_variant(name))
}

/// Whether a file's name is that of NVRTC itself, and not of its builtins or of its variant with another allocator.
fn is_nvrtc(name: &str) -> bool {
    let named = if cfg!(windows) {
        name.starts_with("nvrtc64_") && name.ends_with(".dll")
    } else {
        name.starts_with("libnvrtc.so")
    };
    named && !is_variant(name)
}

fn is_variant(name: &str) -> bool {
    name.contains(".alt.")
}

/// The libraries and folders that the variable lists.
fn named_by_variable(value: Option<&OsStr>, fits: Fits) -> Vec<PathBuf> {
    let Some(value) = value else {
        return Vec::new();
    };
    env::split_paths(value)
        .filter(|path| !path.as_os_str().is_empty())
        .flat_map(|path| {
            if path.is_dir() {
                let mut found = in_toolkit(&path, fits);
                found.extend(in_wheels(&path, fits));
                found
            } else {
                vec![path]
            }
        })
        .collect()
}

/// The workspace's root, from the current directory or, under cargo, from the package that runs.
pub(crate) fn workspace() -> Option<PathBuf> {
    [env::current_dir().ok(), env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)]
        .into_iter()
        .flatten()
        .find_map(|start| {
            start
                .ancestors()
                .find(|folder| {
                    folder.join("kernels").is_dir() && folder.join("Cargo.toml").is_file()
                })
                .map(Path::to_path_buf)
        })
}

/// Libraries in the folders of a place in the workspace, one for each version; the newest first.
fn in_workspace(place: &Path, fits: Fits) -> Vec<PathBuf> {
    let mut versions = folders(place, |_| true);
    versions.sort_by_key(|folder| std::cmp::Reverse(version_of(folder)));
    versions.iter().flat_map(|folder| in_wheels(folder, fits)).collect()
}

/// Libraries below `nvidia/*/` of a folder of Python packages.
fn in_wheels(packages: &Path, fits: Fits) -> Vec<PathBuf> {
    let mut wheels = folders(&packages.join("nvidia"), |_| true);
    wheels.sort();
    wheels.iter().flat_map(|wheel| in_toolkit(wheel, fits)).collect()
}

/// Libraries in a CUDA toolkit, or in any folder that is laid out like one.
fn in_toolkit(folder: &Path, fits: Fits) -> Vec<PathBuf> {
    LIBRARY_FOLDERS.iter().flat_map(|inner| files(&folder.join(inner), fits)).collect()
}

/// Folders of Python packages, found without running Python.
fn site_packages() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = env::var_os("PYTHONPATH")
        .map(|value| env::split_paths(&value).collect())
        .unwrap_or_default();
    let home =
        |variable: &str, inner: &str| env::var_os(variable).map(|v| Path::new(&v).join(inner));
    // Folders that hold lib/python3.N/ (or Lib/ on Windows), the user's choice of the moment first.
    let prefixes = [
        home("VIRTUAL_ENV", ""),
        home("CONDA_PREFIX", ""),
        home("HOME", ".local"),
        Some(PathBuf::from("/usr/local")),
        Some(PathBuf::from("/usr")),
    ];
    for prefix in prefixes.into_iter().flatten() {
        let mut pythons = folders(&prefix.join("lib"), |name| name.starts_with("python3"));
        pythons.sort_by_key(|folder| std::cmp::Reverse(version_of(folder)));
        for python in pythons {
            found.extend(["site-packages", "dist-packages"].map(|inner| python.join(inner)));
        }
        found.push(prefix.join("Lib/site-packages"));
    }
    let windows = [
        (home("APPDATA", "Python"), "site-packages"),
        (home("LOCALAPPDATA", "Programs/Python"), "Lib/site-packages"),
    ];
    for (folder, inner) in windows {
        let pythons = folder.map(|folder| folders(&folder, |name| name.starts_with("Python3")));
        found.extend(pythons.unwrap_or_default().iter().map(|python| python.join(inner)));
    }
    found
}

/// CUDA toolkits: those that the environment names, then those at the usual place, newest first.
fn toolkits() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = ["CUDA_HOME", "CUDA_PATH"]
        .iter()
        .filter_map(|variable| env::var_os(variable).map(PathBuf::from))
        .collect();
    let (place, prefix) = if cfg!(windows) {
        (r"C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA", "v")
    } else {
        ("/usr/local", "cuda")
    };
    let mut usual = folders(Path::new(place), |name| name.starts_with(prefix));
    usual.sort_by_key(|folder| std::cmp::Reverse(version_of(folder)));
    found.extend(usual);
    found
}

/// Where the system's loader looks. Not left to the loader itself: asked for a name, it answers with a library that is
/// already loaded, wherever that came from.
fn loader_folders() -> Vec<PathBuf> {
    let variable = if cfg!(windows) { "PATH" } else { "LD_LIBRARY_PATH" };
    let mut found: Vec<PathBuf> =
        env::var_os(variable).map(|value| env::split_paths(&value).collect()).unwrap_or_default();
    if cfg!(target_os = "linux") {
        for file in entries(Path::new("/etc/ld.so.conf.d"), |path, _| path.is_file()) {
            let text = fs::read_to_string(file).unwrap_or_default();
            found.extend(text.lines().filter(|line| line.starts_with('/')).map(PathBuf::from));
        }
        found.push(PathBuf::from(format!("/usr/lib/{}-linux-gnu", env::consts::ARCH)));
        found.extend(["/usr/lib64", "/usr/lib"].map(PathBuf::from));
    }
    // A path that is no whole one would depend on where the program was started.
    found.retain(|folder| folder.is_absolute());
    found
}

/// The numbers in a folder's name, for sorting: "cuda-12.4" gives [12, 4].
fn version_of(folder: &Path) -> Vec<u32> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// The files of a folder whose names fit, sorted.
fn files(folder: &Path, fits: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    entries(folder, |path, name| fits(name) && path.is_file())
}

/// The folders in a folder whose names fit, sorted.
fn folders(folder: &Path, fits: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    entries(folder, |path, name| fits(name) && path.is_dir())
}

fn entries(folder: &Path, fits: impl Fn(&Path, &str) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            fits(path, &name)
        })
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    const NAME: &str = if cfg!(windows) { "nvrtc64_120_0.dll" } else { "libnvrtc.so.12" };

    #[test]
    fn nvrtc_is_told_from_what_lies_beside_it() {
        assert!(is_nvrtc(NAME));
        for other in [
            "libnvrtc-builtins.so.12.4",
            "libnvrtc.alt.so.12",
            "nvrtc-builtins64_124.dll",
            "nvrtc64_120_0.alt.dll",
            "libcuda.so",
        ] {
            assert!(!is_nvrtc(other), "{other}");
        }
    }

    #[test]
    fn a_wheels_folder_and_a_library_can_be_named() {
        let dir = tempfile::tempdir().unwrap();
        let library = dir.path().join("wheels/nvidia/cuda_nvrtc/lib").join(NAME);
        touch(&library);
        touch(&library.with_file_name("libnvrtc-builtins.so.12.4"));
        let value = env::join_paths([dir.path().join("wheels"), library.clone()]).unwrap();
        assert_eq!(named_by_variable(Some(&value), is_nvrtc), [library.clone(), library]);
        assert!(named_by_variable(None, is_nvrtc).is_empty());
    }

    #[test]
    fn builtins_are_found_beside_their_library() {
        let dir = tempfile::tempdir().unwrap();
        let name =
            if cfg!(windows) { "nvrtc-builtins64_124.dll" } else { "libnvrtc-builtins.so.12.4" };
        touch(&dir.path().join(name));
        touch(&dir.path().join(NAME));
        assert_eq!(builtins_beside(&dir.path().join(NAME)), [dir.path().join(name)]);
    }

    #[test]
    fn newer_versions_come_first() {
        let dir = tempfile::tempdir().unwrap();
        for version in ["9.2.1", "11.8.89", "12.4.127"] {
            let folder = dir.path().join("target/nvrtc").join(version);
            touch(&folder.join("nvidia/cuda_nvrtc/lib").join(NAME));
        }
        let found = in_workspace(&dir.path().join(PLACE), is_nvrtc);
        let order: Vec<bool> = ["12.4.127", "11.8.89", "9.2.1"]
            .iter()
            .zip(&found)
            .map(|(version, path)| path.components().any(|c| c.as_os_str() == *version))
            .collect();
        assert_eq!(order, [true, true, true]);
    }

    #[test]
    fn a_file_is_tried_once_by_its_whole_path() {
        let found = candidates();
        let files: HashSet<_> = found
            .iter()
            .map(|path| fs::canonicalize(path).unwrap_or_else(|_| path.clone()))
            .collect();
        assert_eq!(files.len(), found.len());
        assert!(found.iter().all(|path| path.is_absolute()));
    }
}
