//! Any kernel on the simulator: its arguments as typed, its events line by line.
//!
//! `--arg` and `--const` become [`value::Value`]s ([`element`], [`contents`]), [`launch`] puts them where the
//! kernel looks for them and runs it, [`text`] shows what came out.

pub mod contents;
pub mod element;
pub mod launch;
pub mod text;
pub mod value;
