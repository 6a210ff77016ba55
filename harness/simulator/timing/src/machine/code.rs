//! What the assembler made of one kernel, as data: registers, and basic blocks with their instructions by
//! source line.

use std::collections::BTreeMap;
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::kind::{MachineKind, Wait};
use program::{Kernel, Summary};

/// What ptxas made of one kernel for one architecture: as committed in `NN-slug.sass.json`, or disassembled here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineCode {
    /// The architecture, e.g. "sm_90". Not part of the data: a file names the architectures that a code is for.
    #[serde(skip)]
    pub arch: String,
    /// 32-bit registers of a thread.
    pub registers: u32,
    /// Stack of a thread, bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stack_bytes: u32,
    /// What a thread stores to local memory for want of registers, bytes of all such instructions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub spill_store_bytes: u32,
    /// What it loads back, bytes of all such instructions.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub spill_load_bytes: u32,
    /// Shared memory that a block declares, bytes; a launch may add to it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared_bytes: u32,
    /// Its instructions; none where the disassembler does not read the architecture (before sm_75).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mix: Option<Mix>,
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// The instructions of a kernel, block by block.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mix {
    /// The blocks, in the order of their addresses; the first is where every warp begins.
    pub blocks: Vec<MachineBlock>,
}

impl Mix {
    /// Instructions of the whole kernel, each once.
    pub fn instructions(&self) -> u32 {
        self.blocks.iter().map(|block| block.code.instructions()).sum()
    }

    /// The same by kind, in the order of [`MachineKind::ALL`].
    pub fn kinds(&self) -> [u32; MachineKind::COUNT] {
        let mut kinds = [0; MachineKind::COUNT];
        for (opcode, count) in self.blocks.iter().flat_map(|block| block.code.opcodes()) {
            kinds[MachineKind::of(opcode) as usize] += count;
        }
        kinds
    }
}

/// Machine instructions that run one after the other.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineBlock {
    /// Address of the first instruction, bytes from the kernel's.
    pub at: u32,
    /// The blocks that may follow, by their place in [`Mix::blocks`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<usize>,
    /// A path that ordinary numbers never take, as ptxas writes it beside the fast path of a square root or a
    /// division: taken to run never.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub slow_path: bool,
    /// The instructions.
    pub code: Code,
    /// What a warp alone waits for in one execution, besides the issue of its instructions: waits of each kind at
    /// its nominal length. A fraction is a wait that other instructions hid in part.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub waits: BTreeMap<Wait, f64>,
}

/// Opcodes by source line, in the order of their first appearance. As text
/// "18: LDG.E FADD*4 | ring.cuh:22: MUFU.RSQ"; line 0 is "unknown".
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Code(Vec<(Place, Vec<(String, u32)>)>);

/// A source line as machine code names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Place {
    /// The included file, e.g. "ring.cuh"; empty for the kernel's own.
    pub included: String,
    /// The line, from 1; 0 if unknown.
    pub line: u32,
}

impl Place {
    /// The line of a file, by its name with or without a folder.
    pub fn new(file: &str, line: u32) -> Place {
        let name = file.rsplit(['/', '\\']).next().filter(|name| name.ends_with(INCLUDED));
        Place { included: name.unwrap_or_default().to_string(), line }
    }

    /// The CUDA line of an instruction.
    pub fn of(kernel: &Kernel, instruction: &Summary) -> Place {
        let file = kernel.source_files().get(&instruction.cuda_file);
        Place::new(file.map_or("", String::as_str), instruction.cuda_line)
    }
}

/// What the names of included files end in.
const INCLUDED: &str = ".cuh";

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.included.as_str() {
            "" => write!(f, "{}", self.line),
            file => write!(f, "{file}:{}", self.line),
        }
    }
}

impl FromStr for Place {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Place, ParseIntError> {
        let (included, line) = text.rsplit_once(':').unwrap_or(("", text));
        Ok(Place { included: included.to_string(), line: line.parse()? })
    }
}

impl Code {
    /// Adds one instruction.
    pub fn push(&mut self, place: &Place, opcode: &str) {
        let at = self.0.iter().position(|(known, _)| known == place).unwrap_or_else(|| {
            self.0.push((place.clone(), Vec::new()));
            self.0.len() - 1
        });
        let opcodes = &mut self.0[at].1;
        match opcodes.iter_mut().find(|(known, _)| known == opcode) {
            Some((_, count)) => *count += 1,
            None => opcodes.push((opcode.to_string(), 1)),
        }
    }

    /// Number of instructions.
    pub fn instructions(&self) -> u32 {
        self.opcodes().map(|(_, count)| count).sum()
    }

    /// Opcodes and how often each stands here; one comes again for each source line.
    pub fn opcodes(&self) -> impl Iterator<Item = (&str, u32)> {
        self.lines().map(|(_, opcode, count)| (opcode, count))
    }

    /// The same, with the source line.
    pub fn lines(&self) -> impl Iterator<Item = (&Place, &str, u32)> {
        self.0.iter().flat_map(|(place, opcodes)| {
            opcodes.iter().map(move |(opcode, count)| (place, opcode.as_str(), *count))
        })
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (line, opcodes)) in self.0.iter().enumerate() {
            write!(f, "{}{line}:", if index == 0 { "" } else { " | " })?;
            for (opcode, count) in opcodes {
                match count {
                    1 => write!(f, " {opcode}")?,
                    _ => write!(f, " {opcode}*{count}")?,
                }
            }
        }
        Ok(())
    }
}

/// A text that is no list of opcodes by line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no list of opcodes; write `LINE: OPCODE OPCODE*COUNT | LINE: …`")]
pub struct BadCode(String);

impl FromStr for Code {
    type Err = BadCode;

    fn from_str(text: &str) -> Result<Code, BadCode> {
        let bad = || BadCode(text.to_string());
        let mut lines = Vec::new();
        for part in text.split(" | ").filter(|part| !part.is_empty()) {
            let (line, opcodes) = part.split_once(": ").ok_or_else(bad)?;
            let opcodes = opcodes
                .split(' ')
                .map(|word| match word.split_once('*') {
                    None => Some((word.to_string(), 1)),
                    Some((opcode, count)) => Some((opcode.to_string(), count.parse().ok()?)),
                })
                .collect::<Option<_>>()
                .ok_or_else(bad)?;
            lines.push((line.parse().map_err(|_| bad())?, opcodes));
        }
        Ok(Code(lines))
    }
}

impl TryFrom<String> for Code {
    type Error = BadCode;

    fn try_from(text: String) -> Result<Code, BadCode> {
        text.parse()
    }
}

impl From<Code> for String {
    fn from(code: Code) -> String {
        code.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_survives_the_way_through_text() {
        let mut code = Code::default();
        let (own, ring) = ("/kernels/nbody/14-pairs.cu", "/kernels/nbody/ring.cuh");
        for (file, line, opcode) in
            [(own, 18, "LDG.E"), (own, 18, "FADD"), (ring, 18, "MUFU.RSQ"), (own, 18, "FADD")]
        {
            code.push(&Place::new(file, line), opcode);
        }
        assert_eq!(code.to_string(), "18: LDG.E FADD*2 | ring.cuh:18: MUFU.RSQ");
        assert_eq!(code.to_string().parse(), Ok(code.clone()));
        assert_eq!(code.instructions(), 4);
        assert_eq!("".parse(), Ok(Code::default()));
    }

    #[test]
    fn a_text_that_is_no_code_is_named() {
        for text in ["FADD", "x: FADD", "ring.cuh: FADD", "1: FADD*x", "1 FADD"] {
            assert!(text.parse::<Code>().unwrap_err().to_string().contains(text));
        }
    }

    #[test]
    fn the_mix_of_a_kernel_is_that_of_its_blocks() {
        let block = |code: &str| MachineBlock { code: code.parse().unwrap(), ..Default::default() };
        let mix = Mix { blocks: vec![block("1: FADD FFMA*3"), block("2: FADD | 3: EXIT")] };
        assert_eq!(mix.instructions(), 6);
        assert_eq!(mix.kinds()[MachineKind::Fp32 as usize], 5);
        assert_eq!(mix.kinds()[MachineKind::Branch as usize], 1);
    }
}
