//! Modules whose variables have their place in a simulator's memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use hazards::Facts;
use program::{Kernel, Module};

/// A module whose variables have their place in a simulator's memory.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub(super) module: Arc<Module>,
    pub(super) symbols: BTreeMap<String, (u64, u64)>,
    /// By the variables' indices in the module.
    pub(super) addresses: Vec<u64>,
    /// By kernel, of those that were watched for hazards.
    pub(super) facts: Arc<Mutex<BTreeMap<String, Arc<Facts>>>>,
}

impl Loaded {
    /// Address and size of a `.const` or `.global` variable.
    pub fn symbol(&self, name: &str) -> Option<(u64, u64)> {
        self.symbols.get(name).copied()
    }

    /// What hazards of its kernel are judged by.
    pub(super) fn facts(&self, kernel: &Kernel) -> Arc<Facts> {
        let mut known = self.facts.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Facts::new(kernel));
        Arc::clone(known.entry(kernel.name().to_owned()).or_insert_with(new))
    }

    /// The module.
    pub fn module(&self) -> &Arc<Module> {
        &self.module
    }
}
