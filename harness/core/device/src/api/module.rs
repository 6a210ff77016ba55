//! Code that is loaded on a device, and the checks that a request of it must pass first.

use std::any::Any;
use std::fmt;

use super::argument::Argument;
use super::buffer::DeviceId;
use super::shape::Shape;
use crate::error::Error;

/// Code that is loaded on a device.
pub struct Module {
    pub(crate) name: String,
    code: String,
    code_seconds: f64,
    device: DeviceId,
    loaded: Box<dyn Loaded>,
}

/// The device's own half of a [`Module`].
pub(crate) trait Loaded: Any + Send + Sync {
    /// Address and size of a variable.
    fn symbol(&self, name: &str) -> Option<(u64, u64)>;
}

impl Module {
    pub(crate) fn new(name: &str, code: String, device: DeviceId, loaded: impl Loaded) -> Module {
        let name = name.to_string();
        Module { name, code, code_seconds: 0.0, device, loaded: Box::new(loaded) }
    }

    /// The same, of code that it took so long to make, s.
    pub(crate) fn made_in(self, code_seconds: f64) -> Module {
        Module { code_seconds, ..self }
    }

    /// How long it took to compile or choose the code, s, also where that was done ahead of its loading; 0 of code that need
    /// not be made.
    pub fn code_seconds(&self) -> f64 {
        self.code_seconds
    }

    /// Whether the code declares a variable of this name.
    pub fn has_symbol(&self, name: &str) -> bool {
        self.loaded.symbol(name).is_some()
    }

    /// What was loaded, for the report: "NVRTC 13.0.88 → sm_90 cubin", "committed PTX 7.8 (compute_50)", "Rust, AVX-512".
    pub fn code(&self) -> &str {
        &self.code
    }

    /// What it is for its device.
    pub(crate) fn loaded<T: Loaded>(&self, device: DeviceId) -> Result<&T, Error> {
        let loaded: &dyn Any = &*self.loaded;
        let loaded = loaded.downcast_ref().filter(|_| self.device == device);
        loaded.ok_or_else(|| Error::Foreign(self.name.clone()))
    }

    /// The address of a variable of so many bytes.
    pub(crate) fn variable(
        &self,
        device: DeviceId,
        symbol: &str,
        bytes: usize,
    ) -> Result<u64, Error> {
        if self.device != device {
            return Err(Error::Foreign(self.name.clone()));
        }
        match self.loaded.symbol(symbol) {
            None => Err(Error::NoSymbol { module: self.name.clone(), symbol: symbol.to_string() }),
            Some((_, size)) if size != bytes as u64 => {
                Err(Error::Size { name: symbol.to_string(), has: size, given: bytes as u64 })
            }
            Some((address, _)) => Ok(address),
        }
    }

    /// Checks a launch against what every GPU allows, against what the kernel declares (`declared`: bytes of each parameter) and
    /// against its owner. The driver itself counts nothing: it would read past a short list.
    pub(crate) fn check_launch(
        &self,
        (kernel, shape): (&str, Shape),
        declared: impl ExactSizeIterator<Item = usize>,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        shape.check(kernel)?;
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
            match argument {
                Argument::Buffer(buffer) => buffer.check(self.device)?,
                Argument::Object(object) => object.check(self.device)?,
                Argument::TensorMap(map) => map.check(self.device)?,
                _ => {}
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
