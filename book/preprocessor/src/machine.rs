// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the kernels of a ladder become in machine code: instructions by kind, registers, spills.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use device::sass::Committed;
use harness::explain::compare::INTERACTIONS;
use harness::explain::facts::MachineFacts;
use harness::explain::running::Side;
use harness::table::figures::significant;
use ladder::{Ladder, Step};
use simt::machine::MachineCode;
use simt::machine::MachineKind::{
    self, Branch, Compare, Constant, Fp32, Integer, IntegerMul, LoadGlobal, LoadShared,
    LoadShared64, LoadShared128, Mufu,
};

use crate::sides::Sides;

/// Bodies and multiprocessors for which launches are planned whose kernels are shown: of a GPU of 2024.
const PLANNED_FOR: (u32, u32) = (1 << 17, 132);

/// Fewer instructions than this for each [`INTERACTIONS`] are none.
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
    ladder: &'static Ladder,
    above: &str,
) -> Result<String> {
    let mut out = format!("| for each {INTERACTIONS} interactions | PTX | machine |");
    for (head, _) in KINDS {
        // Writing to a String cannot fail.
        let _ = write!(out, " {head} |");
    }
    let _ = write!(out, " others |\n|:--|{}\n", "--:|".repeat(KINDS.len() + 3));
    // A single thread does the work of one lane: its counts are no measure of the code.
    for step in ladder.steps.iter().filter(|step| !step.threads.is_one()) {
        let side = sides.of(root, ladder, step)?;
        let detour = if step.detour { " (detour)" } else { "" };
        let _ = writeln!(
            out,
            "| [{}]({above}{}/{}.md){detour} |{}",
            step.title,
            ladder.name,
            step.name,
            cells(&side)
        );
    }
    Ok(out)
}

fn cells(side: &Side) -> String {
    let machine = &side.facts.machine;
    let each = |events: f64| match events / side.interactions() * INTERACTIONS {
        few if few < NEGLIGIBLE => "0".to_owned(),
        each => significant(each),
    };
    let mut others = machine.total;
    let mut out = format!(" {} | **{}** |", each(side.facts.total.warps as f64), each(others));
    for (_, kinds) in KINDS {
        let found = of(machine, kinds);
        others -= found;
        let _ = write!(out, " {} |", each(found));
    }
    let _ = write!(out, " {} |", each(others));
    out
}

fn of(machine: &MachineFacts, kinds: &[MachineKind]) -> f64 {
    kinds.iter().map(|&kind| machine.of(kind)).sum()
}

/// Registers of a thread of every step, for each architecture, kernel by kernel where there are several; what is spilled
/// is said.
pub fn registers(root: &Path, ladder: &Ladder, above: &str) -> Result<String> {
    let folder = root.join("kernels").join(ladder.name);
    let mut columns: Vec<Column> = Vec::new();
    for (row, step) in ladder.steps.iter().enumerate() {
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
    let mut out = String::from("| |");
    for group in &groups {
        let numbers: Vec<String> = group.iter().map(|column| column.number.to_string()).collect();
        // Writing to a String cannot fail.
        let _ = write!(out, " sm_{} |", numbers.join(", "));
    }
    let _ = write!(out, "\n|:--|{}\n", "--:|".repeat(groups.len()));
    for (row, step) in ladder.steps.iter().enumerate() {
        let _ = write!(out, "| [{}]({above}{}/{}.md) |", step.title, ladder.name, step.name);
        for group in &groups {
            let _ = write!(out, " {} |", group[0].cells[row]);
        }
        out.push('\n');
    }
    Ok(out)
}

/// The kernels of a step's force evaluation, in the order of their first launches.
fn kernels(step: &Step) -> Vec<&'static str> {
    let (bodies, multiprocessors) = PLANNED_FOR;
    let mut kernels: Vec<&str> = Vec::new();
    for launch in step.force_launches(bodies, multiprocessors) {
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
    use harness::ladders::LADDERS;

    #[test]
    fn every_step_has_its_registers_for_every_architecture() {
        let root = ladder::workspace::root().expect("the workspace");
        let table = registers(&root, &LADDERS[0], "../").unwrap();
        let lines: Vec<&str> = table.lines().collect();
        for arch in ["sm_50", "75", "80", "90", "100", "120"] {
            assert!(lines[0].contains(arch), "{arch}: {table}");
        }
        assert_eq!(lines.len(), 2 + LADDERS[0].steps.len());
        let columns = |line: &str| line.matches('|').count();
        assert!(lines.iter().all(|line| columns(line) == columns(lines[0])), "{table}");
        for (line, step) in lines[2..].iter().zip(LADDERS[0].steps) {
            assert_eq!(line.contains("–"), step.needs > device::ANY_GPU, "{line}");
        }
    }
}
