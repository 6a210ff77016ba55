//! `sass`: makes the committed machine code (SASS) of the kernels from the CUDA sources, or checks that
//! it still is what the pinned compiler and disassembler make of them.

use std::process::ExitCode;

use anyhow::{Context, Result};
use device::sass::{COMPILER, Committed, Tools};

use super::made::{self, Kind, MadeArgs, keep};

pub(crate) const SASS_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness sass --write                   after an edit of kernels/*/*.cu
  harness sass --write --steps 06        only that step's
  harness sass --check                   as .ci/run does

The files say what ptxas makes of each kernel for ten years of GPUs: registers,
spills and machine instructions. One version of NVRTC and one of nvdisasm may
make them; where one is missing, the error has the command that gets it.
LADDER_NVRTC and LADDER_NVDISASM name those that are to be tried first.";

/// Writes what differs, or with `--check` says what does.
pub fn run(args: &MadeArgs) -> Result<ExitCode> {
    // Said first: whom it concerns needs no compiler.
    made::ladders(args, "sass")?;
    let tools = Tools::pinned()?;
    keep(args, &Kind { what: "machine code", command: "sass" }, |step, folder| {
        let source = step.source(folder)?;
        let text = Committed::make(&source, &tools)?.to_text().context("as JSON")?;
        Ok(vec![(format!("{}{}", step.name, COMPILER.ending), text)])
    })
}
