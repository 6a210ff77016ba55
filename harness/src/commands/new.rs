//! `new`: the files of a new ladder or step.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use ladder::workspace;
use ui::output::print;

use crate::new::{self, Files, Parent};

pub(crate) const NEW_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness new ladder matrix-product      a ladder that runs, with one step
  harness new step matrix-product shared-tile
                                         its next step, a copy of the last
  harness new step transpose diagonal --from 02
                                         a detour from an earlier step

Nothing that is there is replaced, and no compiler is needed.
Exit codes: 0 all is written; 1 something could not be written, and nothing
            is; 2 usage";

/// The options of `new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// A ladder or a step
    #[command(subcommand)]
    pub what: What,
}

/// What is new.
#[derive(Debug, Subcommand)]
pub enum What {
    /// A ladder with one step: crate, kernel with PTX, tests and pages, to be changed into yours
    Ladder {
        /// Its name: small letters, digits and hyphens
        name: String,
    },
    /// A step with a copy of another one's kernel, to be changed into yours
    Step {
        /// The ladder, one of `harness list`
        ladder: String,
        /// Its name without the number: small letters, digits and hyphens
        slug: String,
        /// The step whose kernel it changes [default: the last one that is no detour]; a step from an earlier one is a
        /// detour
        #[arg(long, value_name = "STEP")]
        from: Option<String>,
        /// Make it a detour: a step on which no other stands
        #[arg(long)]
        detour: bool,
    },
}

/// Writes the files, and says what is next.
pub fn run(args: &NewArgs) -> Result<ExitCode> {
    let root = workspace::root()?;
    let (files, ladder, steps) = match &args.what {
        What::Ladder { name } => (new::ladder(&root, name)?, name.clone(), None),
        What::Step { ladder, slug, from, detour } => {
            let ladder = ladders::ladder_of_kernels(ladder, "`new step`")?;
            let parent = Parent { from: from.as_deref(), detour: *detour };
            (new::step(&root, ladder, slug, parent)?, ladder.name().to_owned(), Some(slug))
        }
    };
    files.write()?;
    print(&said(&files, &ladder, steps.map(String::as_str)))?;
    Ok(ExitCode::SUCCESS)
}

/// What was written, and the next three commands.
fn said(files: &Files, ladder: &str, slug: Option<&str>) -> String {
    let (new, changed) = files.names();
    let lines = |title: &str, names: &[&str]| {
        names.iter().fold(title.to_owned(), |text, name| text + "\n  " + name)
    };
    let steps = slug.map_or_else(String::new, |slug| format!(" --steps {slug}"));
    let next = match slug {
        Some(_) => format!("cargo run -p maintain -- ptx --write {ladder}{steps}"),
        None => format!("cargo run -p harness -- new step {ladder} SLUG"),
    };
    let module = ladder.replace('-', "_");
    let lock = if slug.is_none() { "\n  Cargo.lock (by the next build)" } else { "" };
    let kernel = new.iter().find(|name| name.ends_with(".cu")).copied().unwrap_or_default();
    format!(
        "{}\n{}{lock}\nChange {kernel} and what stands next to it into yours. Next:\n  \
         cargo run -p harness -- run {ladder}{steps}\n  \
         cargo test -p steps-tests -- {module} --include-ignored\n  {next}\n",
        lines("wrote", &new),
        lines("added a line to", &changed),
    )
}
