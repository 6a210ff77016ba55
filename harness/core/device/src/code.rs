//! Code for a device: a step's source, what is compiled or committed of it, and which of these a device loads.

pub(crate) mod ahead;
#[expect(unsafe_code, reason = "loads what a C compiler made")]
pub mod cc;
pub(crate) mod choose;
pub mod clang;
pub(crate) mod comparable;
pub mod compiler;
pub mod headers;
pub(crate) mod include;
pub(crate) mod library;
pub(crate) mod machine;
pub mod nvcc;
#[expect(unsafe_code, reason = "calls a library in C")]
pub mod nvrtc;
pub mod ptx;
pub(crate) mod route;
pub mod rust;
pub mod sanitizer;
pub mod sass;
pub(crate) mod search;
pub(crate) mod source;
pub(crate) mod standard;
pub mod untrusted;
