//! What can be seen of a program before it runs: which CUDA runtime it asks for.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use ui::Usage;

/// The first bytes of a program in machine code.
const ELF: &[u8] = b"\x7fELF";
/// A section that every program with device code of nvcc has.
const DEVICE_CODE: &[u8] = b".nvFatBinSegment";
/// What a program asks the loader for, without the release.
const SHARED_RUNTIME: &[u8] = b"libcudart.so.";
/// The section of a program's symbols, which `strip` removes.
const SYMBOLS: &[u8] = b"\0.symtab\0";
/// Functions that the runtime has since a release.
const SINCE: [(&[u8], u32); 2] =
    [(b"\0cudaDeviceGetHostAtomicCapabilities\0", 13), (b"\0cudaGetDeviceProperties_v2\0", 12)];

/// A program that can be run.
#[derive(Debug)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// The release of the CUDA runtime that it asks for or has in it: 13 for `libcudart.so.13`; none for a script, or where
    /// a library of the program asks.
    pub release: Option<u32>,
}

/// Looks at a program; a name without a folder is looked for in `PATH` too, as a shell does.
pub fn look(name: &Path) -> Result<Program> {
    let path = find(name)?;
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut release = release(&bytes);
    if bytes.starts_with(ELF) && release.is_none() && has(&bytes, DEVICE_CODE) {
        if !cfg!(target_arch = "x86_64") || !has(&bytes, SYMBOLS) {
            let name = name.display();
            bail!(Usage(format!(
                "{name} has the CUDA runtime in it, where it cannot be replaced without the program's symbols, nor on other \
                 processors than x86-64\n\
                 compile it with the shared one: nvcc -cudart shared -arch=compute_80 … -o {name}"
            )));
        }
        release = Some(linked_release(&bytes));
    }
    Ok(Program { path, release })
}

/// The release of the runtime that is in a program.
fn linked_release(program: &[u8]) -> u32 {
    SINCE.iter().find(|(function, _)| has(program, function)).map_or(11, |(_, release)| *release)
}

fn find(name: &Path) -> Result<PathBuf> {
    if name.components().count() > 1 || name.is_absolute() {
        return match name.is_file() {
            true => Ok(name.to_owned()),
            false => {
                bail!(Usage(format!("{} is no program: there is no such file", name.display())))
            }
        };
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders).map(|it| it.join(name)).find(|it| it.is_file());
    found.ok_or_else(|| {
        let name = name.display();
        let here = if Path::new(&name.to_string()).is_file() {
            format!("; the one in this folder is ./{name}")
        } else {
            String::new()
        };
        Usage(format!("there is no program {name} in PATH{here}")).into()
    })
}

/// The release that a program asks for.
fn release(program: &[u8]) -> Option<u32> {
    let at = find_bytes(program, SHARED_RUNTIME)? + SHARED_RUNTIME.len();
    let digits = program[at..].iter().take_while(|byte| byte.is_ascii_digit());
    let digits: String = digits.map(|byte| char::from(*byte)).collect();
    digits.parse().ok()
}

fn has(bytes: &[u8], wanted: &[u8]) -> bool {
    find_bytes(bytes, wanted).is_some()
}

fn find_bytes(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_is_read_from_the_program() {
        assert_eq!(release(b"\0libcudart.so.13\0libc.so.6\0"), Some(13));
        assert_eq!(release(b"libcudart.so.11.0\0"), Some(11));
        assert_eq!(release(b"libcudart.so"), None);
        assert_eq!(release(b"libc.so.6"), None);
    }

    #[test]
    fn a_runtime_in_the_program_is_known_by_its_functions() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("linked");
        let text = b"\x7fELF .nvFatBinSegment\0.symtab\0cudaGetDeviceProperties_v2\0";
        std::fs::write(&file, text).expect("a file");
        let release = look(&file).ok().and_then(|program| program.release);
        assert_eq!(release, cfg!(target_arch = "x86_64").then_some(12));
    }

    #[test]
    fn programs_that_cannot_be_run_are_refused_with_a_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("static");
        std::fs::write(&file, b"\x7fELF .nvFatBinSegment").expect("a file");
        let refused = look(&file).expect_err("static").to_string();
        assert!(refused.contains("nvcc -cudart shared"), "{refused}");
        let missing = look(&folder.path().join("missing")).expect_err("no file").to_string();
        assert!(missing.contains("no such file"), "{missing}");
        let unknown =
            look(Path::new("surely-no-such-program")).expect_err("no program").to_string();
        assert!(unknown.contains("PATH"), "{unknown}");
        std::fs::write(&file, b"\x7fELF libcudart.so.12 .nvFatBinSegment").expect("a file");
        assert_eq!(look(&file).expect("a program").release, Some(12));
    }
}
