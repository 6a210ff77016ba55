//! `list`: the ladders, their steps and what each one changes.

use std::process::ExitCode;

use anstyle::Style;
use anyhow::Result;
use clap::Args;
use ladder::{Ladder, Step};
use ladders::LADDERS;
use report::split;
use serde::Serialize;
use show::table::terminal::{self, wrap};
use show::table::{Field, Table};
use ui::output::{print, print_json};

use crate::options::Format;

pub(crate) const LIST_HELP: &str = "\
Any name in the first two columns can be given to `run --steps`: 05, rsqrt or
the folder's name 05-rsqrt.";

/// The options of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// A ladder as data.
#[derive(Serialize)]
struct Listed {
    ladder: &'static str,
    title: String,
    steps: Vec<ListedStep>,
}

#[derive(Serialize)]
struct ListedStep {
    step: &'static str,
    title: &'static str,
    changes: &'static str,
    after: Option<&'static str>,
    detour: bool,
}

fn listed(ladder: &&'static dyn Ladder) -> Listed {
    let steps = ladder.steps().into_iter().map(|step| {
        let Step { name, title, changes, after, detour, .. } = step;
        ListedStep { step: name, title, changes, after, detour }
    });
    let title = ladder.figure().title;
    Listed { ladder: ladder.name(), title, steps: steps.collect() }
}

/// Prints every ladder.
pub fn run(args: &ListArgs) -> Result<ExitCode> {
    if args.format == Format::Json {
        print_json(&LADDERS.iter().map(listed).collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = terminal::width();
    let bold = Style::new().bold();
    for ladder in LADDERS {
        print(&format!(
            "{bold}{}{bold:#}: {}, {} steps\n\n{}\n",
            ladder.name(),
            ladder.figure().title,
            ladder.steps().len(),
            steps(*ladder, width)
        ))?;
    }
    let notes = "└ is a detour: tried and not kept. `after` is the step that a step is compared with.\n\
                 Run some: cargo run -p harness -- run nbody --steps 01..03\n\
                 nbody runs on a GPU or the simulator, cpu on this computer's processor.";
    print(&format!("{}\n", wrap(notes, width)))?;
    Ok(ExitCode::SUCCESS)
}

fn steps(ladder: &dyn Ladder, width: usize) -> String {
    let fields = vec![
        Field::text("step", |step: &Step| {
            format!("{}{}", if step.detour { "└ " } else { "" }, split(step.name).0)
        }),
        Field::text("name", |step: &Step| split(step.name).1),
        Field::text("after", |step: &Step| step.after.map(|after| split(after).0)),
        Field::text("what it changes", |step: &Step| step.changes).wraps(24),
        // It gives way: a step's name says nearly the same.
        Field::text("title", |step: &Step| step.title).rank(1),
    ];
    Table::all(&ladder.steps(), fields).terminal(width)
}
