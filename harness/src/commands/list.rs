//! `list`: the ladders, their steps and what each one changes.

use std::process::ExitCode;

use anstyle::Style;
use anyhow::Result;
use ladder::{Ladder, Step};
use report::split;

use crate::ladders::LADDERS;
use crate::output::print;
use show::table::terminal;
use show::table::{Field, Table};

pub(crate) const LIST_HELP: &str = "\
Any name in the first two columns can be given to `run --steps`: 05, rsqrt or
the folder's name 05-rsqrt.";

/// Prints every ladder.
pub fn run() -> Result<ExitCode> {
    let bold = Style::new().bold();
    for ladder in LADDERS {
        print(&format!(
            "{bold}{}{bold:#}: {}, {} steps\n\n{}\n",
            ladder.name(),
            ladder.figure().title,
            ladder.steps().len(),
            steps(*ladder, terminal::width())
        ))?;
    }
    print(
        "└ is a detour: tried and not kept. `after` is the step that a step is compared with.\n\
         Run some: cargo run -p harness -- run nbody --steps 01..03\n\
         nbody runs on a GPU or the simulator, cpu on this computer's processor.\n",
    )?;
    Ok(ExitCode::SUCCESS)
}

fn steps(ladder: &dyn Ladder, width: usize) -> String {
    let fields = vec![
        Field::text("step", |step: &Step| {
            format!("{}{}", if step.detour { "└ " } else { "" }, split(step.name).0)
        }),
        Field::text("name", |step: &Step| split(step.name).1),
        Field::text("after", |step: &Step| step.after.map(|after| split(after).0)),
        Field::text("what it changes", |step: &Step| step.changes),
        // It gives way: a step's name says nearly the same.
        Field::text("title", |step: &Step| step.title).rank(1).wraps(20),
    ];
    Table::all(&ladder.steps(), fields).terminal(width)
}
