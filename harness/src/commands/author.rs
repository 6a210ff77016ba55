//! `learn new` and `learn author`: what whoever writes an exercise needs.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use ladder::workspace;
use teaching::learn::attempts::Attempts;
use teaching::learn::author;
use teaching::learn::exercise::{self, Exercise};
use ui::output::print;

use crate::new;

/// What can be done for an author.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Try an exercise's wrong and right solutions, and say which it lacks
    Check(Check),
}

/// The options of `learn author check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Exercises, by number or name [default: all]
    names: Vec<String>,
    /// Say only what is lacking, and try nothing
    #[arg(long)]
    lacking: bool,
    /// Seed of the random data and of the drawn size
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// The options of `learn new`.
#[derive(Debug, Args)]
pub struct New {
    /// Its name without the number: small letters and hyphens
    slug: String,
    /// The exercise that it begins as, by number or name
    #[arg(long, value_name = "NAME", default_value = "guard")]
    like: String,
}

/// Writes the files of a new exercise, and says what is next.
pub fn new(args: &New, all: &[Exercise]) -> Result<()> {
    let like = exercise::find(all, &args.like)?;
    let (files, name) = new::exercise(&workspace::root()?, &args.slug, like, all)?;
    files.write()?;
    let (written, _) = files.names();
    let (number, _) = report::split(&name);
    print(&format!(
        "wrote\n  {}\nIt is a copy of {}: change goal, kernel and solution into yours. Next:\n  \
         cargo run -p harness -- learn author check {number}\n  cargo run -p harness -- learn show {number}\n\
         All fields are on the book's page \"Writing an exercise\".\n",
        written.join("\n  "),
        like.name,
    ))
}

/// Does it.
pub fn run(verb: &Verb, all: &[Exercise]) -> Result<ExitCode> {
    let Verb::Check(Check { names, lacking, seed }) = verb;
    let named = names.iter().map(|name| exercise::find(all, name));
    let named = named.collect::<Result<Vec<_>, _>>()?;
    let chosen = if names.is_empty() { all.iter().collect() } else { named };
    let mut is_well = true;
    for exercise in chosen {
        let mut found: Vec<String> = Attempts::of(exercise)?
            .lacking(exercise)
            .into_iter()
            .map(|what| format!("{} lacks {what}", exercise.name))
            .collect();
        if !lacking {
            found.extend(author::problems(exercise, *seed)?);
        }
        is_well &= found.is_empty();
        if found.is_empty() {
            found.push(format!("{} is as it should be", exercise.name));
        }
        print(&format!("{}\n", found.join("\n")))?;
    }
    Ok(ExitCode::from(u8::from(!is_well)))
}
