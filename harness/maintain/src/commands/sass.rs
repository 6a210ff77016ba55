//! `sass`: makes the committed machine code (SASS) of the kernels from the CUDA sources, or checks that
//! it still is what the pinned compiler and disassembler make of them.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use toolchain::sass::{COMPILER, Committed, Tools};

use super::made::{self, Kind, MadeArgs, keep};

pub(crate) const SASS_EXAMPLES: &str = "\
Examples (`maintain` is short for `cargo run -p maintain --`):
  maintain sass --write                  after an edit of kernels/*/*.cu
  maintain sass --write --steps 06       only that step's
  maintain sass --check                  as .ci/run does: one architecture each
  maintain sass --check --all            all of them, some minutes

The files say what ptxas makes of each kernel for ten years of GPUs: registers,
spills and machine instructions. One version of NVRTC and one of nvdisasm may
make them; where one is missing, the error has the command that gets it.
LADDER_NVRTC and LADDER_NVDISASM name those that are to be tried first.";

/// What `sass` makes, or checks.
#[derive(Debug, Args)]
pub struct SassArgs {
    /// Which steps, and what to do with their files
    #[command(flatten)]
    pub made: MadeArgs,
    /// Check every architecture; else one of a step, drawn by the digest of its source
    #[arg(long, requires = "check")]
    pub all: bool,
}

/// Writes what differs, or with `--check` says what does.
pub fn run(args: &SassArgs) -> Result<ExitCode> {
    // Said first: whom it concerns needs no compiler.
    made::ladders(&args.made, "sass")?;
    let tools = Tools::pinned()?;
    let anew = args.all || args.made.action.write;
    keep(&args.made, &Kind { what: "machine code", command: "sass" }, |step, folder| {
        let source = step.source(folder)?;
        let code = if anew {
            Committed::make(&source, &tools)
        } else {
            Committed::confirm(folder, step.name, &source, &tools)
        };
        let text = code?.to_text().context("as JSON")?;
        Ok(vec![(format!("{}{}", step.name, COMPILER.ending), text)])
    })
}
