//! Kernels in Rust: PTX from a nightly toolchain, whose library `core` is built for NVIDIA's GPUs, which takes some seconds once.
//!
//! A step's PTX is committed as that of a kernel in CUDA C++ is, below the same header. One day's toolchain makes it ([`PINNED`]).

use std::path::Path;
use std::process::{Command, Stdio};

use report::files::Scratch;

use crate::error::Error;
use crate::include::read;
use crate::ptx::{self, Header, Mismatch};
use crate::search;

/// The toolchain that makes committed PTX. Another day's may make other code.
pub const PINNED: &str = "nightly-2026-10-30";

/// What a step is compiled with, as the header of its PTX states it. [`MANIFEST`] and [`compile`] say the same in cargo's words.
const OPTIONS: &str = "--target=nvptx64-nvidia-cuda -Ctarget-cpu=sm_70 -Copt-level=3 -Ccodegen-units=1 -Cpanic=abort -Cdebuginfo=line-directives-only";

/// Names the toolchain that is to be used, and no other.
const CHOSEN: &str = "LADDER_RUST";

/// How to get what compiles a reader's.
pub const INSTALL: &str = "rustup toolchain install nightly --component rust-src";

/// Where builds of `core` are kept, below the workspace.
const KEPT: &str = "target/rust-kernels";

/// The kernel's package; its code is the reader's file.
const MANIFEST: &str = "\
[package]
name = \"kernel\"
version = \"0.0.0\"
edition = \"2024\"
[lib]
path = PATH
[profile.release]
opt-level = 3
codegen-units = 1
debug = \"line-directives-only\"
panic = \"abort\"
[workspace]
";

/// What the toolchain makes of a reader's file: the text of its PTX.
///
/// # Errors
/// [`Error::Skipped`] where there is no such toolchain, [`Error::Compile`] with what it says of the file.
pub(crate) fn ptx(file: &Path) -> Result<String, Error> {
    compile(file, &chosen(), None)
}

/// The text of the PTX to commit for a step in Rust: the header, then what the pinned toolchain writes. `dir` is
/// `kernels/<ladder>`.
///
/// # Errors
/// [`Error::Skipped`] where that toolchain is missing, [`Error::Compile`] with what it says of the file.
pub fn generate(dir: &Path, step: &str) -> Result<String, Error> {
    let file = dir.join(format!("{step}.rs"));
    let folder = format!("kernels/{}", dir.file_name().unwrap_or_default().display());
    let compiler = ask(PINNED, &["--version"])?;
    let code = compile(&file, PINNED, Some(&format!("/{folder}")))?;
    let options: Vec<String> = OPTIONS.split(' ').map(str::to_owned).collect();
    let header = Header {
        digest: ptx::digest(&compiler, &options, &read(&file)?),
        source: format!("{folder}/{step}.rs"),
        options,
        compiler,
    };
    Ok(format!("{header}{code}"))
}

/// Whether a step's committed PTX was made from its file as it is now. Needs no compiler.
pub fn is_current(dir: &Path, step: &str) -> bool {
    let of = |ending| read(&dir.join(format!("{step}{ending}"))).ok();
    let (text, made) = (of(".rs"), of(ptx::EVERY_GPU.ending));
    made.zip(text).is_some_and(|(made, text)| check(&text, &made).is_ok())
}

/// Whether PTX was made from this text, as its header says.
///
/// # Errors
/// [`Mismatch`]: it was not.
pub fn check(text: &str, ptx: &str) -> Result<(), Mismatch> {
    let header = Header::parse(ptx).ok_or(Mismatch::NoHeader)?;
    match ptx::digest(&header.compiler, &header.options, text) == header.digest {
        true => Ok(()),
        false => Err(Mismatch::Changed),
    }
}

/// Compiles a file. Its PTX names the file's folder as `shown`, by default as it is on this machine.
fn compile(file: &Path, toolchain: &str, shown: Option<&str>) -> Result<String, Error> {
    let read = |source| Error::Read { path: file.to_path_buf(), source };
    let whole = std::path::absolute(file).map_err(read)?;
    std::fs::metadata(&whole).map_err(read)?;
    let (compiler, library) = (short(&ask(toolchain, &["--version"])?), library(toolchain)?);
    let scratch = Scratch::new().map_err(read)?;
    let path = format!("{:?}", whole.display().to_string());
    let manifest = scratch.path().join("Cargo.toml");
    std::fs::write(&manifest, MANIFEST.replace("PATH", &path)).map_err(read)?;
    // An installed program keeps nothing.
    let kept = search::in_workspace(KEPT);
    let target = match kept.parent().is_some_and(Path::is_dir) {
        true => kept,
        false => scratch.path().join("target"),
    };
    let made = scratch.path().join("kernel.ptx");
    let mut command = Command::new("rustup");
    command
        .args(["run", toolchain, "cargo", "rustc"])
        .args(["--quiet", "--release", "-Zbuild-std=core"])
        .args(["--target", "nvptx64-nvidia-cuda", "--manifest-path"])
        .arg(&manifest)
        .arg("--")
        .arg(format!("--emit=asm={}", made.display()));
    if let (Some(shown), Some(folder)) = (shown, whole.parent()) {
        command.arg(format!("--remap-path-prefix={}={shown}", folder.display()));
    }
    // Separated as cargo asks, since a path may have spaces.
    let flags = format!("-Ctarget-cpu=sm_70\u{1f}--remap-path-prefix={library}=/rustc");
    let output = command
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_ENCODED_RUSTFLAGS", flags)
        .env("CARGO_TERM_COLOR", "never")
        .stdin(Stdio::null())
        .output()
        .map_err(|_| missing(toolchain, "there is no rustup"))?;
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr)
            .replace(&whole.display().to_string(), &file.display().to_string());
        return Err(Error::Compile { name: file.display().to_string(), compiler, log });
    }
    std::fs::read_to_string(&made).map_err(|source| Error::Read { path: made, source })
}

/// The compiler of a reader's file, e.g. "rustc 1.97.0-nightly".
///
/// # Errors
/// [`Error::Skipped`]: there is none, or it lacks the sources of `core`.
pub fn version() -> Result<String, Error> {
    let toolchain = chosen();
    library(&toolchain)?;
    Ok(short(&ask(&toolchain, &["--version"])?))
}

/// The folder with the sources of the toolchain's libraries.
fn library(toolchain: &str) -> Result<String, Error> {
    let root = ask(toolchain, &["--print", "sysroot"])?;
    let library = Path::new(&root).join("lib/rustlib/src/rust");
    match library.join("library/core").is_dir() {
        true => Ok(library.display().to_string()),
        false => Err(missing(toolchain, &format!("{toolchain} has none here"))),
    }
}

/// What a toolchain's rustc answers.
fn ask(toolchain: &str, what: &[&str]) -> Result<String, Error> {
    let mut command = Command::new("rustup");
    command.args(["run", toolchain, "rustc"]).args(what).stdin(Stdio::null());
    let output = command.output().map_err(|_| missing(toolchain, "there is no rustup"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(missing(toolchain, &format!("there is no toolchain {toolchain}"))),
    }
}

/// A version without commit and day.
fn short(version: &str) -> String {
    version.split(" (").next().unwrap_or_default().to_owned()
}

/// The toolchain that compiles a reader's file.
fn chosen() -> String {
    std::env::var(CHOSEN).unwrap_or_else(|_| "nightly".to_owned())
}

fn missing(toolchain: &str, what: &str) -> Error {
    Error::Skipped {
        reason: format!(
            "a kernel in Rust needs a nightly toolchain with the sources of `core`, and {what}"
        ),
        remedy: format!("get it: rustup toolchain install {toolchain} --component rust-src"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    fn header(text: &str) -> Header {
        let options = OPTIONS.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let compiler = "rustc 1.0.0".to_owned();
        let digest = ptx::digest(&compiler, &options, text);
        Header { digest, source: "kernels/toy/01-a.rs".to_owned(), options, compiler }
    }

    #[test]
    fn committed_ptx_runs_while_it_is_of_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("toy");
        std::fs::create_dir(&dir).unwrap();
        std::fs::write(dir.join("01-a.rs"), "fn a() {}\r\n").unwrap();
        std::fs::write(dir.join("01-a.ptx"), format!("{}code\n", header("fn a() {}\n"))).unwrap();
        assert!(is_current(&dir, "01-a"));
        let source = Source::in_rust(&dir, "01-a").unwrap();
        assert_eq!((source.cuda.as_deref(), &*source.ptx[0].file), (None, "01-a.ptx"));
        let shown = source.file("/kernels/toy/01-a.rs");
        assert_eq!(shown, Some(("kernels/toy/01-a.rs", "fn a() {}\n")));
        std::fs::write(dir.join("01-a.rs"), "fn b() {}\n").unwrap();
        assert!(!is_current(&dir, "01-a"));
        assert!(!is_current(&dir, "02-b"), "there is none");
        assert_eq!(check("", "no header"), Err(Mismatch::NoHeader));
    }

    #[test]
    fn what_is_missing_is_said_with_the_command_that_gets_it() {
        let error = ask("nightly-2000-01-01", &["--version"]).unwrap_err();
        assert!(error.is_skipped(), "{error}");
        assert!(error.to_string().contains("install nightly-2000-01-01"), "{error}");
    }
}
