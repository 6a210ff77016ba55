//! The loop that executes a fiber's instructions.

use super::assembly::wait_for_others;
use super::calls::{self, Parts};
use super::cause::{Cause, Failure};
use super::context::Context;
use super::control::{Fiber, State};
use super::guards::{guarded, predicate};
use super::listener::{Arrival, Listener, Order};
use super::queries::{clock, is_space};
use super::warp::Warp;
use super::weak::After;
use super::{accesses, cluster_barrier, exchange, peers, services, units};
use crate::scheduling::Scheduling;
use program::{ExchangeKind, Groups, Guard, OfCluster, Operation};

/// Why a fiber stopped running.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It touched global memory: another warp's turn.
    Turns,
    /// All of its lanes ended.
    Ended,
    /// It waits; its state says for what.
    Waits,
    /// It gives others a turn, having used up this much of the block's patience.
    Yields(u32),
}

/// Runs a fiber until it ends, waits or gives way. Lanes that part from it for good are added to the warp's fibers.
pub(super) fn run<L: Listener>(
    cx: &mut Context,
    (listener, own): (&mut L, &mut L::Block),
    warp: &mut Warp,
    fiber: &mut Fiber,
) -> Result<Stop, Box<Failure>> {
    let program = cx.program;
    while let Some(frame) = fiber.settle() {
        let index = frame.block as usize;
        let block = program.blocks[index];
        let executed = std::mem::take(&mut fiber.executed);
        if executed == 0 {
            cx.counts[index].executions += 1;
            cx.counts[index].lanes += u64::from(frame.mask.count_ones());
        }
        // After a wait for other lanes, or where a turn ended in its midst, it comes to the block once more.
        if L::LISTENS && !fiber.granted && executed == 0 {
            listener.enters(own, frame.block, warp.index, frame.mask);
        }
        // Whether its turn ends after the block, and whether it ended in its midst.
        let (mut touched_global, mut touches) = (executed > 0, false);
        let following = frame.block + 1;
        // Where the running lanes go on; `None` if they parted and the stack says it.
        let mut next = Some(following);
        let first = block.first + executed;
        // Others may have come through the block meanwhile, or lanes with other addresses have become part of the fiber.
        accesses::look_again(cx, &warp.registers, block.first..first, frame.mask);
        let code = &cx.code[first as usize..block.end as usize];
        for (at, i) in (first..).zip(code) {
            let mask = guarded(&warp.registers, i, frame.mask);
            if L::LISTENS && i.guard != Guard::NONE && mask != 0 {
                listener.guard_holds(at);
            }
            match i.operation {
                Operation::Fast(fast) => {
                    cx.build.execute(fast, &mut warp.registers, &i.operands, mask)
                }
                Operation::Compare(types, comparison) => {
                    let r = &mut warp.registers;
                    let result = cx.build.compare(types, comparison, r, &i.operands, mask);
                    r.set_predicate(i.operands.d, mask, result);
                }
                Operation::Predicate(logic) => {
                    predicate(&mut warp.registers, &i.operands, logic, mask)
                }
                Operation::Load(k) if mask != 0 => {
                    touches |= accesses::load(cx, (listener, own), (warp, fiber), k, (at, mask))
                        .map_err(|refused| fail(warp, at, *refused))?;
                }
                Operation::Store(k) if mask != 0 => {
                    touches |= accesses::store(cx, (listener, own), (warp, fiber), k, (at, mask))
                        .map_err(|refused| fail(warp, at, *refused))?;
                }
                Operation::General(general) => {
                    if mask != 0 {
                        general.execute(&mut warp.registers, &i.operands, mask);
                    }
                }
                Operation::Branch(target) => {
                    let backward = target <= frame.block;
                    if backward && mask != 0 && fiber.may_be_late() && cx.is_late() {
                        return Err(fail(
                            warp,
                            at,
                            (mask.trailing_zeros() as usize, Cause::Overdue),
                        ));
                    }
                    if mask == frame.mask {
                        next = Some(target);
                    } else if mask != 0 {
                        if L::LISTENS {
                            listener.diverges(at);
                        }
                        fiber.part(mask, target, following, block.meet);
                        next = None;
                    }
                    if backward
                        && mask != 0
                        && let Some(spent) = fiber.impatience()
                    {
                        if let Some(next) = next {
                            fiber.go(next);
                        }
                        fiber.settle();
                        if cx.scheduling == Scheduling::Independent {
                            warp.fibers.extend(fiber.split());
                        }
                        return Ok(Stop::Yields(spent));
                    }
                }
                Operation::Exchange(k) => {
                    let exchange = &program.exchanges[k as usize];
                    let members = exchange.members.map_or(mask, |m| {
                        let lane = mask.trailing_zeros() as usize & 31;
                        warp.registers.word(m)[lane]
                    });
                    let missing = members & warp.live & !mask;
                    if mask != 0 && missing != 0 && !fiber.granted {
                        if cx.scheduling == Scheduling::Independent {
                            warp.fibers.extend(fiber.split());
                            fiber.flatten();
                        }
                        fiber.state = State::Exchange(members);
                        // It enters this block once more when the others are there.
                        cx.counts[index].executions -= 1;
                        cx.counts[index].lanes -= u64::from(frame.mask.count_ones());
                        return Ok(Stop::Waits);
                    }
                    fiber.granted = false;
                    if mask != 0 {
                        if L::LISTENS {
                            let arrival = Arrival { warp: warp.index, mask, at };
                            listener.exchanges(own, cx, &warp.registers, arrival);
                        }
                        for (group, members) in exchange::groups(&warp.registers, exchange, mask) {
                            exchange::execute(&mut warp.registers, exchange, &i.operands, group);
                            // Of all exchanges only this one orders memory.
                            if L::LISTENS && exchange.kind == ExchangeKind::Synchronise {
                                let (warp, live) = (warp.index, warp.live);
                                let mask = members & live;
                                listener.orders(own, cx, Order::Meets { warp, mask, live });
                            }
                        }
                    }
                }
                Operation::Matrix(which) => {
                    if mask == frame.mask
                        && wait_for_others(cx, warp, fiber, (index, mask), at - block.first)
                    {
                        return Ok(Stop::Waits);
                    }
                    if mask != 0 {
                        // Here and below: what it reads is not noted, since nobody waits for it here.
                        fiber.changed = true;
                        let work = (which, &i.operands);
                        touches |= units::matrix(cx, (listener, own), warp, work, (at, mask))
                            .map_err(|refused| fail(warp, at, *refused))?;
                    }
                }
                Operation::Texture(which) => {
                    if mask != 0 {
                        fiber.changed = true;
                        let work = (which, &i.operands);
                        touches |= units::texture(cx, (listener, own), warp, work, (at, mask))
                            .map_err(|refused| fail(warp, at, *refused))?;
                    }
                }
                Operation::Copying(which) => {
                    if mask != 0 {
                        fiber.changed = true;
                        touches |= units::copying(cx, (listener, own), warp, which, (at, mask))
                            .map_err(|refused| fail(warp, at, *refused))?;
                    }
                }
                Operation::Atomic(k) if mask != 0 => {
                    touches |= accesses::atomic(cx, (listener, own), (warp, fiber), k, (at, mask))
                        .map_err(|refused| fail(warp, at, *refused))?;
                }
                Operation::Barrier(_) => {
                    if mask != 0 {
                        if L::LISTENS {
                            // Lanes that have nothing left to do but end count as ended.
                            let left = fiber
                                .waiting_at()
                                .filter(|&(_, block)| !program.ends(block))
                                .fold(frame.mask & !mask, |left, (lanes, _)| left | lanes);
                            let arrival = Arrival { warp: warp.index, mask, at };
                            listener.orders(own, cx, Order::Arrives { arrival, left });
                        }
                        wait(cx, warp, fiber, (mask, following), State::Barrier(at));
                        return Ok(Stop::Waits);
                    }
                }
                Operation::Cluster(OfCluster::Map(address)) => {
                    peers::map(&cx.spaces.peers, &mut warp.registers, address, &i.operands, mask);
                }
                Operation::Cluster(OfCluster::Rank(address)) => {
                    peers::rank(&cx.spaces.peers, &mut warp.registers, address, &i.operands, mask);
                }
                Operation::Cluster(OfCluster::Wait) => {
                    if mask != 0 {
                        cluster_barrier::check_wait(warp, mask)
                            .map_err(|refused| fail(warp, at, *refused))?;
                        wait(cx, warp, fiber, (mask, following), State::Cluster(at));
                        return Ok(Stop::Waits);
                    }
                }
                Operation::Cluster(which) => {
                    if mask != 0 {
                        fiber.changed = true;
                        cluster_barrier::arrive(warp, mask)
                            .map_err(|refused| fail(warp, at, *refused))?;
                        if L::LISTENS {
                            let arrival = Arrival { warp: warp.index, mask, at };
                            let releases = which == OfCluster::Arrive;
                            listener.orders(own, cx, Order::ArrivesCluster { arrival, releases });
                        }
                    }
                }
                Operation::Exit => {
                    fiber.end(mask);
                    warp.live &= !mask;
                }
                Operation::Call(k) => {
                    if mask != 0 {
                        if fiber.may_be_late() && cx.is_late() {
                            return Err(fail(
                                warp,
                                at,
                                (mask.trailing_zeros() as usize, Cause::Overdue),
                            ));
                        }
                        let spent = fiber.impatience();
                        let mut parts = parts(warp);
                        let callees = calls::call(cx, &mut parts, (k, mask, following))
                            .map_err(|refused| fail(warp, at, *refused))?;
                        fiber.call(following, &callees);
                        next = None;
                        if let Some(spent) = spent {
                            if cx.scheduling == Scheduling::Independent {
                                warp.fibers.extend(fiber.split());
                            }
                            return Ok(Stop::Yields(spent));
                        }
                    }
                }
                Operation::Return => {
                    if mask != 0 {
                        let callers = calls::leave(cx, &mut parts(warp), mask);
                        let apart = fiber.returns(mask, &callers);
                        warp.fibers.extend(apart);
                    }
                }
                Operation::Service(k) => {
                    if mask != 0 {
                        if cx.is_late() {
                            return Err(fail(
                                warp,
                                at,
                                (mask.trailing_zeros() as usize, Cause::Overdue),
                            ));
                        }
                        fiber.changed = true;
                        let place = (warp.index, at);
                        services::serve(cx, &mut parts(warp), k, place, mask)
                            .map_err(|refused| fail(warp, at, *refused))?;
                    }
                }
                Operation::Stack(what) => {
                    calls::of_stack(cx, &mut parts(warp), what, &i.operands, mask)
                        .map_err(|refused| fail(warp, at, *refused))?;
                }
                Operation::Trap if mask != 0 => {
                    return Err(fail(warp, at, (mask.trailing_zeros() as usize, Cause::Trap)));
                }
                Operation::Clock(file) => clock(cx, &mut warp.registers, file, &i.operands, mask),
                Operation::IsSpace(space) => {
                    is_space(cx, &mut warp.registers, space, &i.operands, mask)
                }
                Operation::Fence { scope, sequential } => {
                    if scope.spans_blocks() && mask != 0 {
                        fiber.waits(at, true);
                    }
                    let block = cx.block_number();
                    if let Some(weak) = cx.weak.as_mut().filter(|_| mask != 0) {
                        weak.fence((block, warp.index), scope, sequential);
                        touches = true;
                    }
                    if L::LISTENS && mask != 0 {
                        let arrival = Arrival { warp: warp.index, mask, at };
                        listener.orders(own, cx, Order::Fences { arrival, scope });
                    }
                }
                Operation::ProxyFence(what) => {
                    if L::LISTENS && mask != 0 {
                        let arrival = Arrival { warp: warp.index, mask, at };
                        listener.orders(own, cx, Order::FencesProxy { arrival, what });
                    }
                }
                Operation::AcquireMap => {
                    if L::LISTENS && mask != 0 {
                        let arrival = Arrival { warp: warp.index, mask, at };
                        let addresses = warp.registers.double(i.operands.a);
                        listener.orders(own, cx, Order::AcquiresMaps { arrival, addresses });
                    }
                }
                Operation::Products(what) => {
                    match what {
                        Groups::Close if mask != 0 => warp.products.close(),
                        Groups::Wait(left) if mask != 0 && !warp.products.is_complete(left) => {
                            // It executes this instruction again when the other warps are there.
                            fiber.executed = at - block.first;
                            if fiber.executed == 0 {
                                cx.counts[index].executions -= 1;
                                cx.counts[index].lanes -= u64::from(frame.mask.count_ones());
                                fiber.granted = true;
                            }
                            fiber.state = State::Products(left);
                            return Ok(Stop::Waits);
                        }
                        _ => {}
                    }
                    fiber.granted = false;
                    if L::LISTENS && mask != 0 {
                        let arrival = Arrival { warp: warp.index, mask, at };
                        listener.orders(own, cx, Order::Products { arrival, what });
                    }
                }
                Operation::Nothing
                | Operation::Registers(_)
                | Operation::Load(_)
                | Operation::Store(_)
                | Operation::Atomic(_)
                | Operation::Trap => {}
            }
            if std::mem::take(&mut touches) {
                touched_global = true;
                let who = (cx.block_number(), warp.index);
                let after = After::of(program, i.operation);
                let pause = cx.weak.as_mut().and_then(|weak| weak.preempts(who, at, after));
                if let Some(pause) = pause.filter(|_| !fiber.is_idle()) {
                    warp.pause = warp.pause.max(pause);
                    // At the end of a basic block its turn ends anyway.
                    if at + 1 < block.end {
                        fiber.executed = at + 1 - block.first;
                        return Ok(Stop::Turns);
                    }
                }
            }
        }
        if let Some(next) = next {
            fiber.go(next);
        }
        if L::LISTENS && touched_global && !fiber.is_idle() && listener.interleaves() {
            return Ok(Stop::Turns);
        }
    }
    Ok(Stop::Ended)
}

/// The lanes of `mask` wait at a barrier, and go on at block `following` when it is complete.
fn wait(
    cx: &Context,
    warp: &mut Warp,
    fiber: &mut Fiber,
    (mask, following): (u32, u32),
    state: State,
) {
    // In lockstep a barrier counts the whole warp, whoever of it comes.
    let parts = cx.scheduling == Scheduling::Independent;
    if parts && mask != fiber.running() {
        fiber.set_aside(mask);
    }
    fiber.go(following);
    if parts {
        warp.fibers.extend(fiber.split());
    }
    fiber.state = state;
}

/// A lane of a warp cannot go on.
#[cold]
fn fail(warp: &Warp, at: u32, (lane, cause): (usize, Cause)) -> Box<Failure> {
    Box::new(Failure { cause, lane, warp: warp.index, at })
}

/// What calls change of a warp.
fn parts(warp: &mut Warp) -> Parts<'_> {
    Parts { registers: &mut warp.registers, local: &warp.local, stacks: &mut warp.stacks }
}
