//! `kit`: an archive for a class without network.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::kit;
use crate::output::{print, say, shown};

pub(crate) const KIT_HELP: &str = "\
Example (`harness` is short for `cargo run -p harness --`):
  harness kit /media/stick    makes ladder-kit-linux-x86_64 there, and packs it

The kit has this clone's files, all crates, NVRTC for this system and the built
book. A machine of the same system that has Rust and a linker builds and runs
it without network:
  tar xf ladder-kit-linux-x86_64.tar.gz && cd ladder-kit-linux-x86_64
  cargo run -p harness -- learn
Exit codes: 0 it is made; 1 a part could not be made; 2 usage";

/// The options of `kit`.
#[derive(Debug, Args)]
pub struct KitArgs {
    /// The folder to make it in
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Make the folder alone, and no archive of it
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
