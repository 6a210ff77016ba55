//! Where NVIDIA's compute-sanitizer may be, and which version it is.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::search;
use crate::error::Error;

/// The command, typed at the workspace's root, that gets it.
pub const INSTALL: &str =
    "python3 -m pip install --no-deps --target target/sanitizer nvidia-cuda-sanitizer-api==13.0.85";

const PROGRAM: &str = "compute-sanitizer";

/// NVIDIA's checker of kernels while they run on a GPU.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sanitizer {
    /// The program, by its whole path.
    pub path: PathBuf,
    /// Its version, e.g. "2025.3.1".
    pub release: String,
}

/// The first compute-sanitizer that is found and answers.
///
/// # Errors
/// None is on this machine; the error says how to get one.
pub fn find() -> Result<Sanitizer, Error> {
    let own = search::in_workspace("target/sanitizer/nvidia/cu13/bin").join(PROGRAM);
    let places = search::programs(PROGRAM).into_iter().chain([own]);
    let answers = |path: PathBuf| release(&path).map(|release| Sanitizer { path, release });
    places.into_iter().find_map(answers).ok_or_else(|| Error::Unavailable {
        what: format!("{PROGRAM} was not found in PATH, CUDA_HOME, CUDA_PATH and /usr/local/cuda*"),
        remedy: format!("install the CUDA toolkit, which has it, or get it alone:\n  {INSTALL}"),
    })
}

/// The version that a program states in a line "Version 2025.3.1.0 (build …)".
fn release(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    release_in(&String::from_utf8_lossy(&output.stdout))
}

fn release_in(text: &str) -> Option<String> {
    let version = text.lines().find_map(|line| line.trim().strip_prefix("Version "))?;
    version.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::release_in;

    #[test]
    fn the_version_is_read_from_what_the_program_says() {
        let text = "NVIDIA (R) Compute Sanitizer\nCopyright (c) 2020-2025 NVIDIA Corporation\nVersion 2025.3.1.0 (build 36398880)\n";
        assert_eq!(release_in(text).as_deref(), Some("2025.3.1.0"));
        assert_eq!(release_in("some other program"), None);
    }
}
