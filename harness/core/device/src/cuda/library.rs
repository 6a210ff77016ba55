//! Functions of libraries on a GPU.

mod cub;
pub mod cublas;
mod cublas_lt;
pub mod cudnn;
mod timing;

use std::path::PathBuf;

use super::open::CudaDevice;
use crate::api::buffer::Buffer;
use crate::api::library::{Attention, Library, Product, Routine};
use crate::api::module::{self, Module};
use crate::error::Error;
use cub::Cub;
use cublas::{Context, Cublas};

pub(crate) use cudnn::found as found_cudnn;

/// cuBLAS as its version and path, if one can be loaded.
pub(crate) fn found_cublas() -> Option<(String, PathBuf)> {
    Cublas::find().ok().map(|it| (it.version.clone(), it.path.clone()))
}

/// A library that is loaded for a GPU.
enum Loaded {
    Cublas(Context),
    CublasLt(cublas_lt::Context),
    Cudnn(cudnn::Context),
    Cub(Cub),
}

impl module::Loaded for Loaded {
    fn symbol(&self, _: &str) -> Option<(u64, u64)> {
        None
    }
}

impl CudaDevice {
    /// A library, loaded for this GPU.
    pub(super) fn open_library(&self, library: Library) -> Result<Module, Error> {
        self.bind()?;
        let (says, loaded) = match library {
            Library::Cublas => {
                let cublas = Cublas::find()?;
                (format!("cuBLAS {}", cublas.version), Loaded::Cublas(cublas.context()?))
            }
            Library::CublasLt => {
                let context = cublas_lt::Context::new(&self.context)?;
                (format!("cuBLASLt {}", context.version()), Loaded::CublasLt(context))
            }
            Library::Cudnn => {
                let context = cudnn::Context::new(&self.context)?;
                (format!("cuDNN {}", context.version()), Loaded::Cudnn(context))
            }
            Library::Cub(code) => {
                let capability = self.info.compute_capability.unwrap_or_default();
                let cub = Cub::new(&self.context, code, capability)?;
                (cub.says.clone(), Loaded::Cub(cub))
            }
        };
        Ok(Module::new(library.name(), says, self.id, loaded))
    }

    /// Starts a function of a loaded library on the default stream.
    pub(super) fn call_library(
        &self,
        module: &Module,
        routine: &Routine,
        arrays: &[&Buffer],
    ) -> Result<(), Error> {
        let loaded: &Loaded = module.loaded(self.id)?;
        arrays.iter().try_for_each(|array| array.check(self.id))?;
        let addresses: Vec<u64> = arrays.iter().map(|array| array.address()).collect();
        self.bind()?;
        match (loaded, routine, addresses.as_slice()) {
            (Loaded::Cublas(context), Routine::Product(product), &[a, b, c]) => {
                check(product, arrays)?;
                // SAFETY: the buffers are this device's and large enough for these matrices.
                unsafe { context.product(product, [a, b, c]) }
            }
            (Loaded::CublasLt(context), Routine::Product(product), &[a, b, c]) => {
                check(product, arrays)?;
                // SAFETY: as above.
                unsafe { context.product(product, [a, b, c]) }
            }
            (Loaded::Cudnn(context), Routine::Attention(attention), &[q, k, v, o]) => {
                check_attention(attention, arrays)?;
                // SAFETY: as above.
                unsafe { context.attention(attention, [q, k, v, o]) }
            }
            // SAFETY: the ladder's code uses of its own arrays what a step's kernel with this n does.
            (Loaded::Cub(cub), Routine::Pass(n), arrays) => unsafe { cub.pass(*n, arrays) },
            _ => Err(Error::Arguments {
                module: module.name.clone(),
                kernel: format!("{routine:?}"),
                message: format!("is none of its functions of {} arrays", arrays.len()),
            }),
        }
    }
}

/// Whether the matrices of a product are as large as it says.
fn check(product: &Product, arrays: &[&Buffer]) -> Result<(), Error> {
    let ([m, n, _], bytes) = (product.sizes, product.precision.bytes());
    let [rows, columns, terms] = product.padded();
    let needed = [[rows, terms, bytes], [terms, columns, bytes], [m, n, size_of::<f32>() as u64]];
    arrays.iter().zip(needed).try_for_each(|(array, needed)| check_size(array, &needed))
}

/// Whether the matrices of attention are.
fn check_attention(of: &Attention, arrays: &[&Buffer]) -> Result<(), Error> {
    let [n, heads, size] = of.extent;
    arrays.iter().try_for_each(|array| check_size(array, &[n, heads, size, 2]))
}

/// Whether an array has as many bytes as the product of these numbers.
fn check_size(array: &Buffer, needed: &[u64]) -> Result<(), Error> {
    let given = needed.iter().copied().fold(1, u64::saturating_mul);
    match array.bytes() as u64 {
        has if has >= given => Ok(()),
        has => Err(Error::Size { name: array.name().to_owned(), has, given }),
    }
}
