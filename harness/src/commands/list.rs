//! `list`: the ladders, their steps and what each one changes.

use std::process::ExitCode;

use anstyle::Style;
use anyhow::Result;
use clap::Args;
use ladder::{Ladder, Step};
use ladders::{LADDERS, Named};
use report::{split, words};
use serde::Serialize;
use show::table::terminal::{self, wrap};
use show::table::{Field, Table};
use ui::Usage;
use ui::output::{print, print_json};

use crate::options::Format;

pub(crate) const LIST_HELP: &str = "\
Any name in the first two columns can be given to `run --steps`: 05, rsqrt or
the folder's name 05-rsqrt.";

/// The options of `list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// A ladder, steps of it, or both [default: all ladders]
    #[arg(value_name = "LADDER|STEP")]
    pub names: Vec<String>,
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

fn listed(&(ladder, ref steps): &(&'static dyn Ladder, Vec<Step>)) -> Listed {
    let steps = steps.iter().map(|step| {
        let &Step { name, title, changes, after, detour, .. } = step;
        ListedStep { step: name, title, changes, after, detour }
    });
    let title = ladder.figure().title;
    Listed { ladder: ladder.name(), title, steps: steps.collect() }
}

/// Prints the ladders that are named, or every one.
pub fn run(args: &ListArgs) -> Result<ExitCode> {
    let Named { ladder, steps } = ladders::named(&args.names)?;
    let ladders = ladder.map_or_else(|| LADDERS.to_vec(), |ladder| vec![ladder]);
    let chosen = ladders.into_iter().map(|ladder| {
        let all = || Ok(ladder.steps());
        Ok((ladder, steps.as_ref().map_or_else(all, |list| ladders::steps(ladder, list))?))
    });
    let chosen: Vec<(&'static dyn Ladder, Vec<Step>)> = chosen.collect::<Result<_, Usage>>()?;
    if args.format == Format::Json {
        print_json(&chosen.iter().map(listed).collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = terminal::width();
    let bold = Style::new().bold();
    for (ladder, steps) in &chosen {
        print(&format!(
            "{bold}{}{bold:#}: {}, {}\n\n{}\n",
            ladder.name(),
            ladder.figure().title,
            words::count(steps.len() as u32, "step"),
            table(steps, width)
        ))?;
    }
    let notes = "└ is a detour: tried and not kept. `after` is the step that a step is compared with.\n\
                 Run some: cargo run -p harness -- run 01..03; of another ladder: run transpose 02\n\
                 nbody runs on a GPU or the simulator, cpu on this computer's processor.";
    print(&format!("{}\n", wrap(notes, width)))?;
    Ok(ExitCode::SUCCESS)
}

fn table(steps: &[Step], width: usize) -> String {
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
    Table::all(steps, fields).terminal(width)
}
