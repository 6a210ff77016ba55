//! Where NVIDIA's libraries, and the programs that this one starts, are looked for.
//!
//! What is found is run with the user's rights, so that nothing is taken from the folder that happens to be the current one:
//! only from what a variable of this program names, from the workspace that this program was built from, and from the system's
//! places, all by whole paths.

use std::collections::HashSet;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Whether a file's name is that of the library that is looked for.
type Fits = fn(&str) -> bool;

/// Folders inside a CUDA toolkit or one of NVIDIA's wheels that hold libraries.
const LIBRARY_FOLDERS: &[&str] = &["", "lib64", "lib", "bin", "bin/x64", "bin/x86_64"];

/// What stands for the workspace where the program has left it.
static WORKSPACE: OnceLock<PathBuf> = OnceLock::new();

/// Makes `folder` what stands for the workspace: that of a user who has none.
pub fn set_workspace(folder: PathBuf) {
    let _ = WORKSPACE.set(folder);
}

/// A place of the workspace that this program was built from, e.g. "target/nvrtc".
pub fn in_workspace(place: &str) -> PathBuf {
    // This crate is in harness/core/toolchain.
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3);
    let root = WORKSPACE.get().map(PathBuf::as_path).or(built);
    root.unwrap_or(Path::new("/")).join(place)
}

/// Every library of NVIDIA's whose name fits, each file once: what a variable names, then what is at its place in the workspace,
/// in Python's packages, in toolkits, and where the loader looks.
pub fn libraries(variable: &str, place: &str, fits: Fits) -> Vec<PathBuf> {
    let mut seen = HashSet::new();
    let system = site_packages().into_iter().flat_map(|folder| in_wheels(&folder, fits));
    let system = system.chain(toolkits().into_iter().flat_map(|folder| in_toolkit(&folder, fits)));
    let system = system.chain(loader_folders().into_iter().flat_map(|folder| files(&folder, fits)));
    named_by_variable(env::var_os(variable).as_deref(), fits)
        .into_iter()
        // The loader would look for a bare name elsewhere.
        .map(|path| std::path::absolute(&path).unwrap_or(path))
        .chain(newest_first(&in_workspace(place), fits))
        .chain(system.filter(|path| path.is_absolute()))
        // One library has up to three names, as links to it.
        .filter(|path| seen.insert(fs::canonicalize(path).unwrap_or_else(|_| path.clone())))
        .collect()
}

/// Where [`libraries`] looks, in words.
pub fn searched(variable: &str, place: &str) -> String {
    let loader =
        if cfg!(windows) { "PATH" } else { "LD_LIBRARY_PATH, /etc/ld.so.conf.d, /usr/lib" };
    format!(
        "{variable}, {}, Python's packages (PYTHONPATH, VIRTUAL_ENV, CONDA_PREFIX, ~/.local, /usr), \
         CUDA toolkits (CUDA_HOME, CUDA_PATH, /usr/local/cuda*), the loader's folders ({loader})",
        in_workspace(place).display()
    )
}

/// Where programs of this name may be: in the folders of PATH, but for those that depend on the current one.
pub fn on_path(program: &str) -> Vec<PathBuf> {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).filter(|folder| folder.is_absolute());
    places.map(|folder| folder.join(&name)).filter(|file| file.is_file()).collect()
}

/// Where a program of a CUDA toolkit may be: on PATH, then in the toolkits that the environment names and the usual ones.
pub fn programs(program: &str) -> Vec<PathBuf> {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let toolkits = toolkits().into_iter().filter(|folder| folder.is_absolute());
    let places = toolkits.map(|folder| folder.join("bin").join(&name));
    on_path(program).into_iter().chain(places.filter(|file| file.is_file())).collect()
}

/// The release that a program of a CUDA toolkit states, e.g. "13.2.51".
pub fn release(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output().ok()?;
    release_in(&String::from_utf8_lossy(&output.stdout))
}

/// The release in "Cuda compilation tools, release 13.2, V13.2.51".
fn release_in(said: &str) -> Option<String> {
    let (_, release) = said.split_once("release ")?;
    let (_, release) = release.split_once(", V")?;
    release.split_whitespace().next().map(str::to_owned)
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

/// Libraries in the folders of a place, one for each version; the newest first.
fn newest_first(place: &Path, fits: Fits) -> Vec<PathBuf> {
    newest_folders(place).iter().flat_map(|folder| in_wheels(folder, fits)).collect()
}

/// The folders in a place that holds one for each version, the newest first.
pub fn newest_folders(place: &Path) -> Vec<PathBuf> {
    let mut versions = folders(place, |_| true);
    versions.sort_by_key(|folder| std::cmp::Reverse(version_of(folder)));
    versions
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
pub fn site_packages() -> Vec<PathBuf> {
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

/// Places of CUDA installations, each as the folders that hold its parts: a toolkit is one folder, NVIDIA's wheels are several.
/// Wheels of CUDA 13 and later share a folder, those before have one each.
pub fn installations() -> Vec<Vec<PathBuf>> {
    let is_whole = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        name.strip_prefix("cu").is_some_and(|rest| rest.parse::<u32>().is_ok())
    };
    let mut own = folders(&in_workspace("target/nvrtc"), |_| true);
    own.sort_by_key(|folder| std::cmp::Reverse(version_of(folder)));
    let wheels = own.into_iter().chain(site_packages());
    let wheels = wheels.flat_map(|packages| {
        let (whole, parts): (Vec<_>, Vec<_>) =
            folders(&packages.join("nvidia"), |_| true).into_iter().partition(is_whole);
        whole.into_iter().rev().map(|folder| vec![folder]).chain([parts])
    });
    let named = ["CUDA_HOME", "CUDA_PATH"].map(|variable| env::var_os(variable).is_some());
    let mut toolkits = toolkits().into_iter().map(|folder| vec![folder]);
    let first: Vec<_> = toolkits.by_ref().take(named.iter().filter(|is| **is).count()).collect();
    let all = first.into_iter().chain(wheels).chain(toolkits);
    all.filter(|places| places.iter().all(|place| place.is_absolute())).collect()
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
    found
}

/// The numbers in a folder's name, for sorting: "cuda-12.4" gives [12, 4].
fn version_of(folder: &Path) -> Vec<u32> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// The files of a folder whose names fit, sorted.
pub fn files(folder: &Path, fits: impl Fn(&str) -> bool) -> Vec<PathBuf> {
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

    fn touch(path: PathBuf) -> PathBuf {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "").unwrap();
        path
    }

    fn is_one(name: &str) -> bool {
        name == "libone.so"
    }

    #[test]
    fn a_wheels_folder_and_a_library_can_be_named() {
        let dir = tempfile::tempdir().unwrap();
        let library = touch(dir.path().join("wheels/nvidia/one/lib/libone.so"));
        touch(library.with_file_name("libother.so"));
        let value = env::join_paths([dir.path().join("wheels"), library.clone()]).unwrap();
        assert_eq!(named_by_variable(Some(&value), is_one), [library.clone(), library]);
        assert!(named_by_variable(None, is_one).is_empty());
    }

    #[test]
    fn the_release_is_read_from_what_a_program_says() {
        let said = "nvdisasm: NVIDIA (R) CUDA disassembler\nCuda compilation tools, release 13.2, V13.2.51\nBuild x\n";
        assert_eq!(release_in(said).as_deref(), Some("13.2.51"));
        assert_eq!(release_in("cc (Debian 12.2.0) 12.2.0"), None);
    }

    #[test]
    fn newer_versions_come_first() {
        let dir = tempfile::tempdir().unwrap();
        let [newest, old, oldest] = ["12.4.127", "11.8.89", "9.2.1"]
            .map(|version| touch(dir.path().join(version).join("nvidia/one/lib/libone.so")));
        assert_eq!(newest_first(dir.path(), is_one), [newest, old, oldest]);
    }

    #[test]
    fn a_file_is_tried_once_by_its_whole_path() {
        let found = libraries("LADDER_NONE", "target/none", |name| name.ends_with(".so"));
        let files: HashSet<_> = found.iter().map(|path| fs::canonicalize(path).unwrap()).collect();
        assert_eq!(files.len(), found.len());
        assert!(found.iter().all(|path| path.is_absolute()));
    }

    #[test]
    fn the_workspace_is_that_of_this_crate() {
        assert!(in_workspace("harness/core/toolchain/src/search.rs").is_file());
    }
}
