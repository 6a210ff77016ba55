//! Libraries that are loaded while the program runs. WebAssembly has none.

#[cfg(target_family = "wasm")]
#[expect(unsafe_code, reason = "has the functions of libloading, which are unsafe")]
mod absent;

#[cfg(target_family = "wasm")]
pub(crate) use absent::{Error, Library};
#[cfg(not(target_family = "wasm"))]
pub(crate) use libloading::{Error, Library};
