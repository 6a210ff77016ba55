//! What the runtime does, in safe Rust: operations on its [state](crate::state), each file above those it uses.
//!
//! `memory`, `arrays`, `conditions` and `launch` stand side by side; `work` performs a [`Work`](crate::state::Work) with
//! them, and `queue` decides when.

mod arrays;
mod conditions;
mod launch;
mod memory;
mod queue;
mod work;

pub(crate) use arrays::{channels, format};
