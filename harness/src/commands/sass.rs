//! `sass`: makes the committed machine code (SASS) of the kernels from the CUDA sources, or checks that
//! it still is what the pinned compiler and disassembler make of them.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, Result};
use device::Source;
use device::sass::{COMPILER, Committed, Tools};
use ladder::files::write_whole;
use ladder::workspace;

use crate::cli::MadeArgs;
use crate::ladders::LADDERS;
use crate::names;
use crate::output::say;

/// Writes what differs, or with `--check` says what does.
pub fn run(args: &MadeArgs) -> Result<ExitCode> {
    let ladder = names::ladder(LADDERS, &args.ladder)?;
    let steps = names::steps(ladder, args.steps.as_deref().unwrap_or(".."))?;
    let folder = workspace::root()?.join("kernels").join(ladder.name);
    let tools = Tools::pinned()?;
    let mut different = 0;
    for step in &steps {
        let source = Source::from_kernels(&folder, step.name, step.cuda, step.options)?;
        let text = Committed::make(&source, &tools)?.to_text().context("as JSON")?;
        let file = format!("{}{}", step.name, COMPILER.ending);
        let path = folder.join(&file);
        if fs::read_to_string(&path).is_ok_and(|committed| committed.lines().eq(text.lines())) {
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
        (_, 0) => {
            say(&format!("the machine code of {} steps is what their sources give", steps.len()));
        }
        (true, _) => {
            say("make it anew: cargo run -p harness -- sass --write");
            return Ok(ExitCode::FAILURE);
        }
        (false, _) => {}
    }
    Ok(ExitCode::SUCCESS)
}
