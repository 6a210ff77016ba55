//! `learn author`: what whoever writes an exercise needs.

use std::process::ExitCode;

use anyhow::Result;
use clap::{Args, Subcommand};
use teaching::learn::author;
use teaching::learn::exercise::{self, Exercise};
use ui::output::print;

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

/// Does it.
pub fn run(verb: &Verb, all: &[Exercise]) -> Result<ExitCode> {
    let Verb::Check(Check { names, lacking, seed }) = verb;
    let named = names.iter().map(|name| exercise::find(all, name));
    let named = named.collect::<Result<Vec<_>, _>>()?;
    let chosen = if names.is_empty() { all.iter().collect() } else { named };
    let mut is_well = true;
    for exercise in chosen {
        let mut found: Vec<String> = author::lacking(exercise)
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
