//! What `--device` and `--code` may say, and the device that is opened for it.

use std::fmt;
use std::str::FromStr;

use crate::api::device::Device;
use crate::cpu::CpuDevice;
use crate::cuda;
use crate::error::Error;
use crate::simulator::SimulatorDevice;
use toolchain::CodeRoute;

/// Opens a device; `model` names the GPU whose time the simulator models. The CPU gets all its threads.
pub fn open(choice: Choice, route: CodeRoute, model: &str) -> Result<Box<dyn Device>, Error> {
    match choice {
        Choice::Cuda(number) => cuda::open(number, route),
        Choice::Cpu => Ok(Box::new(CpuDevice::open(None)?)),
        Choice::Auto if cuda::count()? > 0 => cuda::open(0, route),
        Choice::Auto | Choice::Simt => {
            Ok(Box::new(SimulatorDevice::open(route, described(model)?)))
        }
    }
}

/// The description of a GPU for the time model. `name` is that of a known GPU, a TOML file, or `cuda` or `cuda:N`
/// for a GPU of this machine as its driver reports it.
///
/// # Errors
/// No such GPU, or a file that describes none.
pub fn described(name: &str) -> Result<simt::model::Gpu, Error> {
    if let Ok(Choice::Cuda(number)) = name.parse() {
        let attributes = cuda::attributes(number).map_err(|error| match error {
            Error::Unavailable { what, .. } => Error::UnknownModel(format!(
                "{what}; `harness gpus` lists GPUs that need not be here"
            )),
            other => other,
        })?;
        let gpu = simt::model::Gpu::of_device(&attributes);
        return gpu.map_err(|error| Error::UnknownModel(error.to_string()));
    }
    simt::model::Gpu::find(name).map_err(|error| Error::UnknownModel(error.to_string()))
}

/// The GPU that is modelled where no other is asked for.
pub const DEFAULT_GPU: &str = "h200";

/// Which device to open, as `--device` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Choice {
    /// The first GPU where there is one, else the simulator.
    #[default]
    Auto,
    /// The GPU of this number.
    Cuda(usize),
    /// The simulator.
    Simt,
    /// The CPU, for code that is compiled for it.
    Cpu,
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Choice, Error> {
        match text {
            "auto" => Ok(Choice::Auto),
            "simt" => Ok(Choice::Simt),
            "cpu" => Ok(Choice::Cpu),
            "cuda" => Ok(Choice::Cuda(0)),
            _ => text
                .strip_prefix("cuda:")
                .and_then(|number| number.parse().ok())
                .map(Choice::Cuda)
                .ok_or_else(|| Error::UnknownDevice(text.to_string())),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Auto => f.write_str("auto"),
            Choice::Simt => f.write_str("simt"),
            Choice::Cpu => f.write_str("cpu"),
            Choice::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_read_as_they_are_written() {
        for choice in [Choice::Auto, Choice::Simt, Choice::Cpu, Choice::Cuda(0), Choice::Cuda(12)] {
            assert_eq!(choice.to_string().parse::<Choice>().unwrap(), choice);
        }
        assert_eq!("cuda".parse::<Choice>().unwrap(), Choice::Cuda(0));
        for wrong in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "Simt"] {
            let error = wrong.parse::<Choice>().unwrap_err();
            assert!(error.to_string().contains("cuda:N"), "{error}");
        }
    }

    #[test]
    fn an_unknown_model_is_refused_by_name() {
        let Err(error) = open(Choice::Simt, CodeRoute::Auto, "abacus") else {
            panic!("there is no such GPU");
        };
        assert!(error.to_string().contains("abacus"), "{error}");
    }
}
