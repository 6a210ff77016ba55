//! A GPU, through the NVIDIA driver.

mod clusters;
mod contact;
mod device;
mod driver;
mod exchange;
mod graph;
mod launch;
mod library;
mod loaded;
mod loading;
mod memory;
mod monitor;
pub mod nccl;
mod open;
mod second;
mod stream;
mod tensors;
mod textures;

pub use contact::leave_if_driver_hangs;
pub use driver::{Driver, Gpu, count};
pub(crate) use driver::{attributes, driver};
pub use library::{cublas, cudnn};
pub(crate) use library::{found_cublas, found_cudnn};
pub(crate) use monitor::version as monitor;

use crate::api::device::Device;
use crate::error::Error;
use toolchain::CodeRoute;

/// Opens the GPU of this number.
pub(crate) fn open(number: usize, route: CodeRoute) -> Result<Box<dyn Device>, Error> {
    Ok(Box::new(open::CudaDevice::open(number, route)?))
}
