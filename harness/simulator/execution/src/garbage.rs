//! What memory holds that no thread has written.

/// Every byte of shared and local memory: floats of it are NaN, on every run.
pub(super) const GARBAGE: u8 = u8::MAX;
