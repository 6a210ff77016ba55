//! The allocation nearest to an address, for messages.

/// The allocation nearest to a refused address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearestAllocation {
    /// Name, for messages.
    pub name: String,
    /// First address.
    pub address: u64,
    /// Size, bytes.
    pub bytes: u64,
}
