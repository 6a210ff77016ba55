//! The syntax tree of a PTX file, with line numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use super::error::Error;
use crate::space::Space;

/// A fundamental type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Bits,
    Unsigned,
    Signed,
    Float,
    Predicate,
}

/// A type: kind and width in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Type {
    pub kind: Kind,
    /// 0 for predicates.
    pub bits: u32,
}

impl Type {
    /// Parses a type such as `u32` or `pred`.
    pub(crate) fn parse(word: &str) -> Option<Type> {
        if word == "pred" {
            return Some(Type { kind: Kind::Predicate, bits: 0 });
        }
        let kind = match word.as_bytes().first()? {
            b'b' => Kind::Bits,
            b'u' => Kind::Unsigned,
            b's' => Kind::Signed,
            b'f' => Kind::Float,
            _ => return None,
        };
        let bits = match &word[1..] {
            "128" if kind == Kind::Bits => 128,
            "8" if kind != Kind::Float => 8,
            "16" => 16,
            "32" => 32,
            "64" => 64,
            _ => return None,
        };
        Some(Type { kind, bits })
    }

    pub(crate) fn bytes(self) -> u32 {
        self.bits / 8
    }
}

/// One element of an initialiser.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Initial {
    Value(Operand),
    /// The address of a variable, possibly generic.
    Address {
        name: String,
        plus: i64,
    },
}

/// A variable or a parameter.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Variable {
    pub name: String,
    pub space: Space,
    pub element: Type,
    pub align: u32,
    pub bytes: u64,
    /// Declared as `name[]`: the launch decides its size.
    pub unsized_array: bool,
    /// A parameter or result of a device function that is a register.
    pub in_register: bool,
    /// `.attribute(.managed)`: the host accesses it too.
    pub is_managed: bool,
    pub initial: Vec<Initial>,
    pub line: u32,
}

/// An operand of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Operand {
    /// A register, variable, label or function.
    Name(String),
    /// The complement of a predicate.
    Not(String),
    /// `-%r1`: the negative of a register.
    Negative(String),
    Integer(u64),
    Single(u32),
    Double(u64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `[base + plus]`; without a base an absolute address.
    Address {
        base: Option<String>,
        plus: i64,
    },
    /// `[texture, {x, y}]`, `[texture, sampler, {x, y}]`
    Object(String, Vec<Operand>),
    /// `p|q`
    Pair(String, String),
    /// `(a, b)` of a call.
    List(Vec<Operand>),
}

/// A place in the CUDA source: index of a `.file`, and line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Location {
    pub file: u32,
    pub line: u32,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Instruction {
    /// Predicate, and whether it is negated (`@!%p`).
    pub guard: Option<(String, bool)>,
    /// With all modifiers, such as `ld.global.f32`.
    pub opcode: String,
    pub operands: Vec<Operand>,
    pub line: u32,
    pub location: Location,
    /// From its guard or opcode to its semicolon, in bytes of the text.
    pub span: Range<usize>,
}

/// A statement of a function body.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Statement {
    Label(String, u32),
    /// `.reg .b32 %r<9>`: name without the number, and the count, or one plain name.
    Registers {
        name: String,
        count: Option<u32>,
        element: Type,
        line: u32,
    },
    Variable(Variable),
    Instruction(Instruction),
    /// `name: .callprototype (results) _ (parameters);`: the signature of functions that pointers lead to.
    Prototype {
        name: String,
        results: Vec<Variable>,
        parameters: Vec<Variable>,
        line: u32,
    },
    /// `name: .calltargets f, g;`: the functions that a pointer may lead to.
    Targets {
        name: String,
        functions: Vec<String>,
        line: u32,
    },
    /// `name: .branchtargets f, g;`: the labels of a branch by number.
    BranchTargets {
        name: String,
        labels: Vec<String>,
        line: u32,
    },
    Scope(Vec<Statement>),
}

/// A kernel or a device function.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub name: String,
    pub is_kernel: bool,
    pub results: Vec<Variable>,
    pub parameters: Vec<Variable>,
    /// `.maxntid`: most threads of a block, from `__launch_bounds__`.
    pub most_threads: Option<u64>,
    /// `.reqntid`: the required shape of a block.
    pub required_block: Option<[u32; 3]>,
    /// `None` for a declaration; without statements if it is malformed.
    pub body: Option<Vec<Statement>>,
    /// The first error in the body.
    pub malformed: Option<Error>,
    pub line: u32,
}

impl Function {
    /// Whether a result or a parameter is a register.
    pub(crate) fn has_registers(&self) -> bool {
        self.results.iter().chain(&self.parameters).any(|variable| variable.in_register)
    }
}

/// A PTX file.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub files: BTreeMap<u32, String>,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
}
