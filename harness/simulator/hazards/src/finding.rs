//! Hazards as they are recorded, and the faults that report them.

mod names;

use std::collections::HashSet;

use super::arrays::Array;
use execution::Launch;
use execution::{
    AccessKind, EarlyRead, Fault, FaultKind, Missing, Overrun, Race, RaceScope, RacingAccess,
    Uninitialised, Unwaited,
};
use memory::Memory;
use program::Kernel;
use program::Module;
use program::Proxied;
use program::Unfinished;
use ptx::Space;

use names::shared_name;

/// A thread at an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    /// Index of the instruction in the program.
    pub at: u32,
    /// Linear index of the block in the grid.
    pub block: u64,
    /// Linear index of the thread in its block.
    pub thread: u32,
}

/// What kind of hazard it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HazardKind {
    /// Nothing orders two accesses: the first of `accesses`, by the actor, and the second, by `with`.
    Race { with: Actor, accesses: [AccessKind; 2], scope: RaceScope, missing: Missing },
    /// A block `of` its cluster may have exited before the actor accesses its shared memory.
    EarlyExit { of: u64 },
    /// A copy reads what `with` has written, or arrives at a barrier that `with` has initialised, and no fence between the
    /// proxies follows.
    MissingProxyFence { with: Actor, of: Proxied },
    /// A write to what the product of `with` still reads.
    Overwritten { with: Actor },
    /// A use of shared memory, or its end, while the bulk copy of `with` is under way.
    Unwaited { with: Actor, how: Unwaited },
    /// A register of a product that is under way, or that no fence makes ready for one.
    Unfinished(Unfinished),
    /// Its warps ask for more registers than the block has.
    Registers { asked: u32, has: u32 },
    /// A read of bytes that were never written.
    Uninitialised { bytes: u32 },
    /// A read of a register that no instruction has written.
    UndefinedRegister,
    /// Only `lanes` of a warp reached a barrier; those of `missing` have not exited.
    DivergentBarrier { lanes: u32, missing: u32 },
    /// These lanes of a warp skipped a barrier: they executed instruction `went`, which comes after it, and exited.
    MissedBarrier { warp: u32, lanes: u32, went: u32 },
    /// An access through the name of `array` that lies outside it.
    Overrun { array: Array, access: AccessKind, bytes: u32 },
    /// A shuffle, vote or the like with a wrong mask or source lane.
    Exchange(Exchange),
    /// Another thread waits at another barrier.
    MixedBarrier { with: Actor },
    /// The host reads what the actor stores and does not wait for it; `flag` is what it has read of the same block.
    EarlyRead { flag: Option<Actor>, missing: Missing },
}

/// What is wrong with the lanes of a shuffle, vote or the like; lanes are bit masks unless `from`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    /// These lanes execute it with a mask that omits them.
    Unnamed(u32),
    /// The mask names these lanes, which the block does not have.
    Missing(u32),
    /// The actor passes `mask`, which names these lanes, and they pass another mask.
    Differs { lanes: u32, mask: u32 },
    /// The actor reads from lane `from`, which does not take part.
    Reads { from: u32 },
}

/// A hazard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    pub(crate) kind: HazardKind,
    pub(crate) actor: Actor,
    /// State space of the bytes concerned.
    pub(crate) space: Space,
    /// Their offset in shared or local memory, or their address in global memory.
    pub(crate) address: u64,
}

impl Finding {
    /// Findings with equal keys are duplicates: a unit keeps the first of them.
    pub(super) fn key(&self) -> (u8, u32, u32) {
        let at = self.actor.at;
        match self.kind {
            HazardKind::Race { with, scope, .. } => (scope as u8, at.min(with.at), at.max(with.at)),
            HazardKind::Uninitialised { .. } => (11, at, at),
            HazardKind::EarlyExit { .. } => (12, at, at),
            HazardKind::Registers { .. } => (17, at, at),
            HazardKind::Unfinished(_) => (14, at, at),
            HazardKind::MissingProxyFence { with, .. } => (13, at.min(with.at), at.max(with.at)),
            HazardKind::Overwritten { with } => (15, at.min(with.at), at.max(with.at)),
            HazardKind::Unwaited { with, .. } => (16, at.min(with.at), at.max(with.at)),
            HazardKind::DivergentBarrier { .. } | HazardKind::MissedBarrier { .. } => (5, at, at),
            HazardKind::Exchange(_) => (7, at, at),
            HazardKind::Overrun { .. } => (8, at, at),
            HazardKind::UndefinedRegister => (9, at, at),
            HazardKind::EarlyRead { .. } => (10, at, at),
            HazardKind::MixedBarrier { with } => (6, at.min(with.at), at.max(with.at)),
        }
    }

    fn is_overrun(&self) -> bool {
        matches!(self.kind, HazardKind::Overrun { .. })
    }

    /// The scope of a race.
    fn scope(&self) -> Option<RaceScope> {
        match self.kind {
            HazardKind::Race { scope, .. } => Some(scope),
            _ => None,
        }
    }
}

/// A CUDA file (0 if only the PTX line is known), a line, and the line into which the compiler inlined it.
type Place = (u32, u32, u32);

/// Turns the findings of a launch into faults.
pub struct FaultReport<'a> {
    /// The kernel's module.
    pub module: &'a Module,
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Its launch.
    pub launch: &'a Launch<'a>,
    /// Global memory, with the allocations' names.
    pub memory: &'a Memory,
}

impl FaultReport<'_> {
    /// The faults of a launch, sorted by block; each pair of source lines is reported once.
    pub fn faults(&self, mut findings: Vec<Finding>) -> Vec<Fault> {
        let overruns: HashSet<Place> = findings
            .iter()
            .filter(|finding| finding.is_overrun())
            .map(|finding| self.place(finding.actor.at))
            .collect();
        // Lines that race between warps often race between lanes too. What orders the widest scope orders all.
        findings.sort_by_key(|finding| {
            (!finding.is_overrun(), std::cmp::Reverse(finding.scope()), finding.actor.block)
        });
        let racing: HashSet<Place> = findings
            .iter()
            .filter(|finding| finding.scope().is_some())
            .map(|finding| self.place(finding.actor.at))
            .collect();
        let mut kept = HashSet::new();
        findings.retain(|finding| {
            let (kind, one, other) = finding.key();
            let is_race = finding.scope().is_some();
            let mut places = [self.place(one), self.place(other)];
            places.sort_unstable();
            // A race can make a read come before its write: report the race only.
            let is_early = matches!(finding.kind, HazardKind::Uninitialised { .. })
                && racing.contains(&places[0]);
            // An overrun causes other hazards at the bytes that it hits: report the overrun only.
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
        let (line, location) = self.kernel.program().lines[at as usize];
        let caller = location.caller.1;
        if location.line > 0 { (location.file + 1, location.line, caller) } else { (0, line, 0) }
    }

    fn fault(&self, finding: &Finding) -> Fault {
        let actor = finding.actor;
        let own = self.party(actor, AccessKind::Read);
        let kind = match finding.kind {
            HazardKind::Race { with, accesses: [second, first], scope, missing } => {
                let (name, offset) = self.name(finding.space, finding.address);
                let (first, second) = (self.party(with, first), self.party(actor, second));
                let loop_carried = with.at > actor.at;
                let space =
                    if finding.space == Space::Shared { Space::Shared } else { Space::Global };
                let race =
                    Race { space, name, offset, scope, missing, first, second, loop_carried };
                FaultKind::Race(Box::new(race))
            }
            HazardKind::Overrun { array, access, bytes } => {
                let program = self.kernel.program();
                let name = |offset| shared_name(program, self.kernel.shared_bytes().into(), offset);
                let (hit, at) = name(finding.address);
                FaultKind::Overrun(Overrun {
                    access,
                    bytes,
                    offset: finding.address.wrapping_sub(array.start) as i64,
                    array: name(array.start).0.unwrap_or_default(),
                    array_bytes: array.end - array.start,
                    hit: hit
                        .filter(|_| !(array.start..array.end).contains(&finding.address))
                        .map(|hit| (hit, at)),
                })
            }
            HazardKind::Uninitialised { bytes } => {
                let (name, offset) = self.name(finding.space, finding.address);
                FaultKind::Uninitialised(Uninitialised {
                    space: finding.space,
                    name,
                    offset,
                    bytes,
                })
            }
            HazardKind::MissingProxyFence { with, of } => {
                let (name, offset) = self.name(finding.space, finding.address);
                let name = name.map_or_else(String::new, |name| format!(" of `{name}`"));
                let writer = self.party(with, AccessKind::Write);
                let writer = self.source(&writer);
                let text = match of {
                    Proxied::All => format!(
                        "the copy uses shared memory at offset {offset}{name}, which was written at {writer} with no \
                         fence.proxy.async after it"
                    ),
                    Proxied::Barriers => format!(
                        "the copy arrives at the mbarrier at offset {offset}{name}, which was initialised at {writer} with no \
                         fence.mbarrier_init after it"
                    ),
                    Proxied::Maps => format!(
                        "the copy uses the tensor map at offset {offset}{name}, which was changed at {writer}, and not both \
                         fences of its proxy follow: one that releases the change in the thread that made it, and one that \
                         acquires it in this thread"
                    ),
                };
                FaultKind::MissingProxyFence(of, text)
            }
            HazardKind::Overwritten { with } => {
                let (name, offset) = self.name(finding.space, finding.address);
                let name = name.map_or_else(String::new, |name| format!(" of `{name}`"));
                let product = self.source(&self.party(with, AccessKind::Read));
                FaultKind::Overwritten(format!(
                    "shared memory at offset {offset}{name} is written while the product at {product} may still read it"
                ))
            }
            HazardKind::Unwaited { with, how } => {
                let (name, offset) = self.name(finding.space, finding.address);
                let name = name.map_or_else(String::new, |name| format!(" of `{name}`"));
                let copy = self.source(&self.party(with, AccessKind::Read));
                let what = match how {
                    Unwaited::Read => {
                        "is read before anybody has waited for the copy that brings it"
                    }
                    Unwaited::Overwritten => "is written while a copy may still read it",
                    Unwaited::Ended => "ends with its block while a copy may still bring it",
                    Unwaited::Sent => "ends with its block while a copy may still read it",
                };
                FaultKind::Unwaited(
                    how,
                    format!("shared memory at offset {offset}{name} {what}, begun at {copy}"),
                )
            }
            HazardKind::Unfinished(how) => FaultKind::Unfinished(how),
            HazardKind::Registers { asked, has } => FaultKind::Registers { asked, has },
            HazardKind::EarlyExit { of } => {
                let (name, offset) = self.name(finding.space, finding.address);
                let name = name.map_or_else(String::new, |name| format!(" of `{name}`"));
                let [x, y, z] = self.party(Actor { block: of, ..actor }, AccessKind::Read).block;
                FaultKind::EarlyExit(format!(
                    "this thread accesses shared memory at offset {offset}{name} in block ({x},{y},{z}), and nothing keeps \
                     that block from exiting before"
                ))
            }
            HazardKind::UndefinedRegister => FaultKind::UndefinedRegister,
            HazardKind::EarlyRead { flag, missing } => {
                let (name, offset) = self.name(finding.space, finding.address);
                let flag = flag.map(|flag| self.party(flag, AccessKind::Write));
                FaultKind::EarlyRead(Box::new(EarlyRead { name, offset, flag, missing }))
            }
            HazardKind::DivergentBarrier { lanes, missing } => {
                FaultKind::DivergentBarrier(format!(
                    "lanes {lanes:#010x} of warp {} reach it without lanes {missing:#010x}, which have \
                 not exited",
                    actor.thread / 32
                ))
            }
            HazardKind::MissedBarrier { warp, lanes, went } => {
                let other = self.party(Actor { at: went, ..actor }, AccessKind::Read);
                FaultKind::DivergentBarrier(format!(
                    "warp {} reaches it, but lanes {lanes:#010x} of warp {warp} skipped it, went on to \
                     {} and exited",
                    actor.thread / 32,
                    self.source(&other)
                ))
            }
            HazardKind::Exchange(wrong) => {
                let warp = actor.thread / 32;
                FaultKind::InvalidLanes(match wrong {
                    Exchange::Unnamed(lanes) => format!(
                        "lanes {lanes:#010x} of warp {warp} execute it with a mask that omits them"
                    ),
                    Exchange::Missing(lanes) => {
                        format!(
                            "the mask names lanes {lanes:#010x} of warp {warp}, which the block does not have"
                        )
                    }
                    Exchange::Differs { lanes, mask } => format!(
                        "lane {} of warp {warp} passes the mask {mask:#010x}, but lanes {lanes:#010x} in it pass another",
                        actor.thread % 32
                    ),
                    Exchange::Reads { from } => format!(
                        "lane {} of warp {warp} reads from lane {from}, which does not take part",
                        actor.thread % 32
                    ),
                })
            }
            HazardKind::MixedBarrier { with } => {
                let other = self.party(with, AccessKind::Read);
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
            file: self.module.file().to_string(),
            line: own.line,
            cuda: own.cuda,
            block: own.block,
            thread: own.thread,
        }
    }

    /// The CUDA line, or the PTX line if that is not known.
    fn source(&self, party: &RacingAccess) -> String {
        match &party.cuda {
            Some(origin) => origin.to_string(),
            None => format!("{}:{}", self.module.file(), party.line),
        }
    }

    fn party(&self, actor: Actor, kind: AccessKind) -> RacingAccess {
        let [width, height, _] = self.launch.grid.map(u64::from);
        let [x, y, _] = self.launch.block;
        let (block, thread) = (actor.block, actor.thread);
        RacingAccess {
            kind,
            line: self.kernel.program().lines[actor.at as usize].0,
            cuda: self.kernel.origin(actor.at),
            block: [block % width, block / width % height, block / width / height]
                .map(|n| n as u32),
            thread: [thread % x, thread / x % y, thread / x / y],
        }
    }

    /// The variable or allocation that contains an address, and the offset there.
    fn name(&self, space: Space, address: u64) -> (Option<String>, u64) {
        if space == Space::Shared {
            return shared_name(self.kernel.program(), self.kernel.shared_bytes().into(), address);
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
