//! The syntax tree of a PTX file, with line numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use super::error::Error;
use crate::space::Space;

/// A fundamental type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `.b`: bits without meaning.
    Bits,
    /// `.u`: an unsigned integer.
    Unsigned,
    /// `.s`: a signed integer.
    Signed,
    /// `.f`: a floating-point number.
    Float,
    /// `.pred`: one bit.
    Predicate,
}

/// A type: kind and width in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type {
    /// What the bits mean.
    pub kind: Kind,
    /// Width; 0 for predicates.
    pub bits: u32,
}

impl Type {
    /// Parses a type such as `u32` or `pred`.
    pub fn parse(word: &str) -> Option<Type> {
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

    /// Size in whole bytes; 0 for predicates.
    pub fn bytes(self) -> u32 {
        self.bits / 8
    }
}

/// One element of an initialiser.
#[derive(Debug, Clone, PartialEq)]
pub enum Initial {
    /// A number, or a variable's name.
    Value(Operand),
    /// The address of a variable, possibly generic.
    Address {
        /// Name of the variable.
        name: String,
        /// Bytes that are added.
        plus: i64,
    },
}

/// A variable or a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Name in the PTX.
    pub name: String,
    /// State space.
    pub space: Space,
    /// The type of an element.
    pub element: Type,
    /// Bytes that its address is a multiple of.
    pub align: u32,
    /// Size, bytes.
    pub bytes: u64,
    /// Declared as `name[]`: the launch decides its size.
    pub unsized_array: bool,
    /// A parameter or result of a device function that is a register.
    pub in_register: bool,
    /// `.attribute(.managed)`: the host accesses it too.
    pub is_managed: bool,
    /// Its initial elements; the others are 0.
    pub initial: Vec<Initial>,
    /// Line in the PTX, from 1.
    pub line: u32,
}

/// An operand of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A register, variable, label or function.
    Name(String),
    /// The complement of a predicate.
    Not(String),
    /// `-%r1`: the negative of a register.
    Negative(String),
    /// The bits of an integer.
    Integer(u64),
    /// The bits of an `f32`.
    Single(u32),
    /// The bits of an `f64`.
    Double(u64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `[base + plus]`; without a base an absolute address.
    Address {
        /// A register or a variable.
        base: Option<String>,
        /// Bytes that are added.
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
pub struct Location {
    /// The number of its `.file`.
    pub file: u32,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// Where the kernel's own file has this code, inlined from functions of other files: `.file` and line; zeros if this is
    /// that file.
    pub caller: (u32, u32),
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// Predicate, and whether it is negated (`@!%p`).
    pub guard: Option<(String, bool)>,
    /// Opcode with all modifiers, such as `ld.global.f32`.
    pub opcode: String,
    /// Operands, in the order of the text.
    pub operands: Vec<Operand>,
    /// Line in the PTX, from 1.
    pub line: u32,
    /// Place in the CUDA source.
    pub location: Location,
    /// From its guard or opcode to its semicolon, in bytes of the text.
    pub span: Range<usize>,
}

/// A statement of a function body.
#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    /// A label and its line.
    Label(String, u32),
    /// `.reg .b32 %r<9>`: name without the number, and the count, or one plain name.
    Registers {
        /// Name without the number: `%r`.
        name: String,
        /// How many, if it was written with a number in angle brackets.
        count: Option<u32>,
        /// Type of each register.
        element: Type,
        /// Line in the PTX, from 1.
        line: u32,
    },
    /// `.shared .f32 tile[256];` and the like.
    Variable(Variable),
    /// Anything that ends with a semicolon and is no directive.
    Instruction(Instruction),
    /// `name: .callprototype (results) _ (parameters);`: the signature of functions that pointers lead to.
    Prototype {
        /// Name of the prototype.
        name: String,
        /// Results, without names.
        results: Vec<Variable>,
        /// Parameters, without names.
        parameters: Vec<Variable>,
        /// Line in the PTX, from 1.
        line: u32,
    },
    /// `name: .calltargets f, g;`: the functions that a pointer may lead to.
    Targets {
        /// Name of the list.
        name: String,
        /// Names of the functions.
        functions: Vec<String>,
        /// Line in the PTX, from 1.
        line: u32,
    },
    /// `name: .branchtargets f, g;`: the labels of a branch by number.
    BranchTargets {
        /// Name of the list.
        name: String,
        /// Labels, in the order of their numbers.
        labels: Vec<String>,
        /// Line in the PTX, from 1.
        line: u32,
    },
    /// `{ … }`: names declared inside end there.
    Scope(Vec<Statement>),
}

/// A kernel or a device function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Name in the PTX.
    pub name: String,
    /// `.entry`, not `.func`.
    pub is_kernel: bool,
    /// Results of a device function; a kernel has none.
    pub results: Vec<Variable>,
    /// Parameters, in order.
    pub parameters: Vec<Variable>,
    /// `.maxntid`: most threads of a block, from `__launch_bounds__`.
    pub most_threads: Option<u64>,
    /// `.reqntid`: the required shape of a block.
    pub required_block: Option<[u32; 3]>,
    /// `.reqnctapercluster`: the blocks of a cluster in x, y, z.
    pub required_cluster: Option<[u32; 3]>,
    /// `.explicitcluster`: it must be launched in clusters.
    pub needs_cluster: bool,
    /// `None` for a declaration; without statements if it is malformed.
    pub body: Option<Vec<Statement>>,
    /// The first error in the body.
    pub malformed: Option<Error>,
    /// Line in the PTX, from 1.
    pub line: u32,
}

impl Function {
    /// Whether a result or a parameter is a register.
    pub fn has_registers(&self) -> bool {
        self.results.iter().chain(&self.parameters).any(|variable| variable.in_register)
    }
}

/// A PTX file.
#[derive(Debug, Default)]
pub struct File {
    /// Names of the CUDA sources by their numbers.
    pub files: BTreeMap<u32, String>,
    /// Variables outside of functions.
    pub variables: Vec<Variable>,
    /// Kernels and device functions, declarations included.
    pub functions: Vec<Function>,
}
