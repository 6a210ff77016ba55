//! The chip and what runs on it: memories, warps, blocks, addresses.

pub mod address;
pub mod banks;
pub mod barriers;
pub mod blocks;
pub mod chain;
pub mod chains;
pub mod grid;
pub mod host;
pub mod local;
pub mod memories;
pub mod occupancy;
pub mod sectors;
pub mod warps;
