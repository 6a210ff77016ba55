//! What is resident on a multiprocessor, and the machine code that decides it.

use report::format;
use show::table::{Field, Table};

use super::Facts;
use crate::format::count;

/// A line of the table: its name and what a launch has to say.
type Line = (&'static str, fn(&Facts) -> String);

const LINES: [Line; 5] = [
    ("warps on an SM", |facts| {
        format!("{} of {}", facts.residency.warps, facts.residency.most_warps)
    }),
    ("limited by", |facts| facts.residency.limit.to_owned()),
    ("registers of a thread", |facts| format::count(facts.machine.registers.map(u64::from))),
    ("bytes spilled", |facts| format::count(facts.machine.spill_bytes.map(u64::from))),
    ("machine code of", |facts| {
        facts.machine.arch.clone().unwrap_or_else(|| "– (expanded)".to_owned())
    }),
];

/// The launches side by side, each under its title.
pub fn table(launches: &[(&Facts, &str)], width: usize) -> String {
    let mut fields = vec![Field::text("", |(name, _): &Line| *name)];
    fields.extend(
        launches
            .iter()
            .map(|(facts, title)| Field::number(*title, move |(_, of): &Line| of(facts))),
    );
    Table::all(&LINES, fields).terminal(width)
}

/// What is resident, in a sentence.
pub fn sentence(facts: &Facts) -> String {
    let resident = &facts.residency;
    let blocks = if resident.blocks == 1 { "block" } else { "blocks" };
    let registers = match facts.machine.registers {
        Some(registers) => format!("; {registers} registers a thread"),
        None => String::new(),
    };
    format!(
        "{} {blocks}, {} of {} warps on an SM, limited by {}{registers}",
        resident.blocks, resident.warps, resident.most_warps, resident.limit
    )
}

/// The machine code that was counted, in a sentence.
pub fn machine(facts: &Facts) -> String {
    let machine = &facts.machine;
    let total = count(machine.total.round() as u64);
    match &machine.arch {
        Some(arch) if machine.exact => format!("{total} by warps, from the code for {arch}"),
        Some(arch) => {
            format!("{total} by warps, from the code for {arch} in place of the GPU's own")
        }
        None => format!("about {total} by warps, from a table of what PTX instructions become"),
    }
}
