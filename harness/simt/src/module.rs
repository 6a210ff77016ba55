//! PTX that was parsed, checked and lowered: what a simulator runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::kernel::Kernel;
use crate::lower::lower;
use crate::ptx::ast::Variable;
use crate::ptx::error::Error;
use crate::ptx::parser;

/// A text that is no PTX, or uses what the simulator does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct PtxError {
    /// The name that the text was parsed under.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

/// One PTX file, immutable. Several launches may share it.
#[derive(Debug)]
pub struct Module {
    pub(crate) file: String,
    pub(crate) source_files: Arc<BTreeMap<u32, String>>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) kernels: Vec<Kernel>,
}

impl Module {
    /// Parses, checks and lowers a text; `file` names it in messages.
    ///
    /// # Errors
    /// Syntax errors, undeclared names, and instructions that the simulator does not support.
    pub fn parse(file: &str, text: &str) -> Result<Module, PtxError> {
        let name = file;
        let place =
            |e: Error| PtxError { file: name.to_string(), line: e.line, message: e.message };
        let file = parser::parse(text).map_err(place)?;
        let mut kernels = lower(&file).map_err(place)?;
        let source_files = Arc::new(file.files);
        for kernel in &mut kernels {
            kernel.file = name.to_string();
            kernel.source_files = source_files.clone();
        }
        Ok(Module { file: name.to_string(), source_files, variables: file.variables, kernels })
    }

    /// A kernel by its name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// All kernels, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter()
    }
}
