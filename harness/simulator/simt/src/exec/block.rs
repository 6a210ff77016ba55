//! A block: its warps take turns, and meet at barriers.

use super::barrier::release_barriers;
use super::cause::Failure;
use super::context::Context;
use super::control::{Fiber, State, merge};
use super::listener::Listener;
use super::reads::Reads;
use super::run::{Stop, Warp, run};
use super::stillness::Stillness;
use super::stuck::{deadlock, livelock, overdue};
use super::turns::Turns;
use crate::registers::{File, LANES, Register, Registers, Value};

use crate::memory::Storage;
use crate::program::{Constant, Half, Special};
use crate::scheduling::Scheduling;

/// What rounds in a row, in which every fiber that can run only gave way, may spend before the block counts as stuck. A
/// fiber spends 1 with 32 accesses that may wait for another thread, and 256 with 2²² backward branches: an endless loop
/// becomes a fault after 2²⁵ such accesses or 2³⁴ branches.
const PATIENCE: u32 = 1 << 20;

/// What every byte of shared and local memory is that no thread has written: floats of it are NaN, on every run.
pub(super) const GARBAGE: u8 = u8::MAX;

/// Idle rounds after which other blocks should be given a chance.
const IDLE: u32 = 16;

/// A block that runs: what is its own.
pub(crate) struct Resident<L: Listener> {
    block: [u32; 3],
    shared: Storage,
    warps: Vec<Warp>,
    turns: Turns,
    /// Threads that arrived at each barrier without waiting there.
    arrived: [u32; 16],
    /// How long nothing happened but giving way.
    idle: u32,
    stillness: Stillness,
    reads: Reads,
    /// A fiber, and what it had changed, has ended or become part of another.
    has_ended: bool,
    own: L::OfBlock,
}

/// How a block's round went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// All its threads have ended.
    Ended,
    /// It may have changed memory.
    Changes,
    /// It changed nothing.
    Goes,
    /// It seems to wait for another block, and changed nothing.
    Waits,
    /// It will not change anything until another block does.
    Sleeps,
}

impl<L: Listener> Resident<L> {
    /// Puts all threads of the context's block at the kernel's first instruction; `storage` is to be used again.
    pub(crate) fn new(cx: &mut Context, listener: &mut L, storage: Room) -> Resident<L> {
        let Room { shared, mut warps } = storage;
        let mut shared = if shared.bytes() >= cx.spaces.shared_bytes {
            shared
        } else {
            Storage::new(cx.spaces.shared_bytes).unwrap_or_default()
        };
        shared.bytes_mut().fill(GARBAGE);
        if let Some(reserved) = cx.program.reserved_shared() {
            shared.bytes_mut()[reserved].fill(0);
        }
        let threads: u32 = cx.threads.iter().product();
        warps.resize_with(threads.div_ceil(LANES as u32) as usize, Warp::default);
        for (index, warp) in (0..).zip(warps.iter_mut()) {
            start(cx, warp, index, threads);
        }
        let turns = Turns::new(warps.len(), cx.seed, cx.block);
        let own = listener.begin(cx);
        Resident {
            block: cx.block,
            shared,
            warps,
            turns,
            arrived: [0; 16],
            idle: 0,
            stillness: Stillness::default(),
            reads: Reads::default(),
            has_ended: false,
            own,
        }
    }

    /// Runs every warp that can, until it waits or gives way.
    pub(crate) fn round(&mut self, cx: &mut Context, l: &mut L) -> Result<Round, Box<Failure>> {
        if let Some(known) = self.stillness.asleep() {
            if known.holds(cx.spaces.memory) {
                return Ok(Round::Sleeps);
            }
            self.stillness.wakes(&mut self.reads);
        }
        cx.block = self.block;
        std::mem::swap(&mut cx.spaces.shared, &mut self.shared);
        std::mem::swap(&mut cx.reads, &mut self.reads);
        let round = self.turn_all(cx, l);
        std::mem::swap(&mut cx.spaces.shared, &mut self.shared);
        std::mem::swap(&mut cx.reads, &mut self.reads);
        round
    }

    fn turn_all(&mut self, cx: &mut Context, listener: &mut L) -> Result<Round, Box<Failure>> {
        if cx.is_late() {
            return Err(overdue(cx, &self.warps));
        }
        // The most that a fiber spent, if all of them only gave way.
        let mut spent = Some(0);
        for &warp in self.turns.round() {
            let count = self.warps[warp].fibers.len();
            let own = turn(cx, (listener, &mut self.own), &mut self.warps[warp])?;
            self.has_ended |= self.warps[warp].fibers.len() < count;
            spent = spent.zip(own).map(|(most, own)| most.max(own));
        }
        for warp in &mut self.warps {
            grant_exchanges(warp);
        }
        release_barriers(cx, (listener, &mut self.own), &mut self.warps, &mut self.arrived);
        let mut fibers = self.warps.iter().flat_map(|w| &w.fibers).peekable();
        if fibers.peek().is_none() {
            return Ok(Round::Ended);
        }
        if !fibers.any(|f| f.state == State::Ready) {
            return Err(deadlock(cx, &self.warps));
        }
        self.idle = spent.map_or(0, |spent| self.idle.saturating_add(spent));
        Ok(self.judge(cx))
    }

    /// Whether anything changed in a round that is over.
    fn judge(&mut self, cx: &mut Context) -> Round {
        let fibers = || self.warps.iter().flat_map(|w| &w.fibers);
        if fibers().any(|f| f.changed) || self.has_ended {
            self.has_ended = false;
            for fiber in self.warps.iter_mut().flat_map(|w| &mut w.fibers) {
                (fiber.changed, fiber.waited) = (false, false);
            }
            self.stillness.ends(&mut cx.reads);
            return Round::Changes;
        }
        if fibers().all(|f| f.waited || f.state != State::Ready) {
            self.stillness.goes_on(cx.build, &mut self.warps, &mut cx.reads);
            // Nobody waits for lanes that wait for something else.
            if self.stillness.asleep().is_some()
                && cx.scheduling == Scheduling::Independent
                && self.warps.iter_mut().filter_map(|warp| split(warp).then_some(())).count() > 0
            {
                self.stillness.ends(&mut cx.reads);
            }
        }
        match self.stillness.asleep() {
            // Another block may have changed by now what it read before.
            Some(_) => Round::Waits,
            // It has waited for so long that nothing will come of it.
            None if self.idle >= PATIENCE => Round::Sleeps,
            None if self.idle >= IDLE => Round::Waits,
            None => Round::Goes,
        }
    }

    /// Lets it run once more, whatever it waits for.
    pub(crate) fn wakes(&mut self) {
        self.stillness.ends(&mut self.reads);
    }

    /// What to say of a block that is stuck.
    pub(crate) fn livelock(&self, cx: &mut Context) -> Box<Failure> {
        cx.block = self.block;
        livelock(cx, &self.warps)
    }

    /// Ends the block, and gives back its storage.
    pub(crate) fn end(self, listener: &mut L) -> Room {
        listener.end(self.own);
        Room { shared: self.shared, warps: self.warps }
    }
}

/// Storage of a block that has ended.
#[derive(Default)]
pub(crate) struct Room {
    shared: Storage,
    warps: Vec<Warp>,
}

/// Puts a warp at the kernel's first instruction.
fn start(cx: &mut Context, warp: &mut Warp, index: u32, threads: u32) {
    while cx.starts.len() <= index as usize {
        let start = registers(cx, cx.starts.len() as u32);
        cx.starts.push(start);
    }
    warp.index = index;
    let begin = &cx.starts[index as usize];
    match cx.kernel.unwritten().filter(|_| !warp.registers.is_empty()) {
        // It is where the same warp of an earlier block was.
        Some(unwritten) => unwritten.iter().for_each(|it| warp.registers.copy_one(*it, begin)),
        None => warp.registers.copy(begin),
    }
    for &(register, axis) in &cx.of_block {
        let place = cx.block[usize::from(axis)];
        match register.file {
            File::Words => *warp.registers.word_mut(register.index) = [place; LANES],
            _ => set(&mut warp.registers, register, [place.into(); LANES]),
        }
    }
    warp.digest = None;
    let left = threads - index * LANES as u32;
    warp.live = if left >= LANES as u32 { u32::MAX } else { (1 << left) - 1 };
    warp.fibers.clear();
    warp.copies.clear();
    warp.stacks.reset(cx.program);
    warp.fibers.push(Fiber::new(0, warp.live));
    if cx.spaces.local_bytes > 0 {
        warp.local = Storage::new(cx.spaces.local_stride() * LANES as u64).unwrap_or_default();
        warp.local.bytes_mut().fill(GARBAGE);
    }
}

/// What a warp's registers hold before the first instruction, whatever its block.
fn registers(cx: &Context, warp: u32) -> Registers {
    let mut registers = Registers::new(cx.program.registers);
    for &(register, constant) in &cx.program.constants {
        let values = match constant {
            Constant::Special(Special::Thread(axis)) => threads_of(cx, warp, usize::from(axis)),
            Constant::Special(special) if special.is_of_lane() => {
                std::array::from_fn(|lane| value(cx, warp, lane, constant))
            }
            _ => [value(cx, warp, 0, constant); LANES],
        };
        set(&mut registers, register, values);
    }
    registers
}

fn set(registers: &mut Registers, register: Register, values: [u64; LANES]) {
    match register.file {
        File::Words => u32::write(registers, register.index, u32::MAX, &values.map(|v| v as u32)),
        File::Doubles => u64::write(registers, register.index, u32::MAX, &values),
        File::Predicates => {
            bool::write(registers, register.index, u32::MAX, &values.map(|v| v != 0))
        }
    }
}

/// What a lane's constant register holds.
fn value(cx: &Context, warp: u32, lane: usize, constant: Constant) -> u64 {
    use std::cmp::Ordering;
    let special = match constant {
        Constant::Bits(bits) => return bits,
        Constant::Shared(offset, plus) => return offset.wrapping_add_signed(plus),
        Constant::Address(variable, plus) => {
            return cx.addresses[variable as usize].wrapping_add_signed(plus);
        }
        Constant::Held(variable) => {
            let (address, memory) = (cx.addresses[variable as usize], cx.spaces.memory);
            let held = memory.find(address, 8).map(|index| &memory.allocations()[index].storage);
            return held.map_or(0, |storage| storage.load(0, 8));
        }
        Constant::DynamicShared(plus) => {
            let start = cx.spaces.shared_bytes - u64::from(cx.dynamic_shared_bytes);
            return start.wrapping_add_signed(plus);
        }
        Constant::Special(special) => special,
    };
    u64::from(match special {
        Special::Thread(axis) => thread(cx, warp, lane)[usize::from(axis)],
        Special::Threads(axis) => cx.threads[usize::from(axis)],
        Special::Block(axis) => cx.block[usize::from(axis)],
        Special::Blocks(axis) => cx.grid[usize::from(axis)],
        Special::Lane => lane as u32,
        Special::Group => lane as u32 / 4,
        Special::InGroup => lane as u32 % 4,
        Special::Warp => warp,
        Special::Warps => cx.threads.iter().product::<u32>().div_ceil(LANES as u32),
        Special::LaneMask(order, with_own) => (0..LANES)
            .filter(|&other| {
                (other.cmp(&lane) == order && order != Ordering::Equal)
                    || (with_own && other == lane)
            })
            .fold(0, |mask, other| mask | 1 << other),
        Special::Processors | Special::One => 1,
        Special::DynamicSharedBytes => cx.dynamic_shared_bytes,
        Special::GridWorkspace(Half::Low) => cx.grid_workspace as u32,
        Special::GridWorkspace(Half::High) => (cx.grid_workspace >> 32) as u32,
        Special::SharedBytes => cx.spaces.shared_bytes as u32,
        Special::Processor | Special::Grid | Special::Zero => 0,
    })
}

/// The places of a warp's threads in their block, along one axis.
fn threads_of(cx: &Context, warp: u32, axis: usize) -> [u64; LANES] {
    let [x, y, _] = cx.threads;
    let mut place = thread(cx, warp, 0);
    std::array::from_fn(|_| {
        let here = place[axis];
        place[0] += 1;
        if place[0] == x {
            place[0] = 0;
            place[1] += 1;
        }
        if place[1] == y {
            place[1] = 0;
            place[2] += 1;
        }
        u64::from(here)
    })
}

/// A thread's place in its block.
pub(crate) fn thread(cx: &Context, warp: u32, lane: usize) -> [u32; 3] {
    let linear = warp * LANES as u32 + lane as u32;
    let [x, y, _] = cx.threads;
    [linear % x, linear / x % y, linear / x / y]
}

/// Runs each of a warp's fibers that can. If they all did no more than give way: the most that one spent.
fn turn<L: Listener>(
    cx: &mut Context,
    (listener, own): (&mut L, &mut L::OfBlock),
    warp: &mut Warp,
) -> Result<Option<u32>, Box<Failure>> {
    if warp.fibers.len() > 1 {
        merge(&mut warp.fibers);
    }
    let mut most = Some(0);
    let mut go = |warp: &mut Warp, mut fiber: Fiber| {
        if fiber.state == State::Ready {
            warp.digest = None;
            let stop = run(cx, (&mut *listener, &mut *own), warp, &mut fiber)?;
            most = match stop {
                Stop::Yields(spent) => most.map(|most| most.max(spent)),
                Stop::Ended | Stop::Waits | Stop::Turns => None,
            };
            if stop == Stop::Ended {
                return Ok(());
            }
        }
        warp.fibers.push(fiber);
        Ok::<(), Box<Failure>>(())
    };
    // Most warps have one fiber: it keeps its place.
    if warp.fibers.len() == 1 {
        if let Some(fiber) = warp.fibers.pop() {
            go(warp, fiber)?;
        }
    } else {
        for fiber in std::mem::take(&mut warp.fibers) {
            go(warp, fiber)?;
        }
    }
    Ok(most)
}

/// Makes lanes that wait for others of their fiber one of their own; whether there were any.
fn split(warp: &mut Warp) -> bool {
    let ready = warp.fibers.iter_mut().filter(|fiber| fiber.state == State::Ready);
    let parted: Vec<Fiber> = ready.filter_map(Fiber::split).collect();
    let has_parted = !parted.is_empty();
    warp.fibers.extend(parted);
    has_parted
}

/// Lets exchanges happen whose lanes are all there.
fn grant_exchanges(warp: &mut Warp) {
    let waits = |f: &Fiber| matches!(f.state, State::Exchange(_));
    if !warp.fibers.iter().any(waits) {
        return;
    }
    merge(&mut warp.fibers);
    let states: Vec<_> = warp.fibers.iter().map(|f| (f.state, f.mask())).collect();
    for fiber in &mut warp.fibers {
        if let State::Exchange(members) = fiber.state {
            let same = states.iter().filter(|(state, _)| *state == State::Exchange(members));
            let come = same.fold(0, |mask, (_, lanes)| mask | lanes);
            if members & warp.live & !come == 0 {
                fiber.state = State::Ready;
                fiber.granted = true;
            }
        }
    }
}
