//! Instructions, blocks and code.

use std::borrow::Cow;
use std::rc::Rc;

use crate::types::Class;

/// The number of a register of a function.
pub(crate) type Register = u32;

/// What an address begins with.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Base {
    Register(Register),
    /// A variable or a parameter.
    Symbol(Rc<str>),
    /// An absolute address.
    Nothing,
}

/// An operand of an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Operand {
    Register(Register),
    Integer(i64),
    /// The bits of an `f32`.
    Single(u32),
    /// The bits of an `f64`.
    Double(u64),
    /// A special register, or a symbol whose address is meant.
    Name(Rc<str>),
    /// `[base + plus]`
    Memory(Base, i64),
}

/// A state space, as modifiers of instructions name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Generic,
    Global,
    Shared,
    Const,
    Local,
    Param,
}

/// A load or a store.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Access {
    pub space: Space,
    /// Words between the instruction's name and the type, such as `.volatile.global` and `.global.nc`.
    pub modifiers: String,
    /// PTX type of an element, such as `f32`.
    pub element: &'static str,
    /// Bytes of one element.
    pub bytes: u64,
    /// Bytes that the address of the first element is a multiple of.
    pub align: u64,
    /// Others may be moved across it, and it may be joined with others.
    pub is_plain: bool,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    Result(usize),
    Operand(usize),
}

/// What an instruction does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form {
    /// The opcode of what depends on its operands only: it may be removed, moved and joined with its equal.
    Pure(Cow<'static, str>),
    /// The opcode of what stays where it is.
    Fixed(Cow<'static, str>),
    Load(Access),
    /// Its operands are the address and the elements.
    Store(Access),
    /// Inline assembly or a call: its results are written before all its operands are read.
    Text {
        pieces: Vec<Piece>,
        /// Numbers of results and operands that share a register: the operand is there when the text begins.
        tied: Vec<(usize, usize)>,
        has_effects: bool,
    },
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Instruction {
    pub form: Form,
    pub results: Vec<Register>,
    pub operands: Vec<Operand>,
    /// The node that says where its source is.
    pub location: Option<u32>,
}

/// A value that depends on the block before.
#[derive(Debug, Clone)]
pub(crate) struct Phi {
    pub result: Register,
    /// One for each block before.
    pub incoming: Vec<(usize, Operand)>,
}

/// How a block ends.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    Jump(usize),
    Branch { predicate: Register, yes: usize, no: usize },
    Return,
    Exit,
}

/// A basic block.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    pub phis: Vec<Phi>,
    pub instructions: Vec<Instruction>,
    pub end: End,
    /// Where the source of its end is.
    pub location: Option<u32>,
}

/// A function's code; the first block is the entry.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub blocks: Vec<Block>,
    /// The classes of all registers.
    pub classes: Vec<Class>,
}

impl Operand {
    /// The register that it reads.
    pub fn register(&self) -> Option<Register> {
        match self {
            Operand::Register(register) | Operand::Memory(Base::Register(register), _) => {
                Some(*register)
            }
            _ => None,
        }
    }

    /// The register that it reads, to be changed.
    pub(super) fn register_mut(&mut self) -> Option<&mut Register> {
        match self {
            Operand::Register(register) | Operand::Memory(Base::Register(register), _) => {
                Some(register)
            }
            _ => None,
        }
    }
}

impl Space {
    /// The space of an address space of LLVM's.
    pub fn of_number(number: u32) -> Option<Space> {
        Some(match number {
            0 => Space::Generic,
            1 => Space::Global,
            3 => Space::Shared,
            4 => Space::Const,
            5 => Space::Local,
            101 => Space::Param,
            _ => return None,
        })
    }

    /// The modifier of an access, without the dot; none for generic ones.
    pub fn modifier(self) -> &'static str {
        match self {
            Space::Generic => "",
            Space::Global => ".global",
            Space::Shared => ".shared",
            Space::Const => ".const",
            Space::Local => ".local",
            Space::Param => ".param",
        }
    }
}

impl Instruction {
    /// The registers that it reads.
    pub fn reads(&self) -> impl Iterator<Item = Register> {
        self.operands.iter().filter_map(Operand::register)
    }

    pub fn is_pure(&self) -> bool {
        matches!(self.form, Form::Pure(_))
    }

    /// Whether nothing is lost without it where nobody reads its results.
    pub(super) fn is_removable(&self) -> bool {
        match &self.form {
            Form::Pure(_) => true,
            Form::Load(access) => access.is_plain,
            Form::Text { has_effects, .. } => !has_effects,
            Form::Fixed(_) | Form::Store(_) => false,
        }
    }
}

impl End {
    /// The blocks that may come next.
    pub fn targets(&self) -> Vec<usize> {
        match self {
            End::Jump(to) => vec![*to],
            End::Branch { yes, no, .. } => vec![*yes, *no],
            End::Return | End::Exit => Vec::new(),
        }
    }

    /// Changes the blocks that come next.
    pub(super) fn retarget(&mut self, change: impl Fn(usize) -> usize) {
        match self {
            End::Jump(to) => *to = change(*to),
            End::Branch { yes, no, .. } => (*yes, *no) = (change(*yes), change(*no)),
            End::Return | End::Exit => {}
        }
    }
}

impl Code {
    pub fn register(&mut self, class: Class) -> Register {
        self.classes.push(class);
        self.classes.len() as Register - 1
    }
}
