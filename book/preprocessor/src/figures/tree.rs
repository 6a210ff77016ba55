//! Bodies in a tree.

pub mod bodies;
pub mod curves;
pub mod insertion;
pub mod octree;
pub mod walk;
