//! Gives the variables of modules their place in a simulator's memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Simulator;
use super::loaded::Loaded;
use memory::MemoryError;
use program::Module;
use ptx::Space;
use ptx::ast::{Initial, Operand, Variable};

impl Simulator {
    /// Gives a module's `.const` and `.global` variables their memory and their initial values.
    ///
    /// # Errors
    /// Out of memory.
    pub fn load(&self, module: Arc<Module>) -> Result<Loaded, MemoryError> {
        let mut memory = self.memory();
        let mut addresses = Vec::new();
        let mut symbols = BTreeMap::new();
        for variable in module.variables() {
            if !matches!(variable.space, Space::Global | Space::Const) {
                addresses.push(0);
                continue;
            }
            let address = match variable.is_managed {
                true => memory.alloc_for_host(&variable.name, variable.bytes)?,
                false => memory.alloc(&variable.name, variable.bytes)?,
            };
            if variable.space == Space::Const {
                memory.protect(address);
            }
            addresses.push(address);
            symbols.insert(variable.name.clone(), (address, variable.bytes));
        }
        for (variable, &address) in module.variables().iter().zip(&addresses) {
            let bytes = initial_bytes(variable, &symbols, module.functions());
            memory.range_mut(address, bytes.len() as u64)?.copy_from_slice(&bytes);
            // What has no initial value is 0.
            memory.note_written(address, variable.bytes, true);
        }
        drop(memory);
        Ok(Loaded { module, symbols, addresses, facts: Arc::default() })
    }

    /// Frees the memory of a module's variables; its kernels can no longer be launched.
    pub fn unload(&self, loaded: Loaded) {
        let mut memory = self.memory();
        for (address, _) in loaded.symbols.into_values() {
            memory.free(address);
        }
    }
}

/// A variable's initial value; no longer than the variable (lowering checks that).
fn initial_bytes(
    variable: &Variable,
    symbols: &BTreeMap<String, (u64, u64)>,
    functions: &BTreeMap<String, u64>,
) -> Vec<u8> {
    let size = variable.element.bytes() as usize;
    let mut bytes = Vec::new();
    for initial in &variable.initial {
        let bits = match initial {
            Initial::Value(Operand::Integer(value) | Operand::Double(value)) => *value,
            Initial::Value(Operand::Single(value)) => u64::from(*value),
            Initial::Value(_) => 0,
            Initial::Address { name, plus } => {
                let address = symbols.get(name).map(|(address, _)| address);
                address.or(functions.get(name)).map_or(0, |it| it.wrapping_add_signed(*plus))
            }
        };
        bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
    }
    bytes
}
