//! What listens to a launch and counts.

pub mod coverage;
pub mod longest;
pub mod messages;
pub mod trace;
pub mod traffic;
