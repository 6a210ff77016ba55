//! Kernels in Rust: PTX from a nightly toolchain, whose library `core` is built for NVIDIA's GPUs, which takes some seconds once.

use std::path::Path;
use std::process::{Command, Stdio};

use report::files::Scratch;

use crate::code::search;
use crate::error::Error;

/// Names the toolchain that is to be used, and no other.
const CHOSEN: &str = "LADDER_RUST";

/// How to get what compiles them.
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

/// What the toolchain makes of a file: the text of its PTX.
///
/// # Errors
/// [`Error::Skipped`] where there is no such toolchain, [`Error::Compile`] with what it says of the file.
pub(crate) fn ptx(file: &Path) -> Result<String, Error> {
    let read = |source| Error::Read { path: file.to_path_buf(), source };
    let whole = std::path::absolute(file).map_err(read)?;
    std::fs::metadata(&whole).map_err(read)?;
    let compiler = version()?;
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
    let output = Command::new("rustup")
        .args(["run", &toolchain(), "cargo", "rustc"])
        .args(["--quiet", "--release", "-Zbuild-std=core"])
        .args(["--target", "nvptx64-nvidia-cuda", "--manifest-path"])
        .arg(&manifest)
        .arg("--")
        .arg(format!("--emit=asm={}", made.display()))
        .env("CARGO_TARGET_DIR", target)
        .env("RUSTFLAGS", "-Ctarget-cpu=sm_70")
        .env("CARGO_TERM_COLOR", "never")
        .stdin(Stdio::null())
        .output()
        .map_err(|_| missing("there is no rustup"))?;
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr)
            .replace(&whole.display().to_string(), &file.display().to_string());
        return Err(
            match log.contains("rust-src")
                || log.contains("toolchain") && log.contains("not installed")
            {
                true => missing("the nightly toolchain has no sources of `core`"),
                false => Error::Compile { name: file.display().to_string(), compiler, log },
            },
        );
    }
    std::fs::read_to_string(&made).map_err(|source| Error::Read { path: made, source })
}

/// The compiler that is found, e.g. "rustc 1.97.0-nightly".
///
/// # Errors
/// [`Error::Skipped`]: there is none, or it lacks the sources of `core`.
pub fn version() -> Result<String, Error> {
    let ask = |what: &[&str]| {
        let asked = Command::new("rustup")
            .args(["run", &toolchain(), "rustc"])
            .args(what)
            .stdin(Stdio::null())
            .output();
        let output = asked.map_err(|_| missing("there is no rustup"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
            false => Err(missing("there is no nightly toolchain")),
        }
    };
    let root = ask(&["--print", "sysroot"])?;
    if !Path::new(&root).join("lib/rustlib/src/rust/library/core").is_dir() {
        return Err(missing("that of this machine has no sources"));
    }
    let words = ask(&["--version"])?;
    Ok(words.split(" (").next().unwrap_or_default().to_owned())
}

fn toolchain() -> String {
    std::env::var(CHOSEN).unwrap_or_else(|_| "nightly".to_owned())
}

fn missing(what: &str) -> Error {
    Error::Skipped {
        reason: format!(
            "a kernel in Rust needs a nightly toolchain with the sources of `core`, and {what}"
        ),
        remedy: format!("get it: {INSTALL}"),
    }
}
