//! What a thread asks: what time it is, and of which space an address is.

use super::context::Context;
use program::registers::{File, Operands, Registers, Value};
use ptx::space::{LOCAL_WINDOW, PARAM_WINDOW, RANK_BYTES, SHARED_WINDOW, Space, WINDOW_BYTES};

/// Cycles that go by with each block executed, about as many as a short loop takes for a round on a GPU.
const CYCLES: u64 = 32;

/// Time goes by with the blocks executed: deterministic, and never standing still in a loop.
pub(super) fn clock(cx: &Context, registers: &mut Registers, file: File, i: &Operands, mask: u32) {
    let now = CYCLES * cx.counts.iter().map(|count| count.executions).sum::<u64>();
    match file {
        File::Doubles => u64::write(registers, i.d, mask, &[now; 32]),
        _ => u32::write(registers, i.d, mask, &[now as u32; 32]),
    }
}

pub(super) fn is_space(
    cx: &Context,
    registers: &mut Registers,
    space: Space,
    i: &Operands,
    mask: u32,
) {
    let inside = |base: u64, a: u64| a.wrapping_sub(base) < WINDOW_BYTES;
    let result = registers.double(i.a).map(|a| match space {
        Space::Shared => inside(SHARED_WINDOW, a) && a - SHARED_WINDOW < RANK_BYTES,
        Space::Cluster => inside(SHARED_WINDOW, a),
        Space::Local => inside(LOCAL_WINDOW, a),
        Space::Param => inside(PARAM_WINDOW, a),
        Space::Const => cx.spaces.memory.is_read_only(a),
        _ => ![SHARED_WINDOW, LOCAL_WINDOW, PARAM_WINDOW].into_iter().any(|base| inside(base, a)),
    });
    bool::write(registers, i.d, mask, &result);
}
