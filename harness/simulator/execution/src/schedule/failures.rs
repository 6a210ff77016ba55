//! Failures of blocks as faults with source lines.

use crate::cause::{Cause, Failure};
use crate::context::Context;
use crate::deadline::Deadline;
use crate::grid::Grid;
use crate::spaces::nearest;
use crate::{Fault, FaultKind, InvalidAccess};
use program::cfg::Loop;

impl Grid<'_> {
    /// The CUDA line of an instruction, or its PTX line if that is not known.
    fn place(&self, at: u32) -> String {
        match self.kernel.origin(at) {
            Some(origin) => origin.to_string(),
            None => {
                format!("{}:{}", self.module.file(), self.kernel.program().lines[at as usize].0)
            }
        }
    }

    /// The last instruction of the loop that does not terminate: of the loops around a place, the one with the most
    /// iterations for each time that it was entered, because loops inside it do terminate.
    fn stuck_at(&self, cx: &Context, at: u32) -> Option<u32> {
        let blocks = &self.kernel.program().blocks;
        let place = blocks.iter().position(|block| (block.first..block.end).contains(&at))?;
        let around = self.kernel.loops().iter().filter(|it| it.inside[place]);
        let iterations = |it: &Loop| {
            let executions = |block: usize| cx.counts[block].executions;
            let iterations: u64 = it.latches.iter().map(|&latch| executions(latch)).sum();
            iterations / executions(it.head).saturating_sub(iterations).max(1)
        };
        let endless = around.max_by_key(|it| iterations(it))?;
        endless.latches.first().map(|&latch| blocks[latch].end - 1)
    }

    /// The fault that reports a failure.
    pub(super) fn fault(&self, cx: &Context, failure: Failure) -> Fault {
        let kind = match failure.cause {
            Cause::Access { problem, write, space, bytes, address } => {
                let nearest = nearest(&cx.spaces, space, address);
                FaultKind::InvalidAccess(InvalidAccess {
                    error: problem,
                    write,
                    space,
                    bytes,
                    address,
                    nearest,
                })
            }
            Cause::Trap => FaultKind::Trap,
            Cause::Assertion(assertion) => FaultKind::Assertion(assertion),
            Cause::StackOverflow(overflow) => FaultKind::StackOverflow(overflow),
            Cause::Missing(text) => FaultKind::MissingFunction(text),
            Cause::Free(free) => FaultKind::Free(free),
            Cause::Object(text) => FaultKind::Object(text),
            Cause::Unannounced(text) => FaultKind::Unannounced(text),
            Cause::TooEarly => FaultKind::TooEarly,
            Cause::Outside(text) => FaultKind::Surface(text),
            Cause::Overdue => match cx.deadline.as_ref().and_then(Deadline::whole) {
                Some(whole) => FaultKind::LaunchTimeout(whole),
                None => FaultKind::BlockTimeout(self.launch.limit.unwrap_or_default()),
            },
            Cause::PartialWarp { came, elsewhere, ended } => {
                let instruction = self.kernel.instruction_at()[failure.at as usize] as usize;
                let opcode = self.kernel.instructions().nth(instruction).map_or("", |i| &i.opcode);
                let name = opcode.split('.').next().unwrap_or_default();
                let of = |lanes: u32, what: &str| match lanes {
                    0 => String::new(),
                    _ => format!(", {lanes:#010x} {what}"),
                };
                FaultKind::PartialWarp(format!(
                    "`{name}` needs all 32 lanes of a warp, but only lanes {came:#010x} of warp {} reached it{}{}",
                    failure.warp,
                    of(elsewhere, "are elsewhere"),
                    of(ended, "have exited or never existed")
                ))
            }
            Cause::Cluster(text) => FaultKind::Cluster(text),
            Cause::Deadlock(text) => FaultKind::Deadlock(text),
            Cause::Livelock(text) => FaultKind::InfiniteLoop(text),
            Cause::Residency { begun, to_come } => {
                let wait = match begun {
                    1 => "the one resident block waits".to_owned(),
                    _ => format!("all {begun} resident blocks wait"),
                };
                FaultKind::GridDeadlock(format!(
                    "{wait} for other blocks, and the {to_come} that remain cannot start until one of them exits"
                ))
            }
            Cause::WarpDeadlock { spinning, waiting } => {
                let waiting: Vec<String> = waiting
                    .iter()
                    .map(|(lanes, at)| {
                        format!("lanes {lanes:#010x} wait for them before {}", self.place(*at))
                    })
                    .collect();
                FaultKind::WarpDeadlock(format!(
                    "lanes {spinning:#010x} of warp {} spin at {}, and {}",
                    failure.warp,
                    self.place(failure.at),
                    waiting.join(", ")
                ))
            }
        };
        let stuck = matches!(kind, FaultKind::BlockTimeout(_) | FaultKind::LaunchTimeout(_))
            .then(|| self.stuck_at(cx, failure.at));
        let at = stuck.flatten().unwrap_or(failure.at);
        Fault {
            kind,
            kernel: self.kernel.name().to_string(),
            file: self.module.file().to_string(),
            line: cx.program.lines[at as usize].0,
            cuda: self.kernel.origin(at),
            block: cx.block,
            thread: cx.thread(failure.warp, failure.lane),
        }
    }
}
