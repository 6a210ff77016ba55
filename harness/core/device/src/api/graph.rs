//! Launches that are recorded once and started together, again and again.

use std::any::Any;
use std::fmt;

use super::argument::Argument;
use super::module::Module;
use super::shape::Shape;

/// One launch of a [`Graph`].
#[derive(Debug, Clone)]
pub struct Node<'a> {
    /// Name of the kernel.
    pub kernel: &'a str,
    /// Blocks of the grid and threads of a block.
    pub shape: Shape,
    /// Arguments, in the kernel's order.
    pub arguments: Vec<Argument<'a>>,
}

/// Launches of a module's kernels that a device has recorded. The module and the buffers that are arguments outlive it.
pub struct Graph<'a> {
    pub(crate) module: &'a Module,
    pub(crate) nodes: Vec<Node<'a>>,
    /// What the device has made of them, where it has made something; freed when dropped.
    recorded: Option<Box<dyn Any + Send + Sync>>,
}

impl<'a> Graph<'a> {
    pub(crate) fn new(
        module: &'a Module,
        nodes: Vec<Node<'a>>,
        recorded: Option<Box<dyn Any + Send + Sync>>,
    ) -> Graph<'a> {
        Graph { module, nodes, recorded }
    }

    /// What the device has made of the launches, where it is of this type.
    pub(crate) fn recorded<T: 'static>(&self) -> Option<&T> {
        self.recorded.as_deref()?.downcast_ref()
    }
}

impl fmt::Debug for Graph<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph({:?}, {} launches)", self.module, self.nodes.len())
    }
}
