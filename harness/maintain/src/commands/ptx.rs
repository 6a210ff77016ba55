//! `ptx`: makes the committed PTX from the CUDA sources, or checks that it still is what the pinned
//! compiler makes of them.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use device::Source;
use ladder::{Code, Step};
use toolchain::ptx::{self, EVERY_GPU, Pinned};
use toolchain::rust;
use ui::output::mention;

use super::made::MadeArgs;
use super::made::{File, Kind, keep};

pub(crate) const PTX_EXAMPLES: &str = "\
Examples (`maintain` is short for `cargo run -p maintain --`):
  maintain ptx --write                   after an edit of kernels/*/*.cu
  maintain ptx --write --steps 06        only that step's
  maintain ptx --check                   as .ci/run does

The bytes must be the same on every machine, so only one version of NVRTC
may make them; where it is missing, the error has the command that gets it.";

/// Writes what differs, or with `--check` says what does.
pub fn run(args: &MadeArgs) -> Result<ExitCode> {
    keep(args, &Kind { what: "PTX", command: "ptx" }, made)
}

/// What the pinned compilers make of a step now: file names and texts. The PTX for every GPU that has the
/// step's instructions is always made, that of a newer target where its file is there.
fn made(step: &Step, folder: &Path) -> Result<Vec<File>> {
    if matches!(step.code, Code::RustKernels) {
        return in_rust(step, folder);
    }
    let source = step.source(folder)?;
    let first = format!("{}{}", step.name, Pinned::first(step.needs).ending);
    let mut files = vec![(first.clone(), text(&source, &first)?)];
    for newer in source.ptx.iter().filter(|ptx| ptx.file != first) {
        files.push((newer.file.clone(), text(&source, &newer.file)?));
    }
    Ok(files)
}

/// The PTX of a step in Rust. Where the toolchain is missing, PTX that is of its source stays as it is.
fn in_rust(step: &Step, folder: &Path) -> Result<Vec<File>> {
    match rust::generate(folder, step.name) {
        Ok(text) => Ok(vec![(format!("{}{}", step.name, EVERY_GPU.ending), text)]),
        Err(missing) if missing.is_skipped() && rust::is_current(folder, step.name) => {
            mention(&format!("SKIPPED: {}: {missing}", step.name));
            Ok(Vec::new())
        }
        Err(error) => Err(error.into()),
    }
}

/// The text of one of its files.
fn text(source: &Source, file: &str) -> Result<String> {
    let Some(pinned) = Pinned::of(file) else {
        bail!("{file}: no compiler is pinned for PTX of this name; rename or remove it");
    };
    let Some(nvrtc) = pinned.compiler() else {
        bail!(
            "NVRTC {}, which {file} is made with, was not found; get it:\n  {}",
            pinned.release,
            pinned.install()
        );
    };
    Ok(ptx::generate(source, nvrtc, &pinned.target_for(source.needs))?)
}
