//! Variables: their location in shared or local memory, and the meaning of their names.

use super::builder::{Builder, Result};
use super::names::Meaning;
use crate::instruction::SharedVariable;
use ptx::Space;
use ptx::ast::Variable;

/// Most bytes of local memory of a thread, on every GPU so far.
const MOST_LOCAL: u64 = 512 << 10;

/// Most bytes of static shared memory, on any GPU. Beyond it, ptxas reports "too much shared data" (0xc000 max).
const MOST_SHARED: u64 = 48 << 10;

impl Builder<'_> {
    /// Allocates a variable of a body.
    pub(super) fn place(&mut self, variable: &Variable) -> Result<Meaning> {
        if let (Space::Local | Space::Param, Some(frame)) = (variable.space, &mut self.calls.frame)
        {
            let align = u64::from(variable.align).max(1);
            let offset = frame.used.next_multiple_of(align);
            frame.used = offset.saturating_add(variable.bytes);
            frame.most = frame.most.max(frame.used);
            frame.align = frame.align.max(align);
            if frame.most <= MOST_LOCAL {
                return Ok(Meaning::Frame(offset));
            }
        }
        let total = match variable.space {
            Space::Shared if variable.unsized_array => {
                self.program.dynamic_shared = Some(variable.name.clone());
                self.dynamic_align = self.dynamic_align.max(variable.align.into());
                return Ok(Meaning::DynamicShared);
            }
            Space::Shared => &mut self.shared_bytes,
            // Parameters of device functions live in local memory too.
            Space::Local | Space::Param => &mut self.program.local_bytes,
            _ => return self.error(format!("`{}`: only the module may declare it", variable.name)),
        };
        let space = if variable.space == Space::Shared { Space::Shared } else { Space::Local };
        let offset = total.next_multiple_of(u64::from(variable.align));
        let end = offset.saturating_add(variable.bytes);
        *total = end;
        let (most, remedy) = match space {
            Space::Local => (MOST_LOCAL, ""),
            _ => (
                MOST_SHARED,
                "; declare it as `extern __shared__`, and let the launch say how much",
            ),
        };
        if end > most {
            let name = &variable.name;
            return self.error(format!(
                "`{name}` does not fit: {end} bytes of {space} memory, of which there are at most {most}{remedy}"
            ));
        }
        if space == Space::Shared {
            let (name, bytes) = (variable.name.clone(), variable.bytes);
            self.program.shared.push(SharedVariable { name, offset, bytes });
        }
        Ok(Meaning::Offset(space, offset))
    }

    /// Allocates unnamed shared memory.
    pub(super) fn reserve_shared(&mut self, name: &str, align: u64, bytes: u64) -> Result<u64> {
        let offset = self.shared_bytes.next_multiple_of(align);
        self.shared_bytes = offset + bytes;
        self.program.shared.push(SharedVariable { name: name.to_string(), offset, bytes });
        Ok(offset)
    }

    /// The meaning of a name, in the body or in the module.
    pub(super) fn meaning(&mut self, name: &str) -> Result<Meaning> {
        if let Some(meaning) = self.names.find(name) {
            return Ok(meaning);
        }
        let file = self.file;
        let Some(index) = file.variables.iter().position(|v| v.name == name) else {
            if let Some(index) = self.graph.find(name) {
                return Ok(Meaning::Function(index as u32));
            }
            return self.error(format!("`{name}` is not declared"));
        };
        let variable = &file.variables[index];
        match variable.space {
            Space::Global | Space::Const => Ok(Meaning::Global(variable.space, index as u32)),
            Space::Shared => {
                let meaning = self.place(variable)?;
                self.names.define_outermost(name.to_string(), meaning);
                Ok(meaning)
            }
            space => {
                self.error(format!("`{name}`: {space} variables of a module are not supported"))
            }
        }
    }
}
