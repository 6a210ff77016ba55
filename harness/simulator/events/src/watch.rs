//! The listeners that count and record.

pub mod coverage;
pub mod engines;
pub mod longest;
pub mod messages;
pub mod trace;
pub mod traffic;
