//! Modules whose variables have their place in a simulator's memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::Module;

/// A module whose variables have their place in a simulator's memory.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub(super) module: Arc<Module>,
    pub(super) symbols: BTreeMap<String, (u64, u64)>,
    /// By the variables' indices in the module.
    pub(super) addresses: Vec<u64>,
}

impl Loaded {
    /// Address and size of a `.const` or `.global` variable.
    pub fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        self.symbols.get(name).copied()
    }

    /// The module.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }
}
