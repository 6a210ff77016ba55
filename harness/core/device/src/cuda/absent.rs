//! What stands for GPUs where there is no driver: in WebAssembly.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use simt::model::Attributes;

use crate::api::device::Device;
use crate::error::Error;
use toolchain::CodeRoute;

/// NVIDIA's driver, which is not here.
#[derive(Debug, Clone, Serialize)]
pub enum Driver {}

/// A GPU, of which there is none.
#[derive(Debug, Clone, Serialize)]
pub enum Gpu {}

fn absent<T>() -> Result<T, Error> {
    Err(Error::Unavailable {
        what: "a page of a browser reaches no GPU".to_string(),
        remedy: "choose the simulator, or run the program itself".to_string(),
    })
}

/// How many GPUs there are.
///
/// # Errors
/// None.
pub fn count() -> Result<usize, Error> {
    Ok(0)
}

/// There is no driver that could hang.
pub fn leave_if_driver_hangs(_: ExitCode) {}

pub(crate) fn open(_: usize, _: CodeRoute) -> Result<Box<dyn Device>, Error> {
    absent()
}

pub(crate) fn attributes(_: usize) -> Result<Attributes, Error> {
    absent()
}

pub(crate) fn driver() -> Result<Driver, Error> {
    absent()
}

pub(crate) fn found_cublas() -> Option<(String, PathBuf)> {
    None
}

pub(crate) fn found_cudnn() -> Option<(String, PathBuf)> {
    None
}

pub(crate) fn monitor() -> Result<String, String> {
    absent().map_err(|error: Error| error.to_string())
}
