//! Committed files that are made from the kernels' sources: written anew, or held against what is committed.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use ladder::{Ladder, Step};
use rayon::prelude::*;
use report::files::{read_text, write_whole};

use ladders::LADDERS;
use ui::Usage;
use ui::output::{mention, say};

/// Whether `ptx` or `sass` writes or only looks.
#[derive(Debug, Args)]
pub struct MadeArgs {
    /// What to do with the files
    #[command(flatten)]
    pub action: MadeAction,
    /// Steps whose files are meant [default: all]
    #[arg(long, value_name = "LIST")]
    pub steps: Option<String>,
    /// The ladder whose steps are meant [default: every ladder of kernels; with --steps, nbody]
    pub ladder: Option<String>,
}

/// One of the two must be asked for.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct MadeAction {
    /// Write the files anew
    #[arg(long)]
    pub write: bool,
    /// Write nothing; exit with 1 if a file would change
    #[arg(long)]
    pub check: bool,
}

/// What is made, and by which command.
pub struct Kind {
    /// In words: "PTX", "machine code".
    pub what: &'static str,
    /// The command that makes it.
    pub command: &'static str,
}

/// A file's name in the folder of its ladder's kernels, and its text.
pub type File = (String, String);

/// Makes the files of the steps that are meant, from sources in the folder of their kernels, and writes what differs from
/// the committed ones, or with `--check` says what does.
///
/// # Errors
/// Unknown names, whatever `make` says, or a file that cannot be written.
pub fn keep(
    args: &MadeArgs,
    kind: &Kind,
    make: impl Fn(&Step, &Path) -> Result<Vec<File>> + Sync,
) -> Result<ExitCode> {
    let mut steps = Vec::new();
    for ladder in ladders(args, kind.command)? {
        let folder = ladder.kernels()?;
        let meant = ladders::steps(ladder, args.steps.as_deref().unwrap_or(".."))?;
        steps.extend(meant.into_iter().map(|step| (folder.clone(), step)));
    }
    // All are made before one is written: a mistake in the second leaves the first as it was.
    let made: Vec<_> = steps
        .par_iter()
        .map(|(folder, step)| Ok((folder, make(step, folder)?)))
        .collect::<Result<_>>()?;
    let files =
        made.into_iter().flat_map(|(folder, files)| files.into_iter().map(move |it| (folder, it)));
    let mut different = 0;
    for (folder, (file, text)) in files {
        let path = folder.join(&file);
        if read_text(&path).is_ok_and(|committed| same(&committed, &text)) {
            continue;
        }
        different += 1;
        let ladder = folder.file_name().unwrap_or_default().display();
        let name = format!("kernels/{ladder}/{file}");
        if args.action.write {
            write_whole(&path, |out| out.write_all(text.as_bytes()))?;
            mention(&format!("wrote {name}"));
        } else if path.exists() {
            say(&format!("{name} differs from what its source compiles to"));
        } else {
            say(&format!("{name} is missing"));
        }
    }
    let Kind { what, command } = kind;
    match (args.action.check, different) {
        (_, 0) => say(&format!("the {what} of {} steps matches the sources", steps.len())),
        (true, _) => {
            say(&format!("update it: cargo run -p maintain -- {command} --write"));
            return Ok(ExitCode::FAILURE);
        }
        (false, _) => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// The ladders whose steps are meant.
///
/// # Errors
/// No ladder has that name, or its steps are no kernels.
pub fn ladders(args: &MadeArgs, command: &str) -> Result<Vec<&'static dyn Ladder>, Usage> {
    match (args.ladder.as_deref(), &args.steps) {
        (None, None) => Ok(LADDERS.iter().copied().filter(|it| !it.is_for_cpu()).collect()),
        (name, _) => Ok(vec![ladders::ladder_of_kernels(name.unwrap_or("nbody"), command)?]),
    }
}

/// Whether two texts are the same, whatever line ends a checkout gave them.
fn same(one: &str, other: &str) -> bool {
    one.lines().eq(other.lines())
}
