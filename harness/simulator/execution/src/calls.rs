//! Calls of functions: each lane has its own stack of frames in local memory, and knows where it returns to.

use super::cause::{Cause, StackOverflow};
use super::context::Context;
use super::spaces::{Refused, refuse};
use memory::Storage;
use program::registers::{File, LANES, Operands, Register, Registers, Value, lanes};
use program::{Call, Callee, Function, OfStack, Place, Program};
use ptx::Space;
use ptx::space::LOCAL_START;

/// A warp's calls in progress.
#[derive(Default)]
pub struct Stacks {
    lanes: Vec<Stack>,
}

/// A lane's calls in progress.
#[derive(Default, Clone)]
struct Stack {
    calls: Vec<Record>,
    /// Registers of functions that call themselves, as they were before each of their calls.
    kept: Vec<u64>,
    /// Where the next frame begins.
    top: u64,
    /// Bytes of its frames, as far as they count.
    used: u64,
}

/// What an H100 gives calls beyond the stack's size: with 1024 bytes 21 frames of 56 have room, and 22 have not.
const BEYOND: u64 = 160;

/// Bytes of local memory for a stack of this size: what lies between frames for their alignment does not count.
pub fn stack_room(bytes: u64) -> u64 {
    3 * (bytes + BEYOND) / 2
}

/// Where a lane goes on after a call, and what the call was.
#[derive(Clone, Copy)]
struct Record {
    block: u32,
    /// Indices into the program's calls and functions.
    call: u32,
    function: u32,
    /// The caller's frame, where its next frame began, and what its own took.
    frame: u64,
    top: u64,
    used: u64,
}

/// What a call works on.
pub(super) struct Parts<'a> {
    pub registers: &'a mut Registers,
    pub local: &'a Storage,
    pub stacks: &'a mut Stacks,
}

impl Stacks {
    /// For a warp at the kernel's first instruction.
    pub(super) fn reset(&mut self, program: &Program) {
        self.lanes.clear();
        if !program.functions.is_empty() || program.uses_stack {
            self.lanes.resize(LANES, Stack { top: program.local_bytes, ..Stack::default() });
        }
    }
}

/// Calls a function, or those that a pointer leads to: the blocks at which the lanes of `mask` go on.
#[cold]
#[inline(never)]
pub(super) fn call(
    cx: &Context,
    parts: &mut Parts,
    (index, mask, back): (u32, u32, u32),
) -> Result<Vec<(u32, u32)>, Refused> {
    let call = &cx.program.calls[index as usize];
    let mut groups: Vec<(u32, u32)> = Vec::new();
    for lane in lanes(mask) {
        let refused = |cause| Box::new((lane, cause));
        let number = callee(cx.program, call, parts.registers, lane).map_err(refused)?;
        let function = &cx.program.functions[number as usize];
        enter(cx, parts, (index, number), lane, back).map_err(refused)?;
        match groups.iter_mut().find(|(entry, _)| *entry == function.entry) {
            Some((_, lanes)) => *lanes |= 1 << lane,
            None => groups.push((function.entry, 1 << lane)),
        }
    }
    Ok(groups)
}

/// The function that a lane calls.
fn callee(program: &Program, call: &Call, r: &Registers, lane: usize) -> Result<u32, Cause> {
    let missing = |reason: String| Err(Cause::Missing(reason));
    let number = match &call.callee {
        Callee::Function(number) => *number,
        Callee::Pointer(register) => {
            let address = r.double(register.index)[lane];
            match program.functions.iter().position(|f| f.address == address) {
                Some(number) => number as u32,
                None if address == 0 => return missing("a null function pointer".to_string()),
                None => {
                    return missing(format!(
                        "the pointer {address:#x}, which is no function of this call's signature"
                    ));
                }
            }
        }
        Callee::Service(_) | Callee::Missing(_) => return missing("no function".to_string()),
    };
    let function = &program.functions[number as usize];
    if let Some(reason) = &function.missing {
        return missing(format!("`{}`, which cannot be executed: {reason}", function.name));
    }
    let same = |a: &[Place], b: &[Place]| a.iter().map(|p| p.bytes).eq(b.iter().map(|p| p.bytes));
    if !same(&call.results, &function.results) || !same(&call.arguments, &function.parameters) {
        return missing(format!("`{}` with parameters of other sizes than its own", function.name));
    }
    Ok(number)
}

/// Makes a lane's frame and gives it its parameters.
fn enter(
    cx: &Context,
    parts: &mut Parts,
    (index, number): (u32, u32),
    lane: usize,
    back: u32,
) -> Result<(), Cause> {
    let call = &cx.program.calls[index as usize];
    let function = &cx.program.functions[number as usize];
    let stack = &mut parts.stacks.lanes[lane];
    let frame = stack.top.next_multiple_of(function.align);
    let end = frame.saturating_add(function.frame);
    if stack.used + function.frame > cx.stack_bytes + BEYOND || end > cx.spaces.local_bytes {
        return Err(Cause::StackOverflow(StackOverflow {
            function: function.name.clone(),
            depth: stack.calls.len(),
            stack: cx.stack_bytes,
            frame: function.frame,
        }));
    }
    let register = cx.program.frame.unwrap_or_default();
    let callers = u64::read_lane(parts.registers, register, lane);
    let Stack { top, used, .. } = *stack;
    stack.calls.push(Record {
        block: back,
        call: index,
        function: number,
        frame: callers,
        top,
        used,
    });
    stack.top = end;
    stack.used += function.frame;
    keep(parts.registers, function, lane, &mut stack.kept);
    u64::write_lane(parts.registers, register, lane, frame);
    let from = if call.in_frame { callers } else { 0 };
    for (from_place, to_place) in call.arguments.iter().zip(&function.parameters) {
        copy(
            cx,
            parts.local,
            lane,
            (from + from_place.offset, frame + to_place.offset),
            to_place.bytes,
        );
    }
    Ok(())
}

/// Gives lanes what their functions return: the blocks at which they go on.
#[cold]
#[inline(never)]
pub(super) fn leave(cx: &Context, parts: &mut Parts, mask: u32) -> Vec<(u32, u32)> {
    let mut groups: Vec<(u32, u32)> = Vec::new();
    let register = cx.program.frame.unwrap_or_default();
    for lane in lanes(mask) {
        let stack = &mut parts.stacks.lanes[lane];
        let Some(record) = stack.calls.pop() else { continue };
        let call = &cx.program.calls[record.call as usize];
        let function = &cx.program.functions[record.function as usize];
        let frame = u64::read_lane(parts.registers, register, lane);
        let to = if call.in_frame { record.frame } else { 0 };
        for (to_place, from_place) in call.results.iter().zip(&function.results) {
            let places = (frame + from_place.offset, to + to_place.offset);
            copy(cx, parts.local, lane, places, from_place.bytes);
        }
        bring_back(parts.registers, function, lane, &mut stack.kept);
        (stack.top, stack.used) = (record.top, record.used);
        u64::write_lane(parts.registers, register, lane, record.frame);
        match groups.iter_mut().find(|(block, _)| *block == record.block) {
            Some((_, lanes)) => *lanes |= 1 << lane,
            None => groups.push((record.block, 1 << lane)),
        }
    }
    groups
}

/// Allocates on the stacks of the lanes of `mask`, or saves or restores their ends.
#[cold]
#[inline(never)]
pub(super) fn of_stack(
    cx: &Context,
    parts: &mut Parts,
    what: OfStack,
    i: &Operands,
    mask: u32,
) -> Result<(), Refused> {
    for lane in lanes(mask) {
        let stack = &mut parts.stacks.lanes[lane];
        match what {
            OfStack::Save => {
                u64::write_lane(parts.registers, i.d, lane, LOCAL_START + stack.top);
            }
            OfStack::Restore => {
                let address = u64::read_lane(parts.registers, i.a, lane);
                let end = address.wrapping_sub(LOCAL_START);
                if end > stack.top || end < cx.program.local_bytes {
                    return Err(refuse(&cx.spaces, lane, Space::Local, address, 1, true));
                }
                stack.used = stack.used.saturating_sub(stack.top - end);
                stack.top = end;
            }
            OfStack::Allocate(alignment) => {
                let bytes = u64::read_lane(parts.registers, i.a, lane);
                let begin = stack.top.next_multiple_of(1 << alignment);
                let end = begin.saturating_add(bytes);
                let used = stack.used.saturating_add(bytes);
                if used > cx.stack_bytes + BEYOND || end > cx.spaces.local_bytes {
                    return Err(Box::new((
                        lane,
                        Cause::StackOverflow(StackOverflow {
                            function: "alloca".to_string(),
                            depth: stack.calls.len(),
                            stack: cx.stack_bytes,
                            frame: bytes,
                        }),
                    )));
                }
                (stack.top, stack.used) = (end, used);
                u64::write_lane(parts.registers, i.d, lane, LOCAL_START + begin);
            }
        }
    }
    Ok(())
}

/// Copies bytes of a lane's local memory.
fn copy(cx: &Context, local: &Storage, lane: usize, (from, to): (u64, u64), bytes: u64) {
    let own = lane as u64 * cx.spaces.local_stride();
    let step = if (from | to | bytes).is_multiple_of(4) { 4 } else { 1 };
    for at in (0..bytes).step_by(step) {
        let value = local.load(own + from + at, step as u64);
        local.store(own + to + at, step as u64, value);
    }
}

fn keep(registers: &Registers, function: &Function, lane: usize, kept: &mut Vec<u64>) {
    kept.extend(function.kept.iter().map(|&Register { file, index }| match file {
        File::Words => u64::from(u32::read_lane(registers, index, lane)),
        File::Doubles => u64::read_lane(registers, index, lane),
        File::Predicates => u64::from(bool::read_lane(registers, index, lane)),
    }));
}

fn bring_back(registers: &mut Registers, function: &Function, lane: usize, kept: &mut Vec<u64>) {
    for &Register { file, index } in function.kept.iter().rev() {
        let value = kept.pop().unwrap_or_default();
        match file {
            File::Words => u32::write_lane(registers, index, lane, value as u32),
            File::Doubles => u64::write_lane(registers, index, lane, value),
            File::Predicates => bool::write_lane(registers, index, lane, value != 0),
        }
    }
}
