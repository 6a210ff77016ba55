//! A module and what is known of all of it.

use std::collections::HashMap;

use crate::error::{IrError, Problem};
use crate::options::Options;
use crate::syntax::{Function, Global, Module};

/// A module and what is known of all of it.
pub(crate) struct Context<'a> {
    pub module: &'a Module,
    pub options: &'a Options,
    pub globals: HashMap<&'a str, &'a Global>,
    pub functions: HashMap<&'a str, &'a Function>,
    /// Whether a variable in constant memory holds addresses of others: pointers there may then lead anywhere.
    pub has_constant_addresses: bool,
    /// The numbers of the files of the source.
    pub files: HashMap<String, u32>,
}

impl Context<'_> {
    /// The file and line of a node of the debug information.
    pub fn source_line(&self, location: u32) -> Option<(String, u32)> {
        let node = self.module.metadata.get(&location).filter(|it| it.kind == "DILocation")?;
        Some((self.file_of(node.scope?)?, node.line))
    }

    /// The number of a node's file, its line and column.
    pub fn place(&self, location: u32) -> Option<(u32, u32, u32)> {
        let node = self.module.metadata.get(&location).filter(|it| it.kind == "DILocation")?;
        let file = self.files.get(&self.file_of(node.scope?)?)?;
        Some((*file, node.line, node.column))
    }

    /// The file of a scope, or of one around it.
    fn file_of(&self, mut scope: u32) -> Option<String> {
        for _ in 0..64 {
            let node = self.module.metadata.get(&scope)?;
            match node.file {
                Some(file) => return Some(self.module.metadata.get(&file)?.filename.clone()),
                None => scope = node.scope?,
            }
        }
        None
    }

    /// Adds the place in the source to a problem.
    pub fn located(&self, problem: Problem, line: u32, location: Option<u32>) -> IrError {
        IrError { source_line: location.and_then(|it| self.source_line(it)), ..problem.at(line) }
    }
}
