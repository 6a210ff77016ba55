//! LLVM IR as data.

use std::collections::HashMap;
use std::rc::Rc;

use crate::types::Type;

/// A file.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    /// Attributes of functions by the number of their group.
    pub attributes: HashMap<String, HashMap<String, String>>,
    pub metadata: HashMap<u32, Node>,
}

/// A node of the debug information.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    /// Kind of the node, such as `DILocation`.
    pub kind: String,
    pub line: u32,
    pub column: u32,
    pub scope: Option<u32>,
    pub file: Option<u32>,
    pub filename: String,
}

/// A variable outside of functions.
#[derive(Debug)]
pub(crate) struct Global {
    pub name: String,
    pub space: u32,
    pub kind: Type,
    pub align: u64,
    /// `None` where it is declared only.
    pub initial: Option<Constant>,
    /// Other files may use it.
    pub is_visible: bool,
    pub line: u32,
}

/// A parameter, of a function or at a call.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    pub kind: Type,
    pub attributes: ParameterAttributes,
}

/// What is said of a parameter.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParameterAttributes {
    /// It points to a copy of a value of this type, which is passed itself.
    pub by_value: Option<Type>,
    pub align: u64,
    /// Nothing else leads to what it points to.
    pub is_unaliased: bool,
    /// Nothing is written through it.
    pub is_read_only: bool,
}

/// A function or a kernel.
#[derive(Debug)]
pub(crate) struct Function {
    pub name: String,
    pub is_kernel: bool,
    pub is_visible: bool,
    pub result: Type,
    pub parameters: Vec<Parameter>,
    /// The locals that the parameters are.
    pub arguments: Vec<Local>,
    pub attributes: HashMap<String, String>,
    /// Empty for a declaration; else the first is the entry.
    pub blocks: Vec<Block>,
    /// Number of its locals.
    pub locals: usize,
    pub line: u32,
}

/// A basic block: its last instruction ends it.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub instructions: Vec<Instruction>,
}

/// The number of a value of a function.
pub(crate) type Local = usize;
/// The number of a block of a function.
pub(crate) type Label = usize;

/// A value that an instruction uses.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Local(Local),
    Constant(Constant),
}

/// A value that is known, up to addresses.
#[derive(Debug, Clone)]
pub(crate) enum Constant {
    /// The bits of an integer or a floating-point number.
    Bits(u64),
    /// 0 in all its parts, or no matter what.
    Zero,
    /// The address of a variable or a function.
    Address(Rc<str>),
    Bytes(Vec<u8>),
    Parts(Vec<(Type, Constant)>),
    /// The same element so many times as the type has elements.
    Splat(Box<(Type, Constant)>),
    /// A pointer in another address space.
    Cast(Box<(Type, Constant)>),
    /// A pointer as a number: that of its own address space.
    Number(Box<(Type, Constant)>),
    /// A number of bytes after an address.
    After(Box<Constant>, i64),
    /// A sum or a difference of two.
    Sum(Box<(Constant, Constant)>, bool),
}

/// What arithmetic may take for granted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Flags {
    /// No unsigned overflow; of an extension, that the value is not negative.
    pub no_unsigned_wrap: bool,
    pub no_signed_wrap: bool,
    /// `or` whose operands have no bit in common.
    pub is_disjoint: bool,
    /// A product and a sum may be fused.
    pub may_contract: bool,
    /// Functions may be approximate.
    pub may_approximate: bool,
}

/// An order of memory accesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ordering {
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    Sequential,
}

/// An access to memory.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    pub kind: Type,
    pub pointer: Value,
    pub pointer_kind: Type,
    pub align: u64,
    pub is_volatile: bool,
    pub is_invariant: bool,
    pub ordering: Ordering,
    /// `syncscope`; empty for the whole system.
    pub scope: String,
}

/// A call.
#[derive(Debug)]
pub(crate) struct Call {
    pub callee: Callee,
    pub result: Type,
    pub arguments: Vec<(Parameter, Value)>,
    pub flags: Flags,
}

/// What is called.
#[derive(Debug)]
pub(crate) enum Callee {
    Name(Rc<str>),
    Pointer(Local),
    Assembly { template: String, constraints: String, has_effects: bool },
}

/// An instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    pub result: Option<Local>,
    pub action: Action,
    /// Line in the LLVM IR, from 1.
    pub line: u32,
    /// The node that says where its source is.
    pub location: Option<u32>,
}

/// What an instruction does.
#[derive(Debug)]
pub(crate) enum Action {
    /// `add`, `fmul` and the like, by name.
    Binary {
        name: &'static str,
        flags: Flags,
        kind: Type,
        left: Value,
        right: Value,
    },
    Negate {
        kind: Type,
        value: Value,
    },
    /// `icmp` and `fcmp` with their predicates.
    Compare {
        predicate: String,
        is_float: bool,
        kind: Type,
        left: Value,
        right: Value,
    },
    /// `zext`, `bitcast` and the like, by name.
    Convert {
        name: &'static str,
        flags: Flags,
        from: Type,
        value: Value,
        to: Type,
    },
    Select {
        condition_kind: Type,
        condition: Value,
        kind: Type,
        yes: Value,
        no: Value,
    },
    Phi {
        kind: Type,
        incoming: Vec<(Value, Label)>,
    },
    Element {
        base: Type,
        pointer_kind: Type,
        pointer: Value,
        indices: Vec<(Type, Value)>,
    },
    Load(Access),
    Store(Access, Value),
    Exchange {
        name: String,
        access: Access,
        value: Value,
    },
    CompareExchange {
        access: Access,
        expected: Value,
        value: Value,
    },
    Fence {
        ordering: Ordering,
        scope: String,
    },
    Allocate {
        kind: Type,
        count: u64,
        align: u64,
    },
    Call(Call),
    ExtractValue {
        kind: Type,
        value: Value,
        path: Vec<u64>,
    },
    InsertValue {
        kind: Type,
        value: Value,
        part_kind: Type,
        part: Value,
        path: Vec<u64>,
    },
    ExtractElement {
        kind: Type,
        value: Value,
        index: Value,
    },
    InsertElement {
        kind: Type,
        value: Value,
        element: Value,
        index: Value,
    },
    Shuffle {
        kind: Type,
        left: Value,
        right: Value,
        mask: Vec<Option<u64>>,
    },
    Freeze {
        kind: Type,
        value: Value,
    },
    Jump(Label),
    Branch {
        condition: Value,
        yes: Label,
        no: Label,
    },
    Switch {
        kind: Type,
        value: Value,
        cases: Vec<(u64, Label)>,
        otherwise: Label,
    },
    Return {
        kind: Type,
        value: Option<Value>,
    },
    Unreachable,
}

impl Action {
    /// The blocks that may come next; empty for what ends no block.
    pub fn targets(&self) -> Vec<Label> {
        match self {
            Action::Jump(label) => vec![*label],
            Action::Branch { yes, no, .. } => vec![*yes, *no],
            Action::Switch { cases, otherwise, .. } => {
                std::iter::once(*otherwise).chain(cases.iter().map(|it| it.1)).collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn ends_block(&self) -> bool {
        matches!(
            self,
            Action::Jump(_)
                | Action::Branch { .. }
                | Action::Switch { .. }
                | Action::Return { .. }
                | Action::Unreachable
        )
    }
}
