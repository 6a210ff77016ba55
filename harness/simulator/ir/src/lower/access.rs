//! Loads and stores.

use super::function::Lowerer;
use super::part::Part;
use crate::error::{Problem, problem};
use crate::machine::{self, Base, Form, Operand, Register, Space};
use crate::syntax::{Access, Ordering, Value};
use crate::types::{Class, Scalar};

/// The type of bits in memory.
pub(super) fn element(bits: u64) -> &'static str {
    match bits {
        8 => "u8",
        16 => "b16",
        32 => "b32",
        _ => "b64",
    }
}

/// The width of the register that bits in memory are loaded into.
pub(super) fn class_in_memory(bytes: u64) -> Class {
    match bytes {
        1 | 2 => Class::B16,
        4 => Class::B32,
        _ => Class::B64,
    }
}

/// The scope of an order as PTX names it.
pub(super) fn scope(name: &str) -> Result<&'static str, Problem> {
    Ok(match name {
        "" => ".sys",
        "device" | "agent" => ".gpu",
        "cluster" => ".cluster",
        "block" | "workgroup" => ".cta",
        // Of one thread or one warp: the nearest that there is.
        "singlethread" | "wavefront" => ".cta",
        _ => return problem(format!("the scope `{name}` is not known")),
    })
}

impl Lowerer<'_> {
    pub fn load(&mut self, access: &Access, is_read_only: bool) -> Result<Vec<Part>, Problem> {
        let (base, plus, space) = self.pointer(&access.pointer, &access.pointer_kind)?;
        let never_changes = space == Space::Global
            && (self.is_read_only(&access.pointer) || is_read_only || access.is_invariant);
        let modifiers = match (access.ordering, access.is_volatile) {
            (Ordering::Plain, false) if never_changes => ".global.nc".to_string(),
            (Ordering::Plain | Ordering::Relaxed, true) => volatile(space),
            (Ordering::Plain, false) => space.modifier().to_string(),
            (Ordering::Relaxed, _) => {
                format!(".relaxed{}{}", scope(&access.scope)?, space.modifier())
            }
            (ordering, _) => {
                if ordering == Ordering::Sequential {
                    let fence = format!("fence.sc{}", scope(&access.scope)?);
                    self.push(Form::Fixed(fence.into()), Vec::new(), Vec::new());
                }
                format!(".acquire{}{}", scope(&access.scope)?, space.modifier())
            }
        };
        let mut parts = Vec::new();
        for (scalar, offset) in access.kind.places()? {
            let form = self.form(access, scalar, offset, space, &modifiers)?;
            let bytes = scalar.bytes();
            let loaded = self.code.register(class_in_memory(bytes));
            let address = Operand::Memory(base.clone(), plus.wrapping_add(offset as i64));
            self.push(Form::Load(form), vec![loaded], vec![address]);
            let operand = self.loaded_scalar(loaded, bytes as u32 * 8, scalar);
            parts.push(match scalar {
                Scalar::Pointer(_) => Part::of_pointer(&self.loaded_pointer(operand, space)),
                _ => Part::Value(operand),
            });
        }
        Ok(parts)
    }

    /// A pointer that was read: those of constant memory and parameters are known to lead to global memory.
    fn loaded_pointer(&mut self, operand: Operand, space: Space) -> Operand {
        let is_global = match space {
            Space::Const => !self.context.has_constant_addresses,
            Space::Param => self.function.is_kernel,
            _ => false,
        };
        match is_global {
            true => Operand::Register(self.pure("cvta.to.global.u64", Class::B64, vec![operand])),
            false => operand,
        }
    }

    fn is_read_only(&self, pointer: &Value) -> bool {
        matches!(pointer, Value::Local(local) if self.origins[*local].is_read_only)
    }

    fn form(
        &self,
        access: &Access,
        scalar: Scalar,
        offset: u64,
        space: Space,
        modifiers: &str,
    ) -> Result<machine::Access, Problem> {
        let bytes = scalar.bytes();
        let bits = scalar.bits();
        if bits > 1 && u64::from(bits) != bytes * 8 {
            return problem(format!("an integer of {bits} bits in memory is not supported"));
        }
        let align =
            if offset == 0 { access.align } else { access.align.min(1 << offset.trailing_zeros()) };
        if align < bytes {
            return problem(format!(
                "an access to {bytes} bytes at a multiple of {align} is not supported: data must be aligned"
            ));
        }
        Ok(machine::Access {
            space,
            modifiers: modifiers.to_string(),
            element: element(bytes * 8),
            bytes,
            align,
            is_plain: access.ordering == Ordering::Plain && !access.is_volatile,
        })
    }

    /// A scalar from so many bits of memory in a register.
    pub fn loaded_scalar(&mut self, loaded: Register, bits: u32, scalar: Scalar) -> Operand {
        match scalar {
            Scalar::Integer(1) => {
                self.resized(Scalar::Integer(bits), Operand::Register(loaded), scalar, false)
            }
            scalar if scalar.class() == self.code.classes[loaded as usize] => {
                Operand::Register(loaded)
            }
            scalar => {
                let same = Scalar::Integer(scalar.bits());
                self.resized(Scalar::Integer(bits), Operand::Register(loaded), same, false)
            }
        }
    }

    /// A scalar in a register, or as a constant, as memory holds it.
    pub fn stored_scalar(&mut self, operand: Operand, scalar: Scalar) -> Operand {
        match (scalar, operand) {
            (Scalar::Integer(1), Operand::Integer(value)) => Operand::Integer(value & 1),
            (Scalar::Integer(1), operand) => {
                self.resized(scalar, operand, Scalar::Integer(16), false)
            }
            (_, operand) => operand,
        }
    }

    pub fn store(&mut self, access: &Access, value: &Value) -> Result<(), Problem> {
        let (base, plus, space) = self.pointer(&access.pointer, &access.pointer_kind)?;
        if matches!(space, Space::Const | Space::Param) {
            return problem(format!("a store into {space:?} memory, which cannot be written"));
        }
        let modifiers = match (access.ordering, access.is_volatile) {
            (Ordering::Plain | Ordering::Relaxed, true) => volatile(space),
            (Ordering::Plain, false) => space.modifier().to_string(),
            (Ordering::Relaxed, _) => {
                format!(".relaxed{}{}", scope(&access.scope)?, space.modifier())
            }
            (ordering, _) => {
                if ordering == Ordering::Sequential {
                    let fence = format!("fence.sc{}", scope(&access.scope)?);
                    self.push(Form::Fixed(fence.into()), Vec::new(), Vec::new());
                }
                format!(".release{}{}", scope(&access.scope)?, space.modifier())
            }
        };
        let values = self.parts(&access.kind, value)?;
        for ((scalar, offset), value) in access.kind.places()?.into_iter().zip(values) {
            let form = self.form(access, scalar, offset, space, &modifiers)?;
            let value = self.stored_scalar(value, scalar);
            let address = Operand::Memory(base.clone(), plus.wrapping_add(offset as i64));
            self.push(Form::Store(form), Vec::new(), vec![address, value]);
        }
        Ok(())
    }

    /// A plain access to so many bytes.
    pub fn plain(space: Space, bytes: u64, align: u64) -> machine::Access {
        machine::Access {
            space,
            modifiers: space.modifier().to_string(),
            element: element(bytes * 8),
            bytes,
            align,
            is_plain: true,
        }
    }

    /// An address as an operand.
    pub fn memory(base: &Base, plus: i64) -> Operand {
        Operand::Memory(base.clone(), plus)
    }
}

/// The modifiers of a volatile access: memory that nobody else can change has none.
fn volatile(space: Space) -> String {
    match space {
        Space::Const | Space::Param | Space::Local => space.modifier().to_string(),
        space => format!(".volatile{}", space.modifier()),
    }
}
