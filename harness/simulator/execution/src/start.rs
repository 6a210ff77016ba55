//! What a warp's registers and memory hold when its block begins.

use super::attendance::Attendance;
use super::context::Context;
use super::control::Fiber;
use super::garbage::GARBAGE;
use super::products::Progress;
use super::random::mix;
use super::warp::Warp;
use memory::Storage;
use program::registers::{File, LANES, Register, Registers, Value};
use program::{Constant, Half, Special};

/// Puts a warp at the kernel's first instruction.
pub(super) fn start(cx: &mut Context, warp: &mut Warp, index: u32, threads: u32) {
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
    for &(register, special) in &cx.of_block {
        let place = match special {
            Special::Block(axis) => cx.block[usize::from(axis)],
            special => cx.clusters.value(special, cx.block),
        };
        match register.file {
            File::Words => *warp.registers.word_mut(register.index) = [place; LANES],
            _ => set(&mut warp.registers, register, [place.into(); LANES]),
        }
    }
    warp.digest = None;
    warp.pause = 0;
    let left = threads - index * LANES as u32;
    warp.live = if left >= LANES as u32 { u32::MAX } else { (1 << left) - 1 };
    warp.fibers.clear();
    warp.copies.clear();
    warp.landings.begin(mix(cx.seed ^ mix(cx.block_number()) ^ u64::from(index)));
    warp.attendance = Attendance::default();
    warp.products = Progress::default();
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
        Special::Thread(axis) => cx.thread(warp, lane)[usize::from(axis)],
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
        Special::Processors => 1,
        Special::DynamicSharedBytes => cx.dynamic_shared_bytes,
        Special::GridWorkspace(Half::Low) => cx.grid_workspace as u32,
        Special::GridWorkspace(Half::High) => (cx.grid_workspace >> 32) as u32,
        Special::Cluster(_)
        | Special::Clusters(_)
        | Special::BlockOfCluster(_)
        | Special::BlocksOfCluster(_)
        | Special::ClusterRank
        | Special::ClusterSize
        | Special::IsExplicitCluster => cx.clusters.value(special, cx.block),
        Special::SharedBytes => cx.spaces.shared_bytes as u32,
        Special::Processor | Special::Grid | Special::Zero => 0,
    })
}

/// The places of a warp's threads in their block, along one axis.
fn threads_of(cx: &Context, warp: u32, axis: usize) -> [u64; LANES] {
    let [x, y, _] = cx.threads;
    let mut place = cx.thread(warp, 0);
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
