//! Any kernels on the simulator: launches and their arguments as typed, events line by line, results.
//!
//! What is typed becomes [`value::Value`]s and [`buffer::Contents`] ([`element`], [`contents`], [`npy`]) of [`invocation::Invocation`]s in a
//! [`plan::Plan`], from options ([`request`]) or a [`file`]; [`run`] puts them where the kernels ([`entry`]) look for them and runs them,
//! [`results`] prints, compares and saves what they left, [`text`] shows all of it.

pub mod buffer;
mod contents;
mod element;
mod entry;
mod file;
pub mod invocation;
mod npy;
pub mod plan;
pub mod request;
pub mod results;
mod results_text;
pub mod run;
pub mod text;
pub mod value;
