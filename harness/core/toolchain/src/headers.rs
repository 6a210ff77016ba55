//! Where CUDA's own headers are (`cuda_fp16.h`, `cooperative_groups.h`): in a toolkit, or in NVIDIA's wheels for Python.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::Serialize;

use crate::nvrtc::Version;
use crate::search;

/// The command, typed at the workspace's root, that gets those that suit [`crate::nvrtc::INSTALL`].
pub const INSTALL: &str = "python3 -m pip install --no-deps --upgrade --target target/nvrtc/headers-11.8.89 \
                           nvidia-cuda-runtime-cu11==11.8.89 nvidia-cuda-cccl-cu11==11.8.89.post1";

/// The variable that names the folders of one installation, to be taken before all others.
pub const VARIABLE: &str = "LADDER_HEADERS";

/// What every installation of the headers has.
const RUNTIME: &str = "cuda_runtime_api.h";

/// What NVIDIA's C++ library adds, libcu++, which is a package of its own.
const LIBRARY: &str = "cuda/atomic";

/// The headers of one CUDA release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Headers {
    /// The release as its runtime header states it: major and minor.
    pub release: (u32, u32),
    /// The folders for the compiler to look into, in order.
    pub folders: Vec<PathBuf>,
}

/// All that are found, in the order in which they are tried: what [`VARIABLE`] names, toolkits that the environment names,
/// what is in the workspace's `target/nvrtc`, Python's packages, toolkits at the usual place.
pub fn find_all() -> Vec<Headers> {
    let mut found: Vec<Headers> = Vec::new();
    let named = env::var_os(VARIABLE);
    let named = named.map(|value| env::split_paths(&value).filter(|it| it.is_absolute()).collect());
    let installed = search::installations();
    let installed = installed.iter().filter_map(|places| Headers::in_places(places));
    for headers in named.and_then(Headers::in_folders).into_iter().chain(installed) {
        if found.iter().all(|known| known.folders != headers.folders) {
            found.push(headers);
        }
    }
    found
}

/// [`find_all`], once for the process.
pub fn installed() -> &'static [Headers] {
    static INSTALLED: OnceLock<Vec<Headers>> = OnceLock::new();
    INSTALLED.get_or_init(find_all)
}

/// The folders that a compiler may have to read; asked for before a process is confined, it finds them.
pub fn readable() -> Vec<PathBuf> {
    installed().iter().flat_map(|headers| headers.folders.clone()).collect()
}

/// Where they are looked for, in words.
pub fn searched() -> &'static str {
    "LADDER_HEADERS, CUDA_HOME, CUDA_PATH, target/nvrtc/*, Python's packages (nvidia/*/include), /usr/local/cuda*"
}

/// Those for a compiler: of its own major release where they are found, else the first.
pub(crate) fn suited(all: &[Headers], compiler: Version) -> Option<&Headers> {
    all.iter().find(|headers| headers.release.0 == compiler.major).or(all.first())
}

impl Headers {
    /// What lies below the places of one installation, if it has the runtime's header.
    fn in_places(places: &[PathBuf]) -> Option<Headers> {
        let folders: Vec<PathBuf> = places
            .iter()
            .map(|place| place.join("include"))
            // Since CUDA 13 the C++ library has a folder of its own.
            .flat_map(|include| [include.join("cccl"), include])
            .filter(|folder| folder.is_dir())
            .collect();
        Headers::in_folders(folders)
    }

    /// What lies in `folders`, if the runtime's header does.
    fn in_folders(folders: Vec<PathBuf>) -> Option<Headers> {
        let release = folders.iter().find_map(|folder| release(&folder.join(RUNTIME)))?;
        Some(Headers { release, folders })
    }

    /// Whether NVIDIA's C++ library is among them: `cuda/atomic`, `cuda/std/…`.
    pub fn have_library(&self) -> bool {
        self.folders.iter().any(|folder| folder.join(LIBRARY).is_file())
    }
}

/// `#define CUDART_VERSION  12040` is release 12.4.
fn release(header: &Path) -> Option<(u32, u32)> {
    let text = fs::read(header).ok()?;
    let text = String::from_utf8_lossy(&text);
    let number = text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next()? == "#define" && words.next()? == "CUDART_VERSION").then(|| words.next())?
    })?;
    let number: u32 = number.parse().ok()?;
    Some((number / 1000, number % 1000 / 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installation(release: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("include/cccl")).unwrap();
        let text = format!("#pragma once\n#define CUDART_VERSION  {release}\n");
        fs::write(folder.path().join("include").join(RUNTIME), text).unwrap();
        folder
    }

    #[test]
    fn an_installation_is_known_by_its_runtime_header() {
        let place = installation("12040");
        let found = Headers::in_places(&[place.path().to_path_buf()]).unwrap();
        assert_eq!(found.release, (12, 4));
        let include = place.path().join("include");
        assert_eq!(found.folders, [include.join("cccl"), include.clone()]);
        assert!(!found.have_library());
        fs::create_dir(include.join("cccl/cuda")).unwrap();
        fs::write(include.join("cccl").join(LIBRARY), "").unwrap();
        assert!(found.have_library());
        assert_eq!(Headers::in_places(&[place.path().join("include")]), None);
        assert_eq!(Headers::in_places(&[installation("x").path().to_path_buf()]), None);
    }

    #[test]
    fn a_compiler_gets_the_headers_of_its_own_release_first() {
        let of = |major| Headers { release: (major, 0), folders: Vec::new() };
        let all = [of(11), of(13)];
        let suited = |major| suited(&all, Version { major, minor: 8 }).map(|it| it.release.0);
        assert_eq!((suited(13), suited(11), suited(12)), (Some(13), Some(11), Some(11)));
    }
}
