//! Arrays of one size.

use super::data::{Data, Extent};
use super::kept::Kept;

/// Data of one size, with what is expected.
pub struct Case {
    pub(super) n: u64,
    pub(super) kind: &'static str,
    pub(super) extent: Extent,
    pub(super) data: Data,
    pub(super) kept: Kept,
}
