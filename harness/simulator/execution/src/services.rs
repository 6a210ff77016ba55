//! Calls of the device runtime: `printf`, `assert`, `malloc`, `free` and `cudaGraphSetConditional`.

use super::calls::Parts;
use super::cause::Cause;
use super::context::Context;
use super::spaces::{Refused, refuse, window};
use crate::fault::Assertion;
use crate::heap::HeapOperation;
use crate::printed::{Arguments, format};
use memory::Storage;
use program::registers::{Value, lanes};
use program::{Call, Callee, Place, Service};
use ptx::Space;

/// Most bytes of a string; a longer one is cut.
const LONGEST: usize = 1 << 16;

/// Serves the lanes of `mask`, lowest first. `place` is the warp and the place in the program.
#[cold]
#[inline(never)]
pub(super) fn serve(
    cx: &mut Context,
    parts: &mut Parts,
    index: u32,
    (warp, at): (u32, u32),
    mask: u32,
) -> Result<(), Refused> {
    let program = cx.program;
    let call = &program.calls[index as usize];
    for lane in lanes(mask) {
        let frame = match program.frame {
            Some(register) if call.in_frame => u64::read_lane(parts.registers, register, lane),
            _ => 0,
        };
        let own =
            Own { local: parts.local, lane, start: frame + lane as u64 * cx.spaces.local_stride() };
        let refused = |cause| Box::new((lane, cause));
        let result = match &call.callee {
            Callee::Service(Service::Print) => print(cx, &own, call)?,
            Callee::Service(Service::Assert) => {
                return Err(refused(Cause::Assertion(assertion(cx, &own, call)?)));
            }
            Callee::Service(Service::Allocate) => {
                let bytes = own.get(call.arguments[0]);
                cx.spaces.heap.map_or(0, |heap| heap.alloc(bytes, operation(cx, (warp, lane), at)))
            }
            Callee::Service(Service::Free) => {
                let address = own.get(call.arguments[0]);
                let freed =
                    cx.spaces.heap.map(|heap| heap.free(address, operation(cx, (warp, lane), at)));
                freed.unwrap_or(Ok(())).map_err(|bad| refused(Cause::Free(bad)))?;
                0
            }
            Callee::Service(Service::SetConditional) => {
                own.write_word(cx, own.get(call.arguments[0]), own.get(call.arguments[1]))?;
                0
            }
            Callee::Missing(reason) => return Err(refused(Cause::Missing(reason.clone()))),
            Callee::Function(_) | Callee::Pointer(_) => 0,
        };
        if let Some(&place) = call.results.first() {
            own.set(place, result);
        }
    }
    Ok(())
}

/// A lane's variables.
struct Own<'a> {
    local: &'a Storage,
    lane: usize,
    /// Where its frame begins in the storage.
    start: u64,
}

impl Own<'_> {
    fn get(&self, Place { offset, bytes }: Place) -> u64 {
        self.local.load(self.start + offset, bytes)
    }

    fn set(&self, Place { offset, bytes }: Place, value: u64) {
        self.local.store(self.start + offset, bytes, value);
    }

    /// Reads 1, 4 or 8 bytes at a generic address.
    fn read(&self, cx: &Context, address: u64, bytes: u64) -> Result<u64, Refused> {
        let spaces = &cx.spaces;
        let found =
            window(spaces, self.local, Space::Generic, address, false, &mut u32::MAX.clone());
        found
            .and_then(|window| {
                Some(window.storage.load(window.offset(self.lane, address, bytes)?, bytes))
            })
            .ok_or_else(|| refuse(spaces, self.lane, Space::Generic, address, bytes, false))
    }

    /// Writes a word of global memory.
    fn write_word(&self, cx: &Context, address: u64, value: u64) -> Result<(), Refused> {
        let spaces = &cx.spaces;
        let found = window(spaces, self.local, Space::Global, address, true, &mut u32::MAX.clone());
        found
            .and_then(|window| {
                let offset = window.offset(self.lane, address, 4)?;
                window.storage.store(offset, 4, value);
                Some(())
            })
            .ok_or_else(|| refuse(spaces, self.lane, Space::Global, address, 4, true))
    }

    /// The bytes up to a zero.
    fn text(&self, cx: &Context, address: u64, most: usize) -> Result<Vec<u8>, Refused> {
        let mut text = Vec::new();
        for at in 0..most.min(LONGEST) as u64 {
            match self.read(cx, address.wrapping_add(at), 1)? as u8 {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }

    fn words(&self, cx: &Context, place: Place) -> Result<String, Refused> {
        let text = self.text(cx, self.get(place), LONGEST)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// The arguments of a `printf`, as the compiler lays them out: each at a multiple of its size.
struct Buffer<'a, 'c> {
    cx: &'a Context<'c>,
    own: &'a Own<'a>,
    next: u64,
}

impl Arguments for Buffer<'_, '_> {
    type Error = Refused;

    fn next(&mut self, bytes: u64) -> Result<u64, Refused> {
        let at = self.next.checked_next_multiple_of(bytes).unwrap_or_default();
        self.next = at.wrapping_add(bytes);
        self.own.read(self.cx, at, bytes)
    }

    fn text(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Refused> {
        self.own.text(self.cx, address, most)
    }
}

/// Prints, and gives the number of arguments.
fn print(cx: &mut Context, own: &Own, call: &Call) -> Result<u64, Refused> {
    let [text, buffer] = [0, 1].map(|index| own.get(call.arguments[index]));
    if text == 0 {
        return Ok(u64::MAX);
    }
    let text = own.text(cx, text, LONGEST)?;
    let mut arguments = Buffer { cx, own, next: buffer };
    let (text, count) = format(&text, &mut arguments)?;
    cx.prints.push(cx.block_number(), text);
    Ok(count.into())
}

fn assertion(cx: &Context, own: &Own, call: &Call) -> Result<Assertion, Refused> {
    let [expression, file, line, function, _] = call.arguments[..] else {
        return Ok(Assertion::default());
    };
    Ok(Assertion {
        expression: own.words(cx, expression)?,
        file: own.words(cx, file)?,
        line: own.get(line) as u32,
        function: own.words(cx, function)?,
    })
}

fn operation(cx: &Context, (warp, lane): (u32, usize), at: u32) -> HeapOperation {
    let line = cx.kernel.line_of(cx.kernel.instruction(at));
    HeapOperation { line, block: cx.block, thread: cx.thread(warp, lane) }
}
