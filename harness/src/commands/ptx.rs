//! `ptx`: makes the committed PTX from the CUDA sources, or checks that it still is what the pinned
//! compiler makes of them.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use device::nvrtc::{self, Nvrtc};
use device::{Source, ptx};
use ladder::files::write_whole;
use ladder::{Step, workspace};

use crate::cli::PtxArgs;
use crate::ladders::LADDERS;
use crate::names;
use crate::output::say;

/// A compiler that committed PTX is made with, pinned so that every machine makes the same bytes.
struct Pinned {
    /// Major and minor version.
    version: (u32, u32),
    /// The command that gets it.
    install: &'static str,
}

/// For the PTX that every GPU and driver in use accepts.
const FOR_ALL: Pinned = Pinned { version: (11, 8), install: nvrtc::INSTALL };

/// For PTX of newer targets, which a step may have beside the first.
const FOR_NEWER: Pinned = Pinned {
    version: (12, 4),
    install: "python3 -m pip install --no-deps --target target/nvrtc/12.4.127 nvidia-cuda-nvrtc-cu12==12.4.127",
};

/// Writes what differs, or with `--check` says what does.
pub fn run(args: &PtxArgs) -> Result<ExitCode> {
    let ladder = names::ladder(LADDERS, &args.ladder)?;
    let steps = names::steps(ladder, args.steps.as_deref().unwrap_or(".."))?;
    let folder = workspace::root()?.join("kernels").join(ladder.name);
    let mut different = 0;
    for step in &steps {
        for (file, text) in made(step, &folder)? {
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

/// What the pinned compilers make of a step now: file names and texts. The PTX for all GPUs is
/// always made, that of a newer target where its file is there.
fn made(step: &Step, folder: &Path) -> Result<Vec<(String, String)>> {
    let source = Source::from_kernels(folder, step.name, step.cuda, step.options)?;
    let first = format!("{}.ptx", step.name);
    let mut files = vec![(first.clone(), text(&source, &FOR_ALL, "compute_50")?)];
    for newer in source.ptx.iter().filter(|ptx| ptx.file != first) {
        let target = newer.file.trim_end_matches(".ptx").rsplit('.').next();
        let target = target.with_context(|| format!("{} names no target", newer.file))?;
        files.push((newer.file.clone(), text(&source, &FOR_NEWER, target)?));
    }
    Ok(files)
}

fn text(source: &Source, pinned: &Pinned, target: &str) -> Result<String> {
    let is_pinned = |nvrtc: &&Nvrtc| {
        let version = nvrtc.version();
        (version.major, version.minor) == pinned.version
    };
    let Some(nvrtc) = nvrtc::installed().iter().find(is_pinned) else {
        let (major, minor) = pinned.version;
        bail!(
            "NVRTC {major}.{minor}, which the committed PTX is made with, was not found; get it:\n  {}",
            pinned.install
        );
    };
    Ok(ptx::generate(source, nvrtc, target)?)
}

/// Whether two texts are the same, whatever line ends a checkout gave them.
fn same(one: &str, other: &str) -> bool {
    one.lines().eq(other.lines())
}
