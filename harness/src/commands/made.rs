//! Committed files that are made from the kernels' sources: written anew, or held against what is committed.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use ladder::{Step, workspace};
use report::files::write_whole;

use crate::names;
use crate::output::say;
use clap::Args;

/// Whether `ptx` or `sass` writes or only looks.
#[derive(Debug, Args)]
pub struct MadeArgs {
    /// What to do with the files
    #[command(flatten)]
    pub action: MadeAction,
    /// Steps whose files are meant [default: all]
    #[arg(long, value_name = "LIST")]
    pub steps: Option<String>,
    /// The ladder whose steps are meant
    #[arg(default_value = "nbody")]
    pub ladder: String,
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
    make: impl Fn(&Step, &Path) -> Result<Vec<File>>,
) -> Result<ExitCode> {
    let ladder = names::ladder_of_kernels(&args.ladder, kind.command)?;
    let steps = names::steps(ladder, args.steps.as_deref().unwrap_or(".."))?;
    let folder = workspace::root()?.join("kernels").join(ladder.name());
    // All are made before one is written: a mistake in the second leaves the first as it was.
    let made: Vec<_> = steps.iter().map(|step| make(step, &folder)).collect::<Result<_>>()?;
    let mut different = 0;
    for (file, text) in made.into_iter().flatten() {
        let path = folder.join(&file);
        if fs::read_to_string(&path).is_ok_and(|committed| same(&committed, &text)) {
            continue;
        }
        different += 1;
        let name = format!("kernels/{}/{file}", ladder.name());
        if args.action.write {
            write_whole(&path, |out| out.write_all(text.as_bytes()))?;
            say(&format!("wrote {name}"));
        } else if path.exists() {
            say(&format!("{name} is not what its source gives"));
        } else {
            say(&format!("{name} is missing"));
        }
    }
    let Kind { what, command } = kind;
    match (args.action.check, different) {
        (_, 0) => say(&format!("the {what} of {} steps is what their sources give", steps.len())),
        (true, _) => {
            say(&format!("make it anew: cargo run -p harness -- {command} --write"));
            return Ok(ExitCode::FAILURE);
        }
        (false, _) => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether two texts are the same, whatever line ends a checkout gave them.
fn same(one: &str, other: &str) -> bool {
    one.lines().eq(other.lines())
}
