//! Values of conditional handles, which lie in memory of the device.

use crate::error::CudaResult;
use crate::state::{Conditional, Runtime, Work};

impl Runtime {
    /// The value of a conditional handle.
    pub(crate) fn condition(&mut self, handle: u64) -> CudaResult<u32> {
        let mut word = [0; 4];
        let read = self.simulator.read(handle, &mut word);
        read.map_err(|error| self.memory_error(error))?;
        Ok(u32::from_le_bytes(word))
    }

    fn set_condition(&mut self, handle: u64, value: u32) -> CudaResult {
        let written = self.simulator.write(handle, &value.to_le_bytes());
        written.map_err(|error| self.memory_error(error))
    }

    /// Makes a conditional handle for a graph, with its value at the start of each launch, if it has one.
    pub(crate) fn create_condition(&mut self, graph: u64, value: Option<u32>) -> CudaResult<u64> {
        self.graphs.graph(graph)?;
        let handle = self.allocate(8)?;
        self.set_condition(handle, 0)?;
        self.graphs.conditions.add(handle, graph, value);
        Ok(handle)
    }

    /// Frees the conditional handles that nothing can use any more.
    pub(crate) fn free_unused_conditions(&mut self) {
        for handle in self.graphs.take_unused_conditions() {
            self.simulator.free(handle);
        }
    }

    /// Gives the handles of conditional nodes their defaults, before a launch.
    pub(crate) fn reset_conditions(&mut self, all: &[Work]) -> CudaResult {
        all.iter().try_for_each(|work| match work {
            Work::Graph(all) => self.reset_conditions(all),
            Work::Conditional(Conditional { handle, bodies, .. }) => {
                if let Some(value) = self.graphs.conditions.default_of(*handle) {
                    self.set_condition(*handle, value)?;
                }
                bodies.iter().try_for_each(|all| self.reset_conditions(all))
            }
            _ => Ok(()),
        })
    }
}
