//! nvcc, which compiles host code together with kernels: for libraries that are headers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::search;

/// Names the compiler that is to be used, and no other.
const CHOSEN: &str = "LADDER_NVCC";

/// How to get it.
pub const INSTALL: &str =
    "install NVIDIA's CUDA toolkit, which has nvcc and CUB, or name one: LADDER_NVCC=FILE";

/// Where compiled libraries are kept, in the workspace.
const KEPT: &str = "target/libraries";

/// An nvcc that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nvcc {
    /// Path of the program.
    pub program: PathBuf,
    /// Version, such as "13.0.88".
    pub release: String,
}

impl Nvcc {
    /// The one that `LADDER_NVCC` names, else the first on PATH or in a toolkit that answers.
    ///
    /// # Errors
    /// [`Error::Skipped`]: there is none.
    pub fn find() -> Result<Nvcc, Error> {
        let chosen = env::var_os(CHOSEN).map(|file| vec![PathBuf::from(file)]);
        let programs = chosen.unwrap_or_else(|| search::programs("nvcc"));
        programs.into_iter().find_map(Nvcc::ask).ok_or_else(|| Error::Skipped {
            reason: format!("no nvcc was found ({CHOSEN}, PATH, CUDA toolkits)"),
            remedy: INSTALL.to_string(),
        })
    }

    fn ask(program: PathBuf) -> Option<Nvcc> {
        let release = search::release(&program)?;
        Some(Nvcc { program, release })
    }

    /// Compiles CUDA C++ for a GPU of this compute capability to a shared library, or finds the one that was made of the
    /// same code before.
    ///
    /// # Errors
    /// [`Error::Skipped`]: it cannot, for want of a host compiler, of the headers, or of a folder to write in.
    pub fn library(&self, code: &str, (major, minor): (u32, u32)) -> Result<PathBuf, Error> {
        let arch = format!("-arch=sm_{major}{minor}");
        let of: [&[u8]; 3] = [self.release.as_bytes(), arch.as_bytes(), code.as_bytes()];
        let digest = of.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part)).finalize();
        let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let folder = search::in_workspace(KEPT);
        let file = folder.join(format!("{name}{}", env::consts::DLL_SUFFIX));
        if file.is_file() {
            return Ok(file);
        }
        let no_room =
            |error| self.cannot(&format!("{} cannot be written: {error}", folder.display()));
        fs::create_dir_all(&folder).map_err(no_room)?;
        // Another process may be making the same.
        let own = folder.join(format!("{name}-{}", std::process::id()));
        let source = own.with_extension("cu");
        fs::write(&source, code).map_err(no_room)?;
        let made = self.compile(&source, &own, &arch);
        let _ = fs::remove_file(&source);
        made?;
        fs::rename(&own, &file).map_err(no_room)?;
        Ok(file)
    }

    fn compile(&self, source: &Path, output: &Path, arch: &str) -> Result<(), Error> {
        let mut command = Command::new(&self.program);
        command.args(["-O3", "-std=c++17", arch, "-shared"]);
        if cfg!(unix) {
            command.args(["-Xcompiler", "-fPIC"]);
        }
        command.arg("-o").arg(output).arg(source).stdin(Stdio::null());
        let output = command.output().map_err(|error| self.cannot(&error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        let log = [output.stderr, output.stdout].concat();
        let log = String::from_utf8_lossy(&log);
        let is_told = |line: &&str| line.contains("error") || line.contains("fatal");
        let line = log.lines().find(is_told).or(log.lines().next()).unwrap_or("it says nothing");
        Err(self.cannot(line.trim()))
    }

    fn cannot(&self, why: &str) -> Error {
        Error::Skipped {
            reason: format!("nvcc {} ({}): {why}", self.release, self.program.display()),
            remedy: INSTALL.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_nvcc_cannot_compile_says_its_own_words() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("nvcc");
        let script =
            "#!/bin/sh\necho about >&2\necho 'nvcc fatal : no host compiler' >&2\nexit 1\n";
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(Nvcc::ask(program.clone()), None, "it says no release");
        let nvcc = Nvcc { program, release: "13.0.88".to_owned() };
        let error = nvcc.library("one", (9, 0)).unwrap_err();
        assert!(error.is_skipped(), "{error}");
        assert!(error.to_string().contains("no host compiler"), "{error}");
        assert!(error.to_string().contains(CHOSEN), "{error}");
    }
}
