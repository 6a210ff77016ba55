//! What one warp alone waits for in each block: an in-order issue of the kernel's blocks in their order.
//!
//! A warp issues its instructions in order, at most one a clock, each once its operands are there. So a clock in which
//! none is issued belongs to the instruction whose result is awaited. Results come after the nominal time of their kind
//! ([`Wait::nominal_clocks`]); what another GPU's model makes of the same waits is its own matter.

use std::collections::{BTreeMap, HashMap};

use simt::machine::{MachineKind, Wait};

use super::listing::{Block, Function, Instruction};

/// The waits of each block: times of each kind, in one execution.
pub(super) fn waits(function: &Function, blocks: &[Block]) -> Vec<BTreeMap<Wait, f64>> {
    let mut warp = Warp::default();
    let mut found = vec![BTreeMap::new(); blocks.len()];
    for visit in visits(blocks) {
        let block = &blocks[visit.block];
        let mut stalls = BTreeMap::new();
        for &place in &block.instructions {
            warp.issue(&function.instructions[place], &mut stalls);
        }
        if visit.taken {
            warp.wait(Wait::Branch, &mut stalls);
        }
        // The last visit counts: a loop's second turn finds what its first left behind.
        found[visit.block] = stalls;
    }
    for stalls in &mut found {
        for (wait, clocks) in stalls.iter_mut() {
            // Two decimals: enough for a model, and short in a file.
            *clocks = (*clocks / wait.nominal_clocks() * 100.0).round() / 100.0;
        }
        stalls.retain(|_, times| *times > 0.0);
    }
    found
}

/// A block on a warp's way.
struct Visit {
    block: usize,
    /// Whether a branch at its end is taken.
    taken: bool,
}

/// The ordinary way through a kernel: every block in order, slow paths left out, and each loop twice.
fn visits(blocks: &[Block]) -> Vec<Visit> {
    let mut visits = Vec::new();
    stretch(blocks, 0, blocks.len(), None, &mut visits);
    visits
}

/// The blocks from `start` to `end`; `inside` is the loop that they are the body of, if any.
fn stretch(
    blocks: &[Block],
    start: usize,
    end: usize,
    inside: Option<usize>,
    visits: &mut Vec<Visit>,
) {
    let mut at = start;
    while at < end {
        // The block that closes the largest loop which begins here.
        let latch = (at..end).rev().find(|&last| blocks[last].next.contains(&at));
        match latch {
            Some(latch) if inside != Some(at) => {
                for _ in 0..2 {
                    stretch(blocks, at, latch + 1, Some(at), visits);
                }
                at = latch + 1;
            }
            _ => {
                let block = &blocks[at];
                if !block.slow_path {
                    // Backwards, or the only way on and not to the block behind.
                    let backwards = block.next.iter().any(|&to| to <= at);
                    let jump = matches!(block.next.as_slice(), [to] if *to != at + 1);
                    visits.push(Visit { block: at, taken: backwards || jump });
                }
                at += 1;
            }
        }
    }
}

/// The state of a warp: the clock of its next issue, and when registers will be there.
#[derive(Default)]
struct Warp {
    clock: f64,
    ready: HashMap<String, (f64, Wait)>,
}

impl Warp {
    fn issue(&mut self, instruction: &Instruction, stalls: &mut BTreeMap<Wait, f64>) {
        let (written, read) = registers(instruction);
        let awaited = read
            .iter()
            .filter_map(|register| self.ready.get(register).copied())
            .max_by(|one, other| one.0.total_cmp(&other.0));
        if let Some((clock, wait)) = awaited.filter(|(clock, _)| *clock > self.clock) {
            *stalls.entry(wait).or_default() += clock - self.clock;
            self.clock = clock;
        }
        let wait = Wait::of(&instruction.opcode);
        for register in written {
            self.ready.insert(register, (self.clock + wait.nominal_clocks(), wait));
        }
        self.clock += 1.0;
        if MachineKind::of(&instruction.opcode) == MachineKind::Barrier {
            self.wait(wait, stalls);
        }
    }

    fn wait(&mut self, wait: Wait, stalls: &mut BTreeMap<Wait, f64>) {
        *stalls.entry(wait).or_default() += wait.nominal_clocks();
        self.clock += wait.nominal_clocks();
    }
}

/// The registers that an instruction writes and reads. The first operand is written (and those predicates that stand
/// directly behind it), unless the instruction only reads.
fn registers(instruction: &Instruction) -> (Vec<String>, Vec<String>) {
    let kind = MachineKind::of(&instruction.opcode);
    let writes = !matches!(
        kind,
        MachineKind::StoreGlobal
            | MachineKind::StoreShared
            | MachineKind::Branch
            | MachineKind::Barrier
    ) && !matches!(instruction.base(), "RED" | "REDG" | "STL");
    let mut written = Vec::new();
    let mut read: Vec<String> = instruction.guard.iter().flat_map(|g| names(g, 1)).collect();
    let mut in_front = writes;
    for (index, operand) in instruction.operands.split(", ").enumerate() {
        let predicate = is_predicate(operand.trim());
        if in_front && (index == 0 || predicate) {
            written.extend(names(operand, if predicate { 1 } else { width(&instruction.opcode) }));
            // Only comparisons write a second predicate, and sums a carry.
            in_front = index == 0;
        } else {
            in_front = false;
            read.extend(names(operand, 1));
        }
    }
    (written, read)
}

/// Registers that a result takes.
fn width(opcode: &str) -> u32 {
    let modifiers = || opcode.split('.').skip(1);
    if modifiers().any(|word| word == "128") {
        4
    } else if modifiers().any(|word| word == "64" || word == "WIDE") {
        2
    } else {
        1
    }
}

fn is_predicate(operand: &str) -> bool {
    let operand = operand.trim_start_matches('!');
    let operand = operand.strip_prefix('U').unwrap_or(operand);
    let number = operand.strip_prefix('P').unwrap_or("x");
    number == "T" || number.parse::<u32>().is_ok()
}

/// The registers that an operand names, e.g. R6 and R7 in `desc[UR4][R6.64+0x10]`; `width` of each at least.
fn names(operand: &str, width: u32) -> Vec<String> {
    let mut found = Vec::new();
    let words = operand.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    for word in words {
        let (name, modifiers) = word.split_once('.').unwrap_or((word, ""));
        let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let (file, number) = name.split_at(digits);
        let Ok(number) = number.parse::<u32>() else { continue };
        if matches!(file, "R" | "UR" | "P" | "UP" | "B") {
            let width = if modifiers.contains("64") { 2 } else { width };
            found.extend((number..number + width).map(|number| format!("{file}{number}")));
        }
    }
    found
}
