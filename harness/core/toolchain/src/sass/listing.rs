//! What nvdisasm prints, read: kernels, their instructions with source lines, and their basic blocks.

use std::collections::{HashMap, HashSet};

use simt::machine::Place;

/// One line of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SassLine {
    /// The kernel that it belongs to.
    pub kernel: String,
    /// The instruction, e.g. "@!P0 BRA `(.L_x_1)", or a label with its colon.
    pub text: String,
    /// Line in the CUDA source; unknown for a label.
    pub cuda: Place,
}

/// One machine instruction as nvdisasm prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Instruction {
    /// Address, bytes from the kernel's.
    pub at: u32,
    /// Line in the CUDA source.
    pub place: Place,
    /// The predicate that guards it, e.g. "!P0".
    pub guard: Option<String>,
    /// Opcode with modifiers, e.g. "ISETP.GE.AND".
    pub opcode: String,
    /// What follows the opcode.
    pub operands: String,
}

/// A kernel's section.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Function {
    /// The kernel's name.
    pub name: String,
    /// Its instructions, subroutines included.
    pub instructions: Vec<Instruction>,
    /// Labels: name and the instruction (by its place) that they stand before.
    pub labels: Vec<(String, usize)>,
}

/// A basic block: places in [`Function::instructions`], and the blocks that may follow, by their place in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub instructions: Vec<usize>,
    pub next: Vec<usize>,
    /// Calls a subroutine of ptxas's own, or is only reached through such a block.
    pub slow_path: bool,
}

/// The functions of a listing, in its order.
pub(super) fn functions(text: &str) -> Vec<Function> {
    let mut functions: Vec<Function> = Vec::new();
    let mut place = Place::default();
    for row in text.lines().map(str::trim) {
        if let Some(section) = row.strip_prefix(".section") {
            let name = section.trim().split(',').next().unwrap_or_default();
            if let Some(name) = name.strip_prefix(".text.") {
                functions.push(Function { name: name.to_string(), ..Function::default() });
                place = Place::default();
            }
        } else if let Some(row) = row.strip_prefix("//## File ") {
            place = source_line(row).unwrap_or_default();
        } else if let Some(function) = functions.last_mut() {
            if let Some(label) = row.strip_suffix(':').filter(|label| !label.contains(' ')) {
                function.labels.push((label.to_string(), function.instructions.len()));
            } else if let Some(instruction) = instruction(row, &place) {
                function.instructions.push(instruction);
            }
        }
    }
    functions
}

/// The line of `"/kernels/a.cu", line 12` or `"/kernels/a.cu", line 12 inlined at …`.
fn source_line(row: &str) -> Option<Place> {
    let (file, rest) = row.strip_prefix('"')?.split_once("\", line ")?;
    let line = rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    Some(Place::new(file, line))
}

/// Reads `/*0270*/ @!P0 BRA `(.L_x_1) ;`.
fn instruction(row: &str, place: &Place) -> Option<Instruction> {
    let (address, rest) = row.strip_prefix("/*")?.split_once("*/")?;
    let at = u32::from_str_radix(address, 16).ok()?;
    let mut rest = rest.split(';').next()?.trim();
    let mut guard = None;
    if let Some(guarded) = rest.strip_prefix('@') {
        let (predicate, instruction) = guarded.split_once(char::is_whitespace)?;
        guard = Some(predicate.to_string());
        rest = instruction.trim();
    }
    let (opcode, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let text = |text: &str| text.trim().to_string();
    (!opcode.is_empty()).then(|| Instruction {
        at,
        place: place.clone(),
        guard,
        opcode: text(opcode),
        operands: text(operands),
    })
}

impl Instruction {
    /// The opcode without modifiers.
    pub(super) fn base(&self) -> &str {
        self.opcode.split('.').next().unwrap_or_default()
    }

    /// The label that a branch or call names: `(.L_x_1)` in a backquote.
    fn target(&self) -> Option<&str> {
        let (_, rest) = self.operands.split_once("`(")?;
        rest.split(')').next()
    }

    /// Whether it ends a block.
    fn ends_block(&self) -> bool {
        let jumps = ["BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "EXIT", "RET"];
        jumps.contains(&self.base()) || self.base() == "CALL" && !self.is_slow()
    }

    /// Whether a warp may go on after it: a guarded one, or one with a condition among its operands (`BRA.U !UP0, …`).
    fn may_fall_through(&self) -> bool {
        self.guard.is_some()
            || self.base() == "BRA" && !self.operands.starts_with("`(")
            || !self.ends_block()
    }

    /// Whether it leads to what ptxas keeps for rare cases: a subroutine of its own, or shuffles lane by lane where
    /// lanes are found apart. A call of a mere label is a jump over a long distance.
    fn is_slow(&self) -> bool {
        let is_jump = self.target().is_some_and(|label| label.starts_with(".L"));
        self.base() == "CALL" && !is_jump || self.opcode.starts_with("WARPSYNC.COLLECTIVE")
    }
}

impl Function {
    /// Cuts the kernel into basic blocks, subroutines and padding left out.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let end = self
            .labels
            .iter()
            .filter(|(name, _)| name.starts_with("$__internal"))
            .map(|(_, place)| *place)
            .min()
            .unwrap_or(self.instructions.len());
        let blocks = self.cut(end);
        let mut blocks = without_unreached(blocks);
        mark_slow_paths(&mut blocks, &self.instructions);
        joined(blocks, &self.instructions)
    }

    fn cut(&self, end: usize) -> Vec<Block> {
        let mut starts: Vec<usize> = vec![0];
        starts.extend(self.labels.iter().map(|(_, place)| *place).filter(|&place| place < end));
        let ends = |place: &usize| self.instructions[*place].ends_block();
        starts.extend((0..end).filter(ends).map(|place| place + 1).filter(|&place| place < end));
        starts.sort_unstable();
        starts.dedup();
        let place_of: HashMap<&str, usize> =
            self.labels.iter().map(|(name, place)| (name.as_str(), *place)).collect();
        let stops = starts.iter().copied().skip(1).chain([end]);
        let blocks = starts.iter().zip(stops).enumerate().map(|(index, (&start, stop))| {
            let mut next = Vec::new();
            let last = stop.checked_sub(1).filter(|_| stop > start).map(|p| &self.instructions[p]);
            if last.is_none_or(Instruction::may_fall_through) && stop < end {
                next.push(index + 1);
            }
            let target = last
                .filter(|last| last.ends_block())
                .and_then(Instruction::target)
                .and_then(|label| starts.binary_search(place_of.get(label)?).ok());
            next.extend(target.filter(|to| !next.contains(to)));
            Block { instructions: (start..stop).collect(), next, slow_path: false }
        });
        blocks.collect()
    }
}

/// Leaves out what no way leads to: the padding after a kernel.
fn without_unreached(blocks: Vec<Block>) -> Vec<Block> {
    let mut reached = HashSet::from([0]);
    let mut open = vec![0];
    while let Some(block) = open.pop() {
        let next = blocks.get(block).map(|block| block.next.as_slice()).unwrap_or_default();
        open.extend(next.iter().copied().filter(|&to| reached.insert(to)));
    }
    keep(blocks, |block| reached.contains(&block))
}

/// The blocks that a test holds for, with their edges to each other.
fn keep(blocks: Vec<Block>, test: impl Fn(usize) -> bool) -> Vec<Block> {
    let kept: Vec<usize> = (0..blocks.len()).filter(|&block| test(block)).collect();
    let place = |block: &usize| kept.binary_search(block).ok();
    let blocks = blocks.into_iter().enumerate().filter(|(index, _)| place(index).is_some());
    blocks
        .map(|(_, block)| Block { next: block.next.iter().filter_map(place).collect(), ..block })
        .collect()
}

fn mark_slow_paths(blocks: &mut [Block], instructions: &[Instruction]) {
    for block in blocks.iter_mut() {
        block.slow_path = block.instructions.iter().any(|&place| instructions[place].is_slow());
    }
    // What only slow paths lead to is one too.
    loop {
        let before: Vec<bool> = blocks.iter().map(|block| block.slow_path).collect();
        let mut reached = vec![false; blocks.len()];
        for block in blocks.iter().filter(|block| !block.slow_path) {
            block.next.iter().for_each(|&to| reached[to] = true);
        }
        for (index, block) in blocks.iter_mut().enumerate().skip(1) {
            block.slow_path |= !reached[index];
        }
        if blocks.iter().map(|block| block.slow_path).eq(before) {
            return;
        }
    }
}

/// Joins each block with the one after it where the way between them has no other entry or exit: labels that only
/// `BSSY` names cut no block. After a guarded exit fewer warps may be left.
fn joined(mut blocks: Vec<Block>, instructions: &[Instruction]) -> Vec<Block> {
    let mut entries = vec![0; blocks.len()];
    blocks.iter().flat_map(|block| &block.next).for_each(|&to| entries[to] += 1);
    let mut gone = HashSet::new();
    for index in (1..blocks.len()).rev() {
        let before = index - 1;
        let last = blocks[before].instructions.last().map(|&place| &instructions[place]);
        let one_way = blocks[before].next == [index]
            && entries[index] == 1
            && last.is_none_or(|last| last.base() != "EXIT");
        if one_way && blocks[before].slow_path == blocks[index].slow_path {
            let Block { instructions, next, .. } = blocks[index].clone();
            blocks[before].instructions.extend(instructions);
            blocks[before].next = next;
            gone.insert(index);
        }
    }
    keep(blocks, |block| !gone.contains(&block))
}

impl Function {
    /// The listing, label by label and instruction by instruction, without padding.
    pub(super) fn lines(&self) -> Vec<SassLine> {
        let kernel = || self.name.clone();
        let mut lines = Vec::new();
        for (place, instruction) in self.instructions.iter().enumerate() {
            let labels = self.labels.iter().filter(|(_, at)| *at == place);
            lines.extend(labels.map(|(label, _)| SassLine {
                kernel: kernel(),
                text: format!("{label}:"),
                cuda: Place::default(),
            }));
            if instruction.base() != "NOP" {
                let guard =
                    instruction.guard.iter().map(|guard| format!("@{guard} ")).collect::<String>();
                let text = format!("{guard}{} {}", instruction.opcode, instruction.operands);
                lines.push(SassLine {
                    kernel: kernel(),
                    text: text.trim_end().to_string(),
                    cuda: instruction.place.clone(),
                });
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests;
