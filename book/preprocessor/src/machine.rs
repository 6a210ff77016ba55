//! What the kernels of a ladder become in machine code: instructions by kind, registers, spills.

use std::path::Path;
use std::sync::Arc;

use ::report::Request;
use ::report::format::significant;
use anyhow::Result;
use ladder::{Ladder, OpenProblem, Step, Threads};
use launches::explain::compare::UNITS;
use launches::explain::running::Side;
use launches::facts::MachineFacts;
use show::table::{Cell, Field, Table};
use simt::machine::MachineCode;
use simt::machine::MachineKind::{
    self, Branch, Compare, Constant, Fp32, Integer, IntegerMul, LoadGlobal, LoadShared,
    LoadShared64, LoadShared128, Mufu,
};
use toolchain::sass::Committed;

use crate::report::pages;
use crate::sides::Sides;

/// Size and multiprocessors for which launches are planned whose kernels are shown: of a GPU of 2024.
const PLANNED_FOR: (u64, u32) = (1 << 17, 132);

/// Fewer instructions than this for each [`UNITS`] are none.
const NEGLIGIBLE: f64 = 0.005;

/// Columns of the table of instructions: a head and its kinds.
const KINDS: [(&str, &[MachineKind]); 6] = [
    ("FP32", &[Fp32]),
    ("loads", &[LoadGlobal, LoadShared, LoadShared64, LoadShared128, Constant]),
    ("MUFU", &[Mufu]),
    ("integer", &[Integer, IntegerMul]),
    ("compare", &[Compare]),
    ("branch", &[Branch]),
];

/// The ladder's steps: instructions of PTX and of the machine, the latter by kind.
pub fn instructions(
    root: &Path,
    sides: &Sides,
    ladder: &'static dyn Ladder,
    above: &str,
) -> Result<String> {
    // A single thread does the work of one lane: its counts are no measure of the code.
    let many = ladder.steps().into_iter().filter(|step| step.threads != Threads::One);
    let sides = many.map(|step| Ok((step, sides.of(root, ladder, &step)?)));
    let sides: Vec<(Step, Arc<Side>)> = sides.collect::<Result<_>>()?;
    type Item = (Step, Arc<Side>);
    let each = |side: &Side, events: f64| match events / side.work * UNITS {
        few if few < NEGLIGIBLE => "0".to_owned(),
        each => significant(each),
    };
    let total = |side: &Side| each(side, side.facts.machine.total);
    let link = pages(above);
    let mut fields = vec![
        Field::text(format!("for each {UNITS} {}", ladder.figure().work), |(step, _): &Item| {
            let detour = if step.detour { " (detour)" } else { "" };
            Cell::name(step.title, link(ladder.name(), step.name)).then(detour)
        }),
        Field::number("PTX", |(_, side): &Item| each(side, side.facts.total.warps as f64)),
        Field::number("machine", |(_, side): &Item| format!("**{}**", total(side))),
    ];
    fields.extend(KINDS.map(|(head, kinds)| {
        Field::number(head, move |(_, side): &Item| each(side, of(&side.facts.machine, kinds)))
    }));
    fields.push(Field::number("others", |(_, side): &Item| {
        let machine = &side.facts.machine;
        let known: f64 = KINDS.iter().map(|(_, kinds)| of(machine, kinds)).sum();
        each(side, machine.total - known)
    }));
    Ok(Table::all(&sides, fields).markdown())
}

fn of(machine: &MachineFacts, kinds: &[MachineKind]) -> f64 {
    kinds.iter().map(|&kind| machine.of(kind)).sum()
}

/// Registers of a thread of every step, for each architecture, kernel by kernel where there are several; what is spilled
/// is said.
pub fn registers(root: &Path, ladder: &dyn Ladder, above: &str) -> Result<String> {
    let folder = root.join("kernels").join(ladder.name());
    let asked = Request { ladder: ladder.name().to_owned(), ..Request::default() };
    let open = ladder.open(&asked)?;
    let kernels = |step: &Step| kernels(&*open, step);
    let steps = ladder.steps();
    let mut columns: Vec<Column> = Vec::new();
    for (row, step) in steps.iter().enumerate() {
        let committed = Committed::read(&folder, step.name)?;
        if row == 0 {
            let kernel = kernels(step).first().copied().unwrap_or_default();
            let variants = committed.kernels.get(kernel).into_iter().flatten();
            let archs = variants.flat_map(|variant| &variant.archs);
            let numbers = archs.filter_map(|arch| arch.strip_prefix("sm_")?.parse().ok());
            columns = numbers.map(|number| Column { number, cells: Vec::new() }).collect();
            columns.sort_by_key(|column| column.number);
        }
        for column in &mut columns {
            let arch = format!("sm_{}", column.number);
            let codes = kernels(step).into_iter().filter_map(|k| committed.machine_code(k, &arch));
            let cells: Vec<String> = codes.map(|code| cell(&code)).collect();
            // GPUs without its instructions have no code.
            column.cells.push(if cells.is_empty() { "–".to_owned() } else { cells.join(", ") });
        }
    }
    // Neighbours with the same registers for every step share a column.
    let groups: Vec<&[Column]> = columns.chunk_by(|one, next| one.cells == next.cells).collect();
    let link = pages(above);
    type Item = (usize, Step);
    let mut fields = vec![Field::text("", |(_, step): &Item| {
        Cell::name(step.title, link(ladder.name(), step.name))
    })];
    fields.extend(groups.iter().map(|group| {
        let numbers: Vec<String> = group.iter().map(|column| column.number.to_string()).collect();
        let head = format!("sm_{}", numbers.join(", "));
        Field::number(head, move |&(row, _): &Item| group[0].cells[row].clone())
    }));
    let items: Vec<Item> = steps.into_iter().enumerate().collect();
    Ok(Table::all(&items, fields).markdown())
}

/// The kernels of a step's pass, in the order of their first launches.
fn kernels(open: &dyn OpenProblem, step: &Step) -> Vec<&'static str> {
    let (size, multiprocessors) = PLANNED_FOR;
    let mut kernels: Vec<&str> = Vec::new();
    for launch in open.launches(step, size, multiprocessors) {
        if !kernels.contains(&launch.kernel) {
            kernels.push(launch.kernel);
        }
    }
    kernels
}

/// An architecture and its cells, a step each.
struct Column {
    number: u32,
    cells: Vec<String>,
}

fn cell(code: &MachineCode) -> String {
    match code.spill_store_bytes + code.spill_load_bytes {
        0 => code.registers.to_string(),
        bytes => format!("{} (+ {bytes} bytes spilled)", code.registers),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladders::LADDERS;

    #[test]
    fn every_step_has_its_registers_for_every_architecture() {
        let root = ladder::workspace::root().expect("the workspace");
        let table = registers(&root, LADDERS[0], "../").unwrap();
        let lines: Vec<&str> = table.lines().collect();
        for arch in ["sm_50", "75", "80", "90", "100", "120"] {
            assert!(lines[0].contains(arch), "{arch}: {table}");
        }
        assert_eq!(lines.len(), 2 + LADDERS[0].steps().len());
        let columns = |line: &str| line.matches('|').count();
        assert!(lines.iter().all(|line| columns(line) == columns(lines[0])), "{table}");
        for (line, step) in lines[2..].iter().zip(LADDERS[0].steps()) {
            assert_eq!(line.contains("–"), step.needs > toolchain::ANY_GPU, "{line}");
        }
    }
}
