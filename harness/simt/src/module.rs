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
    /// Kernels that use what the simulator does not support, by name.
    unsupported: BTreeMap<String, PtxError>,
}

impl Module {
    /// Parses, checks and lowers a text; `file` names it in messages.
    ///
    /// # Errors
    /// Syntax errors, undeclared names, and instructions that the simulator does not support, if no kernel can do
    /// without them; a kernel of several that cannot is refused when it is launched.
    pub fn parse(file: &str, text: &str) -> Result<Module, PtxError> {
        let name = file;
        let place = |e: Error| e.of(name, text);
        let file = parser::parse(text).map_err(place)?;
        let mut kernels = Vec::new();
        let mut unsupported = Vec::new();
        let graph = Graph::new(&file);
        for (kernel, lowered) in lower(&file, &graph).map_err(place)? {
            match lowered {
                Ok(lowered) => kernels.push(lowered),
                Err(error) if error.unsupported => unsupported.push((kernel, place(error))),
                Err(error) => return Err(place(error)),
            }
        }
        if kernels.is_empty() && !unsupported.is_empty() {
            return Err(unsupported.swap_remove(0).1);
        }
        let source_files = Arc::new(file.files);
        for kernel in &mut kernels {
            kernel.file = name.to_string();
            kernel.source_files = source_files.clone();
        }
        let unsupported = unsupported.into_iter().collect();
        let functions = (0..).zip(&file.functions);
        let functions =
            functions.map(|(index, f)| (f.name.clone(), function_address(index))).collect();
        let (file, variables) = (name.to_string(), file.variables);
        Ok(Module { file, source_files, variables, kernels, functions, unsupported })
    }

    /// A kernel by its name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// A kernel by its name, to launch it.
    ///
    /// # Errors
    /// There is none, or the simulator does not support what it uses.
    pub fn find(&self, name: &str) -> Result<&Kernel, LaunchError> {
        if let Some(error) = self.unsupported.get(name) {
            let (kernel, error) = (name.to_string(), error.clone());
            return Err(LaunchError::Unsupported { kernel, error });
        }
        self.kernel(name).ok_or_else(|| LaunchError::NoSuchKernel {
            name: name.to_string(),
            available: self.kernels().map(|kernel| kernel.name().to_string()).collect(),
        })
    }

    /// All kernels that can run, in the order of the text.
    pub fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.kernels.iter()
    }
}
