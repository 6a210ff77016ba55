//! What figures are drawn with.

pub mod drawing;
pub mod film;
pub mod shared;
