//! Loads, stores, atomics and addresses.

use super::builder::{Builder, Result};
use super::names::{Meaning, clock};
use super::registers::file_of;
use crate::alu::Fast;
use crate::class::Class;
use crate::instruction::*;
use crate::registers::{File, Register};
use ptx::ast::{Instruction, Kind, Operand, Type};
use ptx::space::{LOCAL_START, LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, Space};

/// Modifiers for caches and memory ordering. All threads share one memory here, so they change nothing, except that
/// those in [`STRONG`] make the access strong.
const CACHING: [&str; 22] = [
    "ca", "cg", "cs", "cv", "lu", "wb", "wt", "nc", "weak", "cta", "cluster", "gpu", "sys",
    "volatile", "relaxed", "acquire", "release", "acq_rel", "noftz", "mmio", "sc", "unified",
];
const STRONG: [&str; 6] = ["volatile", "relaxed", "acquire", "release", "cv", "mmio"];

fn space(word: &str) -> Option<Space> {
    Some(match word {
        "global" => Space::Global,
        "shared" | "shared::cta" => Space::Shared,
        "shared::cluster" => Space::Cluster,
        "local" => Space::Local,
        "const" => Space::Const,
        "param" | "param::entry" | "param::func" => Space::Param,
        _ => return None,
    })
}

/// Elements of a vector.
fn vector(word: &str) -> Option<usize> {
    Some(match word {
        "v2" => 2,
        "v4" => 4,
        "v8" => 8,
        _ => return None,
    })
}

/// The modifiers of a memory instruction.
pub(super) struct Modifiers<'a> {
    pub space: Space,
    pub count: usize,
    pub element: Option<Type>,
    pub strong: bool,
    pub past_l1: bool,
    pub order: Order,
    pub scope: Scope,
    /// `.L2::cache_hint`: a policy is the last operand.
    pub hinted: bool,
    /// All other modifiers.
    pub rest: Vec<&'a str>,
}

pub(super) fn modifiers(opcode: &str) -> Modifiers<'_> {
    let mut found = Modifiers {
        space: Space::Generic,
        count: 1,
        element: None,
        strong: false,
        past_l1: false,
        order: Order::default(),
        scope: Scope::default(),
        hinted: false,
        rest: vec![],
    };
    for part in opcode.split('.').skip(1) {
        if let Some(space) = space(part) {
            found.space = space;
        } else if CACHING.contains(&part) || part.starts_with("L1::") || part.starts_with("L2::") {
            found.hinted |= part == "L2::cache_hint";
            found.strong |= STRONG.contains(&part);
            found.past_l1 |= part == "cg";
            found.order.acquire |= matches!(part, "acquire" | "acq_rel");
            found.order.release |= matches!(part, "release" | "acq_rel");
            // `volatile` is `relaxed.sys` (PTX ISA, "Volatile Operations").
            let is_of_system = matches!(part, "volatile" | "cv" | "mmio");
            let scope = if is_of_system { Some(Scope::Sys) } else { Scope::parse(part) };
            found.scope = scope.unwrap_or(found.scope);
        } else if let Some(count) = vector(part) {
            found.count = count;
        } else if let Some(element) = Type::parse(part) {
            found.element = Some(element);
        } else {
            found.rest.push(part);
        }
    }
    found
}

impl Builder<'_> {
    /// Memory instructions; `None` for other instructions.
    pub(super) fn memory(&mut self, i: &Instruction) -> Result<Option<Class>> {
        let mnemonic = i.opcode.split('.').next().unwrap_or_default();
        Ok(Some(match mnemonic {
            "ld" | "ldu" => self.load(i)?,
            "st" => self.store(i)?,
            "atom" | "red" => self.atomic(i, mnemonic == "red")?,
            "createpolicy" => self.cache_policy(i)?,
            "cvta" => self.convert_address(i)?,
            "isspacep" => self.is_space(i)?,
            "prefetch" | "prefetchu" | "discard" | "applypriority" => {
                // Caches are not simulated at this level.
                self.emit(Operation::Nothing, 0, [0; 4])?;
                Class::Other
            }
            "mov" if self.is_clock(i) => {
                let Operand::Name(name) = &i.operands[1] else { return Ok(None) };
                let bits = clock(name).unwrap_or(32);
                let element = Type { kind: Kind::Unsigned, bits };
                let d = self.destination(&i.operands[0], element)?;
                self.emit(Operation::Clock(file_of(element)), d, [0; 4])?;
                Class::Move
            }
            _ => return Ok(None),
        }))
    }

    /// Whether it reads a clock register.
    pub(super) fn is_clock(&self, i: &Instruction) -> bool {
        matches!(i.operands.get(1), Some(Operand::Name(name)) if clock(name).is_some())
    }

    /// The address operand: space, register, offset, and whether it is the same in all lanes.
    pub(super) fn address(
        &mut self,
        operand: &Operand,
        space: Space,
    ) -> Result<(Space, Register, i64, bool)> {
        let (name, plus) = match operand {
            Operand::Address { base: Some(name), plus } => (name, *plus),
            Operand::Address { base: None, plus } => {
                let index = self.constant(File::Doubles, Constant::Bits(*plus as u64))?;
                return Ok((space, Register { file: File::Doubles, index }, 0, true));
            }
            _ => return self.error("an address such as `[%rd1+4]` is needed"),
        };
        let meaning = self.meaning(name)?;
        match meaning {
            Meaning::Register(register) if register.file != File::Predicates => {
                self.reads(register);
                // A device function's parameters are local variables here.
                let of_function = space == Space::Param && self.in_function();
                let space = if of_function { Space::Local } else { space };
                Ok((space, register, plus, false))
            }
            Meaning::Frame(offset) => {
                if !matches!(space, Space::Local | Space::Param) {
                    return self
                        .error(format!("`{name}` is in local memory, not in {space} memory"));
                }
                let index = self.frame_register()?;
                let register = Register { file: File::Doubles, index };
                Ok((
                    Space::Local,
                    register,
                    plus.wrapping_add_unsigned(LOCAL_START + offset),
                    false,
                ))
            }
            Meaning::Register(_)
            | Meaning::Function(_)
            | Meaning::Label(_)
            | Meaning::BranchTargets(_)
            | Meaning::Wide(_)
            | Meaning::Signature(_) => self.error(format!("`{name}` is not an address")),
            _ => {
                let of = match meaning {
                    Meaning::Offset(of, _) | Meaning::Global(of, _) => of,
                    _ => Space::Shared,
                };
                let matches = space == of
                    || space == Space::Cluster && of == Space::Shared
                    || space == Space::Param && of == Space::Local
                    || space == Space::Generic && matches!(of, Space::Global | Space::Const);
                if !matches {
                    return self
                        .error(format!("`{name}` is in {of} memory, not in {space} memory"));
                }
                let constant = self.address_of(name, meaning, plus)?;
                let index = self.constant(File::Doubles, constant)?;
                Ok((of, Register { file: File::Doubles, index }, 0, of != Space::Local))
            }
        }
    }

    fn access(
        &mut self,
        i: &Instruction,
        address: &Operand,
        data: &Operand,
    ) -> Result<(Access, Type)> {
        let found = modifiers(&i.opcode);
        // At most eight words, and only in global memory (compute capability 10.0).
        let fits =
            |element: &Type| found.count <= 4 || element.bits == 32 && found.space == Space::Global;
        let Some(element) =
            found.element.filter(|t| matches!(t.bits, 1..=64) && found.rest.is_empty() && fits(t))
        else {
            return self.unsupported(&i.opcode);
        };
        let (space, address, plus, uniform) = self.address(address, found.space)?;
        let cell = match (element.kind, element.bits) {
            (Kind::Signed, 8) => Cell::I8,
            (_, 8) => Cell::U8,
            (Kind::Signed, 16) => Cell::I16,
            (_, 16) => Cell::U16,
            (Kind::Signed, 32) => Cell::I32,
            (_, 32) => Cell::B32,
            _ => Cell::B64,
        };
        let elements = if let Operand::Vector(all) = data { all.len() } else { 1 };
        if elements != found.count {
            return self.error(format!("`{}` needs {} registers", i.opcode, found.count));
        }
        let access = Access {
            space,
            cell,
            count: found.count as u8,
            file: file_of(element),
            data: [0; 8],
            dropped: 0,
            address,
            plus,
            uniform,
            strong: found.strong,
            past_l1: found.past_l1,
            order: found.order,
            scope: found.scope,
        };
        Ok((access, element))
    }

    fn load(&mut self, i: &Instruction) -> Result<Class> {
        self.hinted_arity(i, 2)?;
        let (mut access, element) = self.access(i, &i.operands[1], &i.operands[0])?;
        let single = std::slice::from_ref(&i.operands[0]);
        let targets = if let Operand::Vector(all) = &i.operands[0] { all } else { single };
        let mut file = None;
        for (k, operand) in targets.iter().enumerate() {
            match self.target(operand)? {
                Some(r) if r.file == File::Predicates || file.is_some_and(|f| f != r.file) => {
                    return self.error("the destination has the wrong type for this instruction");
                }
                Some(r) => {
                    file = Some(r.file);
                    access.data[k] = r.index;
                }
                None => access.dropped |= 1 << k,
            }
        }
        // A destination may be wider than the type, never narrower.
        access.file = file.unwrap_or(access.file);
        if element.bits == 64 && access.file == File::Words {
            return self.error("the destination is narrower than the type");
        }
        self.program.accesses.push(access);
        self.emit(Operation::Load(self.program.accesses.len() as u32 - 1), 0, [0; 4])?;
        Ok(match access.space {
            Space::Global | Space::Generic => Class::LoadGlobal,
            Space::Shared | Space::Cluster => Class::LoadShared,
            Space::Const => Class::LoadConst,
            Space::Param => Class::LoadParam,
            Space::Local => Class::Local,
        })
    }

    pub(super) fn store(&mut self, i: &Instruction) -> Result<Class> {
        self.hinted_arity(i, 2)?;
        let (mut access, element) = self.access(i, &i.operands[0], &i.operands[1])?;
        let single = std::slice::from_ref(&i.operands[1]);
        let sources = if let Operand::Vector(all) = &i.operands[1] { all } else { single };
        for (k, operand) in sources.iter().enumerate() {
            access.data[k] = self.source(operand, element)?;
        }
        if matches!(access.space, Space::Const | Space::Param) {
            return self.error(format!("{} memory cannot be written", access.space));
        }
        self.program.accesses.push(access);
        self.emit(Operation::Store(self.program.accesses.len() as u32 - 1), 0, [0; 4])?;
        Ok(match access.space {
            Space::Shared | Space::Cluster => Class::StoreShared,
            Space::Local => Class::Local,
            _ => Class::StoreGlobal,
        })
    }

    /// `cvta.space`, `cvta.to.space`. Global and constant addresses equal generic ones.
    fn convert_address(&mut self, i: &Instruction) -> Result<Class> {
        self.arity(i, 2)?;
        let mut parts: Vec<&str> = i.opcode.split('.').skip(1).collect();
        let to = parts.first() == Some(&"to");
        if to {
            parts.remove(0);
        }
        let [of, "u64"] = parts[..] else { return self.unsupported(&i.opcode) };
        let Some(window) = window(of) else { return self.unsupported(&i.opcode) };
        let element = Type { kind: Kind::Unsigned, bits: 64 };
        let a = self.source(&i.operands[1], element)?;
        let d = self.destination(&i.operands[0], element)?;
        if window == 0 {
            self.emit(Operation::Fast(Fast::Move64), d, [a, 0, 0, 0])?;
        } else {
            let fast = if to { Fast::SubU64 } else { Fast::AddU64 };
            let b = self.constant(File::Doubles, Constant::Bits(window))?;
            self.emit(Operation::Fast(fast), d, [a, b, 0, 0])?;
        }
        Ok(Class::Move)
    }

    /// As [`Builder::arity`], with a cache policy if the opcode has one. A policy changes no result.
    pub(super) fn hinted_arity(&mut self, i: &Instruction, wanted: usize) -> Result<()> {
        let hinted = modifiers(&i.opcode).hinted;
        self.arity(i, wanted + usize::from(hinted))?;
        if hinted {
            self.source(&i.operands[wanted], Type { kind: Kind::Bits, bits: 64 })?;
        }
        Ok(())
    }

    /// `createpolicy`. Caches have no policies here, so the value is arbitrary.
    fn cache_policy(&mut self, i: &Instruction) -> Result<Class> {
        let Some(d) = i.operands.first().filter(|_| i.opcode.ends_with(".b64")) else {
            return self.unsupported(&i.opcode);
        };
        let policy = self.constant(File::Doubles, Constant::Bits(0))?;
        let d = self.destination(d, Type { kind: Kind::Bits, bits: 64 })?;
        self.emit(Operation::Fast(Fast::Move64), d, [policy, 0, 0, 0])?;
        Ok(Class::Move)
    }

    fn is_space(&mut self, i: &Instruction) -> Result<Class> {
        self.arity(i, 2)?;
        let Some(space) = i.opcode.strip_prefix("isspacep.").and_then(space) else {
            return self.unsupported(&i.opcode);
        };
        let predicate = Type { kind: Kind::Predicate, bits: 0 };
        let a = self.source(&i.operands[1], Type { kind: Kind::Unsigned, bits: 64 })?;
        let d = self.destination(&i.operands[0], predicate)?;
        self.emit(Operation::IsSpace(space), d, [a, 0, 0, 0])?;
        Ok(Class::Predicate)
    }
}

/// The first generic address of a space; 0 if its addresses equal generic ones.
fn window(word: &str) -> Option<u64> {
    Some(match space(word)? {
        Space::Global | Space::Const => 0,
        Space::Shared | Space::Cluster => SHARED_WINDOW,
        Space::Local => LOCAL_WINDOW,
        Space::Param => PARAM_WINDOW,
        Space::Generic => return None,
    })
}
