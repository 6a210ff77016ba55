//! What the first warps did, as the page draws it: small, as there may be thousands of steps.

use std::collections::BTreeMap;

use serde::Serialize;
use simt::{Kernel, Trace as Recorded, TraceTouch};

use crate::run::Buffer;

/// Steps of the first warps. Time counts instructions that a warp issued itself; a barrier lets all go on at the time
/// of the last.
#[derive(Debug, Serialize)]
pub struct Trace {
    /// Where in a source an instruction can be from: file and line.
    pub places: Vec<(String, u32)>,
    /// Instructions as written, each once.
    pub opcodes: Vec<String>,
    /// Of each basic block, place and opcode of each instruction.
    pub blocks: Vec<Vec<(usize, usize)>>,
    /// Warp, start, basic block and active lanes of each run of instructions.
    pub events: Vec<(u32, u64, u32, u32)>,
    /// Accesses to memory.
    pub touches: Vec<Touch>,
    /// When the first warp had come to each barrier, and the last.
    pub barriers: Vec<(u64, u64)>,
    /// What addresses in global memory belong to.
    pub buffers: Vec<Buffer>,
}

/// An access of a warp.
#[derive(Debug, Serialize)]
pub struct Touch {
    /// The warp's number among those that are recorded.
    pub warp: u32,
    /// Instructions that it had issued.
    pub time: u64,
    /// The kind of memory.
    pub space: String,
    /// Whether it writes.
    pub writes: bool,
    /// Bytes of each lane.
    pub bytes: u64,
    /// The active lanes, a bit each.
    pub lanes: u32,
    /// Where they access it.
    #[serde(flatten)]
    pub addresses: Addresses,
}

/// Addresses of the active lanes.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Addresses {
    /// That of lane 0 as it would be, and from one lane to the next.
    Row(u64, i64),
    /// In the order of the active lanes.
    Each(Vec<u64>),
}

/// Gathers what was recorded of a launch of `kernel`, whose addresses lie in `buffers`.
pub fn trace(kernel: &Kernel, recorded: &Recorded, buffers: Vec<Buffer>) -> Trace {
    let Recorded { events, touches, barriers, .. } = recorded;
    let (mut places, mut opcodes) = (Names::default(), Names::default());
    let mut blocks = Vec::new();
    for block in kernel.blocks() {
        let instructions = block.instructions.iter().map(|instruction| {
            let line = kernel.line_of(instruction);
            let file = line.file.rsplit('/').next().unwrap_or_default().to_owned();
            (places.number((file, line.line)), opcodes.number(instruction.opcode.clone()))
        });
        blocks.push(instructions.collect());
    }
    Trace {
        places: places.all,
        opcodes: opcodes.all,
        blocks,
        events: events.iter().map(|it| (it.warp, it.start, it.block, it.lanes)).collect(),
        touches: touches.iter().map(touch).collect(),
        barriers: barriers.iter().map(|it| (it.first, it.last)).collect(),
        buffers,
    }
}

fn touch(touch: &TraceTouch) -> Touch {
    let &TraceTouch { warp, time, space, writes, bytes, lanes, addresses } = touch;
    let active: Vec<(i64, i64)> = (0..32)
        .filter(|lane| lanes >> lane & 1 != 0)
        .map(|lane| (lane as i64, addresses[lane as usize] as i64))
        .collect();
    Touch { warp, time, space: space.to_string(), writes, bytes, lanes, addresses: row(&active) }
}

/// Lanes and their addresses, as a row if they are one.
fn row(active: &[(i64, i64)]) -> Addresses {
    let each = || Addresses::Each(active.iter().map(|(_, address)| *address as u64).collect());
    let Some(&(lane, address)) = active.first() else { return each() };
    let step = match active.get(1) {
        Some((next, other)) if (other - address) % (next - lane) == 0 => {
            (other - address) / (next - lane)
        }
        Some(_) => return each(),
        None => 0,
    };
    let first = address - lane * step;
    match first >= 0 && active.iter().all(|(lane, address)| first + lane * step == *address) {
        true => Addresses::Row(first as u64, step),
        false => each(),
    }
}

/// Numbers things in the order in which they come.
struct Names<T> {
    all: Vec<T>,
    numbers: BTreeMap<T, usize>,
}

impl<T> Default for Names<T> {
    fn default() -> Names<T> {
        Names { all: Vec::new(), numbers: BTreeMap::new() }
    }
}

impl<T: Ord + Clone> Names<T> {
    fn number(&mut self, name: T) -> usize {
        *self.numbers.entry(name.clone()).or_insert_with(|| {
            self.all.push(name);
            self.all.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_a_row_where_they_can_be() {
        assert_eq!(row(&[(0, 64), (1, 68), (5, 84)]), Addresses::Row(64, 4));
        assert_eq!(row(&[(3, 64), (4, 64)]), Addresses::Row(64, 0));
        assert_eq!(row(&[(7, 100)]), Addresses::Row(100, 0));
        assert_eq!(row(&[(0, 0), (1, 4), (2, 4)]), Addresses::Each(vec![0, 4, 4]));
        assert_eq!(row(&[(0, 4), (2, 9)]), Addresses::Each(vec![4, 9]));
    }
}
