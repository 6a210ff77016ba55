//! `sass`: makes the committed machine code (SASS) of the kernels from the CUDA sources, or checks that
//! it still is what the pinned compiler and disassembler make of them.

use std::process::ExitCode;

use anyhow::{Context, Result};
use device::sass::{COMPILER, Committed, Tools};

use super::made::{Kind, keep};
use crate::cli::MadeArgs;
use crate::names;

/// Writes what differs, or with `--check` says what does.
pub fn run(args: &MadeArgs) -> Result<ExitCode> {
    // Said first: whom it concerns needs no compiler.
    names::ladder_of_kernels(&args.ladder, "sass")?;
    let tools = Tools::pinned()?;
    keep(args, &Kind { what: "machine code", command: "sass" }, |step, folder| {
        let source = step.source(folder)?;
        let text = Committed::make(&source, &tools)?.to_text().context("as JSON")?;
        Ok(vec![(format!("{}{}", step.name, COMPILER.ending), text)])
    })
}
