//! PTX that was parsed, checked and lowered: what a simulator runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::kernel::Kernel;
use crate::launch::LaunchError;
use crate::lower::graph::Graph;
use crate::lower::lower;
use crate::program::function_address;
use crate::ptx::ast::Variable;
use crate::ptx::error::{Error, PtxError};
use crate::ptx::parser;

/// One PTX file, immutable. Several launches may share it.
#[derive(Debug)]
pub struct Module {
    pub(crate) file: String,
    pub(crate) source_files: Arc<BTreeMap<u32, String>>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) kernels: Vec<Kernel>,
    /// Addresses of its functions, as pointers hold them.
    pub(crate) functions: BTreeMap<String, u64>,
    /// Kernels that cannot run, by name: malformed ones, and those that use what the simulator does not support.
    refused: BTreeMap<String, PtxError>,
}

impl Module {
    /// Parses, checks and lowers a text; `file` names it in messages.
    ///
    /// # Errors
    /// As of [`Module::parse_all`], and the first kernel's if the text has kernels and none of them can run.
    pub fn parse(file: &str, text: &str) -> Result<Module, PtxError> {
        let module = Module::parse_all(file, text)?;
        if module.kernels.is_empty()
            && let Some(first) = module.refused.values().min_by_key(|e| (e.line, e.column)).cloned()
        {
            return Err(first);
        }
        Ok(module)
    }

    /// The same of a text of whose kernels none may be able to run: each is refused by itself, when it is launched.
    ///
    /// # Errors
    /// What no kernel can do without: tokens, directives and variables of the module.
    pub fn parse_all(file: &str, text: &str) -> Result<Module, PtxError> {
        let name = file;
        let place = |e: Error| e.of_file(name, text);
        let file = parser::parse(text).map_err(place)?;
        let mut kernels = Vec::new();
        let mut refused = BTreeMap::new();
        let graph = Graph::new(&file);
        for (kernel, lowered) in lower(&file, &graph).map_err(place)? {
            match lowered {
                Ok(lowered) => kernels.push(lowered),
                Err(error) => drop(refused.insert(kernel, place(error))),
            }
        }
        let source_files = Arc::new(file.files);
        for kernel in &mut kernels {
            kernel.file = name.to_string();
            kernel.source_files = source_files.clone();
        }
        let functions = (0..).zip(&file.functions);
        let functions =
            functions.map(|(index, f)| (f.name.clone(), function_address(index))).collect();
        let (file, variables) = (name.to_string(), file.variables);
        Ok(Module { file, source_files, variables, kernels, functions, refused })
    }

    /// A kernel by its name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// A kernel by its name, to launch it.
    ///
    /// # Errors
    /// There is none, it is malformed, or the simulator does not support what it uses.
    pub fn find(&self, name: &str) -> Result<&Kernel, LaunchError> {
        if let Some(error) = self.refused.get(name) {
            let (kernel, error) = (name.to_string(), error.clone());
            return Err(LaunchError::Unsupported { kernel, error });
        }
        self.kernel(name).ok_or_else(|| LaunchError::NoSuchKernel {
            name: name.to_string(),
            available: self.kernels().map(|kernel| kernel.name().to_string()).collect(),
        })
    }

    /// The kernels that cannot run, by name, and why.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &PtxError)> {
        self.refused.iter().map(|(name, error)| (name.as_str(), error))
    }

    /// All kernels that can run, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter()
    }
}
