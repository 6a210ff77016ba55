//! `kit`: an archive for a class without network.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use ui::output::{print, say, shown};

use teaching::kit;

pub(crate) const KIT_HELP: &str = "\
Example (`harness` is short for `cargo run -p harness --`):
  harness kit /media/stick    make and pack ladder-kit-linux-x86_64 there

The kit contains this clone's files, all crates, a compiler for CUDA C++ (NVRTC;
clang on macOS, or with --compiler clang) and the built book. A machine with the
same system, Rust and a linker builds and runs it offline:
  tar xf ladder-kit-linux-x86_64.tar.gz && cd ladder-kit-linux-x86_64
  cargo run -p harness -- learn
Exit codes: 0 made; 1 a part could not be made; 2 usage";

/// The options of `kit`.
#[derive(Debug, Args)]
pub struct KitArgs {
    /// The folder to make the kit in
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Make only the folder, no archive
    #[arg(long)]
    pub unpacked: bool,
}

/// Makes the kit.
pub fn run(args: &KitArgs) -> Result<ExitCode> {
    let made = kit::folder(&args.folder, &|part| say(part))?;
    let made = if args.unpacked {
        made
    } else {
        say("packing it");
        kit::pack(&made)?
    };
    print(&format!("made {}\n", shown(&made)))?;
    Ok(ExitCode::SUCCESS)
}
