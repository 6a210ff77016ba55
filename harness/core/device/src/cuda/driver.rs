//! The driver itself: whether there is one, what it says of its GPUs, and its errors in words.

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice_attribute, CUresult};
use serde::Serialize;
use simt::model::Attributes;

use super::contact::DRIVER;
use super::monitor;
use crate::api::state::Conditions;
use crate::error::Error;

/// An NVIDIA driver and its GPUs.
#[derive(Debug, Clone, Serialize)]
pub struct Driver {
    /// Its own version, e.g. "580.95.05", where the system states it.
    pub version: Option<String>,
    /// The newest CUDA version that it serves, e.g. "13.0".
    pub cuda: String,
    /// Its GPUs, in the order of `--device cuda:N`.
    pub gpus: Vec<Gpu>,
}

/// A GPU, as the driver describes it.
#[derive(Debug, Clone, Serialize)]
pub struct Gpu {
    /// Name, as the driver has it.
    pub name: String,
    /// Compute capability, major and minor.
    pub compute_capability: (u32, u32),
    /// All its memory in bytes.
    pub memory_bytes: u64,
    /// Number of multiprocessors.
    pub multiprocessors: u32,
    /// Its highest clock in MHz, as the driver states it.
    pub clock_mhz: u32,
    /// Whether a watchdog ends long launches.
    pub watchdog: bool,
    /// Where on the PCI bus it is, e.g. "0000:65:00.0".
    pub bus_id: Option<String>,
    /// Clocks, temperature and power as they are now, where NVML reports them.
    pub conditions: Option<Conditions>,
}

/// The driver's functions that this program calls, but for those of [`super::graph`]. cudarc panics where it finds one missing.
const FUNCTIONS: &str = "
    cuArray3DCreate_v2 cuArrayDestroy cuCtxDestroy_v2 cuCtxGetCurrent cuCtxGetStreamPriorityRange cuCtxSetCurrent
    cuCtxSynchronize cuDeviceGet cuDeviceGetAttribute cuDeviceGetCount cuDeviceGetName cuDeviceGetPCIBusId
    cuDeviceGetUuid cuDevicePrimaryCtxRelease_v2 cuDevicePrimaryCtxRetain cuDeviceTotalMem_v2 cuDriverGetVersion
    cuEventCreate cuEventDestroy_v2 cuEventElapsedTime cuEventRecord cuEventSynchronize cuFuncGetAttribute cuFuncSetAttribute
    cuGetErrorString cuInit cuLaunchCooperativeKernel cuLaunchKernel cuMemAlloc_v2 cuMemFreeHost cuMemFree_v2
    cuMemGetInfo_v2 cuMemHostAlloc cuMemHostGetDevicePointer_v2 cuMemcpy2DAsync_v2 cuMemcpy3D_v2 cuMemcpyAsync
    cuMemcpyDtoH_v2 cuMemcpyHtoD_v2 cuMemsetD8_v2 cuModuleGetFunction cuModuleGetGlobal_v2 cuModuleLoadData
    cuModuleLoadDataEx cuModuleUnload cuStreamCreate cuStreamCreateWithPriority cuStreamDestroy_v2
    cuStreamWaitEvent cuSurfObjectCreate cuSurfObjectDestroy cuTexObjectCreate cuTexObjectDestroy";

/// Checks that the driver's library, which was found, has these functions.
pub(super) fn check_functions(names: &'static str) -> Result<(), Error> {
    // SAFETY: as for `is_culib_present`, which has found it.
    let library = unsafe { sys::culib() };
    let is_missing = |name: &&str| {
        // SAFETY: the function is looked for and not called.
        unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_err()
    };
    match names.split_whitespace().find(is_missing) {
        Some(name) => Err(Error::NoFunction(name)),
        None => Ok(()),
    }
}

/// Loads the driver and counts its GPUs, of which there is at least one. Like all in this file that calls the driver, only for
/// [`DRIVER`] to call.
fn ready() -> Result<usize, Error> {
    let unavailable = |what: String, remedy: &str| Error::Unavailable {
        what,
        remedy: format!("{remedy}, or run without a GPU: --device simt"),
    };
    // cudarc panics where the library is missing: ask first.
    // SAFETY: loading the driver runs only its own constructors, which expect nothing of the process.
    if !unsafe { sys::is_culib_present() } {
        return Err(unavailable(
            "no NVIDIA driver was found on this machine".to_string(),
            "install NVIDIA's driver",
        ));
    }
    check_functions(FUNCTIONS)?;
    match result::init() {
        Ok(()) => {}
        Err(DriverError(CUresult::CUDA_ERROR_NO_DEVICE)) => {
            return Err(unavailable(
                "the NVIDIA driver finds no GPU".to_string(),
                "check CUDA_VISIBLE_DEVICES and nvidia-smi",
            ));
        }
        Err(error) => {
            return Err(unavailable(
                format!("the NVIDIA driver cannot be used: {}", words(error)),
                "check nvidia-smi",
            ));
        }
    }
    let count = result::device::get_count().map_err(failed("counting GPUs"))?;
    match usize::try_from(count) {
        Ok(count) if count > 0 => Ok(count),
        _ => Err(unavailable(
            "the NVIDIA driver finds no GPU".to_string(),
            "check CUDA_VISIBLE_DEVICES and nvidia-smi",
        )),
    }
}

/// How many GPUs can be opened here; 0 without a driver.
///
/// # Errors
/// There is a driver that hangs or is none of NVIDIA's: nothing else is taken in its place without a word.
pub fn count() -> Result<usize, Error> {
    match DRIVER.call(ready)? {
        Err(error @ Error::NoFunction(_)) => Err(error),
        counted => Ok(counted.unwrap_or(0)),
    }
}

/// The driver and its GPUs, for the survey.
pub(crate) fn driver() -> Result<Driver, Error> {
    let mut driver = DRIVER.call(describe_all)??;
    for gpu in &mut driver.gpus {
        gpu.conditions = gpu.bus_id.clone().and_then(monitor::conditions);
    }
    Ok(driver)
}

fn describe_all() -> Result<Driver, Error> {
    let gpus = (0..ready()?).map(describe).collect::<Result<_, Error>>()?;
    let (major, minor) = cuda_version()?;
    Ok(Driver { version: driver_version(), cuda: format!("{major}.{minor}"), gpus })
}

/// What the driver says of a GPU, but not its conditions.
pub(super) fn describe(number: usize) -> Result<Gpu, Error> {
    use CUdevice_attribute as A;
    let asked = Asked::of(number)?;
    // SAFETY: the handle was given by the driver just now.
    let memory = unsafe { result::device::total_mem(asked.device) };
    Ok(Gpu {
        name: asked.name()?,
        compute_capability: asked.compute_capability()?,
        memory_bytes: memory.map_err(failed(asked.asking.clone()))? as u64,
        multiprocessors: asked.number(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        // The driver says kHz.
        clock_mhz: asked.number(A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)? / 1000,
        watchdog: asked.number(A::CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT)? != 0,
        bus_id: asked.bus_id(),
        conditions: None,
    })
}

/// What the driver says of a GPU of this machine that the time model can use.
pub(crate) fn attributes(number: usize) -> Result<Attributes, Error> {
    DRIVER.call(move || known(number))?
}

fn known(number: usize) -> Result<Attributes, Error> {
    use CUdevice_attribute as A;
    let asked = Asked::of(number)?;
    // What a driver does not know it gives as 0.
    let known = |attribute| asked.number(attribute).ok().filter(|number| *number > 0);
    let bytes = |attribute| known(attribute).map(u64::from);
    Ok(Attributes {
        name: asked.name()?,
        compute_capability: asked.compute_capability()?,
        multiprocessors: asked.number(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        clock_khz: asked.number(A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?,
        memory_clock_khz: known(A::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE),
        memory_bus_bits: known(A::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
        l2_bytes: bytes(A::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
        shared_bytes: bytes(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR),
        block_shared_bytes: bytes(A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
        threads: known(A::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
        blocks: known(A::CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR),
        registers: known(A::CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR),
    })
}

/// A GPU that the driver is asked about.
struct Asked {
    device: sys::CUdevice,
    /// What is being done, for errors.
    asking: String,
}

impl Asked {
    /// The GPU of this number of a driver that is made ready.
    fn of(number: usize) -> Result<Asked, Error> {
        let count = ready()?;
        if number >= count {
            return Err(Error::Unavailable {
                what: format!("there is no GPU {number}: the driver finds {count}"),
                remedy: "number them from 0, as `doctor` lists them".to_string(),
            });
        }
        let asking = format!("asking about GPU {number}");
        let ordinal = i32::try_from(number).unwrap_or(i32::MAX);
        let device = result::device::get(ordinal).map_err(failed(asking.clone()))?;
        Ok(Asked { device, asking })
    }

    fn number(&self, attribute: CUdevice_attribute) -> Result<u32, Error> {
        // SAFETY: the handle was given by the driver in `of`.
        let value = unsafe { result::device::get_attribute(self.device, attribute) };
        Ok(value.map_err(failed(self.asking.clone()))?.unsigned_abs())
    }

    fn bus_id(&self) -> Option<String> {
        let mut text = [0; 32];
        // SAFETY: the driver writes at most as many characters as it is asked that there is room for, and ends them with
        // a zero.
        let asked =
            unsafe { sys::cuDeviceGetPCIBusId(text.as_mut_ptr(), text.len() as i32, self.device) };
        asked.result().ok()?;
        let characters = text.iter().take_while(|&&character| character != 0);
        // A character is signed on some processors and not on others.
        Some(characters.map(|&character| char::from(character as u8)).collect())
    }

    fn name(&self) -> Result<String, Error> {
        result::device::get_name(self.device).map_err(failed(self.asking.clone()))
    }

    fn compute_capability(&self) -> Result<(u32, u32), Error> {
        use CUdevice_attribute as A;
        Ok((
            self.number(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            self.number(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ))
    }
}

/// The newest CUDA version that the driver serves.
pub(super) fn cuda_version() -> Result<(u32, u32), Error> {
    let mut number = 0;
    // SAFETY: the pointer is to an integer that lives through the call.
    unsafe { sys::cuDriverGetVersion(&mut number) }
        .result()
        .map_err(failed("asking for the driver's version"))?;
    Ok(split_version(number.unsigned_abs()))
}

/// 12040 is CUDA 12.4.
fn split_version(number: u32) -> (u32, u32) {
    (number / 1000, number % 1000 / 10)
}

/// The driver's own version, where the kernel module states it (Linux).
pub(super) fn driver_version() -> Option<String> {
    parse_driver_version(&std::fs::read_to_string("/proc/driver/nvidia/version").ok()?)
}

/// The version is the first word of the first line that looks like one.
fn parse_driver_version(text: &str) -> Option<String> {
    text.lines()
        .next()?
        .split_whitespace()
        .find(|word| word.contains('.') && word.split('.').all(|part| part.parse::<u32>().is_ok()))
        .map(str::to_string)
}

/// Makes an [`Error`] of the driver's, saying what was being done.
pub(crate) fn failed(doing: impl Into<String>) -> impl Fn(DriverError) -> Error {
    let doing = doing.into();
    move |error| Error::Driver {
        doing: doing.clone(),
        code: format!("{:?}", error.0),
        message: message(error),
        fatal: is_fatal(error),
    }
}

fn words(error: DriverError) -> String {
    format!("{:?}: {}", error.0, message(error))
}

fn message(error: DriverError) -> String {
    error.error_string().map_or_else(
        |_| "the driver has no words for it".to_string(),
        |text| text.to_string_lossy().into_owned(),
    )
}

/// Whether an error ends the context: after it, every call of this process fails (CUDA Driver API, `CUresult`).
fn is_fatal(error: DriverError) -> bool {
    matches!(
        error.0,
        CUresult::CUDA_ERROR_ILLEGAL_ADDRESS
            | CUresult::CUDA_ERROR_LAUNCH_TIMEOUT
            | CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED
            | CUresult::CUDA_ERROR_ASSERT
            | CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR
            | CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION
            | CUresult::CUDA_ERROR_MISALIGNED_ADDRESS
            | CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE
            | CUresult::CUDA_ERROR_INVALID_PC
            | CUresult::CUDA_ERROR_LAUNCH_FAILED
            | CUresult::CUDA_ERROR_ECC_UNCORRECTABLE
            | CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE
            | CUresult::CUDA_ERROR_EXTERNAL_DEVICE
            | CUresult::CUDA_ERROR_DEINITIALIZED
            | CUresult::CUDA_ERROR_UNKNOWN
    )
}

#[cfg(test)]
mod tests;
