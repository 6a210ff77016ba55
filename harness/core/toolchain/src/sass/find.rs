//! Where nvdisasm may be, and which version it is.

use std::env;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::search;

/// The version whose text the committed machine code is read from.
pub const RELEASE: &str = "13.2.51";

/// The command, typed at the workspace's root, that gets it.
pub const INSTALL: &str = "python3 -m pip install --no-deps --target target/nvdisasm/13.2.51 nvidia-cuda-nvdisasm==13.2.51";

/// The variable that names a program, or a folder with it, to look at before all others.
const VARIABLE: &str = "LADDER_NVDISASM";

const PROGRAM: &str = if cfg!(windows) { "nvdisasm.exe" } else { "nvdisasm" };

/// NVIDIA's disassembler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nvdisasm {
    /// Path of the program.
    pub path: PathBuf,
    /// Its version, e.g. "13.2.51".
    pub release: String,
}

/// The pinned disassembler.
///
/// # Errors
/// It is not on this machine; the error has the command that gets it.
pub fn pinned() -> Result<Nvdisasm, Error> {
    all().find(|found| found.release == RELEASE).ok_or_else(missing)
}

/// Any disassembler, the first that is found.
///
/// # Errors
/// None is on this machine; the error has the command that gets one.
pub fn any() -> Result<Nvdisasm, Error> {
    all().next().ok_or_else(missing)
}

fn missing() -> Error {
    Error::Unavailable {
        what: format!("nvdisasm {RELEASE}, which prints machine code, was not found"),
        remedy: format!("get it:\n  {INSTALL}"),
    }
}

fn all() -> impl Iterator<Item = Nvdisasm> {
    candidates().into_iter().filter(|path| path.is_file()).filter_map(|path| {
        let release = search::release(&path)?;
        Some(Nvdisasm { path, release })
    })
}

/// Every place where it may be, in the order in which they are tried.
fn candidates() -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = Vec::new();
    for named in env::var_os(VARIABLE).iter().flat_map(env::split_paths) {
        places.push(named.clone());
        places.extend(in_wheel(&named));
        places.push(named.join(PROGRAM));
    }
    places.extend(in_wheel(&search::in_workspace("target/nvdisasm").join(RELEASE)));
    places.extend(search::programs("nvdisasm"));
    places
}

/// The program in a folder of Python packages: the wheels of CUDA 12 and of 13 lay it down differently.
fn in_wheel(packages: &Path) -> [PathBuf; 2] {
    ["nvidia/cu13/bin", "nvidia/cuda_nvdisasm/bin"].map(|inner| packages.join(inner).join(PROGRAM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_gets_the_pinned_version() {
        assert_eq!(INSTALL.matches(RELEASE).count(), 2);
        assert!(missing().to_string().contains(INSTALL));
    }
}
