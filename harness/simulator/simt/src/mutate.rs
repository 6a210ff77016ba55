//! Mutants: copies of a PTX text with one instruction changed, each a small mistake as programmers make them.
//!
//! Whoever verifies kernels is verified by them: a verification that accepts a mutant has a gap, unless the mutant
//! computes the same (it is *equivalent*).
//!
//! ```text
//! function   what a change must know of the function around it: registers, loops
//! change     the changes of each kind to one instruction
//! ```

mod change;
mod function;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::kernel::Line;
use crate::ptx::ast::Instruction;
use crate::ptx::error::PtxError;
use crate::ptx::parser;
use function::Function;

/// What kind of mistake a mutant makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A store, a sum or another computation is left out.
    Drop,
    /// Two operands change places.
    Swap,
    /// An immediate is 1 more or less, twice as much, negated or 0.
    Constant,
    /// An address is 4 bytes off.
    Offset,
    /// A comparison includes or excludes equality, or a guard is negated.
    Predicate,
    /// Lanes exchange with other lanes, or not at all.
    Shuffle,
    /// A barrier, a fence or a wait for copies is left out.
    Barrier,
    /// A loop ends after one round, or runs once more.
    Round,
    /// Another operation: a difference for a sum, a sum for a product, the other sign.
    Operation,
    /// A register next to the right one, of the same type.
    Register,
}

impl Kind {
    /// All of them, in the order of reports.
    pub const ALL: [Kind; 10] = [
        Kind::Drop,
        Kind::Swap,
        Kind::Constant,
        Kind::Offset,
        Kind::Predicate,
        Kind::Shuffle,
        Kind::Barrier,
        Kind::Round,
        Kind::Operation,
        Kind::Register,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Drop => "drop",
            Kind::Swap => "swap",
            Kind::Constant => "constant",
            Kind::Offset => "offset",
            Kind::Predicate => "predicate",
            Kind::Shuffle => "shuffle",
            Kind::Barrier => "barrier",
            Kind::Round => "round",
            Kind::Operation => "operation",
            Kind::Register => "register",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No kind of mutant has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no kind of mutant is called `{name}`; there are {all}", all = Kind::ALL.map(Kind::name).join(", "))]
pub struct UnknownKind {
    name: String,
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Kind, UnknownKind> {
        let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownKind { name: name.to_string() })
    }
}

/// A PTX text with one instruction changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The kernel, or device function, in which it is.
    pub kernel: String,
    /// The kind of its mistake.
    pub kind: Kind,
    /// The instruction's line in the PTX.
    pub line: u32,
    /// Its line in the CUDA source, where that is known.
    pub source: Option<Line>,
    /// The instruction, as it should be.
    pub original: String,
    /// What the mutant has in its place; nothing where it is left out.
    pub changed: String,
    span: Range<usize>,
}

impl Mutant {
    /// The mutant's whole text; `text` is the one that it was made from.
    ///
    /// # Panics
    /// If it was made from another text.
    pub fn apply(&self, text: &str) -> String {
        let Range { start, end } = self.span;
        [&text[..start], &self.changed, &text[end..]].concat()
    }
}

/// All mutants of a text, in its order. Some may be refused when they are parsed: they are no mutants then.
///
/// Instructions whose results nothing reads are left alone.
///
/// # Errors
/// The text is no PTX.
pub fn mutants(file: &str, text: &str) -> Result<Vec<Mutant>, PtxError> {
    let parsed = parser::parse(text).map_err(|error| error.of_file(file, text))?;
    if let Some(error) = parsed.functions.iter().find_map(|it| it.malformed.clone()) {
        return Err(error.of_file(file, text));
    }
    let mut all = Vec::new();
    for (name, body) in parsed.functions.iter().filter_map(|it| Some((&it.name, it.body.as_ref()?)))
    {
        let function = Function::new(body);
        for instruction in function.instructions.iter().filter(|it| !function.is_dead(it)) {
            let original = instruction.to_string();
            let mut known = HashSet::from([original.clone()]);
            let source = || {
                let name = parsed.files.get(&instruction.location.file)?;
                Some(Line { file: name.clone(), line: instruction.location.line })
            };
            for (kind, changed) in change::changes(instruction, &function) {
                let changed =
                    changed.iter().map(Instruction::to_string).collect::<Vec<_>>().join(" ");
                if known.insert(changed.clone()) {
                    all.push(Mutant {
                        kernel: name.clone(),
                        kind,
                        line: instruction.line,
                        source: source(),
                        original: original.clone(),
                        changed,
                        span: instruction.span.clone(),
                    });
                }
            }
        }
    }
    Ok(all)
}
