//! Variables outside of functions.

use std::fmt::Write;

use super::context::Context;
use super::names;
use crate::error::{Problem, problem};
use crate::machine::Space;
use crate::syntax::{Constant, Global};
use crate::types::Type;

/// The most bytes that an initialiser may have.
const MOST_BYTES: u64 = 1 << 24;

/// Where a variable lies: what has no address space is in global memory.
pub(super) fn space(global: &Global) -> Result<Space, Problem> {
    match global.space {
        0 => Ok(Space::Global),
        number => match Space::of_number(number) {
            Some(space) => Ok(space),
            None => problem(format!("@{}: the address space {number} is not known", global.name)),
        },
    }
}

pub(super) fn is_shared(global: &Global) -> bool {
    global.space == 3
}

/// Whether the host can ask for it.
pub(super) fn is_visible(global: &Global) -> bool {
    global.is_visible && !is_shared(global) && global.initial.is_some()
}

/// Whether it is in constant memory and holds addresses.
pub(super) fn has_constant_address(global: &Global) -> bool {
    global.space == 4 && global.initial.iter().any(|it| !names::of_constant(it).is_empty())
}

/// Its declaration, a line.
pub(super) fn declare(context: &Context, global: &Global) -> Result<String, Problem> {
    let space = space(global)?.modifier();
    let (name, align, size) = (names::of_symbol(&global.name), global.align, global.kind.size()?);
    let Some(initial) = &global.initial else {
        let size = if size == 0 { String::new() } else { size.to_string() };
        return Ok(format!(".extern {space} .align {align} .b8 {name}[{size}];\n"));
    };
    let visible = if is_visible(global) { ".visible " } else { "" };
    let mut image = Image { bytes: Vec::new(), addresses: Vec::new() };
    if !is_shared(global) {
        image.add(&global.kind, initial, 0)?;
    }
    let size = size.max(1);
    if !image.addresses.is_empty() {
        let words = image.words(context, size)?;
        let count = size / 8;
        return Ok(format!(
            "{visible}{space} .align {align} .u64 {name}[{count}] = {{{words}}};\n"
        ));
    }
    let last = image.bytes.iter().rposition(|byte| *byte != 0);
    let values = last.map_or_else(String::new, |last| {
        let bytes: Vec<String> = image.bytes[..=last].iter().map(ToString::to_string).collect();
        format!(" = {{{}}}", bytes.join(", "))
    });
    Ok(format!("{visible}{space} .align {align} .b8 {name}[{size}]{values};\n"))
}

/// What a variable holds at first.
struct Image {
    bytes: Vec<u8>,
    /// Offset, symbol and what is added to it.
    addresses: Vec<(u64, std::rc::Rc<str>, i64)>,
}

impl Image {
    fn add(&mut self, kind: &Type, constant: &Constant, at: u64) -> Result<(), Problem> {
        match constant {
            Constant::Zero => Ok(()),
            Constant::Bits(bits) => {
                let size = kind.scalar()?.bytes() as usize;
                self.write(at, &bits.to_le_bytes()[..size])
            }
            Constant::Bytes(bytes) => self.write(at, bytes),
            Constant::Parts(parts) => {
                for ((part, constant), index) in parts.iter().zip(0..) {
                    let (_, offset, _) = kind.part(index)?;
                    self.add(part, constant, at + offset)?;
                }
                Ok(())
            }
            Constant::Splat(element) => {
                let size = element.0.size()?.max(1);
                let count = kind.size()? / size;
                if count > MOST_BYTES {
                    return problem("a variable is too large to be initialised");
                }
                (0..count).try_for_each(|index| self.add(&element.0, &element.1, at + index * size))
            }
            Constant::Address(_)
            | Constant::Cast(_)
            | Constant::Number(_)
            | Constant::After(..)
            | Constant::Sum(..) => {
                let (symbol, plus) = address(constant)?;
                self.addresses.push((at, symbol, plus));
                Ok(())
            }
        }
    }

    fn write(&mut self, at: u64, bytes: &[u8]) -> Result<(), Problem> {
        let end = at + bytes.len() as u64;
        if end > MOST_BYTES {
            return problem("a variable is too large to be initialised");
        }
        if self.bytes.len() < end as usize {
            self.bytes.resize(end as usize, 0);
        }
        self.bytes[at as usize..end as usize].copy_from_slice(bytes);
        Ok(())
    }

    /// As words of 64 bits, among them the addresses.
    fn words(&self, context: &Context, size: u64) -> Result<String, Problem> {
        if !size.is_multiple_of(8)
            || size > MOST_BYTES
            || self.addresses.iter().any(|it| !it.0.is_multiple_of(8))
        {
            return problem("an address that is not at a multiple of 8 bytes is not supported");
        }
        let mut text = String::new();
        for at in (0..size).step_by(8) {
            let separator = if at == 0 { "" } else { ", " };
            if let Some((_, symbol, plus)) = self.addresses.iter().find(|it| it.0 == at) {
                let name = names::of_symbol(symbol);
                let is_function = context.functions.contains_key(symbol.as_ref());
                let name = if is_function { name.to_string() } else { format!("generic({name})") };
                let plus = if *plus == 0 { String::new() } else { format!("{plus:+}") };
                let _ = write!(text, "{separator}{name}{plus}");
                continue;
            }
            let bytes = self.bytes.iter().skip(at as usize).take(8).rev();
            let word = bytes.fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
            let missing = (at + 8).saturating_sub((self.bytes.len() as u64).max(at)).min(8);
            let _ = write!(text, "{separator}{}", if missing == 8 { 0 } else { word });
        }
        Ok(text)
    }
}

/// A symbol and a number of bytes.
fn address(constant: &Constant) -> Result<(std::rc::Rc<str>, i64), Problem> {
    match constant {
        Constant::Address(name) => Ok((name.clone(), 0)),
        Constant::Cast(inner) | Constant::Number(inner) => address(&inner.1),
        Constant::After(base, plus) => {
            let (name, before) = address(base)?;
            Ok((name, before.wrapping_add(*plus)))
        }
        _ => problem("this initialiser is not supported: an address and a number are"),
    }
}
