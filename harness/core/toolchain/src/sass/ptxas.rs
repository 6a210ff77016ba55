//! ptxas, NVIDIA's assembler, for code that is PTX from the first: NVRTC has the same assembler inside, and takes no PTX.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use report::files::Scratch;

use crate::error::Error;
use crate::ptx::{Pinned, Ptx};
use crate::search;
use crate::source::MACHINE_CODE;

/// The compiler of the committed machine code.
pub const COMPILER: Pinned = Pinned {
    ending: MACHINE_CODE,
    target: "sm_75",
    release: "12.9.86",
    package: "nvidia-cuda-nvrtc-cu12",
};

/// The command, typed at the workspace's root, that gets the one of the pinned NVRTC's release.
const INSTALL: &str =
    "python3 -m pip install --no-deps --target target/ptxas/12.9.86 nvidia-cuda-nvcc-cu12==12.9.86";

/// What ptxas makes of a PTX text.
#[derive(Debug)]
pub(super) struct Assembled {
    /// The GPU's own code.
    pub cubin: Vec<u8>,
    /// What it says of registers, stack and shared memory.
    pub log: String,
}

/// Assembles PTX for `arch`, e.g. "sm_90", with the ptxas of the pinned NVRTC's release.
///
/// # Errors
/// It is not on this machine (with the command that gets it), or it rejects the PTX.
pub(super) fn assemble(ptx: &Ptx, arch: &str) -> Result<Assembled, Error> {
    let program = pinned()?;
    let failed = |what: String| Error::Unavailable {
        what: format!("{}: {} {what}", ptx.file, program.display()),
        remedy: format!("get the version that is known to work:\n  {INSTALL}"),
    };
    let folder = Scratch::new().map_err(|error| failed(error.to_string()))?;
    let (file, made) = (folder.path().join("kernel.ptx"), folder.path().join("kernel.cubin"));
    fs::write(&file, &ptx.text).map_err(|source| Error::Read { path: file.clone(), source })?;
    let output = Command::new(&program)
        .args(["--verbose", "--generate-line-info", "--gpu-name", arch, "--output-file"])
        .args([&made, &file])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| failed(format!("cannot be run: {error}")))?;
    let log = String::from_utf8_lossy(&[output.stderr, output.stdout].concat()).into_owned();
    if !output.status.success() {
        return Err(failed(format!("rejects it: {}", log.trim())));
    }
    let cubin = fs::read(&made).map_err(|source| Error::Read { path: made, source })?;
    Ok(Assembled { cubin, log })
}

fn pinned() -> Result<PathBuf, Error> {
    let name = format!("ptxas{}", std::env::consts::EXE_SUFFIX);
    let packages = search::in_workspace("target/ptxas").join(COMPILER.release);
    let places = [packages.join("nvidia/cuda_nvcc/bin").join(name)];
    let mut places = places.into_iter().chain(search::programs("ptxas"));
    let is_pinned = |path: &PathBuf| search::release(path).as_deref() == Some(COMPILER.release);
    places.find(is_pinned).ok_or_else(|| Error::Unavailable {
        what: format!("ptxas {}, which assembles PTX, was not found", COMPILER.release),
        remedy: format!("get it:\n  {INSTALL}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_gets_the_release_of_the_pinned_nvrtc() {
        assert_eq!(INSTALL.matches(COMPILER.release).count(), 2);
    }
}
