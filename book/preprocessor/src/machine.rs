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
use ladder::{Ladder, Threads};
use simt::machine::MachineKind::{
    self, Branch, Compare, Constant, Fp32, Integer, IntegerMul, LoadGlobal, LoadShared,
    LoadShared64, LoadShared128, Mufu,
};

use crate::sides::Sides;

/// The kernel that takes the time.
const KERNEL: &str = "force";

/// Columns of the table of instructions: a head and its kinds.
const KINDS: [(&str, &[MachineKind]); 6] = [
    ("FP32", &[Fp32]),
    ("loads", &[LoadGlobal, LoadShared, LoadShared64, LoadShared128, Constant]),
    ("special functions", &[Mufu]),
    ("integer", &[Integer, IntegerMul]),
    ("comparisons", &[Compare]),
    ("branches", &[Branch]),
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
    for step in ladder.steps.iter().filter(|step| step.threads != Threads::One) {
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
    let each = |events: f64| significant(events / side.interactions() * INTERACTIONS);
    let mut others = machine.total;
    let mut out = format!(" {} | **{}** |", each(side.facts.total.warps as f64), each(others));
    for (_, kinds) in KINDS {
        let found = of(machine, kinds);
        others -= found;
        let _ = write!(out, " {} |", each(found));
    }
    // A sum of rounded counts can fall below nothing by a hair.
    let _ = write!(out, " {} |", each(others.max(0.0)));
    out
}

fn of(machine: &MachineFacts, kinds: &[MachineKind]) -> f64 {
    kinds.iter().map(|&kind| machine.of(kind)).sum()
}

/// Registers of a thread of every step, for each architecture; what is spilled is said.
pub fn registers(root: &Path, ladder: &Ladder, above: &str) -> Result<String> {
    let folder = root.join("kernels").join(ladder.name);
    let mut head: Vec<String> = Vec::new();
    let mut rows = String::new();
    for step in ladder.steps {
        let committed = Committed::read(&folder, step.name)?;
        if head.is_empty() {
            let variants = committed.kernels.get(KERNEL).into_iter().flatten();
            head = variants.flat_map(|variant| variant.archs.clone()).collect();
            head.sort_by_key(|arch| arch["sm_".len()..].parse::<u32>().unwrap_or(u32::MAX));
        }
        let _ = write!(rows, "| [{}]({above}{}/{}.md) |", step.title, ladder.name, step.name);
        for arch in &head {
            let code = committed.machine_code(KERNEL, arch);
            let cell = code.map_or_else(
                || "–".to_owned(),
                |code| match code.spill_store_bytes + code.spill_load_bytes {
                    0 => code.registers.to_string(),
                    bytes => format!("{} (+ {bytes} bytes spilled)", code.registers),
                },
            );
            let _ = write!(rows, " {cell} |");
        }
        rows.push('\n');
    }
    Ok(format!("| | {} |\n|:--|{}\n{rows}", head.join(" | "), "--:|".repeat(head.len())))
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
        assert!(lines[0].starts_with("| | sm_50 |") && lines[0].contains("| sm_90 |"), "{table}");
        assert_eq!(lines.len(), 2 + LADDERS[0].steps.len());
        // The file says {"archs":["sm_75"],"code":{"registers":30}} of no kernel with fewer than 16.
        assert!(!table.contains("–"), "{table}");
    }
}
