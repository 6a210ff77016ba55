//! How to mend each fault.

use super::access::{AccessError, InvalidAccess};
use super::early::EarlyRead;
use super::kind::{FaultKind, Unwaited};
use super::race::{AccessKind, Missing, Race, RaceScope, RacingAccess};
use program::{Proxied, Unfinished};
use ptx::{Origin, Space};

/// The CUDA line, or the PTX line if that is not known.
pub(super) fn place(file: &str, line: u32, cuda: Option<&Origin>) -> String {
    match cuda {
        Some(origin) => origin.at.to_string(),
        None => format!("{file}:{line}"),
    }
}

/// The places of both sides of a race; where one line of the kernel inlines both, those of the inlined code.
fn places(file: &str, race: &Race) -> (String, String) {
    let at = |party: &RacingAccess| place(file, party.line, party.cuda.as_ref());
    let inlined = |party: &RacingAccess| party.cuda.as_ref()?.inlined.clone();
    let (first, second) = (at(&race.first), at(&race.second));
    match (inlined(&race.first), inlined(&race.second)) {
        (Some(one), Some(other)) if first == second => (one.to_string(), other.to_string()),
        _ => (first, second),
    }
}

pub(super) fn remedy(kind: &FaultKind, file: &str) -> String {
    match kind {
        FaultKind::InvalidAccess(access) => of_access(access),
        FaultKind::Object(_) => "pass the object created for this geometry by value (bind a \
             texture reference before the launch), and keep it and its memory alive until the launch ends"
            .to_string(),
        FaultKind::Surface(_) => "check the coordinates against the surface's extent (x of surf2Dread() and similar \
             functions counts bytes, not elements), or use cudaBoundaryModeZero or Clamp"
            .to_string(),
        FaultKind::Trap => {
            "an assertion failed or __trap() was called: check the condition on this line".to_string()
        }
        FaultKind::Assertion(_) => "find out why the expression is false for this thread".to_string(),
        FaultKind::StackOverflow(overflow) => format!(
            "check that the recursion terminates; if it does, give each thread a larger stack with \
             cudaDeviceSetLimit(cudaLimitStackSize, {})",
            (2 * overflow.stack).max(overflow.stack + overflow.frame).next_power_of_two()
        ),
        FaultKind::MissingFunction(_) => "define it in this file, or link it (nvcc -rdc=true \
             and one PTX of all files); take pointers to functions on the device"
            .to_string(),
        FaultKind::Free(_) => "free each block once, with the pointer that malloc() or new returned; \
             free memory of cudaMalloc() on the host"
            .to_string(),
        FaultKind::BlockTimeout(_) | FaultKind::LaunchTimeout(_) => "check that this loop terminates for every thread; if the launch is only large, \
             use a smaller size or allow more time with --launch-limit 600 or LADDER_LAUNCH_SECONDS=600"
            .to_string(),
        FaultKind::Deadlock(_) => "let all threads that a barrier or a `_sync` call waits for \
             reach the same one, or name only those that do"
            .to_string(),
        FaultKind::Cluster(_) => "let every thread of the cluster call arrive and wait in turns (barrier.cluster.arrive, \
             barrier.cluster.wait), or use cluster.sync(), which does both"
            .to_string(),
        FaultKind::MissingProxyFence(Proxied::All, _) => "let each thread that has written execute fence.proxy.async.shared::cta \
             (cuda::ptx::fence_proxy_async) after its writes, and wait at a barrier before one thread begins the copy"
            .to_string(),
        FaultKind::MissingProxyFence(Proxied::Barriers, _) => "let the thread that initialises the barrier execute \
             fence.mbarrier_init.release.cluster (cuda::ptx::fence_mbarrier_init) after it, and wait at a barrier of the \
             block or the cluster before one thread begins the copy"
            .to_string(),
        FaultKind::MissingProxyFence(Proxied::Maps, _) => "change a copy of the map in shared memory and bring it to global \
             memory by tensormap.cp_fenceproxy (or let fence.proxy.tensormap::generic.release.gpu follow the change), and let \
             the thread that begins the copy execute fence.proxy.tensormap::generic.acquire.gpu of the map's address first"
            .to_string(),
        FaultKind::Overwritten(_) => "wait for the product's group (wgmma.wait_group) in a warp of its \
             warpgroup, and let that warp arrive at a barrier or an mbarrier before anything is written or copied there"
            .to_string(),
        FaultKind::Unwaited(Unwaited::Read, _) => "wait for the phase of the mbarrier at which the copy's bytes arrive \
             (mbarrier.try_wait) before the first use"
            .to_string(),
        FaultKind::Unwaited(Unwaited::Ended, _) => "wait for each copy before the block ends, at the mbarrier at which its bytes \
             arrive (mbarrier.try_wait)"
            .to_string(),
        FaultKind::Unwaited(Unwaited::Sent, _) => "let the thread that began the copy close its group \
             (cp.async.bulk.commit_group) and wait for it (cp.async.bulk.wait_group.read 0) before the block ends"
            .to_string(),
        FaultKind::Unwaited(Unwaited::Overwritten, _) => "let the thread that began the copy close its group \
             (cp.async.bulk.commit_group) and wait for it (cp.async.bulk.wait_group.read 0), and the others meet that thread \
             at a barrier before they write there"
            .to_string(),
        FaultKind::Unannounced(_) => "announce the bytes of all copies of a phase (mbarrier.arrive.expect_tx) before its last \
             arrival, and begin a copy only after the phase before has ended"
            .to_string(),
        FaultKind::Registers { .. } => "ask for fewer: what some warps get by setmaxnreg.inc, others must give by setmaxnreg.dec. \
             A GPU lets the warp wait for ever"
            .to_string(),
        FaultKind::TooEarly => "initialise the barrier (mbarrier.init), show it (fence.mbarrier_init) and let the threads that use it \
             wait for that: at a barrier of the block, or of the cluster (cluster.sync()) if other blocks use it"
            .to_string(),
        FaultKind::Unfinished(Unfinished::Used) => "close the group (wgmma.commit_group) and wait for it (wgmma.wait_group 0) \
             before any thread reads or writes its sums or its operands in registers"
            .to_string(),
        FaultKind::Unfinished(Unfinished::Unfenced) => "put wgmma.fence.sync.aligned before the first wgmma, and wherever \
             threads have written its sums or its operands in registers"
            .to_string(),
        FaultKind::EarlyExit(_) => of_exit(),
        FaultKind::InfiniteLoop(_) => "the loop's condition never changes: check that its counter is \
             incremented, or that the store it waits for can run while it waits"
            .to_string(),
        FaultKind::GridDeadlock(_) => "launch no more blocks than can be resident (a cooperative launch checks that) and let \
             each do the work of several; or move what needs the results of all blocks to a second launch"
            .to_string(),
        FaultKind::WarpDeadlock(_) => {
            "do the work that the others wait for inside the loop, in the iteration \
             that meets its condition, so that no lane has to leave the loop first"
                .to_string()
        }
        FaultKind::PartialWarp(_) => {
            "let all 32 lanes reach it together: use blocks of whole warps and no condition \
             around it that differs within a warp, and let lanes without work contribute zeros instead of \
             returning early"
                .to_string()
        }
        FaultKind::Race(race) => of_race(file, race),
        FaultKind::Uninitialised(read) => of_uninitialised(read.space),
        FaultKind::UndefinedRegister => of_uninitialised(Space::Local),
        FaultKind::Overrun(overrun) => format!(
            "check the index against the size of `{0}`, or make `{0}` larger: a GPU reports no error \
             and uses whatever lies next to it",
            overrun.array
        ),
        FaultKind::DivergentBarrier(_) => "move the barrier out of the condition, so that every thread of the block reaches it; __syncwarp(mask) is for parts of a warp"
            .to_string(),
        FaultKind::InvalidLanes(_) => "pass a mask of exactly the lanes that take part (from \
             __ballot_sync() before the condition), and read only from those; or use blocks of whole \
             warps and let all lanes take part"
            .to_string(),
        FaultKind::MixedBarrier(_) => "let all threads of the block reach the same \
             __syncthreads(): a condition around it must be the same for all of them"
            .to_string(),
        FaultKind::EarlyRead(read) => of_early_read(file, read),
    }
}

fn of_access(access: &InvalidAccess) -> String {
    match access.error {
        AccessError::Null => "pass the pointer or set the constant before the launch",
        AccessError::OutOfBounds => {
            "check the index against the size (a missing `if (i < n)`, `<=` in place of `<`), or \
             allocate more"
        }
        AccessError::Misaligned => {
            "access it at a multiple of its size, or with a narrower type: vectors such as float4 \
             need 16-byte alignment"
        }
        AccessError::Freed => {
            "free it after its last use, and let no other thread keep the pointer"
        }
        AccessError::Exited => return of_exit(),
        AccessError::NoBlock => {
            "pass a rank below the number of blocks in the cluster (%cluster_nctarank, cluster.num_blocks()), and launch \
             with clusters of that size"
        }
        AccessError::ReadOnly => "write to memory that is not __constant__",
    }
    .to_string()
}

fn of_exit() -> String {
    "put cluster.sync() after the last access to another block's shared memory, so that no block of the cluster exits before"
        .to_string()
}

fn of_uninitialised(space: Space) -> String {
    match space {
        Space::Shared => {
            "write it before it is read, in every block: shared memory is not zeroed, and data \
             copied by cp.async arrive only after cp.async.wait_group or wait_all"
        }
        Space::Local => "give the variable a value on every path to this read",
        _ => {
            "copy to it or clear it (cudaMemset) before the launch, or do not read what no thread \
             has written"
        }
    }
    .to_string()
}

fn of_early_read(file: &str, read: &EarlyRead) -> String {
    let wait = "or let the host wait for the kernel (cudaDeviceSynchronize) before it reads";
    let Some(flag) = &read.flag else {
        return format!(
            "let the block set a flag after the write, `volatile` or by an atomic of the system (atomicExch_system): \
             __syncthreads(), __threadfence_system(), then the flag; {wait}"
        );
    };
    let flag = place(file, flag.line, flag.cuda.as_ref());
    match read.missing {
        Missing::Release => format!("put __threadfence_system() before the flag at {flag}, {wait}"),
        Missing::Scope => format!(
            "use __threadfence_system() in place of __threadfence() before the flag at {flag}, {wait}"
        ),
        _ => format!(
            "put __syncthreads() and then __threadfence_system() between the write and the flag at {flag}, {wait}"
        ),
    }
}

fn of_race(file: &str, race: &Race) -> String {
    let (first, second) = places(file, race);
    let both_write = race.first.kind == AccessKind::Write && race.second.kind == AccessKind::Write;
    if first == second && both_write && race.scope != RaceScope::Grid
        || race.scope == RaceScope::Instruction
    {
        return format!("let one thread write at {first}, or give each its own element");
    }
    let between = match (first == second, race.loop_carried) {
        (true, _) => {
            format!("between the two accesses at {first}, or between iterations of its loop")
        }
        (false, true) => format!("between {first} and {second} of the next iteration"),
        (false, false) => format!("between {first} and {second}"),
    };
    let updates = first == second
        || race.first.kind == AccessKind::Atomic
        || race.second.kind == AccessKind::Atomic;
    let or_atomic =
        if updates { "; if several threads update the same value, use atomics" } else { "" };
    match race.scope {
        RaceScope::Warp | RaceScope::Block if race.missing == Missing::Acquire => format!(
            "put __threadfence_block() before {second}, after the flag or the atomic's result is read (fence.acq_rel.cta in \
             PTX), or wait at __syncthreads() in place of a flag"
        ),
        RaceScope::Instruction if race.missing == Missing::Election => {
            "let one thread initialise the barrier: `if (threadIdx.x == 0)`, or the lane that elect.sync chooses".to_owned()
        }
        RaceScope::Block if race.missing == Missing::OrderOfLanes => {
            "put __syncwarp() between the read and the arrival by which a lane announces it for its warp".to_owned()
        }
        RaceScope::Warp => format!(
            "put __syncwarp() {between} (since compute capability 7.0 the lanes of a \
             warp run independently, and shuffles and votes do not order memory){or_atomic}"
        ),
        RaceScope::Instruction | RaceScope::Block => {
            format!("put __syncthreads() {between}{or_atomic}")
        }
        RaceScope::Cluster => format!(
            "put cluster.sync() (barrier.cluster.arrive and barrier.cluster.wait) {between}{or_atomic}; or announce the first \
             by an mbarrier, or by a flag with .release.cluster, and read that with .acquire.cluster before the second"
        ),
        RaceScope::Grid => across_blocks((&first, &second), race.missing),
    }
}

/// How to order the accesses of two blocks at these places.
fn across_blocks((first, second): (&str, &str), missing: Missing) -> String {
    match missing {
        Missing::Release => format!(
            "put __threadfence() after {first}, before the flag is set or the atomic counts; where other threads of the \
             block wrote too, __syncthreads() before it"
        ),
        Missing::Acquire | Missing::AcquireOfTicket => format!(
            "put __threadfence() before {second}, after the flag or the atomic's result is read (fence.acq_rel.gpu in \
             PTX, or read by ld.acquire.gpu)"
        ),
        Missing::Scope => format!(
            "use the scope of the device at {first} and {second}: atomicAdd() in place of atomicAdd_block(), .gpu in \
             place of .cta"
        ),
        Missing::Order | Missing::OrderOfLanes | Missing::Election => format!(
            "let each block write its own elements, use atomics for {first} and {second}, or move \
             the second to a launch of its own, because blocks run in any order. If blocks wait for each \
             other, both sides need __threadfence() (before a flag is set, and after it is seen) and \
             __syncthreads() for the other threads of their blocks"
        ),
    }
}
