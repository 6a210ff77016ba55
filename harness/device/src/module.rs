//! Code that is loaded on a device, and the checks that a request of it must pass first.

use std::fmt;

use crate::device::{Argument, DeviceId, Shape};
use crate::error::Error;
use crate::host::HostKernel;
use crate::{cuda, simulator};

/// Code that is loaded on a device.
pub struct Module {
    pub(crate) name: String,
    pub(crate) code: String,
    pub(crate) device: DeviceId,
    pub(crate) loaded: OnDevice,
}

/// The device's own half of a [`Module`].
pub(crate) enum OnDevice {
    Cuda(cuda::Loaded),
    Simulator(simulator::Loaded),
    Cpu(Vec<HostKernel>),
}

impl Module {
    /// Whether the code declares a variable of this name.
    pub fn has_symbol(&self, name: &str) -> bool {
        match &self.loaded {
            OnDevice::Cuda(loaded) => loaded.symbol(name).is_some(),
            OnDevice::Simulator(loaded) => loaded.symbol(name).is_some(),
            OnDevice::Cpu(_) => false,
        }
    }

    /// What was loaded, for the report: "NVRTC 13.0.88 → sm_90 cubin", "committed PTX 7.8 (compute_50)", "Rust, AVX-512".
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The address of a variable that was found as `variable` (address and bytes), if `bytes` fill it.
    pub(crate) fn check_symbol(
        &self,
        symbol: &str,
        variable: Option<(u64, u64)>,
        bytes: &[u8],
    ) -> Result<u64, Error> {
        match variable {
            None => Err(Error::NoSymbol { module: self.name.clone(), symbol: symbol.to_string() }),
            Some((_, size)) if size != bytes.len() as u64 => {
                Err(Error::Size { name: symbol.to_string(), has: size, given: bytes.len() as u64 })
            }
            Some((address, _)) => Ok(address),
        }
    }

    /// Checks a launch against what the kernel declares (`declared`: bytes of each parameter) and against its owner. The
    /// driver itself counts nothing: it would read past a short list.
    pub(crate) fn check_arguments(
        &self,
        kernel: &str,
        declared: impl ExactSizeIterator<Item = usize>,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        let wrong = |message: String| Error::Arguments {
            module: self.name.clone(),
            kernel: kernel.to_string(),
            message,
        };
        if declared.len() != arguments.len() {
            return Err(wrong(format!(
                "takes {} arguments, and this step gives it {}",
                declared.len(),
                arguments.len()
            )));
        }
        for (index, (bytes, argument)) in declared.zip(arguments).enumerate() {
            if let Argument::Buffer(buffer) = argument {
                buffer.check(self.device)?;
            }
            let given = argument.bits().1;
            if bytes != given {
                return Err(wrong(format!(
                    "takes {bytes} bytes as argument {}, and this step gives it {given}",
                    index + 1
                )));
            }
        }
        Ok(())
    }

    pub(crate) fn no_kernel<'a>(
        &self,
        kernel: &str,
        there: impl Iterator<Item = &'a str>,
    ) -> Error {
        let there: Vec<&str> = there.collect();
        Error::NoKernel {
            module: self.name.clone(),
            kernel: kernel.to_string(),
            there: if there.is_empty() {
                "there is no kernel in it: begin one with extern \"C\" __global__".to_string()
            } else {
                format!("it has {}", there.join(", "))
            },
        }
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Module({}: {})", self.name, self.code)
    }
}

/// Checks a launch against what every GPU allows; narrower limits are the device's to state.
pub(crate) fn check_shape(kernel: &str, shape: Shape) -> Result<(), Error> {
    let wrong = |message: String| Err(Error::BadShape { kernel: kernel.to_string(), message });
    if shape.blocks == 0 || shape.threads == 0 {
        return wrong(
            "a grid of nothing cannot be launched: blocks and threads count from 1".to_string(),
        );
    }
    if shape.threads > 1024 {
        return wrong(format!("{} threads in a block; a GPU takes at most 1024", shape.threads));
    }
    Ok(())
}
