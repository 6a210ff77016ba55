//! Calls in progress while their bodies are inlined.

#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Names of the functions, and where each returns to.
    pub active: Vec<(String, u32)>,
}
