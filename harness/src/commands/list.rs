//! `list`: the ladders, their steps and what each one changes.

use std::process::ExitCode;

use anstyle::Style;
use anyhow::Result;
use ladder::Ladder;
use report::split;

use crate::ladders::LADDERS;
use crate::output::print;
use show::table::Table;
use show::table::terminal;

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
    let mut lines =
        vec![["step", "name", "after", "what it changes", "title"].map(str::to_owned).to_vec()];
    lines.extend(ladder.steps().iter().map(|step| {
        let (number, slug) = split(step.name);
        vec![
            if step.detour { format!("└ {number}") } else { number.to_owned() },
            slug.to_owned(),
            step.after.map_or("–", |after| split(after).0).to_owned(),
            step.changes.to_owned(),
            step.title.to_owned(),
        ]
    }));
    // The title gives way: a step's name says nearly the same.
    Table::lines(lines, 5).wrapping(4, 20).terminal(width)
}
