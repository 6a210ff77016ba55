//! Hazards as they are found, before they are put into words.

use std::collections::HashSet;

use super::arrays::Array;
use crate::fault::{Deed, Fault, FaultKind, Overrun, Party, Race, Reach, Uninitialised};
use crate::kernel::Kernel;
use crate::launch::Launch;
use crate::memory::Memory;
use crate::module::Module;
use crate::program::Program;
use crate::space::Space;

/// A thread at an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Actor {
    /// Its place in the program.
    pub at: u32,
    /// The block's number in the grid.
    pub block: u64,
    /// The thread's number in its block.
    pub thread: u32,
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// The other thread's access and this one's are not ordered.
    Race { with: Actor, deeds: [Deed; 2], reach: Reach },
    /// Bytes that nobody has written.
    Uninitialised { bytes: u32 },
    /// A barrier that only these lanes of a warp came to.
    DivergentBarrier { lanes: u32, missing: u32 },
    /// A barrier that lanes of this warp never came to: they went on after it, and ended.
    MissedBarrier { warp: u32, lanes: u32, went: u32 },
    /// An access by way of this array's name that is not inside of it.
    Overrun { array: Array, deed: Deed, bytes: u32 },
    /// An exchange with lanes that are not there.
    Exchange(Exchange),
    /// Another thread came to another barrier.
    MixedBarrier { with: Actor },
}

/// What is wrong with the lanes of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exchange {
    /// These do not name themselves.
    Unnamed(u32),
    /// These are named, and the block has no such threads.
    Missing(u32),
    /// A lane names these, and they give another mask.
    Differs { lanes: u32, mask: u32 },
    /// A lane reads from one that does not take part.
    Reads { from: u32 },
}

/// A hazard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Finding {
    pub wrong: Wrong,
    pub actor: Actor,
    /// The space and the offset or address there of the bytes concerned.
    pub space: Space,
    pub address: u64,
}

impl Finding {
    /// The same for findings of which a unit needs to keep one.
    pub(super) fn key(&self) -> (u8, u32, u32) {
        let at = self.actor.at;
        match self.wrong {
            Wrong::Race { with, reach, .. } => (reach as u8, at.min(with.at), at.max(with.at)),
            Wrong::Uninitialised { .. } => (4, at, at),
            Wrong::DivergentBarrier { .. } | Wrong::MissedBarrier { .. } => (5, at, at),
            Wrong::Exchange(_) => (7, at, at),
            Wrong::Overrun { .. } => (8, at, at),
            Wrong::MixedBarrier { with } => (6, at.min(with.at), at.max(with.at)),
        }
    }

    fn is_overrun(&self) -> bool {
        matches!(self.wrong, Wrong::Overrun { .. })
    }

    /// How close the sides of a race are.
    fn reach(&self) -> Option<Reach> {
        match self.wrong {
            Wrong::Race { reach, .. } => Some(reach),
            _ => None,
        }
    }
}

/// A CUDA file (0 if only the PTX line is known) and a line.
type Place = (u32, u32);

/// Puts findings into words.
pub(crate) struct Teller<'a> {
    pub module: &'a Module,
    pub kernel: &'a Kernel,
    pub launch: &'a Launch<'a>,
    pub memory: &'a Memory,
}

impl Teller<'_> {
    /// The faults of a launch: first block first, each pair of places once.
    pub(crate) fn tell(&self, mut findings: Vec<Finding>) -> Vec<Fault> {
        let overruns: HashSet<Place> = findings
            .iter()
            .filter(|finding| finding.is_overrun())
            .map(|finding| self.place(finding.actor.at))
            .collect();
        // Where warps race, lanes often do as well: what orders the widest orders all.
        findings.sort_by_key(|finding| {
            (!finding.is_overrun(), std::cmp::Reverse(finding.reach()), finding.actor.block)
        });
        let racing: HashSet<Place> = findings
            .iter()
            .filter(|finding| finding.reach().is_some())
            .map(|finding| self.place(finding.actor.at))
            .collect();
        let mut kept = HashSet::new();
        findings.retain(|finding| {
            let (kind, one, other) = finding.key();
            let is_race = finding.reach().is_some();
            let mut places = [self.place(one), self.place(other)];
            places.sort_unstable();
            // What is read too early is not missing.
            let is_early =
                matches!(finding.wrong, Wrong::Uninitialised { .. }) && racing.contains(&places[0]);
            // An overrun meets what was not meant for it.
            let is_followed = !finding.is_overrun()
                && finding.space == Space::Shared
                && places.iter().any(|place| overruns.contains(place));
            !is_early && !is_followed && kept.insert((if is_race { 0 } else { kind }, places))
        });
        findings.sort_by_key(|finding| finding.actor.block);
        findings.iter().map(|finding| self.fault(finding)).collect()
    }

    /// The CUDA line (file and line), or the PTX line where that is not known.
    fn place(&self, at: u32) -> Place {
        let (line, location) = self.kernel.program.lines[at as usize];
        if location.line > 0 { (location.file + 1, location.line) } else { (0, line) }
    }

    fn fault(&self, finding: &Finding) -> Fault {
        let actor = finding.actor;
        let mut own = self.party(actor, Deed::Read);
        let kind = match finding.wrong {
            Wrong::Race { with, deeds: [deed, other], reach } => {
                let (name, offset) = self.name(finding.space, finding.address);
                own.deed = deed;
                let first = self.party(with, other);
                // Told in the order of the program: what comes first there is `first`.
                let around = with.at > actor.at;
                let space =
                    if finding.space == Space::Shared { Space::Shared } else { Space::Global };
                let race = Race { space, name, offset, reach, first, second: own.clone(), around };
                FaultKind::Race(Box::new(race))
            }
            Wrong::Overrun { array, deed, bytes } => {
                own.deed = deed;
                let program = &self.kernel.program;
                let name = |offset| shared_name(program, self.kernel.shared_bytes().into(), offset);
                let (hit, at) = name(finding.address);
                FaultKind::Overrun(Overrun {
                    deed,
                    bytes,
                    offset: finding.address.wrapping_sub(array.start) as i64,
                    array: name(array.start).0.unwrap_or_default(),
                    array_bytes: array.end - array.start,
                    hit: hit
                        .filter(|_| !(array.start..array.end).contains(&finding.address))
                        .map(|hit| (hit, at)),
                })
            }
            Wrong::Uninitialised { bytes } => {
                let (name, offset) = self.name(finding.space, finding.address);
                FaultKind::Uninitialised(Uninitialised {
                    space: finding.space,
                    name,
                    offset,
                    bytes,
                })
            }
            Wrong::DivergentBarrier { lanes, missing } => FaultKind::DivergentBarrier(format!(
                "lanes {lanes:#010x} of warp {} come to it without lanes {missing:#010x}, which \
                 have not ended",
                actor.thread / 32
            )),
            Wrong::MissedBarrier { warp, lanes, went } => {
                let other = self.party(Actor { at: went, ..actor }, Deed::Read);
                FaultKind::DivergentBarrier(format!(
                    "warp {} comes to it without lanes {lanes:#010x} of warp {warp}, which went on to {} and \
                     ended",
                    actor.thread / 32,
                    self.source(&other)
                ))
            }
            Wrong::Exchange(wrong) => {
                let warp = actor.thread / 32;
                FaultKind::Exchange(match wrong {
                    Exchange::Unnamed(lanes) => format!(
                        "lanes {lanes:#010x} of warp {warp} execute it with a mask that does not name them"
                    ),
                    Exchange::Missing(lanes) => {
                        format!(
                            "its mask names lanes {lanes:#010x} of warp {warp}, which the block does not have"
                        )
                    }
                    Exchange::Differs { lanes, mask } => format!(
                        "lane {} of warp {warp} gives the mask {mask:#010x}, and lanes {lanes:#010x} of it give another",
                        actor.thread % 32
                    ),
                    Exchange::Reads { from } => format!(
                        "lane {} of warp {warp} reads from lane {from}, which does not take part",
                        actor.thread % 32
                    ),
                })
            }
            Wrong::MixedBarrier { with } => {
                let other = self.party(with, Deed::Read);
                let [x, y, z] = other.thread;
                let at = self.source(&other);
                FaultKind::MixedBarrier(format!(
                    "this thread waits here while thread ({x},{y},{z}) waits at {at}"
                ))
            }
        };
        Fault {
            kind,
            kernel: self.kernel.name().to_string(),
            file: self.module.file.clone(),
            line: own.line,
            cuda: own.cuda,
            block: own.block,
            thread: own.thread,
        }
    }

    /// The line of the source, or of the PTX where that is not known.
    fn source(&self, party: &Party) -> String {
        match &party.cuda {
            Some((file, line)) => format!("{file}:{line}"),
            None => format!("{}:{}", self.module.file, party.line),
        }
    }

    fn party(&self, actor: Actor, deed: Deed) -> Party {
        let (line, location) = self.kernel.program.lines[actor.at as usize];
        let cuda = self.module.source_files.get(&location.file).map(|f| (f.clone(), location.line));
        let [width, height, _] = self.launch.grid.map(u64::from);
        let [x, y, _] = self.launch.block;
        let (block, thread) = (actor.block, actor.thread);
        Party {
            deed,
            line,
            cuda: cuda.filter(|_| location.line > 0),
            block: [block % width, block / width % height, block / width / height]
                .map(|n| n as u32),
            thread: [thread % x, thread / x % y, thread / x / y],
        }
    }

    /// The variable or allocation at an address, and the offset there.
    fn name(&self, space: Space, address: u64) -> (Option<String>, u64) {
        if space == Space::Shared {
            return shared_name(&self.kernel.program, self.kernel.shared_bytes().into(), address);
        }
        if space == Space::Local {
            return (Some("local memory of the thread".to_string()), address);
        }
        match self.memory.find(address, 1) {
            Some(index) => {
                let allocation = &self.memory.allocations()[index];
                (Some(allocation.name.clone()), address - allocation.address)
            }
            None => (None, address),
        }
    }
}

/// The shared variable at an offset.
fn shared_name(program: &Program, declared: u64, offset: u64) -> (Option<String>, u64) {
    let holds = |start: u64, bytes: u64| (start..start + bytes).contains(&offset);
    if let Some(variable) = program.shared.iter().find(|v| holds(v.offset, v.bytes)) {
        return (Some(source_name(&variable.name)), offset - variable.offset);
    }
    let dynamic = declared.next_multiple_of(16);
    match &program.dynamic_shared {
        Some(name) if offset >= dynamic => (Some(source_name(name)), offset - dynamic),
        _ => (None, offset),
    }
}

/// The name of a variable as the source has it: of one inside of a function the compiler makes `_ZZ…E4name`.
fn source_name(name: &str) -> String {
    let of_local = name.strip_prefix("_ZZ").and_then(|rest| {
        rest.match_indices('E').find_map(|(at, _)| {
            let rest = &rest[at + 1..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let length: usize = rest[..digits].parse().ok()?;
            let tail = rest[digits..].get(length..)?;
            let is_end = tail.is_empty() || tail.starts_with('_');
            is_end.then(|| rest[digits..digits + length].to_string())
        })
    });
    of_local.unwrap_or_else(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::source_name;

    #[test]
    fn names_of_local_variables_are_the_sources() {
        assert_eq!(source_name("_ZZ5forceE5masss"), "masss");
        assert_eq!(source_name("_ZZ9transposePKfPfE4tile"), "tile");
        assert_eq!(source_name("_ZZ1kEE4tile_0"), "tile");
        assert_eq!(source_name("tile"), "tile");
        assert_eq!(source_name("_ZZ"), "_ZZ");
    }
}
