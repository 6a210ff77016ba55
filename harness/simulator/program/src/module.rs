//! PTX that was parsed, checked and lowered: what a simulator runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::instruction::function_address;
use crate::kernel::Kernel;
use crate::lower::graph::Graph;
use crate::lower::lower;
use ptx::ast::Variable;
use ptx::{Error, PtxError};

/// One PTX file, immutable. Several launches may share it.
#[derive(Debug)]
pub struct Module {
    file: String,
    source_files: Arc<BTreeMap<u32, String>>,
    variables: Vec<Variable>,
    kernels: Vec<Kernel>,
    /// Addresses of its functions, as pointers hold them.
    functions: BTreeMap<String, u64>,
    /// Kernels that cannot run, by name: malformed ones, and those that use what the simulator does not support.
    refused: BTreeMap<String, PtxError>,
}

/// Why a module gives no kernel of a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KernelError {
    /// The module has no kernel of this name.
    #[error("no kernel `{name}`; the module has {}", list(.available))]
    NoSuchKernel {
        /// The name asked for.
        name: String,
        /// The names that exist.
        available: Vec<String>,
    },
    /// The kernel is malformed, or uses what the simulator does not support.
    #[error("kernel `{kernel}` cannot be simulated: {error}")]
    Unsupported {
        /// Name of the kernel.
        kernel: String,
        /// What it uses, and where.
        error: PtxError,
    },
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_string() } else { format!("`{}`", names.join("`, `")) }
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

    /// The same, but accepts a text none of whose kernels can run: each is refused when it is launched.
    ///
    /// # Errors
    /// What no kernel can do without: tokens, directives and variables of the module.
    pub fn parse_all(file: &str, text: &str) -> Result<Module, PtxError> {
        let name = file;
        let place = |e: Error| e.of_file(name, text);
        let file = ptx::parse(text).map_err(place)?;
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

    /// The name under which it was parsed.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Names of the CUDA sources by their numbers.
    pub fn source_files(&self) -> &BTreeMap<u32, String> {
        &self.source_files
    }

    /// Its variables in global and constant memory, in the order of [`Constant::Address`](crate::Constant::Address).
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Addresses of its functions, as pointers hold them.
    pub fn functions(&self) -> &BTreeMap<String, u64> {
        &self.functions
    }

    /// A kernel by its name.
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// A kernel by its name, to launch it.
    ///
    /// # Errors
    /// There is none, it is malformed, or the simulator does not support what it uses.
    pub fn find(&self, name: &str) -> Result<&Kernel, KernelError> {
        if let Some(error) = self.refused.get(name) {
            let (kernel, error) = (name.to_string(), error.clone());
            return Err(KernelError::Unsupported { kernel, error });
        }
        self.kernel(name).ok_or_else(|| KernelError::NoSuchKernel {
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
