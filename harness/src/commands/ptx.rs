//! `ptx`: makes the committed PTX from the CUDA sources, or checks that it still is what the pinned
//! compiler makes of them.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use device::Source;
use device::ptx::{self, EVERY_GPU, Pinned};
use ladder::files::write_whole;
use ladder::{Step, workspace};

use crate::cli::MadeArgs;
use crate::ladders::LADDERS;
use crate::names;
use crate::output::say;

/// Writes what differs, or with `--check` says what does.
pub fn run(args: &MadeArgs) -> Result<ExitCode> {
    let ladder = names::ladder(LADDERS, &args.ladder)?;
    let steps = names::steps(ladder, args.steps.as_deref().unwrap_or(".."))?;
    let folder = workspace::root()?.join("kernels").join(ladder.name);
    // All are made before one is written: a mistake in the second leaves the first as it was.
    let made: Vec<_> = steps.iter().map(|step| made(step, &folder)).collect::<Result<_>>()?;
    let mut different = 0;
    for (file, text) in made.into_iter().flatten() {
        let path = folder.join(&file);
        if fs::read_to_string(&path).is_ok_and(|committed| same(&committed, &text)) {
            continue;
        }
        different += 1;
        let name = format!("kernels/{}/{file}", ladder.name);
        if args.action.write {
            write_whole(&path, |out| out.write_all(text.as_bytes()))?;
            say(&format!("wrote {name}"));
        } else if path.exists() {
            say(&format!("{name} is not what its source gives"));
        } else {
            say(&format!("{name} is missing"));
        }
    }
    match (args.action.check, different) {
        (_, 0) => say(&format!("the PTX of {} steps is what their sources give", steps.len())),
        (true, _) => {
            say("make it anew: cargo run -p harness -- ptx --write");
            return Ok(ExitCode::FAILURE);
        }
        (false, _) => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// What the pinned compilers make of a step now: file names and texts. The PTX for every GPU is
/// always made, that of a newer target where its file is there.
fn made(step: &Step, folder: &Path) -> Result<Vec<(String, String)>> {
    let source = Source::from_kernels(folder, step.name, step.cuda, step.options)?;
    let first = format!("{}{}", step.name, EVERY_GPU.ending);
    let mut files = vec![(first.clone(), text(&source, &first)?)];
    for newer in source.ptx.iter().filter(|ptx| ptx.file != first) {
        files.push((newer.file.clone(), text(&source, &newer.file)?));
    }
    Ok(files)
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
    Ok(ptx::generate(source, nvrtc, pinned.target)?)
}

/// Whether two texts are the same, whatever line ends a checkout gave them.
fn same(one: &str, other: &str) -> bool {
    one.lines().eq(other.lines())
}
