//! What every device offers: the [`Device`](device::Device) trait and the values that go in and out of it.

pub(crate) mod argument;
pub(crate) mod buffer;
pub(crate) mod device;
pub(crate) mod graph;
pub(crate) mod guard;
pub(crate) mod host;
pub(crate) mod library;
pub(crate) mod member;
pub(crate) mod missing;
pub(crate) mod module;
pub(crate) mod shape;
pub(crate) mod simulation;
pub(crate) mod state;
pub(crate) mod stream;
pub(crate) mod tensor;
pub(crate) mod texture;
