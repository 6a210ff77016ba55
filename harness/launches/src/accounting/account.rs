//! Clocks of one unit of work, and the rates that they allow.
//!
//! A clock here is that of one FP32 lane: a lane does an FP32 instruction of one thread in a clock. An instruction for
//! which a multiprocessor has a quarter as many lanes costs four. So the clocks of all instructions, one after another,
//! are what the tutorial adds up on its slide 49; and a chip of so many lanes does `lanes · clock / clocks` units of work
//! a second.

use device::Profile;
use ladder::limits::longest;
use serde::Serialize;
use simt::Events;
use simt::machine::{MachineCounts, MachineKind};
use simt::model::{Gpu, Owner, Pipe};

/// Instructions that are rarer than this in a unit of work are left out.
const NEGLIGIBLE: f64 = 0.005;

/// Lanes of a warp.
const LANES: f64 = 32.0;

/// What a unit of work of a step costs on a GPU.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Accounting {
    /// The step's folder, or the reader's file.
    pub step: String,
    /// The GPU that is modelled.
    pub gpu: String,
    /// The architecture whose machine code was counted; `None` where PTX was expanded.
    pub arch: Option<String>,
    /// Whether that is the GPU's own.
    pub exact: bool,
    /// Floating-point operations that the field counts for a unit of work, whatever the code is.
    pub flop: f64,
    /// FP32 lanes of the whole chip.
    pub lanes: f64,
    /// Their clock, MHz.
    pub clock_mhz: f64,
    /// Lanes of a warp that work in the average instruction; the others cost as much.
    pub active_lanes: f64,
    /// What is executed, floating point first.
    pub lines: Vec<Line>,
    /// The part of the GPU that is busy longest when all work side by side.
    pub busiest: String,
    /// Clocks of a lane that this part takes for a unit of work.
    pub busiest_clocks: f64,
    /// What the rates are held against.
    pub timed: Timed,
}

/// Instructions of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    pub name: String,
    pub is_floating: bool,
    /// How many a thread executes for a unit of work.
    pub number: f64,
    /// Clocks of a lane that each costs.
    pub clocks_each: f64,
}

/// A pass whose time is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Timed {
    /// "modelled", "measured" or "published".
    pub source: &'static str,
    /// Its rate by the field's count of operations, FLOP/s.
    pub flop_per_second: f64,
}

/// A rate that could be reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Rate {
    /// What it assumes.
    pub name: String,
    /// Clocks of a lane for a unit of work.
    pub clocks: f64,
    /// FLOP/s of the chip.
    pub flop_per_second: f64,
    /// How much of it was reached, in %.
    pub reached_percent: f64,
}

impl Timed {
    /// A pass of so many operations by the field's count that took `seconds`.
    pub fn new(source: &'static str, flop: f64, seconds: f64) -> Timed {
        Timed { source, flop_per_second: flop / seconds }
    }
}

impl Line {
    /// Clocks of a lane that all of them cost.
    pub fn clocks(&self) -> f64 {
        self.number * self.clocks_each
    }
}

impl Accounting {
    /// Of a pass of so much `work` by `step`, each unit of which counts as `flop` operations. The
    /// simulator watched its launches, at least one.
    pub fn new(step: &str, profiles: &[Profile], work: f64, flop: f64) -> Accounting {
        let longest = &profiles[longest(profiles)];
        let gpu = &longest.gpu;
        let executed: Vec<MachineCounts> = profiles.iter().map(Profile::executed).collect();
        let sum = |of: fn(&MachineCounts) -> f64| executed.iter().map(of).sum::<f64>();
        let events = |of: fn(&Events) -> u64| profiles.iter().map(|p| of(&p.events)).sum::<u64>();
        let warps = events(|events| events.warp_instructions);
        let active = events(|events| events.thread_instructions) as f64 / (warps as f64).max(1.0);
        let each = |warps: f64| warps * active / work;
        let fp32 = [
            ("FP32 add", sum(|counts| counts.fp32.add)),
            ("FP32 multiply", sum(|counts| counts.fp32.mul)),
            ("FP32 multiply-add", sum(|counts| counts.fp32.fma)),
        ];
        let fp32 = fp32.map(|(name, warps)| (name, MachineKind::Fp32, warps));
        let others = MachineKind::ALL.into_iter().filter(|kind| *kind != MachineKind::Fp32);
        let of_kind = |kind| executed.iter().map(|counts| counts[kind]).sum();
        let others = others.map(|kind| (kind.name(), kind, of_kind(kind)));
        let line = |(name, kind, warps): (&str, MachineKind, f64)| Line {
            name: name.to_owned(),
            is_floating: is_floating(kind),
            number: each(warps),
            clocks_each: clocks(gpu, kind),
        };
        let lines = fp32.into_iter().chain(others).map(line);
        let mut lines: Vec<Line> = lines.filter(|line| line.number >= NEGLIGIBLE).collect();
        lines.sort_by_key(|line| !line.is_floating);
        let (busiest, busiest_clocks) = busiest(profiles, work);
        let seconds = profiles.iter().map(|profile| profile.estimate.seconds).sum();
        let code = longest.machine.as_ref().filter(|code| code.mix.is_some());
        Accounting {
            step: step.to_owned(),
            gpu: gpu.name.clone(),
            arch: code.map(|code| code.arch.clone()),
            exact: code.is_some() && gpu.sass_arch().1,
            lanes: gpu.throughput.fp32.value * gpu.chip.multiprocessors.value,
            clock_mhz: gpu.chip.clock_mhz.value,
            active_lanes: active,
            lines,
            busiest,
            busiest_clocks,
            timed: Timed::new("modelled", flop * work, seconds),
            flop,
        }
    }

    /// Clocks of a lane for the floating-point instructions, and for all, one after another.
    pub fn clocks(&self) -> (f64, f64) {
        let idle = LANES / self.active_lanes.clamp(1.0, LANES);
        let sum = |floating_only: bool| -> f64 {
            let counted = self.lines.iter().filter(|line| line.is_floating || !floating_only);
            counted.map(Line::clocks).sum::<f64>() * idle
        };
        (sum(true), sum(false))
    }

    /// The rates that could be reached, each with less left out than the one before.
    pub fn rates(&self) -> Vec<Rate> {
        let (floating, all) = self.clocks();
        [
            ("peak: a multiply-add in every clock".to_owned(), self.flop / 2.0),
            ("floating point alone, one after another".to_owned(), floating),
            ("all instructions, one after another".to_owned(), all),
            (format!("all parts side by side, {} busiest", self.busiest), self.busiest_clocks),
        ]
        .into_iter()
        .filter(|(_, clocks)| *clocks > 0.0)
        .map(|(name, clocks)| {
            let flop_per_second = self.flop * self.lanes * self.clock_mhz * 1e6 / clocks;
            let reached_percent = 100.0 * self.timed.flop_per_second / flop_per_second;
            Rate { name, clocks, flop_per_second, reached_percent }
        })
        .collect()
    }

    /// Clocks of a lane that went by for a unit of work.
    pub fn timed_clocks(&self) -> f64 {
        self.flop * self.lanes * self.clock_mhz * 1e6 / self.timed.flop_per_second
    }
}

/// Whether the tutorial would count a kind as floating-point work.
fn is_floating(kind: MachineKind) -> bool {
    matches!(kind, MachineKind::Fp32 | MachineKind::Fp64 | MachineKind::Mufu | MachineKind::Tensor)
}

/// Clocks of an FP32 lane that an instruction of a kind costs: those of its pipe or of its issue slot, what is longer.
fn clocks(gpu: &Gpu, kind: MachineKind) -> f64 {
    let lanes = gpu.throughput.fp32.value;
    let issue = &gpu.throughput;
    let slot = lanes / (issue.issue.value * issue.issue_filled.value.max(1.0));
    Pipe::of(kind).map_or(slot, |pipe| slot.max(lanes / pipe.lanes_per_clock(gpu)))
}

/// The part that is busy longest, and for how many clocks of a lane in a unit of work.
fn busiest(profiles: &[Profile], work: f64) -> (String, f64) {
    let gpu = &profiles[0].gpu;
    let lanes = gpu.throughput.fp32.value * gpu.chip.multiprocessors.value;
    let of_chip = |owner: Owner| match owner {
        Owner::Multiprocessor | Owner::Share => gpu.chip.multiprocessors.value,
        Owner::Chip => 1.0,
    };
    let mut parts: Vec<(&str, f64)> = Vec::new();
    for need in profiles.iter().flat_map(Profile::needs) {
        let clocks = need.clocks / need.reached.max(1.0) / of_chip(need.owner);
        let each = clocks * lanes / work;
        match parts.iter_mut().find(|(part, _)| *part == need.part) {
            Some((_, all)) => *all += each,
            None => parts.push((need.part, each)),
        }
    }
    let longest = parts.into_iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
    longest.map_or((String::new(), 0.0), |(part, clocks)| (part.to_owned(), clocks))
}
