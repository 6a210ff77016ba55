#![doc = include_str!("../README.md")]

pub mod machine;
pub mod model;
