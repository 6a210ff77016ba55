//! Mutants: copies of a PTX text with one instruction changed, as a small programming mistake would.
//!
//! Mutants test the verifier. A verifier that accepts a mutant has a gap, unless the mutant is *equivalent*, that is,
//! computes the same.
//!
//! ```text
//! function   facts about the function around an instruction: registers, loops
//! kind       the kinds of mistakes
//! change     the changes of each kind to one instruction
//! ```

mod change;
mod function;
mod kind;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::Range;

use crate::ast::Instruction;
use crate::error::PtxError;
use crate::line::Line;
use crate::parser::parse;
use function::Function;

pub use kind::{Kind, UnknownKind};

/// A PTX text with one instruction changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The kernel or device function with the mistake.
    pub kernel: String,
    /// The kind of mistake.
    pub kind: Kind,
    /// Line of the instruction in the PTX.
    pub line: u32,
    /// Line of the instruction in the CUDA source, if known.
    pub source: Option<Line>,
    /// Text of the original instruction.
    pub original: String,
    /// The instructions that replace it; empty if it is left out.
    pub changed: String,
    span: Range<usize>,
}

impl Mutant {
    /// The whole text of the mutant, made from the original `text`.
    ///
    /// # Panics
    /// If the mutant was made from another text.
    pub fn apply(&self, text: &str) -> String {
        let Range { start, end } = self.span;
        [&text[..start], &self.changed, &text[end..]].concat()
    }
}

/// All mutants of a text, in its order. Discard those that do not parse.
///
/// Instructions whose results are unused have no mutants.
///
/// # Errors
/// If the text is not PTX.
pub fn mutants(file: &str, text: &str) -> Result<Vec<Mutant>, PtxError> {
    let parsed = parse(text).map_err(|error| error.of_file(file, text))?;
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
