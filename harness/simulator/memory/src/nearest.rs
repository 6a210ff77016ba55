//! The allocation nearest to an address, for messages.

/// The allocation nearest to a refused address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearestAllocation {
    /// Its name.
    pub name: String,
    /// Its first address.
    pub address: u64,
    /// Its size.
    pub bytes: u64,
}
