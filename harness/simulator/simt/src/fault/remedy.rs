//! What to do about each fault.

use super::access::{Access, Problem};
use super::kind::FaultKind;
use super::race::{Deed, Party, Race, Reach};
use crate::space::Space;

/// The line of the source, or of the PTX where that is not known.
pub(super) fn place(file: &str, line: u32, cuda: Option<&(String, u32)>) -> String {
    match cuda {
        Some((file, line)) => format!("{file}:{line}"),
        None => format!("{file}:{line}"),
    }
}

pub(super) fn remedy(kind: &FaultKind, file: &str) -> String {
    match kind {
        FaultKind::Access(access) => of_access(access),
        FaultKind::Object(_) => "pass the object that was made for this geometry, by value (bind a \
             texture reference before the launch), and destroy neither it nor its memory before the launch has ended"
            .to_string(),
        FaultKind::Surface(_) => "check the coordinates against the surface's extent (x of surf2Dread() and its \
             like counts bytes, not elements), or read and write with cudaBoundaryModeZero or Clamp"
            .to_string(),
        FaultKind::Trap => {
            "an assertion failed or __trap() was called: see what the line checks".to_string()
        }
        FaultKind::Assertion(_) => "see why the expression is false for this thread".to_string(),
        FaultKind::StackOverflow(overflow) => format!(
            "see whether the recursion ends; if it does, give each thread a larger stack, as with \
             cudaDeviceSetLimit(cudaLimitStackSize, {})",
            (2 * overflow.stack).max(overflow.stack + overflow.frame).next_power_of_two()
        ),
        FaultKind::MissingFunction(_) => "define it in this file, or link it in (nvcc -rdc=true \
             and one PTX of all files); a pointer to a function must be taken on the device"
            .to_string(),
        FaultKind::Free(_) => "free each block once, by the pointer that malloc() or new gave; \
             what cudaMalloc() gave is the host's to free"
            .to_string(),
        FaultKind::Overdue(_) | FaultKind::TooLong(_) => "see whether a loop ends here, and for every thread; a \
             launch that is only large wants a smaller size or more time: \
             LADDER_LAUNCH_SECONDS=600"
            .to_string(),
        FaultKind::Deadlock(_) => "let all threads that a barrier or a `_sync` call waits for \
             come to the same one, or name only those that do"
            .to_string(),
        FaultKind::Livelock(_) => "nobody changes what they wait for: look for the store that \
             should, and whether it can run while they wait"
            .to_string(),
        FaultKind::Residency(_) => "launch no more blocks than run at once (as a cooperative launch checks), and let each do \
             the work of several; or do in a launch of its own what needs the results of all blocks"
            .to_string(),
        FaultKind::WarpDeadlock(_) => {
            "do what the others wait for inside of the loop, in the pass \
             in which its condition is met, so that no lane has to leave the loop first"
                .to_string()
        }
        FaultKind::PartialWarp(_) => {
            "let all 32 lanes come to it together: blocks of whole warps, \
             no condition around it that differs between lanes (one for a whole warp is allowed), \
             and lanes without work that take part with zeros rather than return before it"
                .to_string()
        }
        FaultKind::Race(race) => of_race(file, race),
        FaultKind::Uninitialised(read) => of_uninitialised(read.space),
        FaultKind::Overrun(overrun) => format!(
            "check the index against the size of `{0}`, or make `{0}` larger: on a GPU such an \
             access uses what lies next to it, and no error is reported",
            overrun.array
        ),
        FaultKind::DivergentBarrier(_) => "move the barrier out of the condition, so that every \
             thread of the block comes to it; __syncwarp(mask) is for parts of a warp"
            .to_string(),
        FaultKind::Exchange(_) => "name in the mask exactly the lanes that come (from \
             __ballot_sync() or __activemask() before the condition), and read only from those; \
             or let blocks be whole warps and all lanes come"
            .to_string(),
        FaultKind::MixedBarrier(_) => "let all threads of the block come to the same \
             __syncthreads(): a condition around one must be the same for all of them"
            .to_string(),
    }
}

fn of_access(access: &Access) -> String {
    match access.problem {
        Problem::Null => "pass the pointer or set the constant before the launch",
        Problem::OutOfBounds => {
            "check the index against the size (a missing `if (i < n)`, `<=` in place of `<`), or \
             allocate more"
        }
        Problem::Misaligned => {
            "access it at a multiple of its size, or with a narrower type: vectors such as float4 \
             need 16-byte alignment"
        }
        Problem::Freed => "free it after its last use, and let no other thread keep the pointer",
        Problem::ReadOnly => "write to memory that is not __constant__",
    }
    .to_string()
}

fn of_uninitialised(space: Space) -> String {
    match space {
        Space::Shared => {
            "write it before it is read, in every block: shared memory does not begin as 0, and \
             what cp.async brings is there only after cp.async.wait_group or wait_all"
        }
        Space::Local => "give the variable a value on every way that leads here",
        _ => {
            "copy to it or clear it (cudaMemset) before the launch, or do not read what no thread \
             has written"
        }
    }
    .to_string()
}

fn of_race(file: &str, race: &Race) -> String {
    let at = |party: &Party| place(file, party.line, party.cuda.as_ref());
    let (first, second) = (at(&race.first), at(&race.second));
    let both_write = race.first.deed == Deed::Write && race.second.deed == Deed::Write;
    if first == second && both_write && race.reach != Reach::Grid
        || race.reach == Reach::Instruction
    {
        return format!("let one thread write at {first}, or give each its own element");
    }
    let between = match (first == second, race.around) {
        (true, _) => format!("between the two accesses of {first}, or between its passes"),
        (false, true) => format!("between {first} and {second} of the next pass of the loop"),
        (false, false) => format!("between {first} and {second}"),
    };
    let updates =
        first == second || race.first.deed == Deed::Atomic || race.second.deed == Deed::Atomic;
    let or_atomic =
        if updates { "; if threads update what others update, use atomics" } else { "" };
    match race.reach {
        Reach::Warp => format!(
            "put __syncwarp() {between} (lanes of a warp run on their own since compute capability \
             7.0; shuffles and votes do not order memory){or_atomic}"
        ),
        Reach::Instruction | Reach::Block => format!("put __syncthreads() {between}{or_atomic}"),
        Reach::Grid => format!(
            "let each block write its own elements, use atomics for {first} and {second}, or do \
             the second in a launch of its own: blocks run in any order. Where they wait for each \
             other, both sides need __threadfence(): before a flag is set, and after it is seen; \
             and __syncthreads() for the other threads of their blocks"
        ),
    }
}
